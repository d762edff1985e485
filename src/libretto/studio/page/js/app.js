// The page put together: every part mounts into its own element and listens to the store.

import { get } from "./api.js";
import { refuse } from "./neighbours.js";
import { keepPicked } from "./notes.js";
import { change, on, store } from "./store.js";
import { startTrace } from "./trace.js";
import { showSide } from "./views.js";

// The frame and the music, mounted first; then everything around them.
const music = [
  ["head", "./head.js"],
  ["stage", "./views.js"],
  ["zoom", "./zoom.js"],
  ["tools", "./tools.js"],
  ["lanes", "./lanes.js"],
  ["roll", "./roll.js"],
  ["mixer", "./mixer.js"],
  ["text", "./text.js"],
  ["stage", "./keys.js"],
];
const around = [
  ["messages", "./messages.js"],
  ["jobs", "./jobs.js"],
  ["transport", "./transport.js"],
  ["score", "./score.js"],
  ["takes", "./takes.js"],
  ["pieces", "./pieces.js"],
  ["versions", "./versions.js"],
  ["versions", "./compare.js"],
  ["exports", "./exports.js"],
  ["stage", "./drop.js"],
  ["say", "./say.js"],
  ["findings", "./findings.js"],
  ["measures", "./measures.js"],
  ["lessons", "./lessons.js"],
  ["training", "./training.js"],
];

let asked = 0;

// Open a piece by its name or name@version; a later call wins over one that is still under way.
export async function openPiece(handle) {
  const mine = ++asked;
  const piece = await get(`/api/pieces/${encodeURIComponent(handle)}`);
  if (mine !== asked) return store.piece;
  showPiece(piece);
  return piece;
}

// Show a piece view. What is selected stays selected where the same piece comes anew.
export function showPiece(piece) {
  const before = store.piece;
  const same = before !== null && before.name === piece.name;
  const fresh = { selection: null, voices: new Set(), notes: new Set(), active: 0, mute: new Set(), solo: new Set(), tick: 0 };
  const kept = same ? keptOf(before, piece) : { ...fresh, volume: new Map(), marks: null };
  change({ piece, ...kept });
  const newest = piece.versions ? Math.max(...piece.versions.map((version) => version.number ?? version.version ?? 0)) : 0;
  const handle = newest && piece.version < newest ? `${piece.name}@${piece.version}` : piece.name;
  if (piece.name) history.replaceState(null, "", `#${encodeURIComponent(handle)}`);
  document.title = `${piece.title || piece.name} · Libretto`;
}

function keptOf(before, piece) {
  const bars = piece.bars.length;
  const held = store.selection;
  const selection = held && held.first < bars ? { first: held.first, last: Math.min(held.last, bars - 1) } : null;
  const voices = new Set([...store.voices].filter((voice) => voice < piece.voices.length));
  const active = Math.min(store.active, Math.max(0, piece.voices.length - 1));
  return { selection, voices, active, notes: keepPicked(before, piece, store.notes) };
}

export async function refresh() {
  const state = await get("/api/state");
  change({ state, pieces: state.pieces, jobs: new Map(state.jobs.map((job) => [job.id, job])) });
}

// Mount parts in their order. One that fails is left out and said, so that the others still work.
async function mountAll(loading) {
  for (const [id, path, module] of loading) {
    try {
      (await module).mount(document.getElementById(id));
    } catch (error) {
      console.error(`${path} does not work`, error);
    }
  }
}

const load = ([id, path]) => {
  const module = import(path);
  module.catch(() => {}); // said when it is mounted
  return [id, path, module];
};

async function begin() {
  startTrace();
  const known = refresh().catch(refuse);
  const [first, then] = [music.map(load), around.map(load)];
  await mountAll(first);
  await mountAll(then);
  await known;
  await openAsked();
  window.addEventListener("hashchange", openAsked);
}

async function openAsked() {
  const wanted = decodeURIComponent(location.hash.slice(1)) || store.pieces[0]?.name;
  if (!wanted) showSide("left");
  if (!wanted || wanted === store.piece?.name) return;
  try {
    await openPiece(wanted);
  } catch (error) {
    refuse(error);
  }
}

on("pieces", () => document.body.classList.toggle("empty", store.pieces.length === 0));
begin();
