// A grade: the score, every bar with what was wrong in it, and what to practise next; a click plays the bar.

import { fill } from "./drawing.js";
import { make } from "./elements.js";
import { hearBars } from "./hear.js";

// The mistakes of a bar, without saying the bar again.
const inside = (bar) => bar.mistakes.map((text) => text.replace(/^bar \d+, /, ""));

export function drawGrade(place, grade) {
  const bars = grade.bars || [];
  const wrong = bars.filter((bar) => !bar.ok);
  fill(
    place,
    make("p", { class: "grade" }, make("strong", { id: "grade-score" }, String(Math.round(grade.score))), " of 100"),
    make(
      "ol",
      { class: "graded-bars", "aria-label": "Bars" },
      bars.map((bar) =>
        make(
          "li",
          {},
          make(
            "button",
            {
              type: "button", class: `graded-bar ${bar.ok ? "right" : "wrong"}`, "data-bar": String(bar.number),
              "aria-label": `Bar ${bar.number}: ${bar.ok ? "right" : bar.mistakes.join("; ") || "not right"}. Show and play it`,
              title: bar.ok ? "right" : bar.mistakes.join("\n"), onclick: () => hearBars([bar.number]),
            },
            `${bar.number} ${bar.ok ? "✓" : "✗"}`,
          ),
        ),
      ),
    ),
    wrong.length
      ? make(
          "ul",
          { class: "list small", id: "mistakes" },
          wrong.map((bar) => make("li", {}, `Bar ${bar.number}: ${inside(bar).join("; ")}.`)),
        )
      : make("p", {}, "Every bar was right."),
    grade.practise?.length ? make("p", {}, `To practise next: ${grade.practise.join(", ")}.`) : null,
    grade.concept_heard === false ? make("p", {}, "What the drill practises is no longer heard.") : null,
  );
}
