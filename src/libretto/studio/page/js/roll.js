// The piano roll: layers of canvas over one scrolling place. The paper (rows, lines, notes) is painted once for more than
// the window and moved while it suffices; what is picked lies over it; the cursor is an element that is only moved.

import { audition, placeOf } from "./neighbours.js";
import { forgetColours, watchTheme } from "./colours.js";
import { pickedNotes, shownNotes } from "./edit.js";
import { indexOf, nameAfter } from "./notes.js";
import { paintGutter } from "./roll_gutter.js";
import { listenToMouse } from "./roll_mouse.js";
import { paintOver, paintPaper } from "./roll_paint.js";
import { chosenText, noteText, select, show } from "./selecting.js";
import { on, store, tell } from "./store.js";
import { frame, movesBy, painted, rest } from "./trace.js";
import { fitRows, GUTTER, isDrum, reveal, rowAt, setRange, tickAt, totalHeight, totalWidth, view, x, y } from "./view.js";

export { select, show };

const PATIENCE = 3000; // milliseconds after a scroll by hand in which the window does not follow the music
const AROUND = 0.5; // of the window that is painted beyond each side, so that small scrolls paint nothing

export const roll = { moving: null, said: "", band: null, hidden: null, index: null, scroller: null };
const layers = {};
let area = null;
let stale = { paper: true, over: true, gutter: true, size: true };
let bare = false; // whether nothing lies over the paper
let keysAt = null; // where the keyboard was painted last
let asked = false;
let byHand = -Infinity;

function element(tag, className, parent) {
  const made = document.createElement(tag);
  made.className = className;
  parent.append(made);
  return made;
}

export function mount(place) {
  layers.gutter = element("canvas", "gutter", place);
  layers.gutter.setAttribute("aria-hidden", "true");
  const scroller = (roll.scroller = element("div", "scroller", place));
  scroller.tabIndex = 0;
  scroller.setAttribute("role", "application");
  scroller.setAttribute("aria-label", "Piano roll. Arrows move, Shift extends, Enter edits, question mark lists the keys.");
  layers.content = element("div", "content", scroller);
  layers.window = element("div", "window", layers.content);
  layers.paper = element("canvas", "paper", layers.window);
  layers.over = element("canvas", "over", layers.window);
  layers.cursor = element("div", "cursor", layers.window);
  layers.hint = element("p", "hint", place);
  layers.hint.textContent = "Say what you want, or drop a file here.";
  layers.live = element("p", "unseen", place);
  layers.live.setAttribute("aria-live", "polite");
  view.setScroll = (left, top) => {
    sizeContent();
    scroller.scrollTo({ left: Math.max(0, left), top: Math.max(0, top) });
    readScroll();
  };
  scroller.addEventListener("scroll", readScroll, { passive: true });
  for (const hand of ["wheel", "pointerdown", "touchmove"]) scroller.addEventListener(hand, () => (byHand = performance.now()), { passive: true });
  new ResizeObserver(() => refit()).observe(scroller);
  listenToMouse(scroller, roll, repaint);
  layers.gutter.addEventListener("pointerdown", (event) => {
    if (!store.piece) return;
    const { pitch, drum } = rowAt(event.offsetY + view.top);
    const voice = isDrum(store.active) === drum ? store.active : store.piece.voices.findIndex((one) => one.drums === drum);
    if (voice >= 0) audition(voice, pitch, 90);
  });
  listen();
  watchTheme();
  movesBy(exercise);
  refit();
}

function listen() {
  on("piece", () => {
    const fresh = roll.name !== store.piece?.name;
    roll.name = store.piece?.name;
    if (store.piece) {
      setRange(store.piece);
      nameAfter(store.piece.key);
    }
    rebuild();
    if (fresh && store.piece) {
      view.auto = true;
      fitRows();
      view.setScroll(0, middleTop());
    }
    stale.size = true;
  });
  on("draft", rebuild);
  for (const topic of ["voices", "active", "mute", "solo", "marks", "snap", "theme"]) on(topic, () => repaint("paper"));
  for (const topic of ["selection", "notes"]) on(topic, () => repaint("over"));
  on("zoom", () => {
    sizeContent();
    repaint("paper");
  });
  on("tick", () => repaint("cursor"));
  on("playing", () => repaint("cursor"));
  on("notes", () => tellPicked());
  on("selection", () => (layers.live.textContent = chosenText()));
}

// The notes anew, after the piece or a gesture changed them.
function rebuild() {
  const notes = shownNotes();
  roll.index = notes ? indexOf(notes) : null;
  document.body.classList.toggle("has-piece", Boolean(store.piece));
  repaint("paper");
}

