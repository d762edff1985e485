// The page's own trace: how long frames took while something moved, and how long each painting took.
//
// window.libretto.trace() gives { frames, paints, fps, mean, p95, worst } of the last frames, in milliseconds.
// window.libretto.exercise(seconds) scrolls the roll through the piece with the cursor running, then gives the same.

const KEPT = 1200; // frames that are remembered: twenty seconds
const frames = [];
const paints = [];
let last = 0;
let mover = null;

// Note a frame of something that moves; gaps between two movements are not frames.
export function frame(now) {
  if (last && now > last && now - last < 1000) push(frames, now - last);
  last = now;
}

export function rest() {
  last = 0;
}

export function painted(milliseconds) {
  push(paints, milliseconds);
}

function push(list, value) {
  list.push(value);
  if (list.length > KEPT) list.shift();
}

function quantile(values, share) {
  const ordered = [...values].sort((a, b) => a - b);
  return ordered.length ? ordered[Math.min(ordered.length - 1, Math.floor(share * ordered.length))] : 0;
}

export function trace() {
  const mean = frames.reduce((sum, value) => sum + value, 0) / (frames.length || 1);
  return {
    frames: [...frames],
    paints: [...paints],
    fps: mean ? 1000 / mean : 0,
    mean,
    p95: quantile(frames, 0.95),
    worst: quantile(frames, 1),
    paint95: quantile(paints, 0.95),
  };
}

export function clearTrace() {
  frames.length = 0;
  paints.length = 0;
  last = 0;
}

// How the roll is moved through the piece: a function of the seconds that passed, and whether it is over.
export function movesBy(step) {
  mover = step;
}

function exercise(seconds = 3) {
  clearTrace();
  return new Promise((resolve) => {
    const start = performance.now();
    const go = (now) => {
      frame(now);
      const past = Math.max(0, (now - start) / 1000);
      mover?.(past, past >= seconds);
      if (past < seconds) requestAnimationFrame(go);
      else {
        rest();
        resolve(trace());
      }
    };
    requestAnimationFrame(go);
  });
}

export function startTrace() {
  window.libretto = Object.assign(window.libretto || {}, { trace, clearTrace, exercise });
}
