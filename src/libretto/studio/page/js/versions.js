// The versions of the piece: who made what and when, what the proof of it says, go back, and compare.

import { openPiece, refresh } from "./app.js";
import { post } from "./api.js";
import { compare } from "./compare.js";
import { ago, button, make } from "./elements.js";
import { refuse, say } from "./messages.js";
import { on, store } from "./store.js";

const FIRST = 12; // that are shown before asking for more
let all = false;

export function mount(element) {
  on("piece", () => show(element));
  on("compare", () => show(element));
  show(element);
}

function show(element) {
  const { piece } = store;
  if (!piece || !piece.versions?.length) {
    element.replaceChildren();
    return;
  }
  const versions = [...piece.versions].sort((one, other) => other.number - one.number);
  const undo = button("Undo", () => change({}), ".small");
  const redo = button("Redo", () => change({ redo: true }), ".small");
  undo.disabled = !piece.history?.undo?.length;
  redo.disabled = !piece.history?.redo?.length;
  const list = make("ol.list.versions", {}, ...versions.slice(0, all ? undefined : FIRST).map((one) => item(one, versions[0].number)));
  element.replaceChildren(make("div.row", {}, make("h2.grow", {}, "Versions"), undo, redo), list);
  if (versions.length > FIRST) {
    element.append(button(all ? "Fewer" : `All ${versions.length}`, () => { all = !all; show(element); }, ".small.quiet"));
  }
}

function item(version, newest) {
  const { piece } = store;
  const current = version.number === piece.version;
  const what = version.message || (version.number === 1 ? "the first version" : "no words");
  const proof = proofOf(version);
  const title = make("button", { type: "button", "aria-current": String(current), onclick: () => look(version.number) },
    make("span.block", {}, make("b.numbers", {}, `${version.number} `), what),
    make("small", {}, [version.author, ago(version.time)].filter(Boolean).join(" · ")));
  const actions = current ? [] : [
    button("Compare", () => compare(`${piece.name}@${piece.version}`, `${piece.name}@${version.number}`), ".small.quiet"),
    version.number === newest ? null : button("Go back to it", () => change({ to: version.number }), ".small.quiet"),
  ];
  return make(`li${current ? ".current" : ""}`, {}, title,
    proof.length > 1 ? make("details.proof", {}, make("summary", {}, proof[0]), ...proof.slice(1).map((line) => make("p", {}, line))) : null,
    proof.length === 1 ? make("p.proof", {}, proof[0]) : null,
    actions.length ? make("div.row.tight", {}, ...actions) : null);
}

// What a version says about what stayed as it was, as lines.
export function proofOf(version) {
  const kept = version.kept || version.about?.kept || "";
  return String(kept).split(/\n|(?<=[.;]) (?=[A-Z0-9])/).map((line) => line.trim()).filter(Boolean);
}

async function look(number) {
  try {
    await openPiece(`${store.piece.name}@${number}`);
  } catch (error) {
    refuse(error);
  }
}

// Undo, redo, or go back: always a new version, nothing is lost.
export async function change(how) {
  const { name, versions } = store.piece;
  const base = Math.max(...versions.map((version) => version.number));
  try {
    const made = await post(`/api/pieces/${encodeURIComponent(name)}/undo`, { base, ...how });
    await openPiece(name);
    await refresh();
    say(made.said || `${how.redo ? "Redone" : how.to ? `As in version ${how.to}` : "Undone"}: version ${made.version ?? store.piece.version}.`, "good");
  } catch (error) {
    refuse(error);
  }
}
