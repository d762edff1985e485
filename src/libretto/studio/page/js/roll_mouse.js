// The mouse and fingers on the roll: pick, rubber band, move, lengthen, make louder or softer, add.
//
// Drag a note to move it, its end to change the length, with Alt up and down for the velocity, with Ctrl to copy it.
// Drag on free paper for a rubber band; a double click on free paper adds a note. Fingers scroll, unless writing is on.

import { edit, pickedNotes, shownNotes } from "./edit.js";
import { audition } from "./neighbours.js";
import { drumName, eachBetween, noteOf, pitchName } from "./notes.js";
import { goTo } from "./selecting.js";
import { change, store } from "./store.js";
import { higher, isDrum, rowAt, snapped, snapTicks, tickAt, view, x, y, zoomPitch, zoomTime } from "./view.js";
import { height, standsBack } from "./roll_paint.js";

const EDGE = 6; // pixels at the end of a note that change its length
const STILL = 3; // pixels that a click may wander
const LONGEST_FALLBACK = 4;

let last = { duration: 0, velocity: 84 };
export const lastNote = () => last;

export function listenToMouse(place, roll, repaint) {
  let drag = null;
  const at = (event) => {
    const box = place.getBoundingClientRect();
    return { px: event.clientX - box.left + view.left, py: event.clientY - box.top + view.top };
  };
  const isIn = (event) => {
    const box = place.getBoundingClientRect();
    return event.clientX - box.left < place.clientWidth && event.clientY - box.top < place.clientHeight;
  };

  place.addEventListener("pointerdown", (event) => {
    if (!store.piece || event.button !== 0 || !isIn(event)) return;
    const point = at(event);
    const hit = noteUnder(roll.index, point);
    drag = { start: point, hit, touch: event.pointerType === "touch" && !place.classList.contains("writing"), moved: false };
    if (drag.touch) return;
    place.setPointerCapture(event.pointerId);
    if (hit) takeNote(drag, event);
    else if (!event.shiftKey) drag.kept = new Set();
    else drag.kept = new Set(store.notes);
  });

  place.addEventListener("pointermove", (event) => {
    if (!drag) {
      if (event.pointerType === "mouse" && store.piece) showCursorOver(place, roll, at(event));
      return;
    }
    if (drag.touch) return;
    const point = at(event);
    if (!drag.moved && Math.hypot(point.px - drag.start.px, point.py - drag.start.py) < STILL) return;
    drag.moved = true;
    if (drag.kind) moveNotes(drag, point, roll, repaint);
    else bandTo(drag, point, roll, repaint);
  });

  const end = (event) => {
    if (!drag) return;
    const done = drag;
    drag = null;
    if (event.type === "pointercancel") return settle(roll, repaint);
    if (!done.moved) clicked(done);
    else if (done.kind && roll.moving) commit(done, roll);
    settle(roll, repaint);
  };
  place.addEventListener("pointerup", end);
  place.addEventListener("pointercancel", end);
  window.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !drag) return;
    drag = null;
    settle(roll, repaint);
    event.stopPropagation();
  }, true);

  place.addEventListener("dblclick", (event) => {
    if (!store.piece || !isIn(event)) return;
    const point = at(event);
    if (!noteUnder(roll.index, point)) addNote(tickAt(point.px), rowAt(point.py));
  });
  place.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const box = place.getBoundingClientRect();
    const factor = Math.exp(-event.deltaY * 0.0025);
    if (event.altKey || event.shiftKey) zoomPitch(factor, event.clientY - box.top);
    else zoomTime(factor, event.clientX - box.left);
  }, { passive: false });
}

