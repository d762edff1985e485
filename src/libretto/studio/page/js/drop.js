// Files: dropped anywhere on the page or chosen, read by the server, opened as a piece.

import { openPiece, refresh } from "./app.js";
import { post } from "./api.js";
import { make } from "./elements.js";
import { busy } from "./jobs.js";
import { refuse, say } from "./messages.js";

const KINDS = ".mid,.midi,.musicxml,.xml,.mxl,.abc,.libretto,.txt";
const MOST_BYTES = 40_000_000;
const MOST_FILES = 20;
let veil = null;

export function mount() {
  veil = make("div.veil", { hidden: true, "aria-hidden": "true" }, make("p", {}, "Drop to open: MIDI, MusicXML, ABC or Libretto text"));
  document.body.append(veil);
  let depth = 0;
  const files = (event) => event.dataTransfer && [...event.dataTransfer.types].includes("Files");
  addEventListener("dragenter", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    depth++;
    veil.hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (!files(event)) return;
    depth = Math.max(0, depth - 1);
    veil.hidden = depth === 0;
  });
  addEventListener("dragover", (event) => {
    if (files(event)) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    depth = 0;
    veil.hidden = true;
    bring([...event.dataTransfer.files]);
  });
}

export function chooseFiles() {
  const input = make("input", { type: "file", multiple: true, accept: KINDS, hidden: true, onchange: () => { bring([...input.files]); input.remove(); } });
  document.body.append(input);
  input.click();
}

// Read files into the workspace, one after the other, and open the last that could be read.
export async function bring(files) {
  let last = null;
  for (const file of files.slice(0, MOST_FILES)) {
    if (file.size > MOST_BYTES) {
      say(`${file.name} is larger than 40 MB and was not opened.`, "bad");
      continue;
    }
    try {
      last = await busy(`Opening ${file.name}`, post(`/api/pieces?name=${encodeURIComponent(file.name)}`, file));
      tellLost(file.name, last.lost || []);
    } catch (error) {
      refuse(error);
    }
  }
  if (!last) return;
  try {
    await refresh();
    await openPiece(last.piece);
  } catch (error) {
    refuse(error);
  }
}

function tellLost(name, lost) {
  if (!lost.length) say(`${name} is open; nothing was lost in reading it.`, "good");
  else say(`${name} is open. Not taken over:`, "plain", { details: lost.slice(0, 6).concat(lost.length > 6 ? [`and ${lost.length - 6} more`] : []), stays: true });
}
