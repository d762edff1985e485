// What the buttons over the music do: a job that brings takes, or an edit at once.

import { openPiece, refresh } from "./app.js";
import { ask } from "./dialog.js";
import { operate } from "./edit.js";
import { PROGRAMS } from "./instruments.js";
import { perform, refuse, say, showTakes } from "./neighbours.js";
import { chosenBars, chosenVoices } from "./selecting.js";
import { store } from "./store.js";

const TAKES = 3;
const ROLES = ["", "bass", "drums", "guitar", "keys", "lead", "strings"];

const here = () => ({ piece: store.piece.name, base: store.piece.version });

// Who composes, as chosen where one says what is wanted; a model is asked only after a yes. Null where it was a no.
async function composer() {
  const chosen = document.getElementById("composer")?.value || "house";
  if (chosen === "house") return {};
  const yes = await ask(`Ask ${chosen}?`, [], "Ask it", "The piece is sent to the model's vendor, and each take costs money; what was spent is shown while it works.");
  return yes && { composer: chosen };
}

// Do a job; show the takes that it brings. True where it was done.
async function take(kind, args) {
  const who = await composer();
  if (!who) return false;
  try {
    const result = await perform(kind, { ...args, ...who });
    const missed = (result.not_understood || []).map((one) => one.words || one.text || String(one));
    if (missed.length) say(`Not understood: ${missed.join(", ")}`, "warn");
    if (result.takes?.length) await showTakes(result.takes);
    return true;
  } catch (error) {
    refuse(error);
    return false;
  }
}

export function fillAnew() {
  const { first, last } = chosenBars();
  return take("fill", { ...here(), first, last, voices: store.voices.size ? chosenVoices() : [], takes: TAKES });
}

export function revise(words) {
  const { first, last, whole } = chosenBars();
  const where = [];
  if (!whole) where.push(first === last ? `in bar ${first}` : `in bars ${first}-${last}`);
  if (store.voices.size) where.push(`of ${chosenVoices().join(" and ")}`);
  return take("revise", { ...here(), words: [words, ...where].join(" ") });
}

export async function accompany() {
  const names = store.piece.voices.map((voice) => voice.name);
  const own = store.voices.size === 1 ? chosenVoices()[0] : "";
  const said = await ask("Write a voice from the others", [
    { name: "voice", label: "Voice", value: own, options: [["", "a new voice…"], ...names.map((name) => [name, `${name}, anew`])] },
    { name: "name", label: "Name of a new voice", value: "", maxlength: 40, placeholder: "Bass" },
    { name: "role", label: "What it does", value: "", options: ROLES.map((role) => [role, role || "as its name says"]) },
    { name: "program", label: "Instrument", value: "", options: [["", "as its role says"], ...PROGRAMS.map((name, at) => [at, name])] },
  ], "Write it");
  if (!said) return;
  const voice = said.voice || said.name.trim() || said.role;
  if (!voice) {
    say("A new voice needs a name, or something to do.", "bad");
    return;
  }
  const args = { ...here(), voice };
  if (said.role) args.role = said.role;
  if (said.program !== "") args.program = Number(said.program);
  take("accompany", args);
}

export async function extend() {
  const { first, last, whole } = chosenBars();
  const places = [["end", "after the end"], ["start", "before the beginning"]];
  if (!whole) places.push([first, `before bar ${first}`], [last + 1, `after bar ${last}`]);
  const inside = store.piece.bars.at(-1).number;
  const said = await ask("Let the piece go on", [
    { name: "bars", label: "How many bars", type: "number", value: 8, min: 1, max: 64 },
    { name: "at", label: "Where", value: "end", options: places.filter(([place]) => typeof place === "string" || place <= inside) },
  ], "Write them");
  if (said) take("extend", { ...here(), bars: Number(said.bars), at: Number(said.at) || said.at });
}

export async function morph() {
  const others = store.pieces.filter((piece) => piece.name !== store.piece.name);
  const genres = (store.state?.genres || []).map((genre) => [genre, genre.replaceAll("_", " ")]);
  const said = await ask("Go from here to somewhere else", [
    { name: "target", label: "To a genre, or to one of your pieces", value: genres[0]?.[0], options: [...genres, ...others.map((piece) => [piece.name, piece.title || piece.name])] },
    { name: "bars", label: "How many bars the way has", type: "number", value: 54, min: 24, max: 400 },
  ], "Go there", "A new piece begins like this one and ends like the other.");
  if (!said?.target) return;
  try {
    const result = await perform("morph", { piece: store.piece.name, target: said.target, bars: Number(said.bars) });
    if (!result.piece) return;
    await refresh();
    await openPiece(result.piece);
  } catch (error) {
    refuse(error);
  }
}

// The selection as an edit names it: bars as printed; voices only where some are chosen.
function where() {
  const { first, last } = chosenBars();
  return { first, last, voices: store.voices.size ? chosenVoices() : [] };
}

export const transpose = (semitones) => operate([{ op: "transpose", semitones, ...where() }]);
export const louder = (by) => operate([{ op: "louder", by, ...where() }]);
export const silence = () => operate([{ op: "silence", ...where() }]);
export const moveBars = () => place("move", "Move");
export const copyBars = () => place("copy", "Copy");

export async function cutBars() {
  const { first, last, whole } = chosenBars();
  if (whole) {
    say("Select the bars that should go first.", "plain");
    return;
  }
  const said = await ask(first === last ? `Cut bar ${first}?` : `Cut bars ${first} to ${last}?`, [], "Cut", "All voices; what follows moves up. Undo brings them back.");
  if (said) operate([{ op: "cut", first, last }]);
}

// The chords of a bar, and the section that begins there.
export async function labelBar(index = store.selection?.first ?? 0) {
  const bar = store.piece.bars[index];
  const section = store.piece.sections.find((one) => one.tick === bar.tick)?.name ?? "";
  const chords = bar.chords.join(" | ");
  const said = await ask(`Bar ${bar.number}`, [
    { name: "chords", label: "Chords, several with a bar between them, - for none", value: chords, maxlength: 200 },
    { name: "section", label: "Section that begins here, empty for none", value: section, maxlength: 80 },
  ], "Write");
  if (!said) return;
  const ops = [];
  const labels = said.chords.split("|").map((label) => label.trim()).filter(Boolean);
  if (labels.join(" | ") !== chords) ops.push({ op: "chords", bar: bar.number, chords: labels.length ? labels : ["-"] });
  if (said.section.trim() !== section) ops.push({ op: "section", bar: bar.number, name: said.section.trim() });
  if (ops.length) operate(ops);
}

async function place(op, verb) {
  const { first, last, voices } = where();
  const bars = first === last ? `bar ${first}` : `bars ${first} to ${last}`;
  const said = await ask(`${verb} ${bars}`, [
    { name: "to", label: "To begin at bar", type: "number", value: last + 1, min: 0, max: 9999, required: true },
  ], verb, voices.length ? `Only ${voices.join(", ")}.` : "All voices.");
  if (said) operate([{ op, first, last, to: Number(said.to), voices }]);
}
