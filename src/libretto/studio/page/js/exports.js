// Taking the music out: every kind of file; what takes long is made as a job first.

import { button, make } from "./elements.js";
import { perform } from "./jobs.js";
import { refuse, say } from "./messages.js";
import { on, store } from "./store.js";

const KINDS = [
  ["Notes", [["mid", "MIDI"], ["musicxml", "MusicXML"], ["abc", "ABC"], ["libretto", "Libretto text"]]],
  ["Paper", [["pdf", "PDF"], ["png", "Picture"], ["parts.zip", "Parts"]]],
  ["Sound", [["mp3", "MP3"], ["wav", "WAV"], ["stems.zip", "Stems"]]],
  ["All of it", [["page.html", "Page to share"], ["run.zip", "The run"]]],
];
const QUICK = new Set(["mid", "musicxml", "abc", "libretto"]);

export function mount(element) {
  const rows = KINDS.map(([name, kinds]) =>
    make("div.exports", {}, make("h3", {}, name), make("div.row", {}, ...kinds.map(([kind, label]) => button(label, (event) => take(kind, label, event.currentTarget), ".small")))));
  element.append(make("h2", {}, "Export"), ...rows);
  const show = () => element.querySelectorAll("button").forEach((one) => { one.disabled = !store.piece; });
  on("piece", show);
  show();
}

async function take(kind, label, pressed) {
  const { name, version } = store.piece;
  pressed.disabled = true;
  try {
    if (QUICK.has(kind)) download(`/api/pieces/${encodeURIComponent(name)}@${version}/export/${kind}`);
    else download(`/api/files/${(await perform("export", { piece: `${name}@${version}`, kind })).file}`);
    say(`${label} of ${store.piece?.title || name} is in your downloads.`, "good");
  } catch (error) {
    refuse(error);
  } finally {
    pressed.disabled = false;
  }
}

function download(address) {
  const link = make("a", { href: address, download: "", hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
}
