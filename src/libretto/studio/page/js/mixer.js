// The mixer: for each voice its colour, name, instrument, mute, solo and volume; a click on the name chooses the voice.

import { voiceColour } from "./colours.js";
import { ask } from "./dialog.js";
import { operate } from "./edit.js";
import { FAMILIES } from "./instruments.js";
import { button, make, SIGNS, signButton } from "./make.js";
import { chooseVoices } from "./selecting.js";
import { change, on, store } from "./store.js";
import { toggleVoice } from "./voices.js";

const KEPT = "libretto.volumes.";

export function mount(place) {
  const list = make("ul", { class: "strips" });
  const add = button("Add a voice", "An empty voice to write into", addVoice, "small");
  place.append(make("h2", { text: "Voices" }), list, make("div", { class: "row" }, add));
  let shown = "";
  const show = () => {
    const piece = store.piece;
    add.hidden = !piece;
    const key = JSON.stringify(piece && [piece.name, piece.voices.map((voice) => [voice.name, voice.program, voice.drums, voice.colour])]);
    if (key !== shown) list.replaceChildren(...(piece?.voices || []).map(strip));
    shown = key;
    state(list);
  };
  on("piece", () => {
    if (store.piece && !store.volume.size) recall();
    show();
  });
  on("theme", () => {
    shown = "";
    show();
  });
  for (const topic of ["mute", "solo", "voices", "active", "volume"]) on(topic, () => state(list));
  on("volume", keep);
  show();
}

function strip(voice, at) {
  const name = make("button", { class: "voice-name", type: "button", text: voice.name, title: "Choose this voice; with Shift or Ctrl, several" });
  name.addEventListener("click", (event) => pick(at, event.shiftKey || event.ctrlKey || event.metaKey));
  name.addEventListener("dblclick", () => rename(at));
  const toggles = ["mute", "solo"].map((kind) =>
    make("button", { class: `toggle ${kind}`, type: "button", text: kind[0].toUpperCase(), title: kind === "mute" ? "Mute" : "Solo", "aria-label": `${kind === "mute" ? "Mute" : "Solo"} ${voice.name}`, on: { click: () => toggleVoice(kind, at) } }));
  const volume = make("input", { type: "range", min: "0", max: "1", step: "0.01", "aria-label": `Volume of ${voice.name}`, title: "Volume" });
  volume.addEventListener("input", () => change({ volume: new Map(store.volume).set(at, Number(volume.value)) }));
  return make("li", { class: "strip", "data-voice": String(at) },
    make("span", { class: "swatch", style: { background: voiceColour(at) } }),
    name, ...toggles,
    signButton(SIGNS.dots, `More for ${voice.name}`, () => more(at), "small quiet"),
    instrument(voice, at), volume);
}

function instrument(voice, at) {
  if (voice.drums) return make("span", { class: "soft instrument", text: "Drums" });
  const control = make("select", { class: "instrument", "aria-label": `Instrument of ${voice.name}`, title: "Instrument" },
    ...FAMILIES.map(([family, names], row) => {
      const group = make("optgroup", { label: family });
      group.append(...names.map((name, column) => make("option", { value: String(row * 8 + column), text: name })));
      return group;
    }));
  control.value = String(voice.program ?? 0);
  control.addEventListener("change", () => operate([{ op: "program", voice: at, program: Number(control.value) }]));
  return control;
}

function state(list) {
  for (const [at, row] of [...list.children].entries()) {
    row.classList.toggle("chosen", store.voices.has(at));
    row.classList.toggle("active", store.active === at);
    row.querySelector(".voice-name").setAttribute("aria-pressed", String(store.voices.has(at)));
    for (const kind of ["mute", "solo"]) row.querySelector(`.${kind}`).setAttribute("aria-pressed", String(store[kind].has(at)));
    const silent = store.mute.has(at) || (store.solo.size > 0 && !store.solo.has(at));
    row.classList.toggle("silent", silent);
    const volume = row.querySelector('input[type="range"]');
    if (document.activeElement !== volume) volume.value = String(store.volume.get(at) ?? 1);
  }
}

// Choose a voice; once more lets it go. With `more`, beside those that are chosen.
export function pick(voice, more = false) {
  const next = new Set(more ? store.voices : []);
  if (store.voices.has(voice) && (more || store.voices.size === 1)) next.delete(voice);
  else next.add(voice);
  change({ active: voice });
  chooseVoices(next);
}

async function rename(at) {
  const before = store.piece.voices[at].name;
  const said = await ask("Name of the voice", [{ name: "name", label: "Name", value: before, maxlength: 80, required: true }], "Rename");
  if (said && said.name.trim() && said.name !== before) operate([{ op: "rename", voice: at, name: said.name.trim() }]);
}

async function more(at) {
  const voice = store.piece.voices[at];
  const said = await ask(voice.name, [
    { name: "what", label: "What to do", value: "rename", options: [["rename", "Rename it"], ["remove", "Remove it from the piece"]] },
  ], "Go on");
  if (said?.what === "rename") rename(at);
  else if (said?.what === "remove") operate([{ op: "remove_voice", voice: at }]);
}

async function addVoice() {
  const said = await ask("A new voice", [
    { name: "name", label: "Name", value: "", maxlength: 80, required: true },
    { name: "program", label: "Instrument", value: "0", options: [["drums", "Drums"], ...FAMILIES.flatMap(([, names], row) => names.map((name, column) => [row * 8 + column, name]))] },
  ], "Add");
  if (!said) return;
  const drums = said.program === "drums";
  operate([{ op: "add_voice", name: said.name.trim(), program: drums ? 0 : Number(said.program), drums }]);
}

// Volumes are how this machine listens, not the piece: they are kept in the browser.
function keep() {
  if (!store.piece || !store.volume.size) return;
  const names = store.piece.voices.map((voice) => voice.name);
  try {
    localStorage.setItem(KEPT + store.piece.name, JSON.stringify([...store.volume].map(([at, value]) => [names[at], value])));
  } catch {
    // volumes are then as written at the next visit
  }
}

function recall() {
  const names = store.piece.voices.map((voice) => voice.name);
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT + store.piece.name) || "[]");
    change({ volume: new Map(kept.map(([name, value]) => [names.indexOf(name), Number(value)]).filter(([at]) => at >= 0)) });
  } catch {
    change({ volume: new Map() });
  }
}
