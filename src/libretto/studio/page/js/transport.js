// The transport: play and pause, stop, loop the selection, tempo, metronome, volume, and where the music is.

import { icon, iconButton, make, minutes } from "./elements.js";
import { refuse } from "./messages.js";
import { player } from "./player.js";
import { PlayMap } from "./player_map.js";
import { change, on, store } from "./store.js";

const TEMPI = [0.25, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2];
const KEPT = "libretto.sound";
const kept = readKept();
let parts = null;
let map = null;

function readKept() {
  try {
    return { volume: 0.8, click: false, ...JSON.parse(localStorage.getItem(KEPT) || "{}") };
  } catch {
    return { volume: 0.8, click: false };
  }
}

function keep(values) {
  Object.assign(kept, values);
  try {
    localStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // a browser that keeps nothing forgets the volume, no more
  }
}

export function mount(element) {
  const play = iconButton("play", "Play (Space)", toggle, ".primary.play");
  const stop = iconButton("stop", "Stop", () => player.stop());
  const start = iconButton("start", "To the beginning (Home)", () => player.seek(player.looping ? player.looping[0] : 0));
  const loop = iconButton("loop", "Loop the selection (L)", () => setLoop(!player.looping));
  const click = iconButton("click", "Metronome (M)", () => setClick(!player.clicking));
  const tempo = make("select.tempo", { "aria-label": "Tempo", title: "Tempo", onchange: () => player.tempo(Number(tempo.value)) },
    ...TEMPI.map((factor) => make("option", { value: factor, selected: factor === 1 }, `${Math.round(factor * 100)}%`)));
  const volume = make("input", { type: "range", min: 0, max: 1, step: 0.01, value: kept.volume, "aria-label": "Volume", title: "Volume", oninput: () => setVolume(Number(volume.value)) });
  const place = make("output.place.numbers", { "aria-live": "off" }, "–");
  const level = make("label.volume", {}, icon("sound"), volume);
  for (const one of [loop, click]) one.setAttribute("aria-pressed", "false");
  element.append(start, play, stop, loop, click, place, tempo, level);
  parts = { play, loop, click, place, tempo };
  on("piece", load);
  on("playing", showPlaying);
  on("looping", () => loop.setAttribute("aria-pressed", String(Boolean(player.looping))));
  on("selection", followSelection);
  on("tick", showPlace);
  setVolume(kept.volume);
  setClick(kept.click);
  document.addEventListener("keydown", keys);
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => player.prepare().catch(() => {}), { once: true, capture: true });
  const later = window.requestIdleCallback || ((then) => setTimeout(then, 300));
  later(() => player.fetchAhead());
  if (store.piece) load();
}

// Play, or say why there is no sound.
export async function toggle() {
  try {
    parts.play.classList.add("waiting");
    if (!player.loaded && store.piece) await load();
    await player.toggle();
  } catch (error) {
    refuse(error);
  } finally {
    parts.play.classList.remove("waiting");
  }
}

// The way to a version's or a take's performance.
export const performanceOf = (piece) =>
  piece.take ? `/api/takes/${piece.take.id}/performance.mid` : `/api/pieces/${encodeURIComponent(piece.name)}@${piece.version}/performance.mid`;

let named = null;

async function load() {
  const piece = store.piece;
  if (!piece) return;
  map = PlayMap.of(piece);
  if (named !== piece.name) {
    player.stop();
    player.unload("b");
    player.loop(null);
    player.seek(0);
  }
  named = piece.name;
  showPlace();
  try {
    await player.load(performanceOf(piece), piece, "a");
  } catch (error) {
    refuse(error);
  }
}

function selectedTicks() {
  const { piece, selection } = store;
  if (!piece) return null;
  const first = selection ? piece.bars[selection.first]?.tick ?? 0 : 0;
  const last = selection ? piece.bars[selection.last + 1]?.tick ?? piece.end : piece.end;
  return [first, last];
}

export function setLoop(whether) {
  const ticks = whether ? selectedTicks() : null;
  if (ticks) player.loop(...ticks);
  else player.loop(null);
}

function followSelection() {
  if (player.looping) setLoop(true);
}

export function setClick(whether) {
  player.metronome(whether);
  keep({ click: whether });
  parts.click.setAttribute("aria-pressed", String(whether));
}

function setVolume(value) {
  player.volume(value);
  keep({ volume: value });
}

function showPlaying() {
  const { play } = parts;
  const label = store.playing ? "Pause (Space)" : "Play (Space)";
  play.replaceChildren(icon(store.playing ? "pause" : "play"));
  play.setAttribute("aria-label", label);
  play.title = label;
  if (store.playing) requestAnimationFrame(frame);
}

let shownAt = -1;

// While it plays, the place follows what is heard; the roll and the score ask the player themselves.
function frame(moment) {
  if (!store.playing) return;
  if (moment - shownAt > 60) {
    shownAt = moment;
    change({ tick: player.tick() });
  }
  requestAnimationFrame(frame);
}

function showPlace() {
  const { piece } = store;
  if (!piece || !map || !piece.bars.length) return;
  let low = 0;
  let high = piece.bars.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (piece.bars[middle].tick <= store.tick) low = middle;
    else high = middle - 1;
  }
  const bar = piece.bars[low];
  const unit = Number(String(bar.meter).split("/")[1]) || 4;
  const beat = Math.floor(((store.tick - bar.tick) / piece.quarter) * (unit / 4)) + 1;
  const seconds = map.second(store.tick, store.playing ? player.second() - 0.5 : 0);
  parts.place.textContent = `${bar.number}.${beat}  ${minutes(seconds)} / ${minutes(map.end)}`;
  parts.place.title = "Bar and beat, and time";
}

const typing = (target) => target.closest?.("input:not([type=range]):not([type=checkbox]), textarea, select, [contenteditable], dialog");

function keys(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  if (event.target.closest?.("button, [role=tab], a, summary") && (event.key === " " || event.key === "Enter")) return;
  const act = { " ": toggle, l: () => setLoop(!player.looping), m: () => setClick(!player.clicking) }[event.key];
  if (!act || (event.target.closest?.("#lessons") && event.key !== " ")) return;
  event.preventDefault();
  act();
}
