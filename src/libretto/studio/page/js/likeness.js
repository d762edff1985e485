// Originality: the songs that the open piece is most like, with both passages drawn and playable.

import { draw, fill } from "./drawing.js";
import { make } from "./elements.js";
import { barWords, showBars } from "./hear.js";
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
  const own = told.own?.songs || [];
  const passed = told.passed && told.own?.passed !== false;
  parts.state.textContent = passed
    ? `No passage is taken from ${told.count ? `any of ${told.count.toLocaleString("en")} known songs` : "a known song"}.`
    : "A passage is too close to another song.";
  fill(
    parts.list,
    told.songs?.length ? make("li", {}, make("h4", {}, "The nearest known songs")) : null,
    (told.songs || []).map(row),
    own.length ? make("li", {}, make("h4", {}, "Your other pieces")) : null,
    own.map(row),
  );
}

function row(song) {
  const { ours, theirs } = song.passage || {};
  const moved = song.transposition ? `, ${Math.abs(song.transposition)} semitones apart` : "";
  const score = typeof song.score === "number" ? `, likeness ${song.score.toFixed(2)}` : "";
  const press = (text, action) => make("button", { type: "button", class: "button small", onclick: action }, text);
  return make(
    "li",
    { class: "song" },
    make("p", {}, make("strong", {}, song.name || "a song"), `: ${barWords(song.bars)}${score}${moved}`),
    ours?.length ? picture(ours, theirs || []) : null,
    make(
      "div",
      { class: "row" },
      ours?.length ? press("▶ this piece", () => (showBars(song.bars), player.playPassage(ours))) : null,
      theirs?.length ? press("▶ the other", () => player.playPassage(theirs)) : null,
      ours?.length && !theirs?.length ? make("span", { class: "small soft" }, "the song's notes are not kept here") : null,
    ),
  );
}

// Both passages in one drawing, each from its own beginning: this piece filled, the other in outline.
// A note is [seconds, pitch, seconds long, velocity].
function picture(ours, theirs) {
  const pitches = [...ours, ...theirs].map((note) => note[1]);
  const [low, high] = [Math.min(...pitches) - 1, Math.max(...pitches) + 1];
  const up = HEIGHT / (high - low);
  const drawn = (notes, className) => {
    const from = Math.min(...notes.map((note) => note[0]));
    const across = WIDTH / Math.max(0.001, Math.max(...notes.map((note) => note[0] + note[2])) - from);
    return notes.map(([onset, pitch, long]) =>
      draw("rect", {
        x: ((onset - from) * across).toFixed(1),
        y: ((high - pitch) * up - up / 2).toFixed(1),
        width: Math.max(1.5, long * across - 1).toFixed(1),
        height: Math.max(2, up).toFixed(1),
        class: className,
      }),
    );
  };
  const words = theirs.length ? "Both passages, one over the other: this piece filled, the other in outline" : "The passage of this piece";
  return draw(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "passages", role: "img", "aria-label": words },
    drawn(ours, "ours"),
    theirs.length ? drawn(theirs, "theirs") : null,
  );
}
