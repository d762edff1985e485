// Two versions, or a version and a take, side by side: by ear at the same place, and in colour.
//
// store.compare is { a, b, notes_a, notes_b, lines, view } while two are compared, else null; store.marks tells the roll
// what to colour: notes that only the shown one has, and those that only the other has.

import { get } from "./api.js";
import { openPiece } from "./app.js";
import { button, iconButton, make } from "./elements.js";
import { refuse } from "./messages.js";
import { player } from "./player.js";
import { change, on, store } from "./store.js";
import { performanceOf, toggle } from "./transport.js";

const FEW = 6; // lines that are shown at once
let bar = null;

export function mount() {
  bar = make("div.compare", { role: "region", "aria-label": "Comparing", hidden: true });
  document.getElementById("tools")?.after(bar);
  on("compare", show);
  on("side", show);
  on("piece", (piece) => {
    const held = store.compare;
    if (held && piece && `${piece.name}@${piece.version}` !== held.a) endComparing();
  });
  document.addEventListener("keydown", (event) => {
    if (!store.compare || event.ctrlKey || event.metaKey || event.altKey || event.key.toLowerCase() !== "x") return;
    if (event.target.closest("input, textarea, select, dialog")) return;
    event.preventDefault();
    switchSide();
  });
}

const picked = (notes, ids) => Object.fromEntries(Object.entries(notes).map(([name, column]) => [name, ids.map((id) => column[id])]));

/**
 * Compare two by their handles: the first is shown, the second is heard on side B.
 * @param {string} a name@n
 * @param {string} b name@n
 */
export async function compare(a, b) {
  try {
    const shown = `${store.piece?.name}@${store.piece?.version}`;
    if (shown !== a) await openPiece(a);
    const address = (handle) => encodeURIComponent(handle);
    const [difference, view] = await Promise.all([get(`/api/diff?a=${address(a)}&b=${address(b)}`), get(`/api/pieces/${address(b)}`)]);
    begin({ a, b, ...difference, view });
  } catch (error) {
    refuse(error);
  }
}

// Compare the shown piece with a view that has no version yet, such as a take.
export async function begin({ a, b, notes_a, notes_b, lines, view, quiet = false }) {
  await player.load(performanceOf(view), view, "b");
  change({
    compare: { a, b, notes_a, notes_b, lines, view, quiet },
    marks: { changed: new Set(notes_a), ghosts: picked(view.notes, notes_b) },
  });
}

export function endComparing() {
  player.unload("b");
  change({ compare: null, marks: null });
}

export function switchSide() {
  player.switchTo(player.side === "a" ? "b" : "a");
}

async function hear(side) {
  player.switchTo(side);
  if (!store.playing) await toggle();
}

function show() {
  const held = store.compare;
  bar.hidden = !held || held.quiet;
  if (bar.hidden) return;
  const which = (side, label, name) => {
    const one = button(`${label}: ${name}`, () => hear(side), ".small");
    one.setAttribute("aria-pressed", String(player.side === side));
    return one;
  };
  const number = (handle) => `version ${handle.split("@").pop()}`;
  const lines = held.lines || [];
  const list = lines.length ? lines : ["They are the same."];
  bar.replaceChildren(
    make("div.row", {},
      which("a", "A", number(held.a)),
      which("b", "B", number(held.b)),
      make("span.chip.added", {}, `${held.notes_a.length} notes only in A`),
      make("span.chip.removed", {}, `${held.notes_b.length} only in B`),
      make("small.grow", {}, "X changes between A and B at the same place"),
      iconButton("close", "End comparing", endComparing, ".quiet.small")),
    make("ul.lines", {}, ...list.slice(0, FEW).map((line) => make("li", {}, line))),
    lines.length > FEW
      ? make("details", {}, make("summary", {}, `and ${lines.length - FEW} more`), make("ul.lines", {}, ...lines.slice(FEW).map((line) => make("li", {}, line))))
      : "",
  );
}
