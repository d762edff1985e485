// Choosing bars, voices and notes, and saying what is chosen in words.

import { player, seek } from "./neighbours.js";
import { eachBetween, noteOf, pitchName } from "./notes.js";
import { change, store } from "./store.js";
import { barEnd, barIndexAt, fit, reveal, view, x } from "./view.js";

const clampBar = (index) => Math.max(0, Math.min(store.piece.bars.length - 1, index));

// The index of a bar by its printed number; the nearest where there is none.
export function barIndex(number) {
  const bars = store.piece?.bars || [];
  const at = bars.findIndex((bar) => bar.number === Number(number));
  return at >= 0 ? at : clampBar(Number(number) - (bars[0]?.number ?? 1));
}

// Voices given by index or by name, as a Set of indices; unknown names are left out.
export function voiceSet(voices) {
  const names = store.piece?.voices.map((voice) => voice.name) || [];
  const places = [...(voices || [])].map((voice) => (typeof voice === "number" ? voice : names.indexOf(voice)));
  return new Set(places.filter((voice) => voice >= 0 && voice < names.length));
}

// Select bars by their printed numbers, both included, and voices by name or index; nothing given selects nothing.
export function select({ first, last, voices } = {}) {
  if (!store.piece) return;
  const bars = first === undefined || first === null ? null : [barIndex(first), barIndex(last ?? first)];
  if (voices !== undefined) chooseVoices(voiceSet(voices));
  selectBars(bars ? bars[0] : null, bars ? bars[1] : null);
}

// Select bars by their indices from 0.
export function selectBars(from, to = from) {
  if (from === null) {
    change({ selection: null });
    return;
  }
  const [one, two] = [clampBar(from), clampBar(to)];
  change({ selection: { first: Math.min(one, two), last: Math.max(one, two) } });
}

export function chooseVoices(voices) {
  const active = voices.size && !voices.has(store.active) ? [...voices][0] : store.active;
  change({ voices, active });
}

// Bring bars into view: { first, last }, [first, last] or one number, as printed.
export function show(bars) {
  if (!store.piece || bars === null || bars === undefined) return;
  const [first, last] = Array.isArray(bars) ? [bars[0], bars[bars.length - 1]] : [bars.first ?? bars, bars.last ?? bars.first ?? bars];
  const from = store.piece.bars[barIndex(first)].tick;
  const to = barEnd(barIndex(last));
  if (x(to - from) > view.width) fit(from, to);
  else if (x(from) < view.left || x(to) > view.left + view.width) view.setScroll(x(from) - view.width * 0.12, view.top);
}

export function goTo(tick) {
  const at = Math.max(0, Math.min(store.piece?.end ?? 0, Math.round(tick)));
  change({ tick: at });
  if (player()) seek(at);
  reveal(at);
}

// The bars that an action works on, as printed numbers; the whole piece where none are selected.
export function chosenBars() {
  const bars = store.piece.bars;
  if (!bars.length) return { first: 1, last: 1, whole: true };
  const { first, last } = store.selection || { first: 0, last: bars.length - 1 };
  return { first: bars[first].number, last: bars[last].number, whole: !store.selection };
}

// The names of the voices that an action works on; all of them where none are chosen.
export function chosenVoices() {
  const voices = store.piece.voices;
  return voices.filter((_, at) => !store.voices.size || store.voices.has(at)).map((voice) => voice.name);
}

// The places of the notes that begin in the selected bars and voices.
export function notesInSelection(index) {
  const { first, last } = store.selection || { first: 0, last: store.piece.bars.length - 1 };
  const from = store.piece.bars[first]?.tick ?? 0;
  const to = barEnd(last);
  const ids = [];
  eachBetween(index, from, to, (id) => {
    const { voice, onset } = noteOf(index.notes, id);
    if (onset >= from && (!store.voices.size || store.voices.has(voice))) ids.push(id);
  });
  return ids;
}

// What is chosen, in words.
export function chosenText() {
  if (!store.piece) return "Nothing is open";
  const { first, last, whole } = chosenBars();
  const bars = whole ? "Whole piece" : first === last ? `Bar ${first}` : `Bars ${first}–${last}`;
  const names = chosenVoices();
  const voices = store.voices.size === 0 ? "all voices" : names.length > 3 ? `${names.length} voices` : names.join(", ");
  return `${bars} · ${voices}`;
}

// A note in words: its name, voice, bar and beat, length and loudness.
export function noteText(note) {
  const bar = store.piece.bars[barIndexAt(note.onset)];
  const beat = (note.onset - bar.tick) / store.piece.quarter + 1;
  const length = note.duration / store.piece.quarter;
  const plain = (number) => String(Math.round(number * 100) / 100);
  return `${pitchName(note.pitch)}, ${store.piece.voices[note.voice].name}, bar ${bar.number} beat ${plain(beat)}, ${plain(length)} beats long, velocity ${note.velocity}`;
}
