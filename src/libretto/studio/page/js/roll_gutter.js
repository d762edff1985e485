// The keyboard at the left of the roll: keys, or names of drums where drums alone are chosen.

import { colours } from "./colours.js";
import { drumName, isBlack, pitchName } from "./notes.js";
import { store } from "./store.js";
import { GUTTER, view, y } from "./view.js";

function drumsAlone() {
  const voices = store.piece.voices;
  const chosen = store.voices.size ? [...store.voices] : voices.map((_, at) => at);
  return chosen.length > 0 && chosen.every((voice) => voices[voice]?.drums);
}

export function paintGutter(context) {
  const tint = colours();
  const drums = drumsAlone();
  context.fillStyle = drums ? tint.surface : tint["key-white"];
  context.fillRect(0, 0, GUTTER, view.height);
  context.save();
  context.translate(0, -view.top);
  context.textBaseline = "middle";
  const size = Math.max(8, Math.min(10.5, view.row));
  context.font = `${size}px ui-sans-serif, system-ui, sans-serif`;
  for (let pitch = view.high; pitch >= view.low; pitch--) {
    const top = y(pitch);
    if (top + view.row < view.top || top > view.top + view.height) continue;
    if (drums) paintDrum(context, pitch, top, tint);
    else paintKey(context, pitch, top, tint);
  }
  context.restore();
  context.fillStyle = tint.line;
  context.fillRect(GUTTER - 1, 0, 1, view.height);
}

function paintKey(context, pitch, top, tint) {
  if (isBlack(pitch)) {
    context.fillStyle = tint["key-black"];
    context.fillRect(0, top + 0.5, GUTTER * 0.56, view.row - 1);
    return;
  }
  const name = pitch % 12;
  context.fillStyle = name === 0 ? "#00000059" : "#00000024";
  if (name === 0 || name === 5) context.fillRect(0, Math.round(top + view.row) - 1, GUTTER, 1);
  if (name === 0 && view.row >= 5) {
    context.fillStyle = "#30353b";
    context.textAlign = "right";
    context.fillText(pitchName(pitch), GUTTER - 5, top + view.row / 2 + 0.5);
  }
}

function paintDrum(context, pitch, top, tint) {
  const name = drumName(pitch);
  if (view.row < 8 || name === pitchName(pitch)) return;
  context.fillStyle = tint["ink-soft"];
  context.textAlign = "right";
  context.fillText(name.slice(0, 8), GUTTER - 4, top + view.row / 2 + 0.5);
}
