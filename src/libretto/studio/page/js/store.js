// What the page knows, in one place: parts listen for topics, and whoever changes something says so.
//
// piece      the piece as drawn (GET /api/pieces/NAME@N), or null
// pieces     the list of pieces
// selection  { first, last } bar indices (0-based, both included) or null; voices: Set of voice indices, empty for all
// notes      Set of picked notes (places in piece.notes)
// tick       where the cursor is; playing: whether it runs
// jobs       jobs by id
// mute, solo Sets of voice indices

const listeners = new Map();

export const store = {
  piece: null,
  pieces: [],
  selection: null,
  voices: new Set(),
  notes: new Set(),
  tick: 0,
  playing: false,
  jobs: new Map(),
  mute: new Set(),
  solo: new Set(),
};

export function on(topic, listener) {
  if (!listeners.has(topic)) listeners.set(topic, new Set());
  listeners.get(topic).add(listener);
  return () => listeners.get(topic).delete(listener);
}

export function tell(topic, value) {
  for (const listener of listeners.get(topic) || []) listener(value);
}

// Change part of what is known and tell who listens: change({ tick: 0 }) tells "tick".
export function change(parts) {
  Object.assign(store, parts);
  for (const topic of Object.keys(parts)) tell(topic, parts[topic]);
}
