// The computer keyboard as a piano, two rows of keys and two and a half octaves, with the same keys on the page.

import { fill } from "./drawing.js";
import { make } from "./elements.js";

// Keys by where they lie, whatever is printed on them; a key's place in the list is its distance from the lowest C.
const ROWS = [
  ["KeyZ", "KeyS", "KeyX", "KeyD", "KeyC", "KeyV", "KeyG", "KeyB", "KeyH", "KeyN", "KeyJ", "KeyM",
    "Comma", "KeyL", "Period", "Semicolon", "Slash"],
  ["KeyQ", "Digit2", "KeyW", "Digit3", "KeyE", "KeyR", "Digit5", "KeyT", "Digit6", "KeyY", "Digit7", "KeyU",
    "KeyI", "Digit9", "KeyO", "Digit0", "KeyP", "BracketLeft", "Equal", "BracketRight"],
];
const PRINTED = { Comma: ",", Period: ".", Semicolon: ";", Slash: "/", BracketLeft: "[", BracketRight: "]", Equal: "=" };
const NAMES = ["C", "C#", "D", "E♭", "E", "F", "F#", "G", "A♭", "A", "B♭", "B"];
const BLACK = new Set([1, 3, 6, 8, 10]);
const SPAN = 32; // keys from the lowest C up
const OCTAVE = 12;
const VELOCITY = 80;
const LOWEST = 24, HIGHEST = 84; // the lowest C may be from here to here

const offsets = new Map(ROWS.flatMap((row, octave) => row.map((code, step) => [code, octave * OCTAVE + step])));

export const pitchName = (pitch) => `${NAMES[pitch % OCTAVE]}${Math.floor(pitch / OCTAVE) - 1}`;

const isTyping = (target) => target?.closest?.("input, textarea, select, [contenteditable]");

// A piano. played(isOn, pitch, velocity, milliseconds) is called for every key that goes down or up.
// Returns { element, listen(whether), suit(low, high), light(pitch, isOn), release() }.
export function mountKeyboard(played) {
  let lowest = 48;
  let listening = false;
  const down = new Map(); // what holds a key down -> its pitch
  const keys = new Map(); // pitch -> button
  const board = make("div", { class: "piano", role: "group", "aria-label": "Piano keys" });
  const where = make("span", { class: "small", "aria-live": "polite" });
  const printed = new Map(Object.entries(PRINTED));

  const press = (holder, pitch, at, velocity = VELOCITY) => {
    if (down.has(holder)) return;
    down.set(holder, pitch);
    light(pitch, true);
    played(true, pitch, velocity, at);
  };
  const lift = (holder, at) => {
    const pitch = down.get(holder);
    if (pitch === undefined) return;
    down.delete(holder);
    if (![...down.values()].includes(pitch)) light(pitch, false);
    played(false, pitch, 0, at);
  };
  const light = (pitch, isOn) => keys.get(pitch)?.classList.toggle("down", isOn);
  const release = () => [...down.keys()].forEach((holder) => lift(holder, performance.now()));

  const drawKeys = () => {
    release();
    keys.clear();
    const letters = new Map([...offsets].map(([code, step]) => [step, printed.get(code) || code.replace(/^Key|^Digit/, "")]));
    let white = 0;
    const made = Array.from({ length: SPAN }, (_, step) => {
      const pitch = lowest + step;
      const black = BLACK.has(pitch % OCTAVE);
      const key = make(
        "button",
        {
          type: "button", class: black ? "black-key" : "white-key", tabindex: step === 0 ? "0" : "-1",
          "aria-label": `${pitchName(pitch)}, key ${letters.get(step) || ""}`, "data-pitch": String(pitch),
        },
        make("span", { "aria-hidden": "true" }, letters.get(step) || ""),
      );
      key.style.setProperty("--white", String(white));
      if (!black) white += 1;
      keys.set(pitch, key);
      return key;
    });
    board.style.setProperty("--whites", String(white));
    fill(board, made);
    where.textContent = `${pitchName(lowest)} to ${pitchName(lowest + SPAN - 1)}`;
  };
  const move = (octaves) => {
    lowest = Math.min(HIGHEST, Math.max(LOWEST, lowest + octaves * OCTAVE));
    drawKeys();
  };

  board.addEventListener("pointerdown", (event) => {
    const key = event.target.closest("[data-pitch]");
    if (!key) return;
    key.releasePointerCapture?.(event.pointerId);
    press(`pointer ${event.pointerId}`, Number(key.dataset.pitch), event.timeStamp);
  });
  board.addEventListener("pointerover", (event) => {
    const key = event.target.closest("[data-pitch]");
    const holder = `pointer ${event.pointerId}`;
    if (!key || !down.has(holder)) return;
    lift(holder, event.timeStamp);
    press(holder, Number(key.dataset.pitch), event.timeStamp);
  });
  for (const name of ["pointerup", "pointercancel"]) {
    window.addEventListener(name, (event) => lift(`pointer ${event.pointerId}`, event.timeStamp));
  }
  // With the keys in focus: arrows go from key to key, Enter or the space bar plays.
  board.addEventListener("keydown", (event) => {
    const key = event.target.closest("[data-pitch]");
    if (!key) return;
    const pitch = Number(key.dataset.pitch);
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step && keys.has(pitch + step)) {
      key.tabIndex = -1;
      keys.get(pitch + step).tabIndex = 0;
      keys.get(pitch + step).focus();
    } else if (["Enter", " "].includes(event.key)) {
      if (!event.repeat) press(`focus ${event.key}`, pitch, event.timeStamp);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  board.addEventListener("keyup", (event) => lift(`focus ${event.key}`, event.timeStamp));

  const typed = (event) => {
    if (!listening || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const step = offsets.get(event.code);
    if (step === undefined) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!event.repeat) press(event.code, lowest + step, event.timeStamp);
  };
  window.addEventListener("keydown", typed, true);
  window.addEventListener("keyup", (event) => lift(event.code, event.timeStamp), true);
  window.addEventListener("blur", release);

  navigator.keyboard?.getLayoutMap?.().then((layout) => {
    for (const code of offsets.keys()) if (layout.get(code)) printed.set(code, layout.get(code).toUpperCase());
    drawKeys();
  }).catch(() => {});
  drawKeys();

  return {
    element: make(
      "div",
      { class: "keyboard" },
      make(
        "div",
        { class: "row" },
        make("button", { type: "button", class: "button small", "aria-label": "An octave lower", onclick: () => move(-1) }, "◂ octave"),
        where,
        make("button", { type: "button", class: "button small", "aria-label": "An octave higher", onclick: () => move(1) }, "octave ▸"),
      ),
      board,
    ),
    light,
    release,
    listen: (whether) => {
      listening = whether;
      if (!whether) release();
    },
    // Lay the keys so that what lies between these pitches can be played.
    suit: (low, high) => {
      const centred = Math.floor(low / OCTAVE) * OCTAVE;
      lowest = Math.min(HIGHEST, Math.max(LOWEST, high < centred + SPAN ? centred : Math.ceil((high - SPAN + 1) / OCTAVE) * OCTAVE));
      drawKeys();
    },
  };
}
