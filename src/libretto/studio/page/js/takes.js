// Takes: candidates side by side, each with its roll and the proof of what stayed; hear, keep or drop them.
//
// The piece as it is stays on side A of the player; the take that is heard is on side B, at the same place.

import { get, post, remove } from "./api.js";
import { openPiece, refresh } from "./app.js";
import { begin, endComparing } from "./compare.js";
import { button, icon, iconButton, make } from "./elements.js";
import { busy } from "./jobs.js";
import { refuse, say } from "./messages.js";
import { player } from "./player.js";
import { drawSmall } from "./small_roll.js";
import { on, store } from "./store.js";
import { toggle } from "./transport.js";

const KEPT = "libretto.takes"; // so that takes are there after a reload
const AROUND = 1; // bars heard before and after what changed
let home = null;
let views = [];
let heard = null; // the take that is on side B

export function mount(element) {
  home = element;
  home.setAttribute("role", "region");
  home.setAttribute("aria-label", "Takes to choose from");
  on("side", show);
  on("playing", () => { show(); frame(); });
  on("piece", again);
  addEventListener("resize", draw);
}

const remember = () => {
  const kept = views.length ? { piece: views[0].name, ids: views.map((view) => view.take.id) } : null;
  sessionStorage.setItem(KEPT, JSON.stringify(kept));
};

// After a reload, and when a piece is opened: the takes that wait for it.
async function again(piece) {
  if (!piece) return;
  if (views.length) {
    if (views[0].name !== piece.name) close();
    else show();
    return;
  }
  const kept = JSON.parse(sessionStorage.getItem(KEPT) || "null");
  if (kept?.piece !== piece.name) return;
  const there = await Promise.all(kept.ids.map((id) => get(`/api/takes/${encodeURIComponent(id)}`).catch(() => null)));
  views = there.filter((view) => view && view.take.base === piece.version);
  show();
}

/**
 * Show takes to choose from.
 * @param {string[]} ids
 */
export async function showTakes(ids) {
  if (!ids.length) return say("Nothing was found that fits.", "bad");
  try {
    const read = await busy("Reading the takes", Promise.all(ids.map((id) => get(`/api/takes/${encodeURIComponent(id)}`))));
    if (store.piece?.name !== read[0].name || store.piece.version !== read[0].take.base) await openPiece(`${read[0].name}@${read[0].take.base}`);
    views = read;
    heard = null;
    remember();
    show();
    home.scrollIntoView({ block: "nearest" });
    home.querySelector("button")?.focus({ preventScroll: true });
  } catch (error) {
    refuse(error);
  }
  return null;
}

// The ticks that a take is about, with some bars around.
function around(view) {
  const bars = view.bars;
  let [first, last] = [0, bars.length - 1];
  const changed = view.changed || [];
  if (changed.length) {
    const onsets = changed.map((id) => view.notes.onset[id]);
    const [from, to] = [Math.min(...onsets), Math.max(...onsets)];
    first = bars.findLastIndex((bar) => bar.tick <= from);
    last = bars.findLastIndex((bar) => bar.tick <= to);
  } else if (view.take.bars) {
    first = bars.findIndex((bar) => bar.number === view.take.bars[0]);
    last = bars.findIndex((bar) => bar.number === view.take.bars[1]);
  }
  const begin = Math.max(0, first - AROUND);
  const end = Math.min(bars.length - 1, Math.max(first, last) + AROUND);
  return { from: bars[begin].tick, to: bars[end + 1]?.tick ?? view.end };
}

function show() {
  if (!home) return;
  home.hidden = !views.length;
  if (!views.length) {
    home.replaceChildren();
    return;
  }
  const now = button("As it is now", () => hear(null), ".small");
  now.setAttribute("aria-pressed", String(store.playing && player.side === "a"));
  home.replaceChildren(
    make("div.row", {}, make("h2.grow", {}, views.length === 1 ? "One take" : `${views.length} takes`), now, button("Drop all", () => dropAll(), ".small.quiet")),
    make("div.cards", {}, ...views.map(card)));
  draw();
}

const newest = () => Math.max(store.piece?.version ?? 1, ...(store.piece?.versions || []).map((version) => version.number ?? 0));

