// Saying what is wanted: a brief with what was understood of it, who composes and what that costs, and a wish for the
// piece that is open.

import { post } from "./api.js";
import { openPiece, refresh } from "./app.js";
import { drawChips } from "./chips.js";
import { mountComposer } from "./composer.js";
import { corrected, without } from "./correcting.js";
import { field, fill, quietly } from "./drawing.js";
import { make } from "./elements.js";
import { hearFromStart, seeMusic } from "./hear.js";
import { mountHumming } from "./humming.js";
import { perform } from "./jobs.js";
import { appraisal } from "./judging.js";
import { refuse, say } from "./messages.js";
import { player } from "./player.js";
import { on, store } from "./store.js";
import { mountWish } from "./wish.js";

const QUIET = 180; // milliseconds without a key before the brief is read again
const LONGEST = 4000; // characters of a brief
const KEPT = "libretto-brief"; // where the browser keeps a brief that is being written
const EXAMPLES = [
  "A slow waltz in D minor for solo piano over 16 bars",
  "A bright bossa nova for flute, guitar and bass with drums, 24 bars",
  "A calm chorale for string quartet in G major that ends quietly",
];

let corrections = [];
let contract = null;
let asked = 0;
let kept = null; // what the piece that was composed last came to
const parts = {};

export function mount(element) {
  const before = recall();
  corrections = before.corrections;
  parts.brief = make("textarea", {
    id: "brief", rows: "3", maxlength: String(LONGEST), spellcheck: "true", value: before.brief,
    placeholder: EXAMPLES[0],
  });
  parts.examples = make(
    "ul",
    { class: "chips examples", "aria-label": "Examples" },
    EXAMPLES.map((text) =>
      make("li", {}, make("button", { type: "button", class: "chip quiet", onclick: () => write(text) }, text)),
    ),
  );
  parts.chips = make("div", { id: "chips", "aria-live": "polite", "aria-label": "What was understood" });
  parts.compose = make("button", { type: "submit", class: "button primary", id: "compose" }, "Compose");
  parts.again = make(
    "button",
    { type: "button", class: "button", id: "again", title: "The same brief, another seed" },
    "Again",
  );
  parts.seed = make("input", { type: "number", id: "seed", min: "0", max: "999999", value: String(before.seed) });
  parts.verdict = make("div", { id: "verdict", "aria-live": "polite" });
  parts.composer = mountComposer(() => parts.brief.value.trim());
  const form = make(
    "form",
    { class: "say-form" },
    field("What shall it be?", parts.brief),
    parts.examples,
    parts.chips,
    parts.composer.element,
    make("div", { class: "row" }, parts.compose, parts.again, mountHumming(), make("label", { class: "check soft", for: "seed" }, "seed ", parts.seed)),
    parts.verdict,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    compose();
  });
  parts.brief.addEventListener("input", changed);
  parts.brief.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) compose();
  });
  parts.seed.addEventListener("change", remember);
  parts.again.addEventListener("click", () => {
    parts.seed.value = String(seed() + 1);
    compose();
  });
  fill(element, make("h2", {}, "Say"), form, mountWish());
  ready();
  if (parts.brief.value.trim()) read();
  on("piece", tellVerdict);
  on("judged", tellVerdict);
}

// What the person was writing, also after the page was loaded again.
function recall() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) || "{}");
    return {
      brief: String(kept.brief || ""),
      corrections: Array.isArray(kept.corrections) ? kept.corrections : [],
      seed: Number.isInteger(kept.seed) ? kept.seed : 0,
    };
  } catch {
    return { brief: "", corrections: [], seed: 0 };
  }
}

function remember() {
  try {
    localStorage.setItem(KEPT, JSON.stringify({ brief: parts.brief.value, corrections, seed: seed() }));
  } catch {
    // a browser that keeps nothing loses only what was not sent
  }
}

const seed = () => Math.max(0, Math.round(Number(parts.seed.value)) || 0);

function write(text) {
  parts.brief.value = text;
  corrections = [];
  parts.brief.focus();
  changed();
}

function changed() {
  remember();
  ready();
  readSoon();
}

function ready() {
  const empty = !parts.brief.value.trim();
  parts.compose.disabled = parts.again.disabled = empty || parts.busy === true;
  parts.examples.hidden = !empty;
  if (empty) {
    asked += 1;
    contract = null;
    fill(parts.chips);
  }
}

const readSoon = quietly(QUIET, () => parts.brief.value.trim() && read());

// Have the brief read; the newest question counts, whatever order the answers come in. A correction that the server
// does not take is taken back.
async function read(before = null) {
  const mine = (asked += 1);
  try {
    const answer = await post("/api/contract", { brief: parts.brief.value, corrections });
    if (mine !== asked) return;
    contract = answer;
    drawChips(parts.chips, answer, { correct, takeOut });
    if (corrections.length) parts.chips.append(make("button", { type: "button", class: "button quiet small", onclick: forget }, "Forget my corrections"));
    parts.composer.estimate();
  } catch (error) {
    if (mine !== asked) return;
    const fitting = corrections.filter((one) => one.key); // what is dropped or said may no longer be in the brief
    if (before) {
      corrections = before;
      refuse(error);
    } else if (fitting.length < corrections.length) {
      corrections = fitting;
      read();
    } else {
      contract = null;
      fill(parts.chips, make("p", { class: "problem" }, error.message));
    }
  }
  remember();
}

// Another value for what a chip says; words that were not understood are said otherwise in the brief itself.
function correct(chip, value) {
  if (chip.group === "missed") rewrite(chip.words, value);
  else putRight(corrected(corrections, chip, value, contract));
}

function takeOut(chip) {
  if (chip.group === "missed") rewrite(chip.words, "");
  else putRight(without(corrections, chip, contract));
}

function forget() {
  corrections = [];
  read();
}

function putRight(now) {
  const before = corrections;
  corrections = now;
  read(before);
}

function rewrite(words, instead) {
  const brief = parts.brief.value;
  const at = brief.toLowerCase().indexOf(words.toLowerCase());
  if (at < 0) {
    say("These words are not in the brief as they stand; change them there.");
    parts.brief.focus();
    return;
  }
  parts.brief.value = `${brief.slice(0, at)}${instead}${brief.slice(at + words.length)}`.replace(/ {2,}/g, " ").trim();
  changed();
}

async function compose() {
  const brief = parts.brief.value.trim();
  if (!brief || parts.busy) return;
  parts.busy = true;
  ready();
  player.prepare().catch(() => {}); // meanwhile, so that the piece is heard as soon as it is there
  try {
    const request = { brief, seed: seed(), ...parts.composer.choice() };
    if (corrections.length) await read(); // so that what was corrected holds for the brief as it stands now
    if (corrections.length && contract) request.contract = contract.contract;
    const made = await perform("compose", request, parts.composer.heard);
    await refresh();
    kept = made;
    await openPiece(made.piece);
    seeMusic();
    await hearFromStart();
  } catch (error) {
    if (error?.data?.state !== "cancelled") refuse(error);
  } finally {
    parts.busy = false;
    ready();
  }
}

// What the composer promised and kept, for the piece that is open.
function tellVerdict() {
  const lines = (kept?.piece === store.piece?.name && kept?.receipt) || appraisal()?.receipt || [];
  if (!lines.length) {
    fill(parts.verdict);
    return;
  }
  fill(
    parts.verdict,
    make(
      "details",
      {},
      make("summary", {}, `What was asked, and what became of it (${lines.length})`),
      make("ul", { class: "list small" }, lines.map((line) => make("li", {}, line))),
    ),
  );
}

