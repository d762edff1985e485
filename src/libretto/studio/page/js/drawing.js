// Drawings, fields with labels, and what else the panels are put together from; text is always text, never markup.

import { make } from "./elements.js";

const SVG = "http://www.w3.org/2000/svg";

// An element of a drawing, with attributes and children.
export function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.flat().filter(Boolean));
  return element;
}

// Put these children in place of what an element holds.
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
}

let made = 0;

// A field with its label above it.
export function field(label, control) {
  if (!control.id) control.id = `field-${(made += 1)}`;
  return make("div", { class: "field" }, make("label", { for: control.id }, label), control);
}

// Call once things have been quiet for so many milliseconds.
export function quietly(milliseconds, action) {
  let waiting = null;
  return (...given) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => action(...given), milliseconds);
  };
}
