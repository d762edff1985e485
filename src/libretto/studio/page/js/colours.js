// The colours of the drawing, read from the style sheet once a theme; voices keep their own colour in shades of loudness.

import { on, store, tell } from "./store.js";

const NAMES = ["paper", "surface", "sunken", "line", "line-strong", "ink", "ink-soft", "accent", "accent-tint", "good", "warn", "danger",
  "roll-white", "roll-black", "roll-octave", "roll-bar", "roll-beat", "roll-fine", "roll-select", "roll-select-edge", "roll-cursor",
  "roll-pick", "key-white", "key-black"];
const SHADES = [0.42, 0.26, 0.12, 0]; // how far the softest to the loudest notes go towards the paper
const GHOST = 0.74; // and the notes of voices that are not heard or not chosen
const PLAIN = "#7a8590";

let known = null;
let shades = new Map();

export function colours() {
  if (!known) {
    const style = getComputedStyle(document.documentElement);
    known = Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
    known.dark = isDark();
  }
  return known;
}

export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function rgb(hex) {
  const found = /^#([0-9a-f]{6})$/i.exec(hex || "");
  const number = parseInt(found ? found[1] : PLAIN.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

export function mix(a, b, share) {
  const [one, two] = [rgb(a), rgb(b)];
  return `#${one.map((value, at) => Math.round(value + (two[at] - value) * share).toString(16).padStart(2, "0")).join("")}`;
}

// A voice's own colour, a little lighter on dark paper.
export function voiceColour(voice) {
  const own = store.piece?.voices[voice]?.colour || PLAIN;
  return colours().dark ? mix(own, "#ffffff", 0.22) : own;
}

// The colour of a note: 0 to 3 from soft to loud, 4 for one that stands back.
export function shade(voice, level) {
  const key = voice * 8 + level;
  if (!shades.has(key)) {
    shades.set(key, mix(voiceColour(voice), colours()["roll-white"], level > 3 ? GHOST : SHADES[level]));
  }
  return shades.get(key);
}

export const levelOf = (velocity) => (velocity < 45 ? 0 : velocity < 70 ? 1 : velocity < 95 ? 2 : 3);

// Ink that can be read on a colour.
export function inkOn(colour) {
  const [r, g, b] = rgb(colour).map((value) => (value / 255) ** 2.2);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.2 ? "#101418" : "#ffffff";
}

export function forgetColours() {
  known = null;
  shades = new Map();
  tell("theme");
}

export function watchTheme() {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", forgetColours);
}

on("piece", () => (shades = new Map()));
