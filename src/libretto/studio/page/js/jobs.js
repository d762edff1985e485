// Work that takes time: progress, a way to end it, and finding it again after the page was loaded anew.

import { follow, remove, work } from "./api.js";
import { iconButton, make } from "./elements.js";
import { refuse, say } from "./messages.js";
import { on, store, tell } from "./store.js";

const PATIENCE = 400; // milliseconds before anything is shown
const RUNNING = new Set(["waiting", "running"]);
const MOST_CUT_OFF = 2; // jobs of an ended studio that are spoken of
const MINE = "libretto.jobs.mine";
const SEEN = "libretto.jobs.seen";
const NAMES = {
  compose: "Composing", fill: "Writing takes", accompany: "Accompanying", extend: "Extending", morph: "Morphing",
  revise: "Revising", appraise: "Judging", apply: "Following the advice", original: "Looking for likeness",
  drill: "Writing a drill", grade: "Grading", transcribe: "Listening", estimate: "Estimating", export: "Exporting",
};
let home = null;
let beginning = 0; // jobs that are asked for and have no number yet
const followed = new Set();
const spoken = new Set(); // interrupted jobs that were told

export function mount(element) {
  home = element;
  on("jobs", attach);
  attach();
}

// The jobs that this tab began, also before a reload.
const isMine = (id) => JSON.parse(sessionStorage.getItem(MINE) || "[]").includes(id);
const mine = (id) => isMine(id) || sessionStorage.setItem(MINE, JSON.stringify([...JSON.parse(sessionStorage.getItem(MINE) || "[]"), id].slice(-50)));

const seen = () => new Set(JSON.parse(localStorage.getItem(SEEN) || "[]"));
const see = (id) => localStorage.setItem(SEEN, JSON.stringify([...seen().add(id)].slice(-100)));

// A row for something that is under way; it appears when that takes longer than a moment.
function row(name, cancel) {
  const text = make("span.cut", {}, name);
  const bar = make("progress", { "aria-label": name, max: 1 });
  const clock = make("small.numbers", { "aria-hidden": "true" });
  const stop = cancel ? iconButton("close", `Cancel: ${name}`, () => { stop.disabled = true; cancel(); }, ".quiet.small") : null;
  const element = make("div.job", {}, text, bar, clock, stop);
  const begin = performance.now();
  const shown = setTimeout(() => home?.append(element), PATIENCE);
  const ticking = setInterval(() => { clock.textContent = `${Math.floor((performance.now() - begin) / 1000)} s`; }, 500);
  return {
    update(line, share) {
      const said = line && line.toLowerCase() !== name.toLowerCase() ? `${name}: ${line}` : name;
      if (text.textContent !== said) text.textContent = said;
      text.title = said;
      if (typeof share === "number") bar.value = share;
      else bar.removeAttribute("value");
    },
    end() {
      clearTimeout(shown);
      clearInterval(ticking);
      element.remove();
    },
  };
}

const nameOf = (kind) => NAMES[kind] || kind;

function listener(kind) {
  let shown = null;
  return (job) => {
    followed.add(job.id);
    store.jobs.set(job.id, job);
    shown ||= row(nameOf(kind), () => remove(`/api/jobs/${job.id}`).catch(refuse));
    const last = job.lines[job.lines.length - 1];
    shown.update(job.state === "waiting" ? "waiting for its turn" : last?.text, last?.share);
    if (!RUNNING.has(job.state)) {
      shown.end();
      if (job.state === "interrupted") interrupted(job);
      else see(job.id);
      tell("finished", job);
    }
  };
}

/**
 * Begin a job, show how far it is with a button that ends it, and give its result.
 * @param {string} kind
 * @param {object} args
 * @param {(job: object) => void} heard is told of every step as well
 */
export async function perform(kind, args, heard = () => {}) {
  const show = listener(kind);
  beginning++;
  let begun = false;
  const settle = () => { if (!begun) { begun = true; beginning--; } };
  try {
    return await work(kind, args, (job) => {
      mine(job.id);
      show(job);
      settle();
      heard(job);
    });
  } finally {
    settle();
  }
}

// Show that something other than a job is under way, until its promise is settled.
export async function busy(name, promise) {
  const shown = row(name, null);
  shown.update("", null);
  try {
    return await promise;
  } finally {
    shown.end();
  }
}

// Jobs that go on although this page did not begin them: after a reload, or from another tab.
function attach() {
  if (beginning) return;
  const known = seen();
  for (const job of store.jobs.values()) {
    if (followed.has(job.id)) continue;
    followed.add(job.id);
    if (RUNNING.has(job.state)) {
      const show = listener(job.kind);
      show(job);
      follow(job.id, show).then((result) => finish(job, result), (error) => error.data?.state !== "cancelled" && refuse(error));
    }
  }
  const cutOff = [...store.jobs.values()].filter((job) => job.state === "interrupted" && !known.has(job.id) && !spoken.has(job.id));
  for (const job of cutOff.slice(-MOST_CUT_OFF)) interrupted(job);
}

// What a job came to that was begun before this page was loaded, or in another tab.
async function finish(job, result) {
  if (!isMine(job.id)) return (await import("./app.js")).refresh();
  if (result.takes?.length) return (await import("./takes.js")).showTakes(result.takes);
  if (result.piece && job.kind !== "drill") {
    await (await import("./app.js")).refresh();
    await open(result.piece);
    return say(`${nameOf(job.kind)} is done.`, "good");
  }
  return say(`${nameOf(job.kind)} is done.`, "good");
}

const open = async (name) => (await import("./app.js")).openPiece(name).catch(refuse);

function interrupted(job) {
  spoken.add(job.id);
  const what = job.arguments?.brief || job.arguments?.piece || "";
  say(`${nameOf(job.kind)}${what ? ` “${String(what).slice(0, 80)}”` : ""} was interrupted when the studio ended.`, "bad", {
    key: `interrupted ${job.id}`,
    actions: [["Again", () => again(job)], ["Let it be", () => see(job.id)]],
  });
}

async function again(job) {
  see(job.id);
  try {
    const { base, ...rest } = job.arguments;
    const args = base === undefined ? rest : { ...rest, base: store.piece?.name === rest.piece ? store.piece.version : base };
    await finish(job, await perform(job.kind, args));
  } catch (error) {
    refuse(error);
  }
}
