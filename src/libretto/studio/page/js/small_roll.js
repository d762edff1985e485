// A small roll of some bars: what a take changes stands out, what stayed is pale.

const HEIGHT = 96;
const LEAST_ROWS = 18;
const STEP = 20000; // notes that are looked at before anything is drawn at all

/**
 * Draw part of a piece view into a canvas.
 * @param {HTMLCanvasElement} canvas
 * @param {object} view a piece or take as drawn
 * @param {{from: number, to: number, changed: Set<number>, tick?: number}} what ticks, notes that stand out, the cursor
 */
export function drawSmall(canvas, view, { from, to, changed, tick = null }) {
  const ratio = Math.min(2, devicePixelRatio || 1);
  const width = canvas.clientWidth || 260;
  canvas.width = width * ratio;
  canvas.height = HEIGHT * ratio;
  const pen = canvas.getContext("2d");
  pen.scale(ratio, ratio);
  const style = getComputedStyle(canvas);
  pen.clearRect(0, 0, width, HEIGHT);
  const { onset, duration, pitch, voice } = view.notes;
  const seen = [];
  let low = 127;
  let high = 0;
  for (let id = 0; id < onset.length && seen.length < STEP; id++) {
    if (onset[id] >= to || onset[id] + duration[id] <= from) continue;
    seen.push(id);
    low = Math.min(low, pitch[id]);
    high = Math.max(high, pitch[id]);
  }
  const rows = Math.max(LEAST_ROWS, high - low + 3);
  const row = HEIGHT / rows;
  const top = (low + high) / 2 + rows / 2;
  const x = (at) => ((at - from) / Math.max(1, to - from)) * width;
  pen.fillStyle = style.getPropertyValue("--roll-bar") || "#999";
  for (const bar of view.bars) if (bar.tick > from && bar.tick < to) pen.fillRect(Math.round(x(bar.tick)), 0, 1, HEIGHT);
  for (const late of [false, true]) {
    for (const id of seen) {
      if (changed.has(id) !== late) continue;
      pen.globalAlpha = late ? 1 : 0.28;
      pen.fillStyle = view.voices[voice[id]]?.colour || "#888";
      pen.fillRect(x(onset[id]), (top - pitch[id]) * row, Math.max(2, x(onset[id] + duration[id]) - x(onset[id]) - 0.5), Math.max(2, row - 0.5));
    }
  }
  pen.globalAlpha = 1;
  if (tick !== null && tick >= from && tick < to) {
    pen.fillStyle = style.getPropertyValue("--roll-cursor") || "#c40";
    pen.fillRect(x(tick) - 0.75, 0, 1.5, HEIGHT);
  }
}
