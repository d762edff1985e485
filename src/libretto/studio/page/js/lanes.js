// The lanes above the roll: bars (a click seeks, a drag selects), sections, chords and the curve of energy.

import { LANES, lanesHeight, paintLanes, shownLanes } from "./lanes_paint.js";
import { placeOf } from "./neighbours.js";
import { goTo, selectBars } from "./selecting.js";
import { labelBar } from "./actions.js";
import { on, store } from "./store.js";
import { barEnd, barIndexAt, fit, snapped, tickAt, view, x } from "./view.js";

const STILL = 4; // pixels that a click may wander

let canvas;
let cursor;
let asked = false;

export function mount(place) {
  const names = document.createElement("div");
  names.className = "names";
  names.setAttribute("aria-hidden", "true");
  const window_ = document.createElement("div");
  window_.className = "window";
  canvas = document.createElement("canvas");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", "Bars, sections, chords and energy. In the roll, Shift with the arrows selects bars.");
  cursor = document.createElement("div");
  cursor.className = "cursor";
  window_.append(canvas, cursor);
  place.append(names, window_);
  listenToMouse(window_);
  const lay = () => {
    const height = lanesHeight();
    place.style.height = `${height}px`;
    place.hidden = !store.piece;
    names.replaceChildren(...shownLanes().map((lane) => label(lane)));
    ask();
  };
  on("piece", lay);
  for (const topic of ["view", "zoom", "selection", "theme", "tick", "playing", "voices"]) on(topic, ask);
  window.addEventListener("resize", lay);
  lay();
}

function label(lane) {
  const made = document.createElement("span");
  made.textContent = LANES[lane].name;
  made.style.height = `${LANES[lane].height()}px`;
  return made;
}

function ask() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(draw);
}

const AROUND = 0.5; // of the window that is painted beyond each side
let painted = "";
let from = 0; // the pixel of the whole drawing that the canvas begins with

function draw() {
  asked = false;
  if (!store.piece || !view.width) return;
  const wide = view.width * (1 + 2 * AROUND);
  const covers = view.left >= from && view.left + view.width <= from + wide;
  const key = JSON.stringify([covers, view.scale, view.width, lanesHeight(), store.selection, store.piece.name, store.piece.version, document.documentElement.dataset.theme, devicePixelRatio, store.piece.energy?.length]);
  if (key !== painted || !covers) {
    painted = key.replace("[false", "[true");
    from = Math.floor(view.left - view.width * AROUND);
    paint(wide, lanesHeight());
  }
  canvas.style.transform = `translateX(${from - view.left}px)`;
  cursor.style.transform = `translateX(${Math.round((x(placeOf(store)) - view.left) * 2) / 2}px)`;
  if (store.playing) ask();
}

function paint(width, height) {
  const ratio = Math.min(2, devicePixelRatio || 1);
  const [wide, tall] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide || canvas.height !== tall) {
    canvas.width = wide;
    canvas.height = tall;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  paintLanes(context, { left: from, width });
}

on("theme", () => (painted = ""));

function laneAt(py) {
  let top = 0;
  for (const lane of shownLanes()) {
    top += LANES[lane].height();
    if (py < top) return lane;
  }
  return "bars";
}

function listenToMouse(place) {
  let drag = null;
  const tickOf = (event) => tickAt(event.clientX - place.getBoundingClientRect().left + view.left);
  place.addEventListener("pointerdown", (event) => {
    if (!store.piece || event.button !== 0) return;
    place.setPointerCapture(event.pointerId);
    const lane = laneAt(event.clientY - place.getBoundingClientRect().top);
    const from = barIndexAt(tickOf(event));
    const anchor = event.shiftKey && store.selection ? farEnd(from) : from;
    drag = { from: anchor, lane, start: event.clientX, moved: event.shiftKey };
    if (event.shiftKey) selectBars(anchor, from);
  });
  place.addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (Math.abs(event.clientX - drag.start) >= STILL) drag.moved = true;
    if (drag.moved) selectBars(drag.from, barIndexAt(Math.max(0, tickOf(event))));
  });
  place.addEventListener("pointerup", (event) => {
    if (drag && !drag.moved) clicked(drag.lane, tickOf(event));
    drag = null;
  });
  place.addEventListener("pointercancel", () => (drag = null));
  place.addEventListener("dblclick", (event) => {
    if (!store.piece) return;
    const lane = laneAt(event.clientY - place.getBoundingClientRect().top);
    if (lane === "chords" || lane === "sections") labelBar(barIndexAt(tickOf(event)));
    else if (lane === "energy" && store.selection) fit(store.piece.bars[store.selection.first].tick, barEnd(store.selection.last));
  });
}

// The end of the selection that lies farther from a bar: what Shift extends from.
function farEnd(bar) {
  const { first, last } = store.selection;
  return Math.abs(bar - first) > Math.abs(bar - last) ? first : last;
}

function clicked(lane, tick) {
  const bar = barIndexAt(tick);
  if (lane === "bars") {
    selectBars(null);
    goTo(snapped(tick, Math.floor));
  } else if (lane === "sections") {
    const sections = store.piece.sections;
    const at = sections.findLastIndex((section) => section.tick <= tick);
    const end = sections[at + 1]?.tick ?? store.piece.end;
    selectBars(at < 0 ? 0 : barIndexAt(sections[at].tick), barIndexAt(end - 1));
  } else {
    const { first, last } = store.selection || {};
    selectBars(first === bar && last === bar ? null : bar);
  }
}

