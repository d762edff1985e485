// The toolbar of what can be done with the selection, or with the notes that are picked.

import { accompany, copyBars, cutBars, extend, fillAnew, labelBar, louder, morph, moveBars, revise, silence, transpose } from "./actions.js";
import { edit, pickedNotes } from "./edit.js";
import { button, make, SIGNS, signButton } from "./make.js";
import { chosenText, selectBars } from "./selecting.js";
import { change, on, store } from "./store.js";
import { chosenVoicePlaces, toggleVoices } from "./voices.js";
import { changed, differences } from "./roll_mouse.js";
import { higher, isDrum } from "./view.js";

const MOST_WISH = 400;

export function mount(place) {
  const chosen = make("button", { class: "chip chosen", type: "button", title: "Select everything again" });
  chosen.addEventListener("click", () => {
    selectBars(null);
    change({ voices: new Set() });
  });
  const piece = make("div", { class: "group" },
    button("Write anew", "Three takes of these bars and voices to choose from", fillAnew, "small primary"),
    button("Accompany", "Write one voice from the others", accompany, "small"),
    button("Extend", "Let the piece go on, begin earlier or open up", extend, "small"),
    button("Morph", "Go from this piece to another one, or to a genre", morph, "small"),
    wish());
  const bars = make("div", { class: "group edits" }, ...barTools());
  const picked = notesTools();
  place.append(make("div", { class: "line" }, chosen, piece), make("div", { class: "line" }, bars, picked.element));
  const show = () => {
    chosen.textContent = chosenText();
    chosen.classList.toggle("plain", !store.selection && !store.voices.size);
    for (const control of place.querySelectorAll("button, input, select")) control.disabled = !store.piece;
    bars.hidden = store.notes.size > 0;
    picked.element.hidden = store.notes.size === 0;
    const silent = chosenVoicePlaces();
    for (const [name, set] of [["mute", store.mute], ["solo", store.solo]]) {
      const pressed = store.voices.size > 0 && silent.every((voice) => set.has(voice));
      place.querySelector(`[data-tool="${name}"]`).setAttribute("aria-pressed", String(pressed));
    }
    picked.show();
  };
  for (const topic of ["piece", "selection", "voices", "notes", "draft", "mute", "solo"]) on(topic, show);
  show();
}

// "Make it ..." in words, for the selection.
function wish() {
  const words = make("input", { type: "text", placeholder: "Make it… darker, simpler, more syncopated", "aria-label": "Make it, in your words", maxlength: String(MOST_WISH) });
  const form = make("form", { class: "wish" }, words, make("button", { class: "button small", type: "submit", text: "Make it so" }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const said = words.value.trim();
    if (said) revise(said).then((done) => done && (words.value = ""));
  });
  return form;
}

function barTools() {
  const tool = (name, text, title, click) => {
    const made = button(text, title, click, "small quiet");
    made.dataset.tool = name;
    return made;
  };
  return [
    make("span", { class: "soft label", text: "Transpose" }),
    signButton(SIGNS.less, "A semitone down", () => transpose(-1), "small quiet"),
    signButton(SIGNS.more, "A semitone up", () => transpose(1), "small quiet"),
    tool("octave-down", "8 down", "An octave down", () => transpose(-12)),
    tool("octave-up", "8 up", "An octave up", () => transpose(12)),
    make("span", { class: "divider" }),
    tool("softer", "Softer", "A little softer", () => louder(-8)),
    tool("louder", "Louder", "A little louder", () => louder(8)),
    make("span", { class: "divider" }),
    tool("move", "Move", "Move these bars elsewhere", moveBars),
    tool("copy", "Copy", "Copy these bars elsewhere", copyBars),
    tool("silence", "Silence", "Take the notes out of these bars and voices", silence),
    tool("cut", "Cut", "Take these bars out of the piece", cutBars),
    tool("label", "Chords", "Chords and section of the first selected bar", () => labelBar()),
    make("span", { class: "divider" }),
    tool("mute", "Mute", "Do not play the chosen voices (Shift M)", () => toggleVoices("mute")),
    tool("solo", "Solo", "Play the chosen voices alone (Shift S)", () => toggleVoices("solo")),
  ];
}

// What is done with picked notes: by numbers for those who do not drag.
function notesTools() {
  const number = (name, text, min, max) => {
    const control = make("input", { class: "number", type: "number", min: String(min), max: String(max), "aria-label": text });
    control.addEventListener("change", () => set(name, Number(control.value)));
    return [make("label", { class: "inline" }, text, control), control];
  };
  const [velocityLabel, velocity] = number("velocity", "Velocity", 1, 127);
  const [lengthLabel, length] = number("duration", "Beats", 0.03125, 64);
  length.step = "0.125";
  const [pitchLabel, pitch] = number("pitch", "Pitch", 0, 127);
  const count = make("strong", { class: "label" });
  const element = make("div", { class: "group" },
    count, pitchLabel, lengthLabel, velocityLabel,
    make("span", { class: "divider" }),
    button("8 down", "An octave down", () => shift({ pitch: -12 }), "small quiet"),
    button("8 up", "An octave up", () => shift({ pitch: 12 }), "small quiet"),
    button("Delete", "Delete (Del)", cutNotes, "small quiet danger"),
    button("Let go", "Pick nothing (Esc)", () => change({ notes: new Set() }), "small quiet"));
  const show = () => {
    const notes = pickedNotes();
    count.textContent = notes.length === 1 ? "1 note" : `${notes.length} notes`;
    const shared = (field) => (notes.length && notes.every((note) => note[field] === notes[0][field]) ? notes[0][field] : null);
    velocity.value = shared("velocity") ?? "";
    pitch.value = shared("pitch") ?? "";
    const ticks = shared("duration");
    length.value = ticks === null ? "" : String(Math.round((ticks / store.piece.quarter) * 1000) / 1000);
    for (const control of [velocity, pitch, length]) control.placeholder = control.value ? "" : "any";
  };
  return { element, show };
}

function set(field, value) {
  if (!Number.isFinite(value) || (field === "duration" && value <= 0)) return;
  const limits = { velocity: [1, 127], pitch: [0, 127], duration: [1, Infinity] }[field];
  const wanted = field === "duration" ? Math.round(value * store.piece.quarter) : Math.round(value);
  replace((note) => ({ ...note, [field]: Math.max(limits[0], Math.min(limits[1], wanted)) }));
}

// Replace every picked note by what a function makes of it, as one gesture.
export function replace(make_) {
  const before = pickedNotes();
  const after = before.map(make_);
  const does = before.map((note, at) => ({ set: note, to: differences(note, after[at]) })).filter((step) => Object.keys(step.to).length);
  if (does.length) edit(does, after);
}

export function shift(by) {
  const notes = pickedNotes();
  if (by.pitch && notes.some((note) => note.pitch + by.pitch < 0 || note.pitch + by.pitch > 127)) return;
  if (by.onset && notes.some((note) => note.onset + by.onset < 0 || note.onset + by.onset >= store.piece.end)) return;
  if (by.rows && notes.some((note) => higher(note.pitch, by.rows, isDrum(note.voice)) === null)) return;
  replace((note) => changed(note, by));
}

export function cutNotes() {
  edit(pickedNotes().map((cut) => ({ cut })), []);
}
