// What the page knows, in one place: parts listen for topics, and whoever changes something says so.
//
// piece      the piece as drawn (GET /api/pieces/NAME@N), or null
// pieces     the list of pieces; state: the whole answer of /api/state
// selection  { first, last } bar indices (0-based, both included) or null; voices: Set of voice indices, empty for all
// active     the voice that a new note goes to
// notes      Set of picked notes (places in piece.notes)
// tick       where the cursor is; playing: whether it runs
// jobs       jobs by id
// mute, solo Sets of voice indices; volume: Map of voice index to 0..1 (1 where none is kept)
// marks      what to colour in the roll: { changed: Set of notes, ghosts: note columns of another version } or null
// snap       the grid of the roll in ticks, 0 for none, null for one that follows the zoom

const listeners = new Map();

export const store = {
  piece: null,
  pieces: [],
  state: null,
  selection: null,
  voices: new Set(),
  active: 0,
  notes: new Set(),
  tick: 0,
  playing: false,
  jobs: new Map(),
  mute: new Set(),
  solo: new Set(),
  volume: new Map(),
  marks: null,
  snap: null,
};

export function on(topic, listener) {
  if (!listeners.has(topic)) listeners.set(topic, new Set());
  listeners.get(topic).add(listener);
  return () => listeners.get(topic).delete(listener);
}

// Tell everybody who listens; one part that fails does not keep the others from hearing it.
export function tell(topic, value) {
  for (const listener of [...(listeners.get(topic) || [])]) {
    try {
      listener(value);
    } catch (error) {
      console.error(`a part of the page failed at "${topic}"`, error);
    }
  }
}

// Change part of what is known and tell who listens: change({ tick: 0 }) tells "tick".
export function change(parts) {
  Object.assign(store, parts);
  for (const topic of Object.keys(parts)) tell(topic, parts[topic]);
}
