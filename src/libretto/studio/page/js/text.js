// The text of the grammar beside the roll, live both ways: what is typed is checked at once and written when it is whole
// and the typing rests; what changes elsewhere appears here.

import { post } from "./api.js";
import { openPiece } from "./app.js";
import { button, make } from "./make.js";
import { refuse } from "./neighbours.js";
import { barIndex, chosenBars, goTo } from "./selecting.js";
import { on, store } from "./store.js";
import { barsOfLines, lineElement } from "./text_paint.js";
import { barAt } from "./view.js";

const CHECK_AFTER = 200; // milliseconds of rest
const WRITE_AFTER = 1100;
const KEPT = "libretto.typed.";
const LINE = 20; // pixels; the style sheet says the same
const PAD = 10;

const parts = {};
const state = { base: 0, name: null, kept: "", ours: 0, problems: [], bars: [], lines: [], asked: 0, timer: 0, writing: false };

export function mount(place) {
  parts.area = make("textarea", { class: "code", spellcheck: "false", autocapitalize: "off", autocomplete: "off", "aria-label": "The piece as text", "aria-describedby": "text-state", wrap: "off" });
  parts.ink = make("div", { class: "ink" });
  const sheet = make("div", { class: "sheet" }, make("div", { class: "behind", "aria-hidden": "true" }, parts.ink), parts.area);
  parts.problems = make("ul", { class: "problems", hidden: true });
  parts.said = make("span", { id: "text-state", role: "status", text: "" });
  parts.take = button("Show the newest", "Leave what was typed and show the piece as it is now", takeNewest, "small");
  parts.take.hidden = true;
  parts.write = button("Write", "Write now (Ctrl-Enter)", () => write(), "small");
  place.append(sheet, parts.problems, make("div", { class: "foot" }, parts.said, make("span", { class: "row tight" }, parts.take, parts.write)));
  listen();
  show();
}

function listen() {
  const { area } = parts;
  area.addEventListener("input", typed);
  area.addEventListener("scroll", paint, { passive: true });
  area.addEventListener("blur", () => isChanged() && !state.problems.length && write());
  area.addEventListener("click", () => follow());
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      write();
    }
    event.stopPropagation();
  });
  new ResizeObserver(paint).observe(area);
  on("piece", show);
  for (const topic of ["selection", "theme", "shown"]) on(topic, paint);
  let heard = -1;
  on("tick", () => {
    const number = store.piece && barAt(store.tick)?.number;
    if (number !== heard && store.playing) bringBar(number);
    heard = number;
  });
}

const isChanged = () => parts.area.value !== state.kept;

// The piece as it is now; what is being typed is never taken away.
function show() {
  const piece = store.piece;
  parts.area.disabled = parts.write.disabled = !piece;
  if (!piece) return;
  const other = piece.name !== state.name;
  const typing = !other && (isChanged() || (piece.version === state.ours && document.activeElement === parts.area));
  if (typing && piece.version === state.ours) {
    state.base = piece.version;
    return;
  }
  if (typing && piece.version !== state.base) {
    parts.take.hidden = false;
    tell("The piece went on elsewhere; what you typed is still here.");
    return;
  }
  if (!typing) put(piece);
}

function put(piece) {
  const { area } = parts;
  const [from, to, top, left] = [area.selectionStart, area.selectionEnd, area.scrollTop, area.scrollLeft];
  const same = piece.name === state.name;
  Object.assign(state, { base: piece.version, name: piece.name, kept: piece.text || "", problems: [] });
  area.value = state.kept;
  state.kept = area.value;
  area.setSelectionRange(same ? from : 0, same ? to : 0);
  [area.scrollTop, area.scrollLeft] = same ? [top, left] : [0, 0];
  parts.take.hidden = true;
  tell(`version ${piece.version}`);
  read();
  if (!same) recall(piece);
}

// What is typed but not whole yet outlives a reload of the page.
function keepTyped() {
  try {
    if (isChanged()) sessionStorage.setItem(KEPT + state.name, JSON.stringify({ base: state.base, text: parts.area.value }));
    else sessionStorage.removeItem(KEPT + state.name);
  } catch {
    // a browser that keeps nothing loses what is not written when it reloads
  }
}

function recall(piece) {
  let kept = null;
  try {
    kept = JSON.parse(sessionStorage.getItem(KEPT + piece.name) || "null");
  } catch {
    kept = null;
  }
  if (!kept || kept.text === state.kept) return;
  parts.area.value = kept.text;
  parts.take.hidden = false;
  if (kept.base === piece.version) typed();
  else {
    read();
    tell("What you typed before is here; the piece went on since.");
  }
}

