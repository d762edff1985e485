// Elements as the sounding parts of the page write them: classes in the tag, listeners among the attributes, icons.

import { make as plain } from "./make.js";

const SVG = "http://www.w3.org/2000/svg";
// Icons on a square of 16: the path of each.
const ICONS = {
  play: "M4 2.5v11l9-5.5z",
  pause: "M4 2.5h3v11H4zM9.5 2.5h3v11h-3z",
  stop: "M3.5 3.5h9v9h-9z",
  loop: "M4 5h7.2L9.6 3.4 11 2l4 4-4 4-1.4-1.4L11.2 7H4v3H2V7a2 2 0 0 1 2-2zm8 6H4.8l1.6 1.6L5 14l-4-4 4-4z",
  click: "M6 1h4l3 14H3zm1.2 2L5 13h6L8.8 3zM8 9l4.5-5.5 1 .8L9 10z",
  sound: "M2 6v4h2.5L8 13.5v-11L4.5 6zm8-.8a4 4 0 0 1 0 5.6l-1-1a2.6 2.6 0 0 0 0-3.6zm2-2a6.800 6.800 0 0 1 0 9.600l-1-1a5.400 5.400 0 0 0 0-7.600z",
  start: "M3 3h2v10H3zM13 3v10L6 8z",
  close: "M3.400 2 8 6.600 12.600 2 14 3.400 9.400 8l4.600 4.600-1.400 1.400L8 9.400 3.400 14 2 12.600 6.600 8 2 3.400z",
  again: "M8 2a6 6 0 1 0 5.700 8h-2.200A4 4 0 1 1 8 4c1.100 0 2.100.450 2.800 1.200L8.500 7.500H14V2l-1.800 1.800A6 6 0 0 0 8 2z",
  keep: "M6.200 12.600 2 8.400l1.400-1.400 2.800 2.800 6.400-6.400L14 4.800z",
};

/**
 * An element with attributes and children.
 * @param {string} tag e.g. "button.button.small": a tag with classes
 * @param {object} attributes "on..." are listeners; true and false set and leave out; the rest are attributes
 * @param {...(Node|string|null)} children text or elements
 */
export function make(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const [on, rest] = [{}, classes.length ? { class: classes.join(" ") } : {}];
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) on[key.slice(2)] = value;
    else rest[key] = value;
  }
  const made = plain(name, { ...rest, on }, ...children.flat().filter((child) => child !== false));
  if ("value" in rest && name === "textarea") made.value = rest.value; // its attribute means nothing there
  return made;
}

export function icon(name) {
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", "0 0 16 16");
  picture.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  path.setAttribute("fill", "currentColor");
  picture.append(path);
  return picture;
}

// A button with an icon whose name is said and shown as a hint.
export function iconButton(name, label, press, classes = "") {
  return make(`button.button.icon${classes}`, { type: "button", "aria-label": label, title: label, onclick: press }, icon(name));
}

export function button(text, press, classes = "") {
  return make(`button.button${classes}`, { type: "button", onclick: press }, text);
}

// "12 minutes ago", from an ISO time.
export function ago(time) {
  const seconds = (Date.now() - Date.parse(time)) / 1000;
  if (!Number.isFinite(seconds)) return String(time || "");
  if (seconds < 45) return "just now";
  const [count, unit] = [[60, "minute"], [3600, "hour"], [86400, "day"]].reduce(
    (best, [size, name]) => (seconds >= size * 0.75 ? [Math.max(1, Math.round(seconds / size)), name] : best), [1, "minute"]);
  if (unit === "day" && count > 14) return new Date(time).toLocaleDateString();
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}

export function minutes(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
