// Which parts are seen: roll, score, text or two of them; the panels at the sides; what lies in the right one.

import { make, SIGNS, signButton } from "./make.js";
import { on, store, tell } from "./store.js";

const VIEWS = {
  roll: { name: "Roll", shows: ["rollside"] },
  score: { name: "Score", shows: ["score"] },
  text: { name: "Text", shows: ["text"] },
  "roll-score": { name: "Roll + score", shows: ["rollside", "score"] },
  "roll-text": { name: "Roll + text", shows: ["rollside", "text"] },
};
const DRAWERS = { mix: "Mix", judge: "Judge", learn: "Learn", files: "Files" };

const kept = (name, usual) => {
  try {
    return localStorage.getItem(`libretto.${name}`) || usual;
  } catch {
    return usual;
  }
};
const keep = (name, value) => {
  try {
    localStorage.setItem(`libretto.${name}`, value);
  } catch {
    // a browser that keeps nothing shows the usual view next time
  }
};

export function mount() {
  tabs(document.getElementById("views"), VIEWS, "view", showView, (name) => VIEWS[name].shows.join(" "));
  tabs(document.getElementById("drawers"), DRAWERS, "drawer", showDrawer, (name) =>
    [...document.querySelectorAll(`[data-drawer="${name}"]`)].map((section) => section.id).join(" "));
  sides();
  const wanted = kept("view", "roll");
  showView(wanted in VIEWS ? wanted : "roll");
  showDrawer(kept("drawer", "mix"));
  on("piece", () => document.body.classList.toggle("has-piece", Boolean(store.piece)));
}

function tabs(place, all, kind, choose, controls) {
  for (const [name, entry] of Object.entries(all)) {
    place.append(make("button", {
      type: "button", role: "tab", id: `${kind}-${name}`, text: entry.name || entry, "aria-controls": controls(name), on: { click: () => choose(name) },
    }));
  }
  place.addEventListener("keydown", (event) => {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!way) return;
    const list = [...place.children].filter((tab) => tab.offsetParent !== null);
    const next = list[(list.indexOf(document.activeElement) + way + list.length) % list.length];
    next.focus();
    next.click();
    event.preventDefault();
    event.stopPropagation();
  });
}

function mark(place, id) {
  for (const tab of document.getElementById(place).children) {
    tab.setAttribute("aria-selected", String(tab.id === id));
    tab.tabIndex = tab.id === id ? 0 : -1;
  }
}

// Show a view: roll, score, text, roll-score or roll-text.
export function showView(name) {
  const entry = VIEWS[name];
  if (!entry) return;
  mark("views", `view-${name}`);
  for (const id of ["rollside", "score", "text"]) document.getElementById(id).hidden = !entry.shows.includes(id);
  document.getElementById("sheets").dataset.view = document.body.dataset.view = name;
  store.view = name;
  keep("view", name);
  tell("shown", name);
}

// Show a drawer of the right panel: mix, judge, learn or files.
export function showDrawer(name) {
  const chosen = name in DRAWERS ? name : "mix";
  mark("drawers", `drawer-${chosen}`);
  for (const section of document.querySelectorAll("[data-drawer]")) section.hidden = section.dataset.drawer !== chosen;
  keep("drawer", chosen);
  tell("drawer", chosen);
}

// Bring a section of either side into sight, by the id of its element.
export function showPanel(id) {
  const section = document.getElementById(id);
  const side = section?.closest("aside")?.id;
  if (!side) return;
  document.body.classList.add(`${side}-open`);
  showSide(side);
  if (section.dataset.drawer) showDrawer(section.dataset.drawer);
  section.scrollIntoView({ block: "nearest" });
}

const isWide = () => matchMedia("(min-width: 1100px)").matches;

// On narrow screens one pane is seen at a time: left, stage or right.
export function showSide(side) {
  for (const one of ["left", "right"]) document.body.classList.toggle(`side-${one}`, one === side);
  for (const tab of document.querySelectorAll("#sides button")) tab.setAttribute("aria-current", String(tab.dataset.side === side));
  pressed();
}

function toggle(side) {
  if (isWide()) document.body.classList.toggle(`${side}-open`);
  else showSide(document.body.classList.contains(`side-${side}`) ? "stage" : side);
  pressed();
}

function pressed() {
  for (const side of ["left", "right"]) {
    const open = document.body.classList.contains(isWide() ? `${side}-open` : `side-${side}`);
    document.getElementById(`toggle-${side}`)?.setAttribute("aria-pressed", String(open));
  }
}

function sides() {
  const place = document.getElementById("sides");
  for (const [side, name] of [["left", "Say"], ["stage", "Music"], ["right", "Mix & more"]]) {
    place.append(make("button", { type: "button", text: name, "data-side": side, on: { click: () => showSide(side) } }));
  }
  const corner = document.getElementById("corner");
  for (const [side, name] of [["left", "Say, pieces and versions"], ["right", "Voices, judging, learning and files"]]) {
    const made = signButton(SIGNS[side], name, () => toggle(side), "quiet pane-switch");
    made.id = `toggle-${side}`;
    corner.append(made);
  }
  matchMedia("(min-width: 1100px)").addEventListener("change", pressed);
  showSide("stage");
}
