// What was understood of a brief, what was assumed and what was not understood, as chips that can be corrected.

import { fill } from "./drawing.js";
import { make } from "./elements.js";

const GROUPS = [
  ["understood", "Understood"],
  ["assumed", "Assumed"],
  ["missed", "Not understood"],
];

// What a chip can be: its group, the clause of the contract, the words of the brief, its text and what one edits of it.
function chipsOf(contract) {
  const understood = (contract.understood || []).map((one) => ({
    group: "understood", clause: one.clause || "", words: one.words || "", value: one.text || "",
    text: one.clause ? `${one.clause.replace(/_/g, " ")}: ${one.text}` : one.text,
  }));
  const assumed = (contract.assumed || []).map((one) => ({
    group: "assumed", clause: one.key || "", words: "", value: one.key ? one.text.replace(/^[^:]*: /, "") : "",
    text: one.text,
  }));
  const missed = (contract.not_understood || []).map((words) => ({ group: "missed", clause: "", words, value: words, text: words }));
  return [...understood, ...assumed, ...missed];
}

// Draw the chips of a contract. correct(chip, value) changes one, takeOut(chip) takes one out; both may be slow.
export function drawChips(place, contract, { correct, takeOut }) {
  const chips = chipsOf(contract);
  const open = (chip, button, list) => {
    const place = list.querySelector(".chip-edit");
    if (place) place.remove();
    if (button.getAttribute("aria-expanded") === "true") {
      button.setAttribute("aria-expanded", "false");
      return;
    }
    for (const other of list.querySelectorAll("button[aria-expanded]")) other.setAttribute("aria-expanded", "false");
    button.setAttribute("aria-expanded", "true");
    const form = editor(chip, { correct, takeOut }, () => {
      form.remove();
      button.setAttribute("aria-expanded", "false");
      button.focus();
    });
    list.after(form);
    list.parentElement.querySelectorAll(".chip-edit").forEach((one) => one !== form && one.remove());
    form.querySelector("input").focus();
    form.querySelector("input").select();
  };
  const groups = GROUPS.map(([group, title]) => {
    const within = chips.filter((chip) => chip.group === group);
    if (!within.length) return null;
    const list = make("ul", { class: "chips", "aria-label": title });
    for (const chip of within) {
      const button = make(
        "button",
        {
          type: "button", class: `chip ${group}`, "aria-expanded": "false", "data-clause": chip.clause || null,
          title: chip.words ? `from “${chip.words}”: click to correct` : "click to correct",
        },
        chip.text,
      );
      button.addEventListener("click", () => open(chip, button, list));
      list.append(make("li", {}, button));
    }
    return make("div", { class: "chip-group" }, make("h3", { class: "small" }, title), list);
  });
  fill(place, groups);
}

// The little form in which a chip is corrected.
function editor(chip, { correct, takeOut }, close) {
  const isOtherwise = !chip.clause && chip.group !== "understood"; // said anew rather than given another value
  const label = isOtherwise ? `In other words: ${chip.text}` : `Correct: ${chip.text}`;
  const input = make("input", {
    type: "text", value: chip.value, "aria-label": label, maxlength: "400",
    placeholder: chip.value ? null : "what it should be instead",
  });
  const form = make(
    "form",
    { class: "chip-edit row" },
    input,
    make("button", { type: "submit", class: "button small" }, isOtherwise ? "Say so" : "Correct"),
    chip.value
      ? make("button", { type: "button", class: "button quiet small", onclick: () => (close(), takeOut(chip)) }, "Take it out")
      : null,
    make("button", { type: "button", class: "button quiet small", onclick: close }, "Leave it"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const value = input.value.trim();
    close();
    if (!value && chip.value) takeOut(chip);
    else if (value && value !== chip.value) correct(chip, value);
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
  });
  return form;
}