function card(view, index) {
  const { take } = view;
  const on = heard === take.id && player.side === "b" && store.playing;
  const play = make("button.button.small", { type: "button", "aria-pressed": String(on), "aria-label": on ? `Pause take ${index + 1}` : `Hear take ${index + 1} in context`, onclick: () => (on ? player.pause() : hear(view)) },
    icon(on ? "pause" : "play"), on ? "Pause" : "Hear it");
  const findings = (take.findings || []).slice(0, 3);
  const kept = button("Keep", () => keep(view), ".small.primary");
  const old = newest() > take.base ? make("small", {}, `made from version ${take.base}`) : null;
  return make("article.card.panel", { "aria-label": `Take ${index + 1}` },
    make("div.row", {}, make("b.grow", {}, `Take ${index + 1}`), make("small", {}, take.by || ""),
      make(`span.chip.${take.passed === false ? "warn" : "good"}`, {}, take.passed === false ? "with findings" : "passes")),
    make("canvas", { "data-take": take.id, role: "img", "aria-label": `${(view.changed || []).length} notes changed of ${view.notes.pitch.length}` }),
    make("p.what", {}, take.what || ""),
    take.proof ? make("p.proof", {}, icon("keep"), ` ${take.proof}`) : null,
    make("div.row", {}, play, kept, old, iconButton("close", `Drop take ${index + 1}`, () => drop(view), ".small.quiet")),
    findings.length ? make("details", {}, make("summary", {}, findings.length === 1 ? "one finding" : `${findings.length} findings`), make("ul.lines", {}, ...findings.map((line) => make("li", {}, line)))) : null);
}

function draw() {
  for (const view of views) {
    const canvas = home.querySelector(`canvas[data-take="${CSS.escape(view.take.id)}"]`);
    if (!canvas) continue;
    const playing = store.playing && player.side === "b" && heard === view.take.id;
    drawSmall(canvas, view, { ...around(view), changed: new Set(view.changed || []), tick: playing ? player.tick() : null });
  }
}

function frame() {
  if (!store.playing || !views.length) return;
  draw();
  requestAnimationFrame(frame);
}

// Hear a take in its place, or the piece as it is, going on from where the music is.
async function hear(view) {
  try {
    const { from, to } = around(view || views.find((one) => one.take.id === heard) || views[0]);
    if (view && heard !== view.take.id) {
      const handle = `${store.piece.name}@${store.piece.version}`;
      const difference = await get(`/api/diff?a=${encodeURIComponent(handle)}&b=${encodeURIComponent(`take:${view.take.id}`)}`);
      await begin({ a: handle, b: `take:${view.take.id}`, ...difference, view, quiet: true });
      heard = view.take.id;
    }
    const place = player.tick();
    if (!store.playing && (place < from || place >= to)) player.seek(from);
    else if (store.playing && (place < from || place >= to)) player.seek(from);
    player.switchTo(view ? "b" : "a");
    if (!store.playing) await toggle();
    show();
  } catch (error) {
    refuse(error);
  }
}

async function keep(view) {
  try {
    const made = await post(`/api/takes/${view.take.id}/keep`, { base: newest() });
    const others = views.filter((one) => one !== view);
    close();
    await openPiece(made.piece);
    await refresh();
    say(`Version ${made.version}: ${made.said || view.take.what}`, "good", { details: made.kept ? [made.kept] : [] });
    await Promise.all(others.map((one) => remove(`/api/takes/${one.take.id}`).catch(() => {})));
  } catch (error) {
    refuse(error);
  }
}

async function drop(view) {
  await remove(`/api/takes/${view.take.id}`).catch(refuse);
  views = views.filter((one) => one !== view);
  if (heard === view.take.id || !views.length) quiet();
  remember();
  show();
}

async function dropAll() {
  const gone = views;
  close();
  await Promise.all(gone.map((view) => remove(`/api/takes/${view.take.id}`).catch(() => {})));
}

function quiet() {
  if (heard !== null) endComparing();
  heard = null;
}

function close() {
  views = [];
  quiet();
  remember();
  show();
}
