// The grid that notes keep to, writing with fingers, and zoom.

import { make, SIGNS, signButton } from "./make.js";
import { change, on, store } from "./store.js";
import { barEnd, fit, zoomTime } from "./view.js";

const GRIDS = [["auto", "Grid: auto"], ["1", "1/4"], ["2", "1/8"], ["4", "1/16"], ["8", "1/32"], ["3", "1/8 triplet"], ["6", "1/16 triplet"], ["0", "no grid"]];

export function mount(place) {
  const grid = make("select", { "aria-label": "Grid of the roll", title: "What notes keep to" }, ...GRIDS.map(([value, text]) => make("option", { value, text })));
  grid.addEventListener("change", () => setGrid(grid.value));
  const pencil = signButton(SIGNS.pencil, "Write with the finger: drags edit instead of scrolling", () => {
    const roll = document.querySelector("#roll .scroller");
    pencil.setAttribute("aria-pressed", String(roll.classList.toggle("writing")));
  }, "small quiet pencil");
  pencil.setAttribute("aria-pressed", "false");
  place.append(
    pencil,
    grid,
    signButton(SIGNS.less, "Zoom out", () => zoomTime(1 / 1.4), "small quiet"),
    signButton(SIGNS.more, "Zoom in", () => zoomTime(1.4), "small quiet"),
    signButton(SIGNS.fit, "Fit the selection, or the whole piece", fitChosen, "small quiet"),
  );
  on("piece", () => setGrid(grid.value));
}

function setGrid(value) {
  const quarter = store.piece?.quarter || 0;
  change({ snap: value === "auto" ? null : value === "0" ? 0 : quarter / Number(value) });
}

export function fitChosen() {
  if (!store.piece) return;
  const chosen = store.selection;
  if (chosen) fit(store.piece.bars[chosen.first].tick, barEnd(chosen.last));
  else fit();
}
