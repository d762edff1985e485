// The synthesiser: an audio worklet with the machine's soundfont, to which MIDI messages are posted with their moment.
//
// A block is a set of channels, one a voice. What was posted ahead cannot be called back, so whoever jumps takes the
// next block and silences the last one: nothing of the old place is heard after the jump.

import { getBytes } from "./api.js";

const WORKLET = "/page/vendor/spessasynth/spessasynth_processor.min.js";
const CLOCK = "/page/js/player_worklet.js"; // keeps the worklet's time
const NAME = "spessasynth-worklet-processor";
const OUTPUTS = 17; // effects, and sixteen channels
const FIRST_CHANNELS = 16; // that the synthesiser has from the beginning
const BLOCKS = 6; // jumps in quick succession find a block that is silent
const AUDITION = 0; // the first channels are for single notes and passages
const AUDITION_CHANNELS = 8;
// The loudness of a block that ends, step by step: quick where the music jumps, so that nothing of the old place is
// heard; slow where another version goes on in its place and needs about as long to speak.
const FADES = { quick: [0.3, 0], slow: [0.85, 0.65, 0.45, 0.28, 0.15, 0.07, 0.02, 0] };
const FADE_STEP = 8; // milliseconds
export const MOST_VOICES = 60; // of a block; further voices share channels

export class Synth {
  constructor() {
    this.context = null;
    this.ready = null;
    this.size = 0;
    this.level = 1;
    this.font = null;
    this.channels = FIRST_CHANNELS;
    this.block = 0;
    this.drums = new Map();
    this.programs = new Map();
    this.seconds = {}; // how long each step of getting ready took, for measuring
  }

  // Fetch the soundfont and the worklet's file before a person asks for sound.
  fetchAhead() {
    this.font ||= getBytes("/api/soundfont");
    this.font.catch(() => { this.font = null; });
    fetch(WORKLET).then((answer) => answer.arrayBuffer()).catch(() => {});
    return this.font;
  }

  // Everything that sound needs; calling it again costs nothing.
  prepare() {
    this.ready ||= this.#prepare();
    this.ready.catch(() => { this.ready = null; });
    return this.ready;
  }

  async #prepare() {
    const begin = performance.now();
    const took = (what) => { this.seconds[what] = (performance.now() - begin) / 1000; };
    this.context ||= new AudioContext({ latencyHint: "interactive" });
    const { audioWorklet } = this.context;
    const modules = audioWorklet.addModule(CLOCK).then(() => audioWorklet.addModule(WORKLET));
    const [font] = await Promise.all([this.font || getBytes("/api/soundfont"), modules]);
    this.font = null; // it is handed over
    took("fetched");
    const node = new AudioWorkletNode(this.context, NAME, {
      numberOfOutputs: OUTPUTS,
      outputChannelCount: new Array(OUTPUTS).fill(2),
      processorOptions: { oneOutput: false, eventsEnabled: false },
    });
    this.node = node;
    this.gain ||= new GainNode(this.context, { gain: this.level });
    this.gain.connect(this.context.destination);
    for (let output = 0; output < OUTPUTS; output++) node.connect(this.gain, output);
    await this.#answer("sf3Decoder", null);
    took("worklet");
    await this.#answer("soundBankManager", () =>
      this.#post("soundBankManager", -1, { type: "addSoundBank", data: { soundBankBuffer: font, id: "main", bankOffset: 0 } }, [font]),
    );
    took("soundfont");
  }

  #answer(kind, ask) {
    return new Promise((resolve, reject) => {
      this.node.port.onmessage = ({ data }) => {
        if (data.type === "isFullyInitialized" && data.data.type === kind) resolve();
        if (data.type === "soundBankError") reject(new Error("this machine's soundfont cannot be read"));
      };
      this.node.onprocessorerror = () => reject(new Error("the synthesiser stopped"));
      if (ask) ask();
    });
  }

  #post(type, channelNumber, data, transfer = []) {
    this.node.port.postMessage({ type, channelNumber, data }, transfer);
  }

  setLevel(gain) {
    this.level = gain;
    this.gain?.gain.setTargetAtTime(gain, this.context.currentTime, 0.01);
  }

  // Make room for so many voices.
  seat(count) {
    this.size = Math.max(this.size, Math.min(MOST_VOICES, count));
    const needed = AUDITION_CHANNELS + BLOCKS * this.size;
    for (; this.channels < needed; this.channels++) this.#post("addNewChannel", 0, null);
  }

  // Wait until everything that was posted so far is done: what begins then is not held up by it.
  settled() {
    return this.#answer("synthesizerSnapshot", () => this.#post("requestSynthesizerSnapshot", -1, null));
  }

  channel(voice, block = this.block) {
    return AUDITION_CHANNELS + BLOCKS * (voice % MOST_VOICES) + block;
  }

  send(channel, status, a, b, time = 0) {
    const messageData = status === 0xc0 || status === 0xd0 ? new Uint8Array([status, a]) : new Uint8Array([status, a, b]);
    this.#post("midiMessage", -1, { messageData, channelOffset: channel, options: { time } });
  }

  // Let a channel be that of an instrument.
  dress(channel, program, drums) {
    if (this.drums.get(channel) !== drums) this.#post("setDrums", channel, drums);
    this.drums.set(channel, drums);
    this.send(channel, 0xb0, 121, 0);
    this.send(channel, 0xc0, program, 0);
  }

  // How loud a voice is, in every block or in one.
  loudness(voice, gain, block = null) {
    for (const one of block === null ? this.blocks() : [block]) this.#set(this.channel(voice, one), "gain", gain);
  }

  // Fade a block out and, when nothing can be left of what was posted ahead to it, end its notes.
  hush(block, ahead, fade = "quick") {
    const steps = FADES[fade];
    const all = (parameter, value) => {
      if (block === this.block) return; // it sounds again already
      for (let voice = 0; voice < this.size; voice++) this.#set(this.channel(voice, block), parameter, value);
    };
    all("gain", steps[0]);
    steps.slice(1).forEach((gain, step) => setTimeout(() => all("gain", gain), (step + 1) * FADE_STEP));
    setTimeout(() => all("isMuted", true), ahead * 1000);
  }

  // Go to the next block, silent and ready.
  turn() {
    this.block = (this.block + 1) % BLOCKS;
    for (let voice = 0; voice < this.size; voice++) {
      this.#set(this.channel(voice), "isMuted", true);
      this.#set(this.channel(voice), "isMuted", false);
    }
    return this.block;
  }

  #set(channel, parameter, value) {
    this.#post("setChannelSystemParameter", channel, { parameter, value });
  }

  blocks() { return Array.from({ length: BLOCKS }, (_, block) => block); }

  // One note on a channel of its own, now or at a moment.
  single(pitch, velocity, seconds, program, drums, slot = 0, at = 0) {
    const channel = AUDITION + (slot % AUDITION_CHANNELS);
    const kind = `${program} ${drums}`;
    if (this.programs.get(channel) !== kind) this.dress(channel, program, drums);
    this.programs.set(channel, kind);
    const start = Math.max(at, this.context.currentTime);
    this.send(channel, 0x90, pitch, velocity, start);
    this.send(channel, 0x80, pitch, 0, start + seconds);
  }
}
