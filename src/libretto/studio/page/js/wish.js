// A wish for the piece that is open, in words ("make it darker"): what was understood, and takes to choose from.

import { field, fill } from "./drawing.js";
import { make } from "./elements.js";
import { perform } from "./jobs.js";
import { refuse } from "./messages.js";
import { chosenBars, chosenVoices } from "./selecting.js";
import { on, store } from "./store.js";
import { showTakes } from "./takes.js";

const WISHES = ["make it darker", "a livelier bass", "end more quietly", "transpose up a tone"];

export function mountWish() {
  const words = make("input", {
    type: "text", id: "wish", maxlength: "1000", list: "wishes", placeholder: WISHES[0], autocomplete: "off",
  });
  const offered = make("datalist", { id: "wishes" }, WISHES.map((wish) => make("option", { value: wish })));
  const button = make("button", { type: "submit", class: "button", id: "wish-do" }, "Try it");
  const heard = make("div", { id: "wish-heard", "aria-live": "polite" });
  const form = make(
    "form",
    { class: "wish-form", hidden: true },
    field("Change this piece in words", words),
    offered,
    make("div", { class: "row" }, button),
    heard,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { piece } = store;
    if (!piece || !words.value.trim() || button.disabled) return;
    button.disabled = true;
    fill(heard);
    try {
      const made = await perform("revise", { piece: piece.name, base: piece.version, words: wordsWith(words.value.trim()) });
      tell(heard, made);
      if (made.takes?.length) showTakes(made.takes);
    } catch (error) {
      if (error?.data?.state === "cancelled") return;
      refuse(error);
    } finally {
      button.disabled = false;
    }
  });
  const seen = (piece) => {
    form.hidden = !piece;
    fill(heard);
  };
  on("piece", seen);
  seen(store.piece);
  return form;
}

// The words, with the bars and voices that are selected.
function wordsWith(words) {
  const { first, last, whole } = chosenBars();
  const bars = whole ? "" : first === last ? ` in bar ${first}` : ` in bars ${first}-${last}`;
  return `${words}${bars}${store.voices.size ? ` of ${chosenVoices().join(" and ")}` : ""}`;
}

function tell(place, made) {
  const line = (title, group, texts) =>
    texts?.length
      ? make(
          "div",
          { class: "chip-group" },
          make("h3", { class: "small" }, title),
          make("ul", { class: "chips" }, texts.map((one) => make("li", {}, make("span", { class: `chip ${group}` }, one.text || String(one))))),
        )
      : null;
  fill(place, line("Understood", "understood", made.understood), line("Not understood", "missed", made.not_understood));
}
