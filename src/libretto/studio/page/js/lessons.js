// Lessons: a drill on one concept, played on the computer keyboard, a MIDI keyboard or sung, and graded bar by bar.

import { get } from "./api.js";
import { openPiece, refresh } from "./app.js";
import { field, fill } from "./drawing.js";
import { make } from "./elements.js";
import { drawGrade } from "./graded.js";
import { perform } from "./jobs.js";
import { mountKeyboard } from "./keyboard.js";
import { refuse, say } from "./messages.js";
import { base64, record } from "./microphone.js";
import { listenToMidi } from "./midi_input.js";
import { player } from "./player.js";
import { on, store } from "./store.js";
import { Notes, runAlong } from "./taking.js";

const KEYS = ["C", "G", "D", "A", "E", "B", "F#", "F", "Bb", "Eb", "Ab", "Db"];
const SPEEDS = [[0.5, "half as fast"], [0.75, "slower"], [1, "as written"], [1.2, "faster"]];
const WAYS = [["keys", "Keys"], ["midi", "MIDI keyboard"], ["voice", "Sing"]];
const parts = {};
let drill = null; // what is known of the drill that was written last
let taking = null; // what runs while a drill is played
let way = "keys";
let midi = null;

export function mount(element) {
  parts.concept = make("select", { id: "concept" }, make("option", { value: "" }, "…"));
  parts.filter = make("input", { type: "search", id: "concept-find", placeholder: "scale, cadence, rhythm …", autocomplete: "off" });
  parts.key = select("lesson-key", [["", "its own"], ...KEYS.map((key) => [key, key])]);
  parts.level = select("lesson-level", [["", "its own"], ["1", "1, easy"], ["2", "2"], ["3", "3, hard"]]);
  parts.write = make("button", { type: "submit", class: "button", id: "write-drill" }, "Write a drill");
  const form = make(
    "form",
    { class: "lesson-form" },
    field("Find a concept", parts.filter),
    field("Concept", parts.concept),
    make("div", { class: "row" }, field("Key", parts.key), field("Level", parts.level)),
    make("div", { class: "row" }, parts.write),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    write();
  });
  parts.filter.addEventListener("input", listConcepts);
  parts.write.disabled = true; // until the concepts are there
  parts.practice = make("div", { class: "practice", hidden: true });
  mountPractice();
  fill(element, make("h2", {}, "Lessons"), form, parts.practice);
  on("piece", showPractice);
  // the list of concepts is fetched when the lessons are first seen
  new IntersectionObserver((seen, watcher) => {
    if (!seen.some((one) => one.isIntersecting)) return;
    watcher.disconnect();
    loadConcepts();
  }).observe(element);
}

const select = (id, options) => make("select", { id }, options.map(([value, text]) => make("option", { value }, text)));

let concepts = [];
let practised = null; // the version that practice is about

async function loadConcepts() {
  try {
    concepts = await get("/api/concepts");
    listConcepts();
  } catch (error) {
    refuse(error);
  }
}

function listConcepts() {
  const words = parts.filter.value.trim().toLowerCase().split(/\s+/);
  const fits = (one) => words.every((word) => `${one.title} ${one.name}`.toLowerCase().includes(word));
  const before = parts.concept.value;
  fill(parts.concept, concepts.filter(fits).map((one) => make("option", { value: one.name }, one.level ? `${one.title} (${one.level})` : one.title)));
  if ([...parts.concept.options].some((option) => option.value === before)) parts.concept.value = before;
  parts.write.disabled = !parts.concept.value;
}

async function write() {
  if (parts.write.disabled) return;
  parts.write.disabled = true;
  const asked = { concept: parts.concept.value };
  if (parts.key.value) asked.key = parts.key.value;
  if (parts.level.value) asked.level = Number(parts.level.value);
  try {
    drill = await perform("drill", asked);
    await refresh();
    await openPiece(drill.piece);
    parts.practice.querySelector("h3").scrollIntoView({ block: "nearest" });
  } catch (error) {
    if (error?.data?.state !== "cancelled") refuse(error);
  } finally {
    parts.write.disabled = false;
  }
}

