// The painting of the lanes: bar numbers, sections, chord labels, and energy as a curve.

import { colours } from "./colours.js";
import { store } from "./store.js";
import { barEnd, barIndexAt, beatTicks, tickAt, x } from "./view.js";

const small = () => window.innerWidth < 700;
export const LANES = {
  bars: { name: "bar", height: () => 22 },
  sections: { name: "form", height: () => 20 },
  chords: { name: "chords", height: () => 20 },
  energy: { name: "energy", height: () => 30 },
};
const AGAIN = 360; // pixels after which a long section says its name again
const FONT = "ui-sans-serif, system-ui, sans-serif";

export function shownLanes() {
  const piece = store.piece;
  if (!piece) return [];
  const lanes = ["bars"];
  if (piece.sections.length) lanes.push("sections");
  if (piece.bars.some((bar) => bar.chords.some((chord) => chord !== "-"))) lanes.push("chords");
  if (piece.energy?.length && !small()) lanes.push("energy");
  return lanes;
}

export const lanesHeight = () => shownLanes().reduce((sum, lane) => sum + LANES[lane].height(), 0);

let seen = { left: 0, width: 0 }; // the part that is being painted, in pixels of the whole drawing

export function paintLanes(context, area) {
  seen = area;
  const tint = colours();
  context.fillStyle = tint.surface;
  context.fillRect(0, 0, seen.width, lanesHeight());
  paintSelection(context, tint);
  let top = 0;
  context.textBaseline = "middle";
  for (const lane of shownLanes()) {
    const height = LANES[lane].height();
    context.save();
    context.translate(-seen.left, top);
    ({ bars: paintBars, sections: paintSections, chords: paintChords, energy: paintEnergy })[lane](context, height, tint);
    context.restore();
    top += height;
    context.fillStyle = tint.line;
    context.fillRect(0, top - 1, seen.width, 1);
  }
}

function paintSelection(context, tint) {
  const chosen = store.selection;
  if (!chosen) return;
  const left = x(store.piece.bars[chosen.first].tick) - seen.left;
  const right = x(barEnd(chosen.last)) - seen.left;
  context.fillStyle = tint["accent-tint"];
  context.fillRect(left, 0, right - left, lanesHeight());
  context.fillStyle = tint.accent;
  context.fillRect(left, 0, right - left, 3);
}

// Call with each bar in the window: its index, and where it begins and ends in pixels.
function eachBar(call) {
  const { bars } = store.piece;
  const last = Math.min(bars.length - 1, barIndexAt(tickAt(seen.left + seen.width)));
  for (let at = barIndexAt(tickAt(seen.left)); at <= last; at++) call(at, bars[at], x(bars[at].tick), x(barEnd(at)));
}

function paintBars(context, height, tint) {
  const { bars } = store.piece;
  const usual = bars.length ? x(barEnd(Math.min(1, bars.length - 1)) - bars[Math.min(1, bars.length - 1)].tick) : 40;
  const step = [1, 2, 4, 8, 16, 32, 64, 128].find((many) => many * usual >= 30) || 256;
  context.font = `600 11px ${FONT}`;
  let meter = bars[0]?.meter;
  let free = -Infinity;
  eachBar((at, bar, left, right) => {
    const beat = x(beatTicks(bar));
    if (beat >= 7) {
      context.fillStyle = tint.line;
      for (let px = left + beat; px < right - 1; px += beat) context.fillRect(Math.round(px), height - 5, 1, 4);
    }
    if (at % step || left < free) return;
    context.fillStyle = tint["line-strong"];
    context.fillRect(Math.round(left), height - 9, 1, 8);
    context.fillStyle = tint["ink-soft"];
    const changed = bar.meter !== meter && at > 0;
    const text = changed ? `${bar.number}  ${bar.meter}` : String(bar.number);
    context.fillText(text, left + 4, height / 2);
    free = left + context.measureText(text).width + 8;
    meter = bar.meter;
  });
}

function paintSections(context, height, tint) {
  const { sections, end } = store.piece;
  context.font = `600 11.5px ${FONT}`;
  sections.forEach((section, at) => {
    const left = x(section.tick);
    const right = x(sections[at + 1]?.tick ?? end);
    if (right < seen.left || left > seen.left + seen.width) return;
    context.fillStyle = at % 2 ? tint.sunken : tint["accent-tint"];
    context.beginPath();
    context.roundRect(left + 1, 2, Math.max(2, right - left - 2), height - 5, 4);
    context.fill();
    for (let from = left + 7; right - from > (from === left + 7 ? 18 : AGAIN / 2); from += AGAIN) {
      if (from + AGAIN < seen.left || from > seen.left + seen.width) continue;
      inside(context, section.name, from, height / 2 - 0.5, Math.min(AGAIN, right - from) - 6, from === left + 7 ? tint.ink : tint["ink-soft"]);
    }
  });
}

// Text cut off where its place ends.
function inside(context, text, left, middle, width, ink) {
  context.save();
  context.beginPath();
  context.rect(left - 2, 0, width + 2, 40);
  context.clip();
  context.fillStyle = ink;
  context.fillText(text, left, middle);
  context.restore();
}

function paintChords(context, height, tint) {
  context.font = `12px ${FONT}`;
  let free = -Infinity;
  let before = "";
  eachBar((at, bar, left, right) => {
    const width = (right - left) / bar.chords.length;
    if (right - left > 14 && left >= free) {
      context.fillStyle = tint.line;
      context.fillRect(Math.round(left), 4, 1, height - 9);
    }
    bar.chords.forEach((chord, part) => {
      const from = left + part * width;
      const again = chord === before && part === 0 && width < 90;
      before = chord;
      if (chord === "-" || again || from < free) return;
      const wide = context.measureText(chord).width;
      if (part > 0 && wide > width - 4) return;
      context.fillStyle = tint.ink;
      context.fillText(chord, from + 4, height / 2);
      free = from + wide + 8;
    });
  });
}

function paintEnergy(context, height, tint) {
  const { energy } = store.piece;
  const points = [];
  eachBar((at, bar, left, right) => {
    if (at > 0 && !points.length) points.push([left - (right - left) / 2, energy[at - 1] ?? 0]);
    points.push([(left + right) / 2, energy[at] ?? 0]);
  });
  if (!points.length) return;
  const last = points[points.length - 1];
  const edges = [[Math.min(points[0][0], seen.left), points[0][1]], ...points, [Math.max(last[0], Math.min(seen.left + seen.width, x(store.piece.end))), last[1]]];
  const down = (share) => height - 3 - Math.max(0, Math.min(1, share)) * (height - 7);
  context.beginPath();
  context.moveTo(edges[0][0], down(edges[0][1]));
  for (let at = 1; at < edges.length; at++) {
    const middle = (edges[at - 1][0] + edges[at][0]) / 2;
    context.bezierCurveTo(middle, down(edges[at - 1][1]), middle, down(edges[at][1]), edges[at][0], down(edges[at][1]));
  }
  context.strokeStyle = tint.accent;
  context.lineWidth = 1.5;
  context.stroke();
  context.lineTo(edges[edges.length - 1][0], height);
  context.lineTo(edges[0][0], height);
  context.closePath();
  context.globalAlpha = 0.14;
  context.fillStyle = tint.accent;
  context.fill();
  context.globalAlpha = 1;
}