function takeNewest() {
  parts.area.value = state.kept;
  keepTyped();
  state.name = null;
  put(store.piece);
}

function read() {
  state.lines = parts.area.value.split("\n");
  state.bars = barsOfLines(state.lines);
  showProblems();
  paint();
}

function typed() {
  read();
  keepTyped();
  clearTimeout(state.timer);
  const mine = ++state.asked;
  tell("…");
  state.timer = setTimeout(async () => {
    try {
      const answer = await post("/api/check", { text: parts.area.value });
      if (mine !== state.asked) return;
      state.problems = answer.problems || [];
      showProblems();
      paint();
      if (state.problems.length) tell(`${state.problems.length} ${state.problems.length === 1 ? "problem" : "problems"}; not written yet`);
      else if (isChanged()) {
        tell("whole; written when you rest");
        state.timer = setTimeout(write, WRITE_AFTER);
      }
    } catch (error) {
      tell(error.message);
    }
  }, CHECK_AFTER);
}

async function write() {
  if (state.writing || !store.piece || !isChanged() || store.piece.version !== state.base) return;
  clearTimeout(state.timer);
  state.writing = true;
  const [text, name] = [parts.area.value, state.name];
  tell("writing…");
  try {
    const answer = await post(`/api/pieces/${encodeURIComponent(name)}/text`, { base: state.base, text });
    Object.assign(state, { ours: answer.version, base: answer.version, kept: text, problems: [] });
    parts.take.hidden = true;
    keepTyped();
    if (store.piece?.name === name) await openPiece(name);
    tell(answer.kept ? `version ${answer.version} · ${answer.kept}` : `version ${answer.version}`);
  } catch (error) {
    state.problems = error.data?.problems || [];
    tell(state.problems.length ? "not written: it has problems" : error.message);
    if (!state.problems.length) refuse(error);
  }
  state.writing = false;
  read();
}

function tell(text) {
  parts.said.textContent = text;
}

function showProblems() {
  parts.problems.hidden = !state.problems.length;
  parts.problems.replaceChildren(...state.problems.map((problem) => {
    const line = make("button", { type: "button", on: { click: () => goToProblem(problem) } },
      make("strong", { class: "bad", text: problem.line ? `Line ${problem.line}: ` : "" }), wordsOf(problem),
      problem.hint ? make("span", { class: "soft", text: ` ${problem.hint}` }) : null);
    return make("li", {}, line);
  }));
}

const wordsOf = ({ found, expected }) => (found ? `found “${found}”, expected ${expected}.` : `expected ${expected}.`);

function goToProblem({ line, column }) {
  const { area } = parts;
  const before = state.lines.slice(0, (line || 1) - 1).reduce((sum, text) => sum + text.length + 1, 0);
  const at = before + Math.max(0, (column || 1) - 1);
  area.focus();
  area.setSelectionRange(at, at);
  area.scrollTop = Math.max(0, (line - 4) * LINE);
}

// The lines that are seen, in colours, under the text that is typed into.
function paint() {
  const { area, ink } = parts;
  if (!area.clientHeight) return;
  const first = Math.max(0, Math.floor((area.scrollTop - PAD) / LINE) - 1);
  const last = Math.min(state.lines.length, first + Math.ceil(area.clientHeight / LINE) + 3);
  const chosen = store.selection ? chosenBars() : null;
  const wrong = new Map();
  for (const problem of state.problems) wrong.set(problem.line, [...(wrong.get(problem.line) || []), problem]);
  ink.replaceChildren(...state.lines.slice(first, last).map((line, at) => {
    const bars = state.bars[first + at];
    const here = chosen && bars && bars[1] >= chosen.first && bars[0] <= chosen.last;
    return lineElement(line, wrong.get(first + at + 1), here);
  }));
  ink.style.transform = `translate(${-area.scrollLeft}px, ${first * LINE - area.scrollTop}px)`;
}

// A click in the text brings the cursor of the music to that bar.
function follow() {
  if (!store.piece || store.playing) return;
  const line = parts.area.value.slice(0, parts.area.selectionStart).split("\n").length - 1;
  const bars = state.bars[line];
  if (bars) goTo(store.piece.bars[barIndex(bars[0])].tick);
}

// While it plays, the line of the bar that sounds stays in sight.
function bringBar(number) {
  const { area } = parts;
  if (!area.clientHeight || document.activeElement === area) return;
  const line = state.bars.findIndex((bars) => bars && bars[0] <= number && bars[1] >= number);
  const top = line * LINE;
  if (line >= 0 && (top < area.scrollTop || top > area.scrollTop + area.clientHeight - 6 * LINE)) area.scrollTop = Math.max(0, top - 2 * LINE);
}
