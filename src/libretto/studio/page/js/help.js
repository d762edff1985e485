// The list of keys, shown by the question mark.

import { button, make } from "./make.js";

const KEYS = [
  ["Playing", [["Play and pause", "Space"], ["To the start", "Home"], ["Bar back, bar on", "Ctrl ←  Ctrl →"], ["Loop the selection", "L"], ["Metronome", "M"]]],
  ["Selecting", [["Move the cursor", "← →"], ["Extend the bars", "Shift ← →"], ["Voice above, below", "↑ ↓"], ["Choose a voice", "1 … 9"],
    ["All notes of the selection", "Ctrl A"], ["Pick a note at the cursor", "Enter"], ["Nothing selected", "Esc"], ["Mute, solo the voice", "Shift M  Shift S"]]],
  ["Picked notes", [["Pick the next, the one before", "← →"], ["Pick above, below", "↑ ↓"], ["Pick more", "Shift + arrow"], ["Edit with arrows, and back", "Enter"],
    ["Move in time, in pitch", "Alt + arrow"], ["By an octave", "Alt Shift ↑ ↓"], ["Shorter, longer", "[  ]"], ["Softer, louder", "-  +"],
    ["Add a note at the cursor", "N"], ["Delete", "Del"], ["Copy, cut, paste", "Ctrl C  X  V"], ["Undo, redo", "Ctrl Z  Ctrl Shift Z"]]],
  ["Seeing", [["Zoom in time", "Ctrl wheel · Z  Shift Z"], ["Zoom in pitch", "Ctrl Shift wheel"], ["Whole piece, selection", "F"], ["Roll, score, text", "Alt 1  2  3"]]],
  ["With the mouse", [["Add a note", "double click"], ["Move, copy", "drag, Ctrl drag"], ["Length", "drag its end"], ["Velocity", "Alt drag"],
    ["Pick several", "drag over paper"], ["Seek, select bars", "click, drag the ruler"]]],
];

export function showKeys() {
  if (document.getElementById("keys-help")) return;
  const list = make("div", { class: "keys" }, ...KEYS.flatMap(([title, rows]) => [
    make("h3", { text: title }),
    ...rows.map(([what, keys]) => make("div", {}, make("span", { text: what }), make("span", {}, make("kbd", { text: keys })))),
  ]));
  const close = button("Close", "", () => dialog.close());
  const dialog = make("dialog", { class: "dialog wide", id: "keys-help", "aria-label": "Keys" },
    make("div", { class: "body" }, make("h2", { text: "Keys and gestures", tabindex: "-1", autofocus: true }), list, make("div", { class: "ends" }, close)));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
