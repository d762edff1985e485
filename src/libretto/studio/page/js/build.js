// Elements from data: what comes from files, people or the server becomes text, never markup.

// An element with attributes (a function listens: onclick becomes "click"; true is a bare attribute; null is left out)
// and with children (elements or text; null is left out).
export function build(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else if (name === "value" || name === "checked" || name === "disabled") element[name] = value;
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

// The same for a drawing.
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
  return build("div", { class: "field" }, build("label", { for: control.id }, label), control);
}

// Call once things have been quiet for so many milliseconds.
export function quietly(milliseconds, action) {
  let waiting = null;
  return (...given) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => action(...given), milliseconds);
  };
}
