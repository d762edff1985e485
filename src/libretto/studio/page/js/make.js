// Elements made from data: text is always text, never markup.

// make("button", { class: "button", text: "Play", on: { click } }, child, ...); other keys are attributes or properties.
export function make(tag, options = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (name === "class") made.className = value;
    else if (name === "text") made.textContent = value;
    else if (name === "on") for (const [event, call] of Object.entries(value)) made.addEventListener(event, call);
    else if (name === "style") for (const [rule, set] of Object.entries(value)) made.style.setProperty(rule, set);
    else if (name in made && typeof value !== "string") made[name] = value;
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export function button(text, title, click, kind = "") {
  return make("button", { class: `button ${kind}`.trim(), type: "button", text, title: title || null, on: { click } });
}

// A button with a drawn sign; what it does is said to those who do not see it.
export function signButton(path, name, click, kind = "") {
  const svg = sign(path);
  const made = make("button", { class: `button icon ${kind}`.trim(), type: "button", title: name, "aria-label": name, on: { click } });
  made.append(svg);
  return made;
}

export function sign(path) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  for (const [name, value] of Object.entries({ d: path, fill: "none", stroke: "currentColor", "stroke-width": "1.5", "stroke-linecap": "round", "stroke-linejoin": "round" })) line.setAttribute(name, value);
  svg.append(line);
  return svg;
}

export const SIGNS = {
  left: "M2 3h12v10H2zM6 3v10",
  right: "M2 3h12v10H2zM10 3v10",
  theme: "M8 2a6 6 0 1 0 6 6 4.6 4.6 0 0 1-6-6z",
  help: "M5.5 6a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M8 12.9v.1",
  undo: "M6 3 3 6l3 3M3 6h6.5a3.5 3.5 0 0 1 0 7H7",
  redo: "M10 3l3 3-3 3M13 6H6.5a3.5 3.5 0 0 0 0 7H9",
  less: "M3 8h10",
  more: "M3 8h10M8 3v10",
  fit: "M2 5V2h3M11 2h3v3M14 11v3h-3M5 14H2v-3",
  pencil: "M3 13l.6-2.8L11 2.8 13.2 5 5.8 12.4z",
  close: "M4 4l8 8M12 4l-8 8",
  dots: "M3.5 8h.01M8 8h.01M12.5 8h.01",
};
