// Measures: the fingerprint of the open piece by family, the genres it is near, and how original it is.

import { draw, fill } from "./drawing.js";
import { make } from "./elements.js";
import { appraisal, isJudging, judge } from "./judging.js";
import { mountLikeness } from "./likeness.js";
import { on, store } from "./store.js";

const SHOWN_GENRES = 5;
const SIZE = 240; // of the radar, in its own units
const RADIUS = 96;
const MARGIN = 60; // at both sides, for names
const EXTREME = 5; // a place among the lowest or highest so many of a hundred is named

const parts = {};

export function mount(element) {
  parts.judge = make("button", { type: "button", class: "button", id: "measure", onclick: judge }, "Measure this piece");
  parts.body = make("div", { class: "measured" });
  fill(element, make("h2", {}, "Measures"), make("div", { class: "row" }, parts.judge), parts.body, mountLikeness());
  on("piece", render);
  on("judged", render);
  render();
}

function render() {
  const judged = appraisal();
  parts.judge.disabled = !store.piece || isJudging();
  parts.judge.hidden = Boolean(judged);
  if (!judged) {
    fill(parts.body);
    return;
  }
  const families = byFamily(judged.fingerprint || []);
  fill(
    parts.body,
    genresOf(judged.genres),
    families.size > 2 ? radar(families) : null,
    families.size ? make("p", { class: "small soft" }, "Each bar: where the piece stands among real music, from the least (left) to the most (right).") : null,
    [...families].map(([family, rows], index) => familyRows(family, rows, index === 0)),
  );
}

function byFamily(fingerprint) {
  const families = new Map();
  for (const row of fingerprint) {
    if (row.percentile === null || row.percentile === undefined) continue;
    if (!families.has(row.family)) families.set(row.family, []);
    families.get(row.family).push(row);
  }
  return families;
}

// How usual a family is: 1 where every measure stands in the middle of real music, 0 where all are at an end.
const usual = (rows) => rows.reduce((sum, row) => sum + 1 - Math.abs(row.percentile - 50) / 50, 0) / rows.length;

function radar(families) {
  const names = [...families.keys()];
  const centre = SIZE / 2;
  const at = (index, part) => {
    const turn = (2 * Math.PI * index) / names.length - Math.PI / 2;
    return [centre + Math.cos(turn) * RADIUS * part, centre + Math.sin(turn) * RADIUS * part];
  };
  const ring = (part) => names.map((_, index) => at(index, part).map((x) => x.toFixed(1)).join(",")).join(" ");
  const shape = names.map((name, index) => at(index, Math.max(0.04, usual(families.get(name)))));
  const words = names.map((name) => `${name} ${Math.round(100 * usual(families.get(name)))} of 100`).join(", ");
  const label = (name, index) => {
    const [x, y] = at(index, 1.12);
    const anchor = Math.abs(x - centre) < 12 ? "middle" : x < centre ? "end" : "start";
    const text = draw("text", { x: x.toFixed(1), y: (y + 4).toFixed(1), "text-anchor": anchor, class: "radar-name" });
    text.textContent = name;
    return text;
  };
  const picture = draw(
    "svg",
    { viewBox: `${-MARGIN} 0 ${SIZE + 2 * MARGIN} ${SIZE}`, role: "img", class: "radar", "aria-label": `How usual each family is: ${words}` },
    [0.33, 0.67, 1].map((part) => draw("polygon", { points: ring(part), class: "radar-ring" })),
    draw("polygon", { points: shape.map((point) => point.map((x) => x.toFixed(1)).join(",")).join(" "), class: "radar-shape" }),
    names.map(label),
  );
  return make("figure", {}, picture, make("figcaption", { class: "small soft" }, "How usual: at the rim as most music is, towards the middle unusual."));
}

function familyRows(family, rows, open) {
  const unusual = rows.filter((row) => row.percentile <= EXTREME || row.percentile >= 100 - EXTREME).length;
  return make(
    "details",
    { class: "family", open },
    make("summary", {}, `${sentence(family)} (${rows.length}${unusual ? `, ${unusual} unusual` : ""})`),
    make("ul", { class: "list small" }, rows.map(measureRow)),
  );
}

function measureRow(row) {
  const at = Math.round(row.percentile);
  const inGenre = typeof row.in_genre === "number" ? Math.round(row.in_genre) : null;
  const bar = make("span", { class: "track", "aria-hidden": "true" });
  const fillBar = make("span", { class: "track-fill" });
  fillBar.style.width = `${Math.max(1, at)}%`;
  bar.append(fillBar);
  if (inGenre !== null) {
    const mark = make("span", { class: "track-mark" });
    mark.style.left = `${inGenre}%`;
    bar.append(mark);
  }
  const words = `more than ${at} of 100 pieces${inGenre !== null ? `; in its genre ${inGenre}` : ""}`;
  return make(
    "li",
    { class: "measure", title: words },
    make("span", { class: "measure-name" }, sentence(row.meaning || row.axis)),
    bar,
    make("span", { class: "measure-value" }, `${at}`, make("span", { class: "unseen" }, ` of 100 ${inGenre !== null ? `, in its genre ${inGenre}` : ""}`)),
  );
}

const sentence = (text) => {
  const words = String(text).replace(/_/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function genresOf(genres) {
  const rows = Array.isArray(genres)
    ? genres.map((one) => (Array.isArray(one) ? one : [one.name || one.genre, one.share ?? one.probability ?? one.score]))
    : Object.entries(genres || {});
  const shown = rows.filter(([, share]) => share > 0.005).sort((one, two) => two[1] - one[1]).slice(0, SHOWN_GENRES);
  if (!shown.length) return null;
  return make(
    "div",
    { class: "genres" },
    make("h3", {}, "Nearest genres"),
    make(
      "ul",
      { class: "list small" },
      shown.map(([name, share]) => {
        const fillBar = make("span", { class: "track-fill" });
        fillBar.style.width = `${Math.round(100 * share)}%`;
        return make(
          "li",
          { class: "measure" },
          make("span", { class: "measure-name" }, sentence(name)),
          make("span", { class: "track", "aria-hidden": "true" }, fillBar),
          make("span", { class: "measure-value" }, `${Math.round(100 * share)}%`),
        );
      }),
    ),
  );
}
