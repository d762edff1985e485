// The sound card's clock, and the metronome on it.

const CLICK = { strong: 1760, weak: 1175, seconds: 0.05, gain: 0.25 }; // pitches in hertz
const MOST_LATENCY = 1; // seconds; more is a clock that cannot be believed

// The moment of a context's clock that is heard now: what was reckoned later is still on its way to the ear.
export function heardMoment(context) {
  const now = context.currentTime;
  const stamp = context.getOutputTimestamp ? context.getOutputTimestamp() : null;
  if (!stamp || !stamp.performanceTime) return now - (context.outputLatency || context.baseLatency || 0);
  const moment = stamp.contextTime + (performance.now() - stamp.performanceTime) / 1000;
  return Math.min(Math.max(moment, now - MOST_LATENCY), now);
}

// Clicks at moments of the clock, which can be taken back.
export class Clicks {
  constructor(synth) {
    this.synth = synth;
    this.tones = new Set();
  }

  add(at, strong) {
    const { context, gain } = this.synth;
    const tone = new OscillatorNode(context, { frequency: strong ? CLICK.strong : CLICK.weak });
    const shape = new GainNode(context, { gain: CLICK.gain });
    shape.gain.setValueAtTime(CLICK.gain, at);
    shape.gain.exponentialRampToValueAtTime(0.001, at + CLICK.seconds);
    tone.connect(shape).connect(gain);
    tone.start(at);
    tone.stop(at + CLICK.seconds);
    this.tones.add(tone);
    tone.onended = () => this.tones.delete(tone);
  }

  stop() {
    for (const tone of this.tones) tone.stop();
    this.tones.clear();
  }
}
