// Messages: what was done, what was refused and what can be done about it.

import { iconButton, make } from "./elements.js";

const SHOWN = 6000; // milliseconds for what needs no answer
const MOST = 4; // at once
let home = null;
const waiting = [];

export function mount(element) {
  home = element;
  while (waiting.length) show(...waiting.shift());
}

/**
 * Say something in the corner.
 * @param {string} text
 * @param {"good"|"bad"|"plain"} kind what is bad stays until it is closed
 * @param {{actions?: [string, Function][], stays?: boolean, key?: string, details?: string[]}} options
 *   buttons with what they do; whether it stays; of one key only the last is shown; further lines
 * @returns {Function} that takes the message away
 */
export function say(text, kind = "plain", options = {}) {
  const message = make(`div.message.${kind}`, options.key ? { "data-key": options.key } : {});
  const gone = () => message.remove();
  show(message, text, kind, options, gone);
  return gone;
}

function show(message, text, kind, options, gone) {
  if (!home) {
    waiting.push([message, text, kind, options, gone]);
    return;
  }
  const line = make("div.row", {}, make("span.grow", {}, String(text)), iconButton("close", "Close this message", gone, ".quiet.small"));
  message.append(line);
  if (options.details?.length) message.append(make("ul", {}, ...options.details.map((one) => make("li", {}, one))));
  if (options.actions?.length) {
    const buttons = options.actions.map(([name, press], index) =>
      make(`button.button.small${index ? "" : ".primary"}`, { type: "button", onclick: () => { gone(); press(); } }, name));
    message.append(make("div.row.ends", {}, ...buttons));
  }
  if (options.key) home.querySelectorAll(`[data-key="${CSS.escape(options.key)}"]`).forEach((old) => old.remove());
  home.append(message);
  while (home.children.length > MOST) home.firstChild.remove();
  if (!options.stays && !options.actions?.length && kind !== "bad") setTimeout(gone, SHOWN);
}

// Show an error as a line; a refusal of a stale write with what was made elsewhere.
export function refuse(error) {
  const data = error?.data || {};
  if (data.stale) return import("./watch.js").then((part) => part.showStale(data));
  if (data.state === "cancelled") return say("Cancelled.", "plain", { key: "cancelled" });
  if (data.state === "interrupted") return null; // said where the jobs are, with a way to begin again
  const details = (data.problems || []).slice(0, 5).map((problem) =>
    problem.line ? `line ${problem.line}: ${problem.message || problem.text || ""}` : String(problem.message || problem.text || problem));
  if (!(error && "data" in error)) console.error(error);
  return say(error?.message || "This could not be done.", "bad", { details, key: error?.message });
}
