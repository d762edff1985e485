// The engraved score with the same cursor: what sounds is coloured, the page follows, bars can be picked.

import { get } from "./api.js";
import { make } from "./elements.js";
import { busy } from "./jobs.js";
import { player } from "./player.js";
import { change, on, store } from "./store.js";

const SOUNDING = "sounding";
const UNSAFE = "script, foreignObject, iframe, object, embed, image, a, animate, set, animateTransform, animateMotion";
const ROOM = 0.06; // of a system's height that a selected bar is coloured above and below its staves
let home = null;
let paper = null;
let shown = ""; // the handle of what is engraved here
let score = null;
let lit = [];
let bars = []; // the element of each bar

export function mount(element) {
  home = element;
  paper = make("div.paper");
  home.append(paper);
  new MutationObserver(refresh).observe(home, { attributes: true, attributeFilter: ["hidden"] });
  on("piece", refresh);
  on("tick", place);
  on("selection", showSelection);
  on("playing", () => store.playing && requestAnimationFrame(frame));
  paper.addEventListener("click", press);
  home.addEventListener("keydown", keys);
}

async function refresh() {
  const { piece } = store;
  if (home.hidden || !piece) return;
  const handle = `${piece.name}@${piece.version}`;
  if (handle === shown) return place();
  shown = handle;
  try {
    const read = await busy("Engraving", get(`/api/pieces/${encodeURIComponent(handle)}/score`));
    if (shown === handle) show(read, piece);
  } catch (error) {
    shown = "";
    paper.replaceChildren(make("p.soft", {}, error.message));
  }
  return null;
}

// Markup of ours from the engraver, yet with words of files in it: nothing that acts or loads is let in.
export function safe(text) {
  const picture = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (picture.nodeName.toLowerCase() !== "svg") return null;
  picture.querySelectorAll(UNSAFE).forEach((one) => one.remove());
  for (const one of [picture, ...picture.querySelectorAll("*")]) {
    for (const { name, value } of [...one.attributes]) {
      const points = /href$/i.test(name) && !value.trim().startsWith("#");
      if (/^on/i.test(name) || points || /url\(\s*['"]?(?!#)/i.test(value)) one.removeAttribute(name);
    }
  }
  return document.adoptNode(picture);
}

function show(read, piece) {
  score = read;
  lit = [];
  const pages = read.pages.map((text, index) => {
    const picture = safe(text);
    return make("figure.sheet", { "aria-label": `Page ${index + 1} of ${read.pages.length}` }, picture || "this page cannot be shown");
  });
  paper.replaceChildren(...pages);
  bars = (read.measures || []).map((id) => (id ? document.getElementById(id) : null));
  bars.forEach((one, index) => {
    if (!one || !piece.bars[index]) return;
    one.classList.add("bar");
    one.dataset.bar = index;
  });
  paper.tabIndex = 0;
  paper.setAttribute("role", "application");
  paper.setAttribute("aria-label", "Score: arrows go from bar to bar, Shift and arrows select, Enter plays from there");
  showSelection();
  place();
}

function indexAt(list, tick, key) {
  let low = 0;
  let high = list.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (key(list[middle]) <= tick) low = middle;
    else high = middle - 1;
  }
  return low;
}

function place() {
  if (!score || home.hidden || !store.piece) return;
  const tick = store.playing ? player.tick() : store.tick;
  const moments = score.moments || [];
  const ids = moments.length ? moments[indexAt(moments, tick, (moment) => moment[0])] : null;
  const next = store.playing && ids && ids[0] <= tick ? ids[1].map((id) => document.getElementById(id)).filter(Boolean) : [];
  if (next.length !== lit.length || next.some((one, index) => one !== lit[index])) {
    lit.forEach((one) => one.classList.remove(SOUNDING));
    next.forEach((one) => one.classList.add(SOUNDING));
    lit = next;
  }
  const bar = bars[indexAt(store.piece.bars, tick, (one) => one.tick)];
  if (bar && bar !== current) {
    current?.classList.remove("current");
    bar.classList.add("current");
    current = bar;
    if (store.playing) reveal(bar);
  }
}
let current = null;

function frame() {
  if (!store.playing) {
    lit.forEach((one) => one.classList.remove(SOUNDING));
    lit = [];
    return;
  }
  if (!home.hidden) place();
  requestAnimationFrame(frame);
}

function reveal(bar) {
  const box = bar.getBoundingClientRect();
  const frame = home.getBoundingClientRect();
  if (box.top < frame.top || box.bottom > frame.bottom) home.scrollBy({ top: box.top - frame.top - frame.height * 0.15, behavior: "smooth" });
}

function showSelection() {
  const held = store.selection;
  paper.querySelectorAll("rect.picked").forEach((one) => one.remove());
  if (!held) return;
  for (let index = held.first; index <= held.last; index++) {
    const bar = bars[index];
    if (!bar?.isConnected) continue;
    const box = staffBox(bar);
    const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    for (const name of ["x", "y", "width", "height"]) rect.setAttribute(name, box[name]);
    rect.setAttribute("class", "picked");
    bar.prepend(rect);
  }
}

// The box of a bar's staff lines, without what hangs over: names, chords and sections.
function staffBox(bar) {
  const lines = [...bar.querySelectorAll(":scope > .staff > path")].map((line) => line.getBBox());
  if (!lines.length) return bar.getBBox();
  const [left, right] = [Math.min(...lines.map((one) => one.x)), Math.max(...lines.map((one) => one.x + one.width))];
  const [top, bottom] = [Math.min(...lines.map((one) => one.y)), Math.max(...lines.map((one) => one.y + one.height))];
  const room = (bottom - top) * ROOM;
  return { x: left, y: top - room, width: right - left, height: bottom - top + 2 * room };
}

function pick(index, extend) {
  const anchor = store.selection ? (store.selection.first === index ? store.selection.last : store.selection.first) : index;
  const [first, last] = extend ? [Math.min(anchor, index), Math.max(anchor, index)] : [index, index];
  change({ selection: { first, last } });
}

function press(event) {
  const bar = event.target.closest(".bar");
  const index = bar ? Number(bar.dataset.bar) : barUnder(event);
  if (index < 0) return;
  pick(index, event.shiftKey);
  if (!event.shiftKey) player.seek(store.piece.bars[index].tick);
}

// The bar whose box a click fell into, for clicks between the lines.
function barUnder({ clientX, clientY }) {
  return bars.findIndex((bar) => {
    if (!bar?.isConnected) return false;
    const box = bar.getBoundingClientRect();
    return clientX >= box.left && clientX < box.right && clientY >= box.top && clientY < box.bottom;
  });
}

function keys(event) {
  if (!store.piece || !["ArrowLeft", "ArrowRight", "Enter"].includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  const at = indexAt(store.piece.bars, store.tick, (one) => one.tick);
  if (event.key === "Enter") {
    player.play(store.piece.bars[at].tick);
    return;
  }
  const index = Math.max(0, Math.min(store.piece.bars.length - 1, at + (event.key === "ArrowRight" ? 1 : -1)));
  if (event.shiftKey) {
    const held = store.selection || { first: at, last: at };
    change({ selection: { first: Math.min(held.first, index), last: Math.max(held.last, index) } });
  }
  player.seek(store.piece.bars[index].tick);
  if (bars[index]) reveal(bars[index]);
}
