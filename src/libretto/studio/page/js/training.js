// Ear training: a question is heard, answered in a field or by a button, and explained with both staves.

import { get, post } from "./api.js";
import { field, fill } from "./drawing.js";
import { button, make } from "./elements.js";
import { refuse } from "./messages.js";
import { player } from "./player.js";
import { safe } from "./score.js";

const LEVELS = [["", "by the record"], ["1", "1, easy"], ["2", "2"], ["3", "3, hard"]];
const parts = {};
let item = null; // the question that waits for an answer, or was answered last
let open = false; // whether it waits
let tally = { asked: 0, right: 0 };

export function mount(element) {
  parts.kind = select("training-kind", [["", "all in turn"]]);
  parts.level = select("training-level", LEVELS);
  parts.learner = make("input", { type: "text", id: "training-learner", value: "me", autocomplete: "off", maxlength: "60" });
  parts.go = make("button", { type: "submit", class: "button primary", id: "training-go" }, "Ask me");
  const form = make(
    "form",
    { class: "training" },
    make("div", { class: "row" }, field("Train", parts.kind), field("Level", parts.level), field("Learner", parts.learner)),
    make("div", { class: "row" }, parts.go),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    next();
  });
  parts.given = make("p", { id: "training-question", role: "status" });
  parts.answer = make("input", { type: "text", id: "training-answer", autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: "1000" });
  parts.choices = make("fieldset", { class: "choices" });
  parts.send = make("button", { type: "submit", class: "button primary", id: "training-send" }, "Answer");
  parts.again = button("Hear again", () => sound(item?.notes));
  parts.skip = button("I do not know", () => answer({ skip: true }));
  parts.refused = make("p", { class: "small", id: "training-refused", role: "alert" });
  parts.told = make("div", { id: "training-told", "aria-live": "polite" });
  parts.tally = make("p", { class: "small soft", id: "training-tally" });
  parts.asked = make(
    "form",
    { class: "training", hidden: true },
    parts.given,
    parts.choices,
    field("Your answer", parts.answer),
    make("div", { class: "row" }, parts.send, parts.again, parts.skip),
    parts.refused,
  );
  parts.asked.addEventListener("submit", (event) => {
    event.preventDefault();
    answer({ answer: parts.answer.value });
  });
  fill(element, make("h2", {}, "Ear training"), form, parts.asked, parts.told, parts.tally);
  // the kinds are fetched when the panel is first seen
  new IntersectionObserver((seen, watcher) => {
    if (!seen.some((one) => one.isIntersecting)) return;
    watcher.disconnect();
    load();
  }).observe(element);
}

const select = (id, options) => make("select", { id }, options.map(([value, text]) => make("option", { value }, text)));

async function load() {
  try {
    const kinds = await get("/api/training");
    parts.kind.append(...kinds.map((one) => make("option", { value: one.name }, `${one.name} (level ${one.level})`)));
  } catch (error) {
    refuse(error);
  }
}

// Play notes that belong to no piece; a browser without sound says so once and the question can still be seen.
async function sound(notes) {
  if (!notes?.length) return;
  try {
    player.pause();
    await player.playPassage(notes);
  } catch (error) {
    refuse(error);
  }
}

async function next() {
  if (parts.go.disabled) return;
  parts.go.disabled = true;
  const asked = { kinds: parts.kind.value ? [parts.kind.value] : [], learner: parts.learner.value.trim() };
  if (parts.level.value) asked.level = Number(parts.level.value);
  try {
    item = await post("/api/training/next", asked);
    show();
    sound(item.notes);
  } catch (error) {
    refuse(error);
  } finally {
    parts.go.disabled = false;
  }
}

function show() {
  open = true;
  parts.asked.hidden = false;
  parts.given.textContent = `${item.given} ${item.question}`;
  parts.answer.value = "";
  parts.refused.textContent = "";
  fill(parts.told);
  fill(
    parts.choices,
    item.choices.length ? make("legend", {}, "Is it …") : null,
    item.choices.map((choice) => button(choice, () => answer({ answer: choice }), ".small")),
  );
  parts.choices.hidden = !item.choices.length;
  enable(true);
  parts.answer.focus();
}

function enable(whether) {
  for (const one of [parts.answer, parts.send, parts.skip, ...parts.choices.querySelectorAll("button")]) one.disabled = !whether;
}

async function answer(said) {
  if (!open) return;
  open = false;
  enable(false);
  parts.refused.textContent = "";
  try {
    const told = await post("/api/training/answer", { item: item.item, learner: parts.learner.value.trim(), ...said });
    tell(told);
  } catch (error) {
    // what cannot be read is not counted
    open = true;
    enable(true);
    parts.refused.textContent = error.message;
    parts.answer.focus();
  }
}

function tell(told) {
  tally = { asked: tally.asked + 1, right: tally.right + (told.right ? 1 : 0) };
  const onward = make("button", { type: "button", class: "button primary", id: "training-next", onclick: next }, "Next question");
  fill(
    parts.told,
    make(
      "div",
      { class: `told ${told.right ? "right" : "wrong"}` },
      make("p", { class: "verdict" }, told.right ? "Right." : `Not quite: ${told.answer}.`),
      told.lines.map((line) => make("p", {}, line.replace(/^Right\. /, ""))),
    ),
    make("div", { class: "staves" }, staff("Heard", told.heard), told.yours ? staff("Your answer", told.yours) : null),
    make("div", { class: "row" }, onward),
  );
  const { kind, level, skills } = told.standing;
  const weak = skills.filter((one) => one.strength < 1).slice(0, 3).map((one) => one.skill);
  const rest = weak.length ? ` Coming back soon: ${weak.join("; ")}.` : "";
  parts.tally.textContent = `${tally.right} of ${tally.asked} right. ${kind}: level ${level}.${rest}`;
  onward.focus();
}

function staff(name, shown) {
  const pictures = shown.pages.map((text) => safe(text)).filter(Boolean);
  for (const picture of pictures) {
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", name);
  }
  return make(
    "figure",
    {},
    make("figcaption", {}, name, button("Hear", () => sound(shown.notes), ".small")),
    pictures.length ? pictures : make("pre", {}, shown.drawn.join("\n")),
  );
}
