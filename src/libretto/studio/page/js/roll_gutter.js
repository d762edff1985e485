// The keyboard at the left of the roll: keys, and the names of drums beside their rows.

import { colours } from "./colours.js";
import { drumName, isBlack, pitchName } from "./notes.js";
import { GUTTER, stripTop, view, y } from "./view.js";

export function paintGutter(context) {
  const tint = colours();
  context.fillStyle = tint["key-white"];
  context.fillRect(0, 0, GUTTER, view.height);
  context.save();
  context.translate(0, -view.top);
  context.textBaseline = "middle";
  const size = Math.max(8, Math.min(10.5, view.row));
  context.font = `${size}px ui-sans-serif, system-ui, sans-serif`;
  for (let pitch = view.high; pitch >= view.low; pitch--) {
    const top = y(pitch);
    if (top + view.row < view.top || top > view.top + view.height) continue;
    paintKey(context, pitch, top, tint);
  }
  if (view.drums.length) {
    const end = (view.high - view.low + 1) * view.row;
    context.fillStyle = tint.surface;
    context.fillRect(0, end, GUTTER, stripTop() - end + (view.drums.length + 99) * view.row);
    for (const pitch of view.drums) paintDrum(context, pitch, y(pitch, true), tint);
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
  if (view.row < 7) return;
  context.fillStyle = tint["ink-soft"];
  context.textAlign = "right";
  context.fillText(drumName(pitch).slice(0, 9), GUTTER - 4, top + view.row / 2 + 0.5);
}
