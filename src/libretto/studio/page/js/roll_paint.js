// The painting of the roll: rows, bar lines and notes of one area, and what lies over them.

import { colours, inkOn, levelOf, mix, shade, voiceColour } from "./colours.js";
import { eachBetween, isBlack, pitchName } from "./notes.js";
import { store } from "./store.js";
import { barEnd, barIndexAt, beatTicks, isDrum, noteY, snapTicks, stripTop, tickAt, view, x, y } from "./view.js";

const MOST_ROUNDED = 1500; // notes in one picture that get round corners
const FRONT = 1e6; // added to the keys of notes that do not stand back; more than any voice
const LABEL = { row: 12, width: 28 };

// Rows, bar lines, beats and notes of an area { left, top, width, height } in pixels of the whole drawing.
export function paintPaper(context, area, index, hidden) {
  const from = tickAt(area.left);
  const to = tickAt(area.left + area.width);
  context.save();
  context.translate(-area.left, -area.top);
  paintRows(context, area);
  paintLines(context, area, from, to);
  if (index) paintNotes(context, area, index, hidden, from, to);
  context.restore();
}

function paintRows(context, area) {
  const tint = colours();
  context.fillStyle = tint["roll-white"];
  context.fillRect(area.left, area.top, area.width, area.height);
  for (let pitch = view.high; pitch >= view.low; pitch--) {
    const at = y(pitch);
    if (at + view.row < area.top || at > area.top + area.height) continue;
    if (isBlack(pitch)) {
      context.fillStyle = tint["roll-black"];
      context.fillRect(area.left, at, area.width, view.row);
    }
    if (pitch % 12 === 0) {
      context.fillStyle = tint["roll-octave"];
      context.fillRect(area.left, Math.round(at + view.row) - 1, area.width, 1);
    }
  }
  if (view.drums.length) paintStrip(context, area, tint);
}

function paintStrip(context, area, tint) {
  const top = stripTop();
  if (view.high >= view.low) {
    const end = (view.high - view.low + 1) * view.row;
    context.fillStyle = tint.sunken;
    context.fillRect(area.left, end, area.width, top - end);
    context.fillStyle = tint["roll-bar"];
    context.fillRect(area.left, Math.round(top) - 1, area.width, 1);
  }
  view.drums.forEach((_, at) => {
    context.fillStyle = at % 2 ? tint["roll-white"] : tint["roll-black"];
    context.fillRect(area.left, top + at * view.row, area.width, view.row);
  });
}

function paintLines(context, area, from, to) {
  const { bars, end } = store.piece;
  const tint = colours();
  const line = (tick, colour) => {
    context.fillStyle = colour;
    context.fillRect(Math.round(x(tick)), area.top, 1, area.height);
  };
  const step = snapTicks();
  const last = barIndexAt(to);
  for (let at = barIndexAt(from); at <= last && bars.length; at++) {
    const bar = bars[at];
    const until = barEnd(at);
    if (step && x(step) >= 8) for (let tick = bar.tick + step; tick < until; tick += step) line(tick, tint["roll-fine"]);
    const beat = beatTicks(bar);
    if (x(beat) >= 7) for (let tick = bar.tick + beat; tick < until; tick += beat) line(tick, tint["roll-beat"]);
    if (x(until - bar.tick) >= 5 || at % 4 === 0) line(bar.tick, tint["roll-bar"]);
  }
  const edge = Math.round(x(end));
  if (edge < area.left + area.width) {
    context.fillStyle = tint["sunken"];
    context.fillRect(edge, area.top, area.left + area.width - edge, area.height);
    line(end, tint["roll-bar"]);
  }
}

// Whether a voice stands back: it is silent, or others are chosen.
export function standsBack(voice) {
  if (store.mute.has(voice)) return true;
  if (store.solo.size && !store.solo.has(voice)) return true;
  return store.voices.size > 0 && !store.voices.has(voice);
}

// How far up a voice lies where notes cover one another: the first voice over the others, the active one on top.
export const height = (voice) => (voice === store.active ? 1 : -voice);

function paintNotes(context, area, index, hidden, from, to) {
  const { notes } = index;
  const back = store.piece.voices.map((_, voice) => standsBack(voice));
  const drums = store.piece.voices.map((voice) => voice.drums);
  const groups = new Map();
  let count = 0;
  eachBetween(index, from, to, (id) => {
    const top = y(notes.pitch[id], drums[notes.voice[id]]);
    if (top + view.row < area.top || top > area.top + area.height || hidden?.has(id)) return;
    const level = back[notes.voice[id]] ? 4 : levelOf(notes.velocity[id]);
    const key = (level === 4 ? 0 : FRONT) + notes.voice[id] * 8 + level;
    if (groups.has(key)) groups.get(key).push(id);
    else groups.set(key, [id]);
    count += 1;
  });
  const round = count <= MOST_ROUNDED && view.row >= 7;
  const voiceOf = (key) => ((key % FRONT) / 8) | 0;
  const rank = (key) => (key < FRONT ? -FRONT : 0) + height(voiceOf(key));
  for (const key of [...groups.keys()].sort((a, b) => rank(a) - rank(b))) {
    const voice = voiceOf(key);
    context.fillStyle = shade(voice, key % 8);
    paintGroup(context, notes, groups.get(key), round, drums[voice]);
  }
  if (view.row >= LABEL.row) {
    for (const [key, ids] of groups) if (key >= FRONT && !drums[((key % FRONT) / 8) | 0]) paintLabels(context, notes, ids, key % 8);
  }
  paintMarks(context, notes, from, to);
}

