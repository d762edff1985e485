// The keys: everything that the mouse does on the roll, without it.

import { edit, pickAs, pickedNotes, shownNotes, undo } from "./edit.js";
import { showKeys } from "./help.js";
import { audition } from "./neighbours.js";
import { noteOf } from "./notes.js";
import { roll } from "./roll.js";
import { addNote } from "./roll_mouse.js";
import { goTo, notesInSelection, selectBars } from "./selecting.js";
import { change, store } from "./store.js";
import { cutNotes, replace, shift } from "./tools.js";
import { pick } from "./mixer.js";
import { barEnd, barIndexAt, isDrum, reveal, rowAt, snapped, snapTicks, view, zoomTime } from "./view.js";
import { showView } from "./views.js";
import { toggleVoices } from "./voices.js";
import { fitChosen } from "./zoom.js";

const LOUDER = 5;
let editing = false;
let clipboard = [];
let anchor = null;

const typing = (target) => target.closest?.("input:not([type=range]):not([type=checkbox]), textarea, select, [contenteditable], dialog");

export function mount() {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || typing(event.target)) return;
    if (act(event)) event.preventDefault();
  });
}

function act(event) {
  if (event.key === "?") return done(showKeys());
  if (!store.piece) return false;
  if (event.ctrlKey || event.metaKey) return withControl(event);
  if (event.altKey) return withAlt(event);
  const onRoll = event.target === document.body || event.target.closest?.("#stage") && !event.target.closest("button, [role=tab], a, #takes, #score");
  if (!onRoll) return false;
  return event.key.startsWith("Arrow") ? arrow(event) : plain(event);
}

const done = () => true;

function withControl(event) {
  const key = event.key.toLowerCase();
  const verbs = {
    z: () => undo(event.shiftKey),
    y: () => undo(true),
    a: () => change({ notes: new Set(notesInSelection(roll.index)) }),
    c: () => copy(),
    x: () => copy() && cutNotes(),
    v: paste,
    arrowleft: () => goTo(store.piece.bars[Math.max(0, barIndexAt(store.tick - 1))].tick),
    arrowright: () => goTo(barEnd(barIndexAt(store.tick))),
  };
  if (key === "c" && !store.notes.size) return false;
  return key in verbs ? done(verbs[key]()) : false;
}

function withAlt(event) {
  const views = { 1: "roll", 2: "score", 3: "text" };
  if (event.key in views) return done(showView(views[event.key]));
  return store.notes.size && event.key.startsWith("Arrow") ? done(nudge(event)) : false;
}

// Move picked notes by a step of the grid or a semitone, by an octave with Shift.
function nudge({ key, shiftKey }) {
  const step = snapTicks() || store.piece.quarter / 16;
  const by = {
    ArrowUp: shiftKey ? { pitch: 12 } : { rows: 1 },
    ArrowDown: shiftKey ? { pitch: -12 } : { rows: -1 },
    ArrowLeft: shiftKey ? null : { onset: -step },
    ArrowRight: shiftKey ? null : { onset: step },
  }[key];
  if (!by) return lengthen(key === "ArrowRight" ? 1 : -1);
  shift(by);
  const [first] = pickedNotes();
  if (first && !by.onset) audition(first.voice, first.pitch, first.velocity);
  if (first) reveal(first.onset);
}

function lengthen(way) {
  const step = (snapTicks() || store.piece.quarter / 16) * way;
  replace((note) => ({ ...note, duration: Math.max(Math.min(Math.abs(step), note.duration), note.duration + step) }));
}

const louder = (by) => replace((note) => ({ ...note, velocity: Math.max(1, Math.min(127, note.velocity + by)) }));

function plain(event) {
  const { key, shiftKey } = event;
  const some = store.notes.size > 0;
  if (/^[1-9]$/.test(key) && Number(key) <= store.piece.voices.length) return done(pick(Number(key) - 1));
  if (shiftKey && "MSZ".includes(key)) return done(key === "Z" ? zoomTime(1 / 1.4) : toggleVoices(key === "M" ? "mute" : "solo"));
  const verbs = {
    Escape: letGo,
    Enter: () => (some ? (editing = !editing, say()) : pickAtCursor()),
    n: addAtCursor,
    f: fitChosen,
    z: () => zoomTime(1.4),
    Home: () => goTo(0),
    End: () => goTo(store.piece.end),
    ...(some ? { Delete: cutNotes, Backspace: cutNotes, "[": () => lengthen(-1), "]": () => lengthen(1), "-": () => louder(-LOUDER), "+": () => louder(LOUDER), "=": () => louder(LOUDER) } : {}),
  };
  return key in verbs ? done(verbs[key]()) : false;
}

