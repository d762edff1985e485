// The head of the page: what is open (title, key, meter, tempo, version), undo, theme and help.

import { colours, forgetColours, isDark } from "./colours.js";
import { ask } from "./dialog.js";
import { isWriting, operate, undo } from "./edit.js";
import { showKeys } from "./help.js";
import { make, sign, SIGNS, signButton } from "./make.js";
import { on, store } from "./store.js";

const MARK = "M2 3.2C4.2 2 6.4 2 8 3.4 9.6 2 11.800 2 14 3.200v9.600c-2.200-1-4.400-1-6 .4-1.600-1.400-3.800-1.400-6-.4zM8 3.400v9.800M10.400 6.200v3.600M5.600 6.200v2.600";

export function mount(place) {
  const mark = sign(MARK);
  mark.setAttribute("class", "mark");
  const title = document.getElementById("title");
  const facts = make("div", { id: "facts", text: "a studio for written music" });
  place.replaceChildren(mark, make("div", { class: "naming" }, title, facts));
  const corner = document.getElementById("corner");
  const back = signButton(SIGNS.undo, "Undo (Ctrl-Z)", () => undo(), "quiet");
  const again = signButton(SIGNS.redo, "Redo (Ctrl-Shift-Z)", () => undo(true), "quiet");
  corner.prepend(back, again);
  corner.append(
    signButton(SIGNS.theme, "Light or dark", changeTheme, "quiet"),
    signButton(SIGNS.help, "Keys (?)", showKeys, "quiet"),
  );
  const show = () => {
    const piece = store.piece;
    const now = piece?.history;
    back.disabled = !piece || isWriting() || (now ? !now.undo?.length : false);
    again.disabled = !piece || isWriting() || !now?.redo?.length;
    if (!piece) return;
    const name = make("button", { type: "button", title: "Change title, key and tempo", text: piece.title || piece.name, on: { click: rename } });
    title.replaceChildren(name);
    facts.textContent = [piece.key, piece.meter, `${Math.round(piece.tempo)} bpm`, `${piece.bars.length} bars`, `v${piece.version}`].join(" · ");
    facts.title = facts.textContent;
  };
  on("piece", show);
  on("writing", show);
  show();
}

async function rename() {
  const { title, tempo, key } = store.piece;
  const said = await ask("This piece", [
    { name: "title", label: "Title", value: title },
    { name: "key", label: "Key, as it is written", value: key, maxlength: 40 },
    { name: "tempo", label: "Tempo (quarters a minute)", type: "number", value: tempo, min: 10, max: 400, step: "any" },
  ], "Change");
  if (!said) return;
  const ops = [];
  if (said.title !== title) ops.push({ op: "title", title: said.title });
  if (said.key.trim() && said.key.trim() !== key) ops.push({ op: "key", key: said.key.trim() });
  if (Number(said.tempo) && Number(said.tempo) !== tempo) ops.push({ op: "tempo", bpm: Number(said.tempo) });
  if (ops.length) operate(ops);
}

function changeTheme() {
  const next = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem("libretto.theme", next);
  } catch {
    // the theme is then chosen anew at the next visit
  }
  forgetColours();
  colours();
}