const widthOf = (duration) => Math.max(2, x(duration) - 1);

function paintGroup(context, notes, ids, round, drum) {
  const tall = Math.max(2, view.row - 1);
  for (const id of ids) {
    const left = x(notes.onset[id]) + 0.5;
    const width = widthOf(notes.duration[id]);
    if (round && width > 5) {
      context.beginPath();
      context.roundRect(left, y(notes.pitch[id], drum) + 0.5, width, tall, 2);
      context.fill();
    } else {
      context.fillRect(left, y(notes.pitch[id], drum) + 0.5, width, tall);
    }
  }
}

function paintLabels(context, notes, ids, level) {
  context.font = `${Math.min(11, view.row - 3)}px ui-sans-serif, system-ui, sans-serif`;
  context.textBaseline = "middle";
  for (const id of ids) {
    if (x(notes.duration[id]) < LABEL.width) continue;
    const voice = notes.voice[id];
    context.fillStyle = inkOn(shade(voice, level));
    context.fillText(pitchName(notes.pitch[id]), x(notes.onset[id]) + 4, y(notes.pitch[id]) + view.row / 2 + 0.5);
  }
}

// What differs from another version: its notes as dashed outlines, changed ones with a rim.
function paintMarks(context, notes, from, to) {
  const marks = store.marks;
  if (!marks) return;
  const tint = colours();
  const box = (columns, id) =>
    context.strokeRect(x(columns.onset[id]), y(columns.pitch[id], isDrum(columns.voice?.[id])) + 0.5, widthOf(columns.duration[id]) + 1, view.row - 1);
  const seen = (columns, id) => columns.onset[id] < to && columns.onset[id] + columns.duration[id] > from;
  context.lineWidth = 2;
  context.strokeStyle = tint.good;
  for (const id of marks.changed || []) if (id < notes.pitch.length && seen(notes, id)) box(notes, id);
  context.strokeStyle = tint.danger;
  context.setLineDash([3, 2]);
  const ghosts = marks.ghosts;
  for (let id = 0; ghosts && id < ghosts.pitch.length; id++) if (seen(ghosts, id)) box(ghosts, id);
  context.setLineDash([]);
}

// What lies over the notes: the selected bars, picked notes, notes that are being moved, and the rubber band.
export function paintOver(context, notes, { moving, said, band }) {
  const tint = colours();
  context.save();
  context.translate(-view.left, -view.top);
  const chosen = store.selection;
  if (chosen && store.piece.bars.length) {
    const left = x(store.piece.bars[chosen.first].tick);
    const right = x(barEnd(chosen.last));
    context.fillStyle = tint["roll-select"];
    context.fillRect(left, view.top, right - left, view.height);
    context.fillStyle = tint["roll-select-edge"];
    context.fillRect(left - 1, view.top, 2, view.height);
    context.fillRect(right - 1, view.top, 2, view.height);
  }
  const shown = moving || [...store.notes].filter((id) => id < notes.pitch.length).map((id) => ({
    voice: notes.voice[id], onset: notes.onset[id], duration: notes.duration[id], pitch: notes.pitch[id], velocity: notes.velocity[id],
  }));
  for (const note of shown) paintPicked(context, note, tint);
  if (moving?.length && said) paintSaid(context, moving[0], said, tint);
  if (band) {
    context.fillStyle = tint["roll-select"];
    context.strokeStyle = tint["roll-select-edge"];
    context.lineWidth = 1;
    context.fillRect(band.left, band.top, band.width, band.height);
    context.strokeRect(band.left + 0.5, band.top + 0.5, band.width, band.height);
  }
  context.restore();
}

// A word above the note that is being dragged.
function paintSaid(context, note, said, tint) {
  context.font = "600 12px ui-sans-serif, system-ui, sans-serif";
  const wide = context.measureText(said).width + 12;
  const left = Math.max(view.left + 4, Math.min(view.left + view.width - wide - 4, x(note.onset)));
  const above = noteY(note) - 26;
  const top = above < view.top + 2 ? noteY(note) + view.row + 6 : above;
  context.beginPath();
  context.roundRect(left, top, wide, 20, 5);
  context.fillStyle = tint.ink;
  context.fill();
  context.fillStyle = tint.surface;
  context.textBaseline = "middle";
  context.textAlign = "left";
  context.fillText(said, left + 6, top + 10.5);
}

function paintPicked(context, note, tint) {
  const left = x(note.onset) + 0.5;
  const width = widthOf(note.duration);
  if (left + width < view.left || left > view.left + view.width) return;
  const top = noteY(note) + 0.5;
  const tall = Math.max(2, view.row - 1);
  context.beginPath();
  context.roundRect(left, top, width, tall, 2);
  context.fillStyle = mix(voiceColour(note.voice), colours().dark ? "#ffffff" : "#000000", 0.12);
  context.fill();
  context.lineWidth = 1.75;
  context.strokeStyle = tint["roll-pick"];
  context.stroke();
  const loud = Math.max(1, (width - 4) * (note.velocity / 127)); // a thin bar says how loud
  context.fillStyle = tint["roll-pick"];
  if (view.row >= 7 && width > 8) context.fillRect(left + 2, top + tall - 3, loud, 1.5);
}
