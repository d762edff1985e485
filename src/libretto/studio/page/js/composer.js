// Who composes: the house, or a model where a key is set, with what it will cost before and what it has cost while.

import { get, work } from "./api.js";
import { field, quietly } from "./drawing.js";
import { make } from "./elements.js";

const QUIET = 600; // milliseconds without a change before a cost is estimated

// A choice of composers. brief() gives the text to be estimated.
// Returns { element, choice() for the job, estimate(), heard(job) for what a job says while it runs }.
export function mountComposer(brief) {
  const choice = make("select", { id: "composer" }, make("option", { value: "house" }, "The house (free, on this machine)"));
  const cost = make("p", { id: "cost", class: "small", "aria-live": "polite" });
  const element = make("div", { class: "composer" }, field("Composer", choice), cost);
  element.hidden = true; // one composer is no choice
  let asked = 0;

  get("/api/state").then(({ models = {} }) => {
    const names = models.has_key ? models.names || [] : [];
    for (const name of names) choice.append(make("option", { value: name }, name));
    element.hidden = names.length === 0;
  }).catch(() => {});

  const estimate = quietly(QUIET, async () => {
    const mine = (asked += 1);
    if (choice.value === "house" || !brief()) {
      cost.textContent = "";
      return;
    }
    cost.textContent = "estimating the cost …";
    try {
      const told = await work("estimate", { brief: brief(), composer: choice.value });
      if (mine === asked) cost.textContent = `${told.cost}; nothing is spent before you press Compose`;
    } catch (error) {
      if (mine === asked) cost.textContent = error.message;
    }
  });
  choice.addEventListener("change", estimate);

  return {
    element,
    estimate,
    choice: () => (choice.value === "house" ? {} : { composer: choice.value }),
    heard: (job) => {
      if (choice.value === "house") return;
      const line = [...(job.lines || [])].reverse().find((one) => one.spent !== undefined || one.cost !== undefined);
      if (line) cost.textContent = `spent so far: ${money(line.spent ?? line.cost)}`;
      if (job.result?.cost?.money) cost.textContent = `spent: ${money(job.result.cost.money)}`;
    },
  };
}

const money = (value) => (typeof value === "number" ? `$${value.toFixed(value < 0.1 ? 4 : 2)}` : String(value));
