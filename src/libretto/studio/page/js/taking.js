// One go at a drill: clicks that count in, the cursor that runs along, and the notes that were played.

import { player } from "./player.js";
import { Clicks } from "./player_clock.js";
import { change, store } from "./store.js";

const AHEAD = 0.1; // seconds before the first click
const AFTER = 1.0; // seconds that a late last note may take

// What was played, between going down and coming up: [seconds, pitch, seconds long, velocity].
export class Notes {
  constructor() {
    this.rows = [];
    this.open = new Map();
  }

  played(isOn, pitch, velocity, milliseconds) {
    const before = this.open.get(pitch);
    if (before) {
      this.rows.push([before.at / 1000, pitch, Math.max(0.02, (milliseconds - before.at) / 1000), before.velocity]);
      this.open.delete(pitch);
    }
    if (isOn) this.open.set(pitch, { at: milliseconds, velocity });
  }

  // All notes, seconds counted from the first.
  finished(milliseconds) {
    for (const pitch of [...this.open.keys()]) this.played(false, pitch, 0, milliseconds);
    const rows = [...this.rows].sort((one, two) => one[0] - two[0] || one[1] - two[1]);
    const start = rows.length ? rows[0][0] : 0;
    return rows.map(([at, pitch, long, velocity]) => [round(at - start), pitch, round(long), velocity]);
  }
}

const round = (seconds) => Math.round(seconds * 1000) / 1000;

// Where every beat of a piece lies, in seconds from its beginning at its own tempo: [seconds, whether it begins a bar].
export function beatsOf(piece) {
  const beats = [];
  const ends = [...piece.bars.slice(1).map((bar) => bar.tick), piece.end];
  piece.bars.forEach((bar, index) => {
    const long = ends[index] - bar.tick;
    const { beat, whole } = counting(bar.meter, piece.quarter);
    const early = index === 0 && long < whole ? long % beat : 0; // a pickup counts from its end
    for (let tick = bar.tick + early; tick < ends[index]; tick += beat) {
      beats.push([secondsAt(piece, tick), tick === bar.tick && long >= whole]);
    }
  });
  return beats;
}

// How a meter is counted, in ticks: the beat (dotted in 6/8, 9/8 and 12/8) and the whole bar.
function counting(meter, quarter) {
  const [over, under] = String(meter).split("/").map(Number);
  if (!over || !under) return { beat: quarter, whole: 4 * quarter };
  const dotted = under >= 8 && over > 3 && over % 3 === 0;
  return { beat: ((4 * quarter) / under) * (dotted ? 3 : 1), whole: (over * 4 * quarter) / under };
}

// How many beats are counted before the first bar: a bar of them, less what a pickup plays of it.
function countIn(piece) {
  const { beat, whole } = counting(piece.bars[0].meter, piece.quarter);
  const long = (piece.bars[1]?.tick ?? piece.end) - piece.bars[0].tick;
  const left = Math.round((whole - (long < whole ? long : 0)) / beat);
  return left >= 2 ? left : left + Math.round(whole / beat);
}

export function secondsAt(piece, tick) {
  const { clock } = piece;
  let index = 1;
  while (index < clock.length - 1 && clock[index][0] < tick) index += 1;
  const [[t0, s0], [t1, s1]] = [clock[index - 1], clock[index]];
  return s0 + ((tick - t0) / Math.max(1, t1 - t0)) * (s1 - s0);
}

function tickAt(piece, seconds) {
  const { clock } = piece;
  let index = 1;
  while (index < clock.length - 1 && clock[index][1] < seconds) index += 1;
  const [[t0, s0], [t1, s1]] = [clock[index - 1], clock[index]];
  return Math.round(t0 + ((seconds - s0) / Math.max(1e-6, s1 - s0)) * (t1 - t0));
}

// Clicks of the count and, where wanted, of every beat; none where there is no sound.
async function startClicks(count, beat, beats, speed) {
  try {
    await player.prepare();
    await player.synth.context.resume();
  } catch {
    return null;
  }
  const clicks = new Clicks(player.synth);
  const first = player.synth.context.currentTime + AHEAD + count * beat;
  for (let index = 0; index < count; index += 1) clicks.add(first - (count - index) * beat, index === 0);
  for (const [at, strong] of beats) clicks.add(first + at / speed, strong);
  return clicks;
}

// Count in and run along a piece. speed: 1 as written. counted(text) says what is to be seen; over() when it is done.
// Resolves when the count begins, with { stop() }.
export async function runAlong(piece, { speed = 1, clicks = true, counted = () => {}, over = () => {} } = {}) {
  const count = countIn(piece);
  const long = secondsAt(piece, piece.end);
  const beat = secondsAt(piece, counting(piece.bars[0].meter, piece.quarter).beat) / speed;
  const ticking = await startClicks(count, beat, clicks ? beatsOf(piece) : [], speed);
  const begin = performance.now() + 1000 * (AHEAD + count * beat);
  let running = true;
  let shown = "";
  const tell = (text) => {
    if (text !== shown) counted((shown = text));
  };
  const step = () => {
    if (!running) return;
    const seconds = ((performance.now() - begin) / 1000) * speed;
    if (seconds < 0) {
      tell(`${count - Math.ceil(-seconds / (beat * speed)) + 1}`);
    } else if (seconds <= long) {
      const tick = Math.min(piece.end, tickAt(piece, seconds));
      change({ tick });
      let index = piece.bars.length - 1;
      while (index > 0 && piece.bars[index].tick > tick) index -= 1;
      tell(`bar ${piece.bars[index].number}`);
    } else if (seconds > long + AFTER * speed) {
      running = false;
      over();
      return;
    }
    requestAnimationFrame(step);
  };
  step();
  return {
    stop: () => {
      running = false;
      ticking?.stop();
      if (store.piece === piece) change({ tick: 0 });
    },
  };
}