// Begin with a note: pick it, and decide by where and how it was taken what the drag does.
function takeNote(drag, event) {
  const { id, edge } = drag.hit;
  const picked = new Set(store.notes);
  if (event.shiftKey && picked.has(id)) picked.delete(id);
  else if (event.shiftKey) picked.add(id);
  else if (!picked.has(id)) {
    picked.clear();
    picked.add(id);
    drag.single = true;
  }
  const note = noteOf(shownNotes(), id);
  change({ notes: picked, active: note.voice });
  audition(note.voice, note.pitch, note.velocity);
  drag.note = note;
  drag.kind = event.altKey ? "velocity" : edge ? "length" : event.ctrlKey || event.metaKey ? "copy" : "move";
  drag.from = pickedNotes();
  if (!drag.from.length) drag.kind = null;
}

// The note under a point, the uppermost one; `edge` where its end was met.
export function noteUnder(index, { px, py }) {
  const { pitch, drum } = rowAt(py);
  const { notes } = index;
  let hit = null;
  const reach = tickAt(px + EDGE) - tickAt(px);
  eachBetween(index, tickAt(px) - reach, tickAt(px) + reach, (id) => {
    if (notes.pitch[id] !== pitch || isDrum(notes.voice[id]) !== drum) return;
    const from = x(notes.onset[id]);
    const to = Math.max(from + 4, x(notes.onset[id] + notes.duration[id]));
    if (px < from - 1 || px > to + 2) return;
    const back = standsBack(notes.voice[id]);
    const up = height(notes.voice[id]) - (back ? 1e6 : 0);
    if (hit && up < hit.up) return;
    hit = { id, back, up, edge: px > to - Math.min(EDGE, (to - from) / 3) };
  });
  return hit && (store.voices.size === 0 || !hit.back) ? hit : null;
}

function showCursorOver(place, roll, point) {
  const hit = roll.index && noteUnder(roll.index, point);
  place.style.cursor = !hit ? "" : hit.edge ? "ew-resize" : "grab";
}

function moveNotes(drag, point, roll, repaint) {
  const ids = store.notes;
  const changes = { move: shift, copy: shift, length: lengthen, velocity: loudness }[drag.kind](drag, point);
  const key = JSON.stringify(changes);
  if (key === drag.key) return;
  const moved = changes.rows && changes.rows !== drag.changes?.rows;
  drag.key = key;
  drag.changes = changes;
  roll.moving = drag.from.map((note) => changed(note, changes));
  roll.said = readout(drag.kind, changed(drag.note, changes));
  if (moved) audition(drag.note.voice, changed(drag.note, changes).pitch, drag.note.velocity);
  const hide = drag.kind !== "copy" && !roll.hidden;
  if (hide) roll.hidden = new Set(ids);
  repaint(hide ? "paper" : "over");
}

// What a drag has come to, in a word: the pitch, the length in beats or the velocity.
function readout(kind, note) {
  if (kind === "velocity") return `velocity ${note.velocity}`;
  if (kind === "length") return `${Math.round((note.duration / store.piece.quarter) * 1000) / 1000} beats`;
  return isDrum(note.voice) ? drumName(note.pitch) : pitchName(note.pitch);
}

function shift({ start, from, note }, point) {
  const wanted = snapTicks() ? snapped(note.onset + tickAt(point.px - start.px)) - snappedHome(note) : tickAt(point.px - start.px);
  const first = Math.min(...from.map((one) => one.onset));
  const latest = store.piece.end - 1 - Math.max(...from.map((one) => one.onset));
  let rows = Math.floor(start.py / view.row) - Math.floor(point.py / view.row);
  while (rows && from.some((one) => higher(one.pitch, rows, isDrum(one.voice)) === null)) rows -= Math.sign(rows);
  return { onset: Math.round(Math.max(-first, Math.min(latest, wanted))), rows };
}

// A note off the grid keeps its distance from it unless it is moved by a whole step.
const snappedHome = (note) => (snapped(note.onset) === note.onset ? note.onset : snapped(note.onset));

