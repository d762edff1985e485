// Findings: what the judges say of the open piece, where it is heard, and what to do about it.

import { fill } from "./drawing.js";
import { make } from "./elements.js";
import { barWords, hearBars } from "./hear.js";
import { perform } from "./jobs.js";
import { appraisal, isJudging, judge } from "./judging.js";
import { refuse } from "./messages.js";
import { on, store } from "./store.js";
import { showTakes } from "./takes.js";

const parts = {};

export function mount(element) {
  parts.judge = make("button", { type: "button", class: "button", id: "judge", onclick: judge }, "Judge this piece");
  parts.state = make("p", { id: "judged", "aria-live": "polite" });
  parts.list = make("ol", { class: "list findings", "aria-label": "Findings" });
  parts.keep = make("div", { class: "keep" });
  fill(element, make("h2", {}, "Findings"), make("div", { class: "row" }, parts.judge), parts.state, parts.list, parts.keep);
  on("piece", render);
  on("judged", render);
  render();
}

function render() {
  const judged = appraisal();
  parts.judge.disabled = !store.piece || isJudging();
  parts.judge.textContent = judged ? "Judge it again" : "Judge this piece";
  parts.judge.hidden = Boolean(judged);
  parts.state.textContent = stateWords(judged);
  fill(parts.list, (judged?.findings || []).map(row));
  const keep = judged?.keep || [];
  fill(
    parts.keep,
    keep.length ? make("h3", {}, "Worth keeping") : null,
    keep.length ? make("ul", { class: "list small" }, keep.map((one) => make("li", {}, textOf(one)))) : null,
  );
}

const textOf = (one) => one.text || String(one);

function stateWords(judged) {
  if (!store.piece) return "Open or compose a piece first.";
  if (isJudging()) return "Listening …";
  if (!judged) return `Version ${store.piece.version} has not been judged yet.`;
  const count = (judged.findings || []).length;
  const told = count === 0 ? "nothing to mend was found" : count === 1 ? "one finding" : `${count} findings`;
  const state = typeof judged.state === "string" && judged.state ? `${judged.state}: ` : "";
  return `Version ${store.piece.version}: ${state}${told}.`;
}

function row(finding) {
  const where = barWords(finding.bars);
  const voices = (finding.voices || []).join(", ");
  const hear = make(
    "button",
    { type: "button", class: "button small", "aria-label": `Show and play ${where}`, onclick: () => hearBars(finding.bars, finding.voices) },
    `▶ ${where}`,
  );
  const mend = finding.bars?.length // advice about the whole piece is followed in words
    ? make("button", { type: "button", class: "button small", title: "Write takes that follow this advice" }, "Do this")
    : null;
  if (mend) mend.addEventListener("click", () => apply(finding, mend));
  return make(
    "li",
    { class: "finding", "data-finding": finding.id ?? null },
    make("p", { class: "finding-text" }, finding.text || ""),
    finding.advice && finding.advice !== finding.text ? make("p", { class: "advice" }, finding.advice) : null,
    make("div", { class: "row" }, hear, mend, voices ? make("span", { class: "small soft" }, voices) : null),
  );
}

async function apply(finding, button) {
  const { piece } = store;
  button.disabled = true;
  try {
    const made = await perform("apply", { piece: piece.name, base: piece.version, finding: finding.id });
    showTakes(made.takes || []);
  } catch (error) {
    if (error?.data?.state !== "cancelled") refuse(error);
  } finally {
    button.disabled = false;
  }
}