// A note like the one that is picked, else in the middle of what is seen.
function addAtCursor() {
  const [like] = pickedNotes();
  addNote(store.tick, like ? { pitch: like.pitch, drum: isDrum(like.voice) } : rowAt(view.top + view.height / 2));
}

function letGo() {
  if (editing) {
    editing = false;
    say();
  } else if (store.notes.size) change({ notes: new Set() });
  else {
    selectBars(null);
    change({ voices: new Set() });
  }
}

const say = () => document.querySelector("#roll .scroller")?.classList.toggle("editing", editing);

function arrow(event) {
  if (!store.notes.size) editing = false;
  if (store.notes.size && editing) return done(nudge(event));
  if (store.notes.size) return done(pickNext(event));
  const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (way === undefined) return done(pickVoice(event.key === "ArrowUp" ? -1 : 1));
  return done(event.shiftKey ? extendBars(way) : goTo(snapped(store.tick) + way * (snapTicks() || store.piece.quarter)));
}

function pickVoice(way) {
  const count = store.piece.voices.length;
  const now = store.voices.size === 1 ? [...store.voices][0] : way > 0 ? -1 : count;
  if (count) pick(Math.max(0, Math.min(count - 1, now + way)));
}

// Extend the selected bars from where the cursor was when it began.
function extendBars(way) {
  const chosen = store.selection;
  if (!chosen) {
    anchor = barIndexAt(store.tick);
    selectBars(anchor);
    return;
  }
  if (anchor === null || (anchor !== chosen.first && anchor !== chosen.last)) anchor = chosen.first;
  const edge = anchor === chosen.first ? chosen.last : chosen.first;
  const next = Math.max(0, Math.min(store.piece.bars.length - 1, edge + way));
  selectBars(anchor, next);
  reveal(store.piece.bars[next].tick);
}

const order = (notes) => (a, b) => notes.onset[a] - notes.onset[b] || notes.pitch[a] - notes.pitch[b];

// The notes that can be picked, in order of time and pitch.
function pickable() {
  const notes = shownNotes();
  return [...notes.pitch.keys()].filter((id) => !store.voices.size || store.voices.has(notes.voice[id])).sort(order(notes));
}

function pickAtCursor() {
  const notes = shownNotes();
  const all = pickable();
  const id = all.find((one) => notes.onset[one] >= store.tick) ?? all.at(-1);
  if (id !== undefined) takeUp(id, false);
}

let lead = null;

function takeUp(id, more) {
  const note = noteOf(shownNotes(), id);
  lead = id;
  change({ notes: new Set(more ? [...store.notes, id] : [id]), active: note.voice, tick: note.onset });
  audition(note.voice, note.pitch, note.velocity);
  reveal(note.onset);
}

// The next note by an arrow: before and after in time within its voice, above and below among those that sound with it.
function pickNext({ key, shiftKey }) {
  const notes = shownNotes();
  const from = store.notes.has(lead) ? lead : [...store.notes][0];
  const same = pickable().filter((id) => notes.voice[id] === notes.voice[from]);
  let next;
  if (key === "ArrowRight") next = same.find((id) => notes.onset[id] > notes.onset[from]);
  else if (key === "ArrowLeft") next = same.findLast((id) => notes.onset[id] < notes.onset[from]);
  else {
    const sounding = pickable().filter((id) => notes.onset[id] < notes.onset[from] + notes.duration[from] && notes.onset[id] + notes.duration[id] > notes.onset[from]);
    const way = key === "ArrowUp" ? 1 : -1;
    const beyond = sounding.filter((id) => (notes.pitch[id] - notes.pitch[from]) * way > 0);
    next = beyond.sort((a, b) => (notes.pitch[a] - notes.pitch[b]) * way)[0];
  }
  if (next !== undefined) takeUp(next, shiftKey);
}

function copy() {
  clipboard = pickedNotes();
  return clipboard.length > 0;
}

// Paste at the cursor, at the distance that the notes had.
function paste() {
  const { end, voices } = store.piece;
  if (!clipboard.length) return;
  const from = Math.min(...clipboard.map((note) => note.onset));
  const made = clipboard.map((note) => ({ ...note, onset: note.onset - from + snapped(store.tick, Math.floor), voice: Math.min(note.voice, voices.length - 1) })).filter((note) => note.onset < end);
  edit(made.map((add) => ({ add })), made);
  pickAs(made);
}
