// The text of the grammar in colours, with problems underlined: only the lines that are seen are made.

import { make } from "./make.js";

// The parts of a line: [class, text], the text of all parts together being the line.
export function partsOf(line) {
  if (/^\s*%/.test(line)) return [["comment", line]];
  if (/^\s*@/.test(line)) return barParts(line);
  const named = /^(\s*[^:%@[\]]+?)(\s*:)(.*)$/.exec(line);
  return named ? [["name", named[1]], ["", named[2] + named[3]]] : [["", line]];
}

function barParts(line) {
  const parts = [];
  const rule = /(@[\d-]+)|(\[[^\]]*\]?)|(\([^)]*\)?)/g;
  let at = 0;
  for (const match of line.matchAll(rule)) {
    if (match.index > at) parts.push(["", line.slice(at, match.index)]);
    parts.push([match[1] ? "bar" : match[2] ? "chord" : "extra", match[0]]);
    at = match.index + match[0].length;
  }
  if (at < line.length) parts.push(["", line.slice(at)]);
  return parts;
}

// A line as an element; `wrong` are its problems, each with a column from 1 and what was found there.
export function lineElement(line, wrong, here) {
  const element = make("span", { class: here ? "line here" : "line" });
  const marks = (wrong || []).map((problem) => markAt(line, problem));
  let at = 0;
  for (const [kind, text] of partsOf(line)) {
    for (const [piece, bad] of split(text, at, marks)) {
      const names = [kind, bad ? "wrong" : ""].filter(Boolean).join(" ");
      element.append(names ? make("span", { class: names, text: piece }) : piece);
    }
    at += text.length;
  }
  return element;
}

function markAt(line, { column, found }) {
  const whole = !column || column < 1;
  const from = whole ? line.length - line.trimStart().length : Math.min(column - 1, Math.max(0, line.length - 1));
  if (found && line.startsWith(found, from)) return [from, from + found.length];
  const word = whole ? line.length - from : /^\S*/.exec(line.slice(from))[0].length || 1;
  return [from, from + word];
}

function split(text, at, marks) {
  const cuts = new Set([0, text.length]);
  for (const [from, to] of marks) for (const edge of [from - at, to - at]) if (edge > 0 && edge < text.length) cuts.add(edge);
  const places = [...cuts].sort((a, b) => a - b);
  return places.slice(0, -1).map((from, index) => {
    const bad = marks.some(([start, end]) => start <= at + from && end > at + from);
    return [text.slice(from, places[index + 1]), bad];
  });
}

// The number of the bar that each line belongs to, or null in the header: [first, last] for a line of several bars.
export function barsOfLines(lines) {
  let now = null;
  return lines.map((line) => {
    const match = /^\s*@(\d+)(?:-(\d+))?/.exec(line);
    if (match) now = [Number(match[1]), Number(match[2] || match[1])];
    return now;
  });
}