function mountPractice() {
  parts.name = make("h3", {}, "The drill");
  parts.about = make("p");
  parts.story = make("details", { hidden: true }, make("summary", {}, "What it is"), parts.about);
  parts.tell = make("p", { class: "small soft" });
  parts.go = make("button", { type: "button", class: "button primary", id: "drill-go", onclick: () => (taking ? finish() : begin()) }, "Count me in");
  parts.listen = make("button", { type: "button", class: "button", onclick: () => player.play(0) }, "Hear it first");
  parts.count = make("strong", { class: "count", role: "status", id: "drill-count" });
  parts.speed = select("drill-speed", SPEEDS.map(([value, text]) => [String(value), text]));
  parts.speed.value = "1";
  parts.clicks = make("input", { type: "checkbox", id: "drill-clicks", checked: true });
  parts.ways = make(
    "fieldset",
    { class: "ways row" },
    make("legend", {}, "Play it with"),
    WAYS.map(([value, text]) =>
      make("label", {}, make("input", { type: "radio", name: "way", value, checked: value === way, onchange: () => choose(value) }), ` ${text}`),
    ),
  );
  parts.device = make("p", { class: "small", role: "status", id: "drill-device" });
  parts.keyboard = mountKeyboard((isOn, pitch, velocity, at) => {
    if (isOn) player.audition(0, pitch, velocity);
    if (way === "keys") taking?.notes?.played(isOn, pitch, velocity, at);
  });
  parts.graded = make("div", { id: "graded", "aria-live": "polite" });
  fill(
    parts.practice,
    parts.name,
    parts.story,
    parts.tell,
    parts.ways,
    parts.device,
    parts.keyboard.element,
    make("div", { class: "row" }, field("Speed", parts.speed), make("label", { class: "check" }, parts.clicks, " clicks throughout")),
    make("div", { class: "row" }, parts.go, parts.listen, parts.count),
    parts.graded,
  );
}

// The drill that the open piece is: the one just written, or one that the workspace remembers.
const drillOf = (piece) => (piece && (drill?.piece === piece.name || piece.about?.drill) ? `${piece.name}@${piece.version}` : null);

// The same version that comes anew (the list of pieces was read again) takes nobody's take or grade away.
function showPractice(piece) {
  const handle = piece ? `${piece.name}@${piece.version}` : null;
  if (handle !== practised) {
    if (taking) abandon();
    fill(parts.graded);
  }
  practised = handle;
  const mine = drillOf(piece);
  parts.practice.hidden = !mine;
  if (!mine) {
    parts.keyboard.listen(false);
    return;
  }
  const known = drill?.piece === piece.name ? drill : {};
  parts.name.textContent = known.title || piece.title || piece.name;
  const hard = known.difficulty ? ` Grade ${known.difficulty} of 10${known.reasons?.length ? `: ${known.reasons.join(", ")}` : ""}.` : "";
  parts.about.textContent = known.about || "";
  parts.story.hidden = !known.about;
  parts.tell.textContent = `${piece.key}, ${piece.meter}, ${piece.bars.length} bars.${hard} Any steady tempo and any octave will do.`;
  const pitches = piece.notes.pitch;
  if (pitches.length) parts.keyboard.suit(Math.min(...pitches), Math.max(...pitches));
}

async function choose(value) {
  way = value;
  parts.device.textContent = "";
  if (value !== "midi") return;
  try {
    midi = midi || (await listenToMidi(
      (isOn, pitch, velocity, at) => {
        parts.keyboard.light(pitch, isOn);
        if (isOn) player.audition(0, pitch, velocity);
        if (way === "midi") taking?.notes?.played(isOn, pitch, velocity, at);
      },
      (names) => (parts.device.textContent = names.length ? names.join(", ") : "No MIDI keyboard is plugged in."),
    ));
  } catch (error) {
    parts.device.textContent = error.message;
  }
}

async function begin() {
  const { piece } = store;
  player.pause();
  fill(parts.graded);
  const go = { piece, drill: drillOf(piece), notes: way === "voice" ? null : new Notes(), recording: null };
  taking = go;
  parts.go.textContent = "Stop and grade";
  try {
    if (way === "voice") go.recording = await record();
  } catch (error) {
    abandon();
    refuse(error);
    return;
  }
  if (taking !== go) return;
  if (way === "keys") parts.keyboard.listen(true);
  parts.ways.disabled = true;
  const run = await runAlong(piece, {
    speed: Number(parts.speed.value),
    clicks: parts.clicks.checked && way !== "voice", // the microphone would hear them
    counted: (text) => (parts.count.textContent = text),
    over: finish,
  });
  if (taking === go) go.run = run;
  else run.stop();
}

// End what runs without grading it.
function abandon() {
  taking?.run?.stop();
  taking?.recording?.cancel();
  taking = null;
  parts.keyboard.listen(false);
  parts.ways.disabled = false;
  parts.go.textContent = "Count me in";
  parts.count.textContent = "";
}

async function finish() {
  const gone = taking;
  const notes = gone.notes?.finished(performance.now());
  const recording = gone.recording;
  gone.recording = null;
  abandon();
  try {
    const answer = { drill: gone.drill };
    if (recording) answer.wav = base64(await recording.stop());
    else if (notes.length) answer.notes = notes;
    else {
      say("No note was heard, so there is nothing to grade.");
      return;
    }
    parts.go.disabled = true;
    drawGrade(parts.graded, await perform("grade", answer));
  } catch (error) {
    if (error?.data?.state !== "cancelled") refuse(error);
  } finally {
    parts.go.disabled = false;
  }
}
