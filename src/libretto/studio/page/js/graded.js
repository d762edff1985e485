// A grade: the score, every bar with what was wrong in it, and what to practise next; a click plays the bar.

import { build, fill } from "./build.js";
import { hearBars } from "./hear.js";

export function drawGrade(place, grade) {
  const bars = grade.bars || [];
  const wrong = bars.filter((bar) => !bar.ok);
  fill(
    place,
    build("p", { class: "grade" }, build("strong", { id: "grade-score" }, String(Math.round(grade.score))), " of 100"),
    build(
      "ol",
      { class: "graded-bars", "aria-label": "Bars" },
      bars.map((bar) =>
        build(
          "li",
          {},
          build(
            "button",
            {
              type: "button", class: `graded-bar ${bar.ok ? "right" : "wrong"}`, "data-bar": String(bar.number),
              "aria-label": `Bar ${bar.number}: ${bar.ok ? "right" : (bar.mistakes || []).map(textOf).join("; ") || "not right"}. Show and play it`,
              title: bar.ok ? "right" : (bar.mistakes || []).map(textOf).join("\n"), onclick: () => hearBars([bar.number]),
            },
            `${bar.number} ${bar.ok ? "✓" : "✗"}`,
          ),
        ),
      ),
    ),
    wrong.length
      ? build(
          "ul",
          { class: "list small", id: "mistakes" },
          wrong.map((bar) => build("li", {}, `Bar ${bar.number}: ${(bar.mistakes || []).map(textOf).join("; ")}`)),
        )
      : build("p", {}, "Every bar was right."),
    grade.next?.length ? build("p", {}, `To practise next: ${[].concat(grade.next).map(textOf).join(", ")}.`) : null,
    (grade.lines || []).length ? build("details", {}, build("summary", {}, "In full"), build("ul", { class: "list small" }, grade.lines.map((line) => build("li", {}, line)))) : null,
  );
}

const textOf = (one) => one.text || String(one);
