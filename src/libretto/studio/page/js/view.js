// What part of the piece is seen, and the way between ticks, pitches and pixels; shared by the roll and its lanes.
//
// Pixels are those of the whole drawing: subtract view.left and view.top for those of the window.

import { store, tell } from "./store.js";

export const GUTTER = 52; // pixels of the keyboard at the left
const LEAST_SCALE = 0.5;
const MOST_SCALE = 480; // pixels a quarter
const ROOM = 5; // free rows above and below the music
const LEAST_ROWS = 30;
const KIT = [36, 38, 42, 46, 49, 51, 45, 48]; // drums that always have a row: there is somewhere to write
const STRIP = 8; // pixels between the pitches and the drums
export const ROW = { least: 4, readable: 6, usual: 9, roomy: 16, most: 28 };

export const view = { scale: 26, row: ROW.usual, left: 0, top: 0, width: 0, height: 0, low: 36, high: 84, drums: [], auto: true, setScroll: () => {} };

const quarter = () => store.piece?.quarter || 1;
export const x = (tick) => (tick / quarter()) * view.scale;
export const tickAt = (px) => (px / view.scale) * quarter();
export const isDrum = (voice) => Boolean(store.piece?.voices[voice]?.drums);

// Pitches lie in rows from high to low; drums have a strip of their own below them, a row for each that is used.
export const stripTop = () => (view.high - view.low + 1) * view.row + (view.high >= view.low ? STRIP : 0);
export const y = (pitch, drum = false) => (drum ? stripTop() + view.drums.indexOf(pitch) * view.row : (view.high - pitch) * view.row);
export const noteY = (note) => y(note.pitch, isDrum(note.voice));

// What lies at a height: a pitch, and whether it is a row of drums.
export function rowAt(py) {
  if (!view.drums.length || py < stripTop() - STRIP / 2) return { pitch: Math.max(view.low, Math.min(view.high, view.high - Math.floor(py / view.row))), drum: false };
  const at = Math.max(0, Math.min(view.drums.length - 1, Math.floor((py - stripTop()) / view.row)));
  return { pitch: view.drums[at], drum: true };
}

// A pitch so many rows higher; null where there is no such row.
export function higher(pitch, rows, drum) {
  const made = drum ? view.drums[view.drums.indexOf(pitch) - rows] : pitch + rows;
  return made === undefined || made < 0 || made > 127 ? null : made;
}
export const totalWidth = () => (store.piece ? x(store.piece.end) + 24 : 0);
export const totalHeight = () => (view.drums.length ? stripTop() + view.drums.length * view.row : (view.high - view.low + 1) * view.row);

// The rows that a piece needs, with room to write above and below.
export function setRange(piece) {
  let low = 127;
  let high = 0;
  const drums = piece.voices.some((voice) => voice.drums) ? new Set(KIT) : new Set();
  piece.notes.pitch.forEach((pitch, id) => {
    if (piece.voices[piece.notes.voice[id]].drums) {
      drums.add(pitch);
      return;
    }
    if (pitch < low) low = pitch;
    if (pitch > high) high = pitch;
  });
  view.drums = [...drums].sort((a, b) => b - a);
  if (piece.voices.length && piece.voices.every((voice) => voice.drums)) {
    [view.low, view.high] = [1, 0];
    return;
  }
  if (low > high) [low, high] = [55, 79];
  low -= ROOM;
  high += ROOM;
  const missing = Math.max(0, LEAST_ROWS - (high - low + 1));
  view.low = Math.max(0, low - Math.floor(missing / 2));
  view.high = Math.min(127, high + Math.ceil(missing / 2));
}

// Row height so that the whole range is seen where that stays readable.
export function fitRows() {
  const rows = view.high - view.low + 1 + view.drums.length;
  const whole = Math.floor(((view.height - STRIP) / rows) * 4) / 4;
  view.row = whole < ROW.readable ? ROW.usual : Math.min(ROW.roomy, whole);
}

// Zoom in time, keeping what is under a place of the window where it is.
export function zoomTime(factor, at = view.width / 2) {
  const tick = tickAt(view.left + at);
  view.scale = Math.max(LEAST_SCALE, Math.min(MOST_SCALE, view.scale * factor));
  view.setScroll(x(tick) - at, view.top);
  tell("zoom");
}

export function zoomPitch(factor, at = view.height / 2) {
  view.auto = false;
  const row = (view.top + at) / view.row;
  view.row = Math.max(ROW.least, Math.min(ROW.most, view.row * factor));
  view.setScroll(view.left, row * view.row - at);
  tell("zoom");
}

// Show the ticks from one to another, as wide as the window is.
export function fit(from = 0, to = store.piece?.end || 1) {
  const quarters = Math.max(1, (to - from) / quarter());
  view.scale = Math.max(LEAST_SCALE, Math.min(MOST_SCALE, (view.width - 24) / quarters));
  view.setScroll(x(from) - 8, view.top);
  tell("zoom");
}

// Bring a tick into the window, where it is not in it already; `lead` is the share of the window before it.
export function reveal(tick, lead = 0.12) {
  const at = x(tick) - view.left;
  if (at < 0 || at > view.width * 0.94) view.setScroll(Math.max(0, x(tick) - view.width * lead), view.top);
}

// The grid that notes keep to, in ticks: chosen, or the finest that can be seen well; 0 for none.
export function snapTicks() {
  if (store.snap !== null) return store.snap;
  for (const parts of [8, 4, 2, 1]) {
    if (view.scale / parts >= 9) return quarter() / parts;
  }
  return quarter();
}

export function snapped(tick, way = Math.round) {
  const step = snapTicks();
  if (!step) return Math.round(tick);
  const bar = barAt(tick);
  const from = bar ? bar.tick : 0;
  return from + way((tick - from) / step) * step;
}

// The index of the bar that a tick lies in.
export function barIndexAt(tick) {
  const bars = store.piece?.bars || [];
  let low = 0;
  let high = bars.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (bars[middle].tick <= tick) low = middle;
    else high = middle - 1;
  }
  return low;
}

export const barAt = (tick) => store.piece?.bars[barIndexAt(tick)];
export const barEnd = (index) => store.piece.bars[index + 1]?.tick ?? store.piece.end;

// Ticks of a beat in a bar: what the meter counts by (a dotted unit in compound meters).
export function beatTicks(bar) {
  const [count, unit] = String(bar.meter).split("/").map(Number);
  const one = (quarter() * 4) / (unit || 4);
  return count > 3 && count % 3 === 0 && unit >= 8 ? one * 3 : one;
}
