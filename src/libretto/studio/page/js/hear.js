// Bars by their printed numbers: shown in the roll, and played once from the first to the last.

import { player } from "./player.js";
import { select, show } from "./roll.js";
import { store } from "./store.js";
import { showSide } from "./views.js";

const LOOK = 15; // milliseconds between two looks at where the music is
const LONGEST = 10_000; // milliseconds that a performance may take to load
let turn = 0;

// On a phone the music is seen in a pane of its own.
export function seeMusic() {
  if (matchMedia("(max-width: 699px)").matches) showSide("stage");
}

// What bars a finding, a song or a mark names, as a list of printed numbers in order: [[3, 5]] or [3, 4, 5].
export function barNumbers(bars) {
  const numbers = [];
  for (const bar of bars || []) {
    if (Array.isArray(bar)) for (let number = bar[0]; number <= bar[bar.length - 1]; number += 1) numbers.push(number);
    else numbers.push(bar);
  }
  return [...new Set(numbers)].sort((one, two) => one - two);
}

// Bars as one reads them: "bar 3", "bars 3-5, 9".
export function barWords(bars) {
  const numbers = barNumbers(bars);
  if (!numbers.length) return "the whole piece";
  const runs = [];
  for (const number of numbers) {
    const last = runs[runs.length - 1];
    if (last && number === last[1] + 1) last[1] = number;
    else runs.push([number, number]);
  }
  const words = runs.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(", ");
  return `${numbers.length === 1 ? "bar" : "bars"} ${words}`;
}

// The ticks where bars of the open piece begin and end: the first run of neighbours among them.
export function barTicks(bars) {
  const { piece } = store;
  if (!piece) return null;
  const places = new Map(piece.bars.map((bar, index) => [bar.number, index]));
  const indices = barNumbers(bars).filter((number) => places.has(number)).map((number) => places.get(number));
  if (!indices.length) return [0, piece.end];
  let last = indices[0];
  while (indices.includes(last + 1)) last += 1;
  return [piece.bars[indices[0]].tick, last + 1 < piece.bars.length ? piece.bars[last + 1].tick : piece.end];
}

// The printed number of the bar at a tick.
const barAt = (tick) => store.piece.bars.reduce((number, bar) => (bar.tick <= tick ? bar.number : number), store.piece.bars[0].number);

// Select bars of the open piece and bring them into sight; where they begin and end.
export function showBars(bars, voices = []) {
  const ticks = barTicks(bars);
  if (!ticks) return null;
  const [first, last] = [barAt(ticks[0]), barAt(ticks[1] - 1)];
  seeMusic();
  if (barNumbers(bars).length) select({ first, last, voices });
  show([first, last]);
  return ticks;
}

// Show bars of the open piece and play them once; whoever goes elsewhere meanwhile is left alone.
export async function hearBars(bars, voices = []) {
  const ticks = showBars(bars, voices);
  if (!ticks) return;
  await player.play(ticks[0]);
  const mine = (turn += 1);
  let last = null; // the latest place heard within the bars
  const watch = () => {
    if (mine !== turn || !store.playing) return;
    const tick = player.tick();
    const within = tick >= ticks[0] && tick < ticks[1];
    if (within) last = tick;
    if (within || last === null) {
      setTimeout(watch, LOOK);
    } else if (tick >= ticks[1] || ticks[1] - last < store.piece.quarter) {
      player.pause(); // over the end, or back by a repeat from close to it
    }
  };
  watch();
}

// Play the piece that was just opened as soon as it can be heard.
export async function hearFromStart() {
  const { piece } = store;
  for (let waited = 0; waited < LONGEST && !isLoaded(piece); waited += LOOK) await pause(LOOK);
  if (store.piece === piece) await player.play(0);
}

const isLoaded = (piece) => (player.loaded || "").includes(`/${encodeURIComponent(piece.name)}@${piece.version}/`);
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
