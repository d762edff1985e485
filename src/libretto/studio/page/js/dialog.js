// A question in a dialog: fields by name, an answer as an object, or null where it was closed.

import { button, make } from "./make.js";

function field({ name, label, type = "text", value = "", options, ...rest }) {
  const control = options
    ? make("select", { name, ...rest }, ...options.map(([set, text]) => make("option", { value: String(set), text, selected: String(set) === String(value) })))
    : type === "lines"
      ? make("textarea", { name, rows: "3", ...rest })
      : make("input", { name, type, ...attributes(rest) });
  if (!options) control.value = value;
  if (rest.required) control.required = true;
  return make("label", { class: "field" }, label, control);
}

const attributes = (rest) => Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, value === true ? value : String(value)]));

export function ask(title, fields, action = "Do it", note = "") {
  return new Promise((resolve) => {
    const cancel = button("Cancel", "", () => dialog.close(), "quiet");
    const form = make("form", { method: "dialog" }, make("h2", { text: title }), note ? make("p", { class: "soft", text: note }) : null,
      ...fields.map(field),
      make("div", { class: "ends" }, cancel, make("button", { class: "button primary", text: action, type: "submit" })));
    const dialog = make("dialog", { class: "dialog", "aria-label": title }, form);
    let answer = null;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      answer = Object.fromEntries(new FormData(form));
      dialog.close();
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(answer);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
