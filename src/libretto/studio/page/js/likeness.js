// Originality: the songs that the open piece is most like, with both passages drawn and playable.

import { draw, fill } from "./drawing.js";
import { make } from "./elements.js";
import { barWords, hearBars } from "./hear.js";
import { perform } from "./jobs.js";
import { refuse } from "./messages.js";
import { player } from "./player.js";
import { on, store } from "./store.js";

const WIDTH = 240, HEIGHT = 60;
const known = new Map(); // "name@version" -> what was found
const parts = {};
let running = false;

const handle = () => `${store.piece.name}@${store.piece.version}`;

export function mountLikeness() {
  parts.button = make("button", { type: "button", class: "button", id: "original", onclick: look }, "Compare with known songs");
  parts.state = make("p", { "aria-live": "polite" });
  parts.list = make("ol", { class: "list" });
  on("piece", render);
  render();
  return make("div", { class: "likeness" }, make("h3", {}, "Originality"), make("div", { class: "row" }, parts.button), parts.state, parts.list);
}

async function look() {
  const asked = handle();
  running = true;
  render();
  try {
    known.set(asked, await perform("original", { piece: asked }));
  } catch (error) {
    if (error?.data?.state !== "cancelled") refuse(error);
  } finally {
    running = false;
    render();
  }
}

function render() {
  const told = store.piece ? known.get(handle()) : null;
  parts.button.disabled = !store.piece || running;
  parts.button.hidden = Boolean(told);
  if (!told) {
    parts.state.textContent = running ? "Comparing …" : "";
    fill(parts.list);
    return;
  }
  const songs = told.songs || [];
  const verdict = told.passed ? "No passage is taken from a known song." : "A passage is too close to a known song.";
  parts.state.textContent = `${verdict}${songs.length ? " The nearest:" : ""}${told.note ? ` ${told.note}` : ""}`;
  fill(parts.list, songs.map(row));
}

function row(song) {
  const passage = song.passage || {};
  const ours = passage.ours || passage.piece || passage.notes_a || null;
  const theirs = passage.theirs || passage.song || passage.notes_b || null;
  const moved = song.transposition ? `, ${Math.abs(song.transposition)} semitones ${song.transposition > 0 ? "higher" : "lower"}` : "";
  const score = typeof song.score === "number" ? `, likeness ${song.score.toFixed(2)}` : "";
  const where = barWords(song.bars);
  return make(
    "li",
    { class: "song" },
    make("p", {}, make("strong", {}, song.title || song.name || "a song"), `: ${where}${score}${moved}`),
    ours?.length || theirs?.length ? picture(ours || [], theirs || []) : null,
    make(
      "div",
      { class: "row" },
      make("button", { type: "button", class: "button small", onclick: () => (ours?.length ? player.playPassage(ours) : hearBars(song.bars)) }, "▶ this piece"),
      theirs?.length
        ? make("button", { type: "button", class: "button small", onclick: () => player.playPassage(theirs) }, "▶ the song")
        : make("span", { class: "small soft" }, "the song itself is not kept here"),
    ),
  );
}

const numbers = (note) => (Array.isArray(note) ? note : [note.onset ?? note.seconds, note.pitch, note.duration]);

// Both passages in one drawing: the song's notes as outlines, the piece's own filled.
function picture(ours, theirs) {
  const all = [...ours, ...theirs].map(numbers);
  const low = Math.min(...all.map((note) => note[1])) - 1;
  const high = Math.max(...all.map((note) => note[1])) + 1;
  const drawn = (notes, className) => {
    const rows = notes.map(numbers);
    const from = Math.min(...rows.map((note) => note[0]));
    const to = Math.max(...rows.map((note) => note[0] + (note[2] || 0.2)));
    const across = WIDTH / Math.max(0.001, to - from);
    const up = HEIGHT / (high - low);
    return rows.map((note) =>
      draw("rect", {
        x: ((note[0] - from) * across).toFixed(1), y: ((high - note[1]) * up - up / 2).toFixed(1),
        width: Math.max(1.5, (note[2] || 0.2) * across - 1).toFixed(1), height: Math.max(2, up).toFixed(1), class: className,
      }),
    );
  };
  return draw(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "passages", role: "img", "aria-label": "Both passages, one over the other: this piece filled, the song in outline" },
    ours.length ? drawn(ours, "ours") : null,
    theirs.length ? drawn(theirs, "theirs") : null,
  );
}
