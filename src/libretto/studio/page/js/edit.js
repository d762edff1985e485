// Changes of the piece: each gesture is one write with the version it was made from, drawn before the server answers.
//
// A gesture is { does: [...], said } with steps { set: note, to: {...} }, { add: note }, { cut: note } on notes by what
// they are, or { ops: [...] } as the server takes them. Gestures wait for one another; a refusal takes the waiting ones back.

import { get, post } from "./api.js";
import { showPiece } from "./app.js";
import { refuse, say } from "./neighbours.js";
import { copyOf, keyOf, noteOf, placesByKey } from "./notes.js";
import { change, store, tell } from "./store.js";

const FIELDS = ["voice", "onset", "duration", "pitch", "velocity"];
const waiting = [];
let busy = false;

store.draft = null;

// The notes as they are drawn: those of the piece with the gestures that the server has not answered yet.
export const shownNotes = () => store.draft || store.piece?.notes || null;

export const isWriting = () => busy || waiting.length > 0;

export function pickedNotes() {
  const notes = shownNotes();
  return notes ? [...store.notes].filter((id) => id < notes.pitch.length).map((id) => noteOf(notes, id)) : [];
}

// Pick notes by what they are.
export function pickAs(wanted) {
  change({ notes: placesOf(shownNotes(), wanted) });
}

function placesOf(notes, wanted) {
  const places = placesByKey(notes);
  return new Set(wanted.flatMap((note) => (places.get(keyOf(note)) || []).splice(0, 1)));
}

// Change notes; `picked` are the notes that are picked afterwards.
export function edit(does, picked) {
  if (!store.piece || !does.length) return Promise.resolve(null);
  return line({ does, picked });
}

// Change the piece by operations of the server, such as a transposition.
export function operate(ops) {
  return store.piece ? line({ ops }) : Promise.resolve(null);
}

export function undo(redo = false) {
  return store.piece ? line({ undo: true, redo }) : Promise.resolve(null);
}

function line(gesture) {
  const done = new Promise((resolve) => (gesture.done = resolve));
  if (!joined(gesture)) waiting.push(gesture);
  redraw(gesture.picked ?? pickedNotes());
  pump();
  return done;
}

// A key that is held moves the same notes again and again: what still waits is joined to one write.
function joined(gesture) {
  const last = waiting.length > 1 ? waiting.at(-1) : null;
  if (!last?.does || !gesture.does || ![...last.does, ...gesture.does].every((step) => step.set)) return false;
  const steps = new Map(last.does.map((step) => [keyOf({ ...step.set, ...step.to }), step]));
  if (steps.size !== last.does.length || gesture.does.length !== steps.size) return false;
  if (!gesture.does.every((step) => steps.has(keyOf(step.set)))) return false;
  for (const step of gesture.does) Object.assign(steps.get(keyOf(step.set)).to, step.to);
  const before = last.done;
  last.done = (answer) => {
    before(answer);
    gesture.done(answer);
  };
  return true;
}

function redraw(picked) {
  const drawn = waiting.filter((gesture) => gesture.does);
  const notes = drawn.length ? copyOf(store.piece.notes) : null;
  for (const gesture of drawn) apply(notes, gesture.does);
  change({ draft: notes });
  change({ notes: placesOf(shownNotes(), picked) });
}

function apply(notes, does) {
  const places = placesByKey(notes);
  const cut = new Set();
  for (const step of does) {
    if (step.add) for (const field of FIELDS) notes[field].push(step.add[field]);
    const id = step.set || step.cut ? places.get(keyOf(step.set || step.cut))?.shift() : undefined;
    if (id === undefined) continue;
    if (step.cut) cut.add(id);
    else for (const [field, value] of Object.entries(step.to)) notes[field][id] = value;
  }
  if (cut.size) for (const field of Object.keys(notes)) notes[field] = notes[field].filter((_, id) => !cut.has(id));
}

// The steps as the server takes them: notes by their place in the version that is known.
function opsOf(does) {
  const places = placesByKey(store.piece.notes);
  return does.flatMap((step) => {
    if (step.add) return [{ op: "add", ...step.add }];
    const note = places.get(keyOf(step.set || step.cut))?.shift();
    if (note === undefined) return [];
    return [step.cut ? { op: "delete", note } : { op: "set", note, ...step.to }];
  });
}

async function pump() {
  if (busy || !waiting.length) return;
  busy = true;
  tell("writing", true);
  const gesture = waiting[0];
  const { name, version } = store.piece;
  try {
    const answer = await send(gesture, name, version);
    const piece = await get(`/api/pieces/${encodeURIComponent(name)}`);
    const picked = pickedNotes();
    waiting.shift();
    if (store.piece?.name === name) {
      store.draft = null;
      showPiece(piece);
      redraw(gesture.undo ? [] : picked);
    }
    if (answer?.said && gesture.ops) say(Array.isArray(answer.said) ? answer.said.join(" ") : answer.said, "good");
    gesture.done(answer);
  } catch (error) {
    for (const one of waiting.splice(0)) one.done(null);
    redraw([]);
    refuse(error);
  }
  busy = false;
  tell("writing", waiting.length > 0);
  pump();
}

function send(gesture, name, version) {
  const path = `/api/pieces/${encodeURIComponent(name)}`;
  if (gesture.undo) return post(`${path}/undo`, { base: version, redo: gesture.redo });
  const ops = gesture.ops || opsOf(gesture.does);
  return ops.length ? post(`${path}/edit`, { base: version, do: ops }) : null;
}
