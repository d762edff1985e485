// The notes of a piece as the roll needs them: in order of their onset, found by place, named for people.

const DRUMS = {
  35: "Kick 2", 36: "Kick", 37: "Rim", 38: "Snare", 39: "Clap", 40: "Snare 2", 41: "Tom 6", 42: "Hat", 43: "Tom 5",
  44: "Foot hat", 45: "Tom 4", 46: "Open hat", 47: "Tom 3", 48: "Tom 2", 49: "Crash", 50: "Tom 1", 51: "Ride",
  52: "China", 53: "Bell", 54: "Tamb", 55: "Splash", 56: "Cowbell", 57: "Crash 2", 59: "Ride 2", 60: "Bongo hi",
  61: "Bongo lo", 62: "Conga mu", 63: "Conga hi", 64: "Conga lo", 69: "Cabasa", 70: "Maracas", 75: "Claves",
};

// The line of fifths: a tonic's notes lie from five steps before it to six after it.
const FIFTHS = "FCGDAEB";
let names = namesIn("C major");

function namesIn(key) {
  const [, letter, signs] = /^([A-G])([#b]*)/.exec(key || "") || [null, "C", ""];
  const tonic = FIFTHS.indexOf(letter) - 1 + 7 * ([...signs].filter((sign) => sign === "#").length - [...signs].filter((sign) => sign === "b").length);
  const made = [];
  for (let step = tonic - 5; step <= tonic + 6; step++) {
    const turns = Math.floor((step + 1) / 7);
    const pitch = (((step * 7) % 12) + 12) % 12;
    made[pitch] = { letter: FIFTHS[step + 1 - 7 * turns], signs: (turns > 0 ? "#" : "b").repeat(Math.abs(turns)), turns };
  }
  return made;
}

// Notes are called after the key of the piece: an F sharp in G minor, a G flat in D flat major.
export const nameAfter = (key) => (names = namesIn(key));
export function pitchName(pitch) {
  const { letter, signs, turns } = names[pitch % 12];
  return `${letter}${signs}${Math.floor((pitch - turns) / 12) - 1}`;
}
export const drumName = (pitch) => DRUMS[pitch] || pitchName(pitch);
export const isBlack = (pitch) => [1, 3, 6, 8, 10].includes(pitch % 12);

// An index over note columns: places ordered by onset, and the longest note, so that a window is found by halving.
export function indexOf(notes) {
  const order = Uint32Array.from(notes.onset.keys()).sort((a, b) => notes.onset[a] - notes.onset[b]);
  let longest = 0;
  for (const duration of notes.duration) if (duration > longest) longest = duration;
  return { notes, order, longest };
}

// Call with every note that sounds between two ticks.
export function eachBetween({ notes, order, longest }, from, to, call) {
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (notes.onset[order[middle]] < from - longest) low = middle + 1;
    else high = middle;
  }
  for (let at = low; at < order.length; at++) {
    const id = order[at];
    if (notes.onset[id] >= to) return;
    if (notes.onset[id] + notes.duration[id] > from) call(id);
  }
}

export const noteOf = (notes, id) => ({
  voice: notes.voice[id],
  onset: notes.onset[id],
  duration: notes.duration[id],
  pitch: notes.pitch[id],
  velocity: notes.velocity[id],
});

export const keyOf = (note) => `${note.voice} ${note.onset} ${note.duration} ${note.pitch} ${note.velocity}`;

// The places of notes by what they are; equal notes share a list.
export function placesByKey(notes) {
  const places = new Map();
  for (let id = 0; id < notes.pitch.length; id++) {
    const key = keyOf(noteOf(notes, id));
    if (places.has(key)) places.get(key).push(id);
    else places.set(key, [id]);
  }
  return places;
}

// The picked notes of one version in another: those that are there unchanged.
export function keepPicked(before, after, picked) {
  if (!picked.size) return new Set();
  const places = placesByKey(after.notes);
  const kept = [...picked].filter((id) => id < before.notes.pitch.length);
  return new Set(kept.flatMap((id) => (places.get(keyOf(noteOf(before.notes, id))) || []).slice(0, 1)));
}

export const copyOf = (notes) => Object.fromEntries(Object.entries(notes).map(([name, column]) => [name, [...column]]));