function tellPicked() {
  const picked = pickedNotes();
  if (picked.length) layers.live.textContent = picked.length === 1 ? noteText(picked[0]) : `${picked.length} notes are picked`;
}

// Scroll so that the middle of the music is in the middle of the window.
function middleTop() {
  const { pitch, voice } = store.piece.notes;
  const meant = (id) => !isDrum(voice[id]) && (!store.voices.size || store.voices.has(voice[id]));
  const pitches = pitch.filter((_, id) => meant(id));
  if (!pitches.length) return 0;
  const middle = [...pitches].sort((a, b) => a - b)[pitches.length >> 1];
  return y(middle) - view.height / 2;
}

function readScroll() {
  view.left = roll.scroller.scrollLeft;
  view.top = roll.scroller.scrollTop;
  repaint("scroll");
  tell("view");
}

function sizeContent() {
  layers.content.style.width = `${Math.max(view.width, totalWidth())}px`;
  layers.content.style.height = `${Math.max(view.height, totalHeight())}px`;
}

function refit() {
  const { clientWidth, clientHeight } = roll.scroller;
  if (!clientWidth || !clientHeight) return;
  const first = view.width === 0;
  view.width = clientWidth;
  view.height = clientHeight;
  if ((first || view.auto) && store.piece) {
    fitRows();
    view.setScroll(view.left, middleTop());
  }
  stale.size = true;
  repaint("paper");
  tell("view");
}

// Ask for a painting at the next frame: of the paper, of what lies over it, or only of where things are.
export function repaint(what = "over") {
  if (what === "paper") stale.paper = stale.over = stale.gutter = true;
  if (what === "over" || what === "scroll") stale.over = true;
  if (asked) return;
  asked = true;
  requestAnimationFrame(draw);
}

function draw(now) {
  asked = false;
  if (!store.piece || !view.width) return;
  const start = performance.now();
  if (stale.size) resize();
  if (stale.paper || !covers()) paper();
  layers.paper.style.transform = `translate(${area.left - view.left}px, ${area.top - view.top}px)`;
  if (stale.over) over();
  if (stale.gutter || keysAt !== view.top) gutter();
  const running = store.playing;
  const tick = placeOf(store);
  if (running && start - byHand > PATIENCE) reveal(tick);
  layers.cursor.style.transform = `translateX(${Math.round((x(tick) - view.left) * 2) / 2}px)`;
  painted(performance.now() - start);
  if (running) {
    frame(now);
    repaint("cursor");
  } else if (!exercising) rest();
}

function covers() {
  return area && view.left >= area.left && view.top >= area.top
    && view.left + view.width <= area.left + area.width && view.top + view.height <= area.top + area.height;
}

function ready(canvas, width, height) {
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  const [wide, tall] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide || canvas.height !== tall) {
    canvas.width = wide;
    canvas.height = tall;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext("2d", { alpha: canvas !== layers.paper });
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

function resize() {
  stale.size = false;
  sizeContent();
  layers.window.style.width = `${view.width}px`;
  layers.window.style.height = `${view.height}px`;
}

function paper() {
  stale.paper = false;
  const [wide, tall] = [Math.ceil(view.width * (1 + 2 * AROUND)), Math.ceil(view.height * (1 + AROUND))];
  area = {
    left: Math.floor(view.left - view.width * AROUND),
    top: Math.floor(view.top - (view.height * AROUND) / 2),
    width: wide,
    height: tall,
  };
  paintPaper(ready(layers.paper, wide, tall), area, roll.index, roll.hidden);
}

function over() {
  stale.over = false;
  const nothing = !store.selection && !store.notes.size && !roll.moving && !roll.band;
  if (nothing && bare) return;
  bare = nothing;
  const context = ready(layers.over, view.width, view.height);
  context.clearRect(0, 0, view.width, view.height);
  paintOver(context, roll.index.notes, roll);
}

function gutter() {
  stale.gutter = false;
  keysAt = view.top;
  paintGutter(ready(layers.gutter, GUTTER, view.height));
}

let exercising = false;

// The roll moved through the piece, for the trace: the cursor runs on and the window follows, one window a second.
function exercise(seconds, over_) {
  exercising = !over_;
  const far = Math.max(1, totalWidth() - view.width);
  const at = (seconds * view.width) % (2 * far);
  const left = at < far ? at : 2 * far - at;
  store.tick = tickAt(left + view.width / 2);
  view.setScroll(left, view.top);
}

on("theme", () => (area = null));
export const colourChanged = forgetColours;
export const tickUnder = (event) => tickAt(event.clientX - roll.scroller.getBoundingClientRect().left + view.left);