function lengthen({ start, note }, point) {
  const least = Math.max(1, snapTicks() || store.piece.quarter / 32);
  const end = snapped(note.onset + note.duration + tickAt(point.px - start.px));
  return { duration: Math.round(Math.max(least, end - note.onset) - note.duration) };
}

const loudness = ({ start }, point) => ({ velocity: Math.round((start.py - point.py) * 0.75) });

export function changed(note, by) {
  const made = { ...note };
  for (const [field, value] of Object.entries(by)) if (field !== "rows") made[field] += value;
  if (by.rows) made.pitch = higher(note.pitch, by.rows, isDrum(note.voice)) ?? note.pitch;
  made.velocity = Math.max(1, Math.min(127, made.velocity));
  made.duration = Math.max(1, made.duration);
  return made;
}

function commit(drag, roll) {
  const made = roll.moving;
  if (Object.values(drag.changes).every((value) => value === 0)) return;
  last = { duration: made[0].duration, velocity: made[0].velocity };
  if (drag.kind === "copy") edit(made.map((add) => ({ add })), made);
  else edit(drag.from.map((set, at) => ({ set, to: differences(set, made[at]) })), made);
}

export function differences(one, two) {
  return Object.fromEntries(Object.entries(two).filter(([field, value]) => one[field] !== value));
}

function settle(roll, repaint) {
  const hidden = roll.hidden !== null;
  roll.moving = roll.band = roll.hidden = null;
  roll.said = "";
  repaint(hidden ? "paper" : "over");
}

function clicked(drag) {
  if (drag.hit && drag.touch) change({ notes: new Set([drag.hit.id]), active: shownNotes().voice[drag.hit.id] });
  else if (!drag.hit) {
    if (store.notes.size) change({ notes: drag.kept || new Set() });
    if (!store.playing && !drag.touch) goTo(snapped(tickAt(drag.start.px), Math.floor));
  } else if (drag.hit && !drag.single && drag.kind && !drag.touch) {
    last = { duration: drag.note.duration, velocity: drag.note.velocity };
  }
}

// The rubber band: picks the notes that it touches, beside those that were picked with Shift held.
function bandTo(drag, point, roll, repaint) {
  const [left, right] = [Math.min(drag.start.px, point.px), Math.max(drag.start.px, point.px)];
  const [top, bottom] = [Math.min(drag.start.py, point.py), Math.max(drag.start.py, point.py)];
  roll.band = { left, top, width: right - left, height: bottom - top };
  const picked = new Set(drag.kept);
  const { notes } = roll.index;
  eachBetween(roll.index, tickAt(left), tickAt(right), (id) => {
    const row = y(notes.pitch[id], isDrum(notes.voice[id]));
    if (row + view.row > top && row < bottom && !(store.voices.size && standsBack(notes.voice[id]))) picked.add(id);
  });
  change({ notes: picked });
  repaint("over");
}

// The voice that a new note goes to: the active one where the row suits it, else the first that it suits.
function voiceFor(drum) {
  if (isDrum(store.active) === drum) return store.active;
  const first = store.piece.voices.findIndex((voice, at) => voice.drums === drum && (!store.voices.size || store.voices.has(at)));
  return first >= 0 ? first : store.piece.voices.findIndex((voice) => voice.drums === drum);
}

// Add a note where the grid says, to the active voice; drums go to drums.
export function addNote(tick, { pitch, drum }) {
  const { piece } = store;
  const voice = voiceFor(drum);
  if (voice < 0) return;
  const onset = Math.max(0, Math.min(piece.end - 1, snapped(tick, Math.floor)));
  const duration = last.duration || snapTicks() || piece.quarter / LONGEST_FALLBACK;
  const note = { voice, onset, duration: Math.min(duration, piece.end - onset), pitch: Math.max(0, Math.min(127, pitch)), velocity: last.velocity };
  change({ active: voice });
  audition(note.voice, note.pitch, note.velocity);
  edit([{ add: note }], [note]);
}
