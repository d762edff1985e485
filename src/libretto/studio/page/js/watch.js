// Two tabs, one workspace: what was made elsewhere is noticed, and a refused write shows what to do.
//
// Nothing of this page is thrown away: what a person typed stays until they choose the newest version themselves.

import { get } from "./api.js";
import { openPiece } from "./app.js";
import { refuse, say } from "./messages.js";
import { change, on, store } from "./store.js";

const EVERY = 2500; // milliseconds between two looks
let told = ""; // the version that was spoken of last
let suspect = ""; // a version that was new at the last look: our own writing may still be arriving
let spoken = () => {}; // takes the last message about a version away
let away = null; // the message that the server does not answer

export function mount() {
  setInterval(look, EVERY);
  document.addEventListener("visibilitychange", () => document.hidden || look());
  on("piece", () => {
    suspect = "";
    spoken();
    spoken = () => {};
  });
}

async function look() {
  if (document.hidden) return;
  let state;
  try {
    state = await get("/api/state");
  } catch {
    away ||= say("The studio's server does not answer. Start it again with “libretto studio”; this page then goes on by itself.", "bad", { stays: true, key: "away" });
    return;
  }
  if (away) {
    away();
    away = null;
    say("The studio is there again.", "good");
  }
  listen(state);
}

function listen(state) {
  const before = JSON.stringify(store.pieces);
  if (JSON.stringify(state.pieces) !== before) change({ pieces: state.pieces });
  const fresh = state.jobs.filter((job) => !store.jobs.has(job.id));
  if (fresh.length) {
    for (const job of fresh) store.jobs.set(job.id, job);
    change({ jobs: store.jobs });
  }
  const { piece } = store;
  const newest = piece && state.pieces.find((one) => one.name === piece.name);
  if (!newest) return;
  const known = Math.max(piece.version, ...(piece.versions || []).map((version) => version.number ?? 0));
  const mark = `${piece.name}@${newest.version}`;
  if (newest.version <= known || mark === told) return;
  if (suspect === mark) {
    told = mark;
    elsewhere(piece, newest.version);
  }
  suspect = mark;
}

async function elsewhere(piece, newest) {
  const line = await changed(`${piece.name}@${piece.version}`, `${piece.name}@${newest}`);
  spoken = say(`Version ${newest} of ${piece.title || piece.name} was made elsewhere.`, "plain", {
    key: "elsewhere",
    stays: true,
    details: line,
    actions: choices(piece, newest),
  });
}

const choices = (piece, newest) => [
  ["Load the newest", () => openPiece(piece.name).catch(refuse)],
  ["Compare", async () => (await import("./compare.js")).compare(`${piece.name}@${piece.version}`, `${piece.name}@${newest}`)],
  ["Stay here", () => {}],
];

async function changed(a, b) {
  try {
    const { lines } = await get(`/api/diff?a=${encodeURIComponent(a)}&b=${encodeURIComponent(b)}`);
    return lines.slice(0, 4).concat(lines.length > 4 ? [`and ${lines.length - 4} more`] : []);
  } catch {
    return [];
  }
}

// A write was refused since the piece went on elsewhere: show what changed there, and offer the newest.
export async function showStale({ piece: name, newest }) {
  const piece = store.piece?.name === name ? store.piece : { name, version: newest };
  const number = newest ?? (await get(`/api/pieces/${encodeURIComponent(name)}`)).version;
  told = `${name}@${number}`;
  const details = piece.version < number ? await changed(`${name}@${piece.version}`, `${name}@${number}`) : [];
  spoken = say(`Not written: ${name} went on to version ${number} elsewhere. What you have here is still here.`, "bad", {
    key: "elsewhere",
    details,
    actions: choices(piece, number),
  });
}
