// The pieces of the workspace: which there are, open one, begin one, bring files.

import { openPiece, refresh } from "./app.js";
import { post } from "./api.js";
import { ago, button, make } from "./elements.js";
import { chooseFiles } from "./drop.js";
import { refuse } from "./messages.js";
import { on, store } from "./store.js";
import { mount as watch } from "./watch.js";

const MANY = 8; // from here on there is a field to find one
const EMPTY = ["TITLE: Untitled", "KEY: C major | METER: 4/4 | TEMPO: 100 | GRID: 16th | BARS: 8", "VOICES: PIANO[prog=0]", "@1 [-]", "  PIANO: -", "@2 = @1", "@3-4 = @1-2", "@5-8 = @1-4", ""].join("\n");

export function mount(element) {
  const list = make("ul.list.pieces");
  const filter = make("input", { type: "search", placeholder: "Find a piece", "aria-label": "Find a piece", hidden: true, oninput: show });
  element.append(
    make("h2", {}, "Pieces"),
    make("div.row", {}, button("New", blank, ".small"), button("Open a file…", chooseFiles, ".small")),
    filter,
    list,
  );
  function show() {
    const { pieces } = store;
    filter.hidden = pieces.length < MANY;
    const wanted = filter.value.trim().toLowerCase();
    const matching = pieces.filter((piece) => `${piece.title || ""} ${piece.name}`.toLowerCase().includes(wanted));
    matching.sort((one, other) => String(other.time).localeCompare(String(one.time)));
    list.replaceChildren(...matching.map(item));
    if (!pieces.length) list.append(make("li.soft", {}, "None yet: say what you want above, or drop a MIDI, MusicXML, ABC or Libretto file anywhere."));
  }
  on("pieces", show);
  on("piece", show);
  show();
  watch();
}

function item(piece) {
  const open = make("button", { type: "button", "aria-current": String(store.piece?.name === piece.name), onclick: () => openPiece(piece.name).catch(refuse) },
    make("span.cut.block", {}, piece.title || piece.name),
    make("small", {}, `version ${piece.version} · ${ago(piece.time)}`));
  return make(`li${store.piece?.name === piece.name ? ".current" : ""}`, {}, open);
}

// A new piece with eight empty bars.
async function blank() {
  try {
    const made = await post("/api/pieces?name=untitled.libretto", new Blob([EMPTY]));
    await refresh();
    await openPiece(made.piece);
  } catch (error) {
    refuse(error);
  }
}
