// Playing: a sequencer over the synthesiser, which knows at every moment which tick of the page is heard.
//
// A side is a performance with the map of its page; there are two, "a" and "b", so that two versions can be heard in
// turn at the same place. Messages are posted a little ahead, each with its moment on the clock of the sound card.
// Where the music is, is kept as anchors { at: moment of that clock, second: of the performance, side, rate }: every
// start, jump, loop, change of tempo and change of side adds one.

import { getBytes } from "./api.js";
import { Clicks, heardMoment } from "./player_clock.js";
import { readMidi } from "./player_midi.js";
import { firstFrom, PlayMap } from "./player_map.js";
import { Synth } from "./player_synth.js";
import { change, on, store } from "./store.js";

const AHEAD = 0.5; // seconds that are posted ahead: for so long the page may be held up
const AHEAD_HIDDEN = 1.5; // where the browser lets timers of a hidden page run once a second
const STEP = 30; // milliseconds between two looks
const LEAD = 0.03; // seconds between asking for a jump and its sound
const START = 0.1; // the same where nothing sounded yet: a first note that comes late would be ahead of its cursor
const TAIL = 0.5; // seconds after the last message until playing ends
const AUDITION_SECONDS = 0.4;
const PATIENCE = 4000; // milliseconds for the sound card to wake up
const ASLEEP = "The browser lets no sound begin by itself: press Play.";

const synth = new Synth();
const clicks = new Clicks(synth);
const sides = { a: null, b: null };
let side = "a";
let anchors = [];
let next = 0; // the place of the next message of the side's list
let nextBeat = 0;
let rate = 1;
let looping = null; // [first tick, last tick]
let span = null; // the same in seconds
let timer = null;
let resting = 0; // the tick where playing goes on
let near = 0; // the second of the performance near which that is: of a repeat, the pass that was heard
let clicking = false;
let sounding = new Map(); // what is down, by voice and pitch: its message

const now = () => synth.context.currentTime;

const heardNow = () => heardMoment(synth.context);

function anchorAt(moment) {
  for (let place = anchors.length - 1; place > 0; place--) if (anchors[place].at <= moment) return anchors[place];
  return anchors[0];
}

const secondAt = (moment) => {
  const anchor = anchorAt(moment);
  return anchor.second + Math.max(0, moment - anchor.at) * anchor.rate;
};

function loudness() {
  const current = sides[side];
  if (!current || !synth.node) return;
  current.midi.voices.forEach((_, voice) => synth.loudness(voice, gainOf(voice), synth.block));
}

function gainOf(voice) {
  const silent = store.mute.has(voice) || (store.solo.size > 0 && !store.solo.has(voice));
  return silent ? 0 : store.volume?.get(voice) ?? 1;
}

// Begin at a second of the current side, at a moment: instruments and controls as they are there, and what is held.
function jump(second, at, goesOn) {
  const old = synth.block;
  const { midi, beats } = sides[side];
  synth.seat(midi.voices.length);
  synth.turn();
  midi.voices.forEach((voice, index) => synth.dress(synth.channel(index), voice.program, voice.drums));
  loudness();
  if (goesOn) setTimeout(() => synth.hush(old, AHEAD_HIDDEN, "slow"), (at - now()) * 1000);
  else synth.hush(old, AHEAD_HIDDEN);
  next = firstFrom(midi.events, second, (event) => event.second);
  nextBeat = firstFrom(beats, second, (beat) => beat[0]);
  const controls = new Map();
  sounding = new Map();
  for (let index = 0; index < next; index++) {
    const event = midi.events[index];
    if (event.status >= 0xb0) controls.set(`${event.voice} ${event.status} ${event.status === 0xb0 ? event.a : ""}`, event);
    else hold(event);
  }
  for (const event of controls.values()) synth.send(synth.channel(event.voice), event.status, event.a, event.b);
  for (const event of sounding.values()) synth.send(synth.channel(event.voice), event.status, event.a, event.b, at);
  clicks.stop();
  anchors.push({ at, second, rate, side });
}

function hold(event) {
  const key = event.voice * 128 + event.a;
  if (event.status === 0x90 && event.b > 0) sounding.set(key, event);
  else if (event.status <= 0x90) sounding.delete(key);
}

function post() {
  const until = now() + (document.hidden ? AHEAD_HIDDEN : AHEAD);
  for (let turns = 0; turns < 64; turns++) {
    const anchor = anchors[anchors.length - 1];
    const { midi, beats } = sides[side];
    const end = span ? span[1] : Infinity;
    const horizon = anchor.second + (until - anchor.at) * anchor.rate;
    const moment = (second) => anchor.at + (second - anchor.second) / anchor.rate;
    for (; next < midi.events.length; next++) {
      const event = midi.events[next];
      if (event.second > horizon || event.second >= end) break;
      hold(event);
      synth.send(synth.channel(event.voice), event.status, event.a, event.b, moment(event.second));
    }
    for (; nextBeat < beats.length && beats[nextBeat][0] <= horizon && beats[nextBeat][0] < end; nextBeat++) {
      if (clicking) clicks.add(moment(beats[nextBeat][0]), beats[nextBeat][1]);
    }
    if (horizon < end) break;
    round(moment(end));
  }
  if (!span && secondAt(heardNow()) > Math.max(sides[side].midi.seconds, sides[side].map.end) + TAIL) {
    player.stop();
  }
}

// The end of a loop: what is down ends, and the beginning follows at the same moment.
function round(at) {
  for (const event of sounding.values()) synth.send(synth.channel(event.voice), 0x80, event.a, 0, at);
  sounding = new Map();
  const { midi, beats } = sides[side];
  next = firstFrom(midi.events, span[0], (event) => event.second);
  nextBeat = firstFrom(beats, span[0], (beat) => beat[0]);
  anchors = [...anchors.slice(-8), { at, second: span[0], rate, side }];
}

// Begin anew at a tick, or go on from where the music will be, after something changed.
function again(tick = null) {
  const at = now() + (anchors.length ? LEAD : START);
  const { map } = sides[side];
  const goesOn = tick === null;
  const from = anchors.length ? secondAt(at) : near;
  span = looping ? map.span(...looping) : null;
  let second = map.second(goesOn ? player.tick(at) : tick, from - LEAD);
  if (span && (second < span[0] || second >= span[1])) second = span[0];
  jump(second, at, goesOn);
  post();
}

async function readSide(url, page) {
  const midi = readMidi(await getBytes(url));
  const map = Array.isArray(page) ? new PlayMap(page) : PlayMap.of(page);
  const beats = Array.isArray(page) ? [] : map.beats(page.bars, page.end, page.quarter);
  return { url, midi, map, beats };
}

async function begun() {
  await synth.prepare();
  if (synth.context.state === "running") return;
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error(ASLEEP)), PATIENCE));
  await Promise.race([synth.context.resume(), late]);
}

export const player = {
  synth,
  get playing() { return timer !== null; },
  get side() { return side; },
  get rate() { return rate; },
  get looping() { return looping; },
  get clicking() { return clicking; },
  get loaded() { return sides[side]?.url ?? null; },

  // Fetch what sound needs, without making any; prepare() makes the synthesiser, which wants a click of a person first.
  fetchAhead: () => synth.fetchAhead(),
  prepare: () => synth.prepare(),

  // Load a performance: its address, and its page (the piece as drawn) or the map of its playing. Playing goes on.
  async load(url, page, which = "a") {
    const read = await readSide(url, page);
    sides[which] = read;
    if (timer !== null && which === side) again();
  },

  // The other side is empty again, and this one is heard.
  unload(which = "b") {
    if (side === which) player.switchTo(which === "a" ? "b" : "a");
    sides[which] = null;
  },

  // Hear the other side from the same place of the page, without a gap.
  switchTo(which) {
    if (which === side || !sides[which]) return;
    side = which;
    if (timer !== null) again();
    change({ side });
  },

  async play(tick = resting) {
    if (!sides[side]) return;
    resting = tick;
    const asked = performance.now();
    await begun();
    if (timer === null) {
      synth.seat(sides[side].midi.voices.length);
      await synth.settled();
    }
    if (timer !== null) {
      again(tick);
      return;
    }
    anchors = [];
    again(tick);
    timer = setInterval(post, STEP);
    player.waited = (performance.now() - asked) / 1000 + START;
    change({ playing: true });
  },

  pause() {
    if (timer === null) return;
    resting = player.tick();
    near = secondAt(heardNow()) - LEAD;
    clearInterval(timer);
    timer = null;
    const old = synth.block;
    synth.turn();
    synth.hush(old, AHEAD_HIDDEN);
    clicks.stop();
    change({ playing: false, tick: resting });
  },

  stop() {
    player.pause();
    near = 0;
    resting = looping ? looping[0] : 0;
    change({ tick: resting });
  },

  toggle: () => (timer === null ? player.play() : player.pause()),

  seek(tick) {
    resting = Math.max(0, tick);
    near = 0;
    if (timer !== null) again(resting);
    change({ tick: resting });
  },

  // The tick of the page that is heard now, or at a moment of the sound card's clock.
  tick(moment) {
    if (timer === null) return resting;
    const at = moment ?? heardNow();
    return (sides[anchorAt(at).side] ?? sides[side]).map.tick(secondAt(at));
  },

  // The same as a second of the performance.
  second: (moment) => (timer === null ? near : secondAt(moment ?? heardNow())),

  // Play a stretch of the page round and round: its first tick, and the tick after it; loop(null) ends it.
  loop(first, last = null) {
    looping = first === null || last === null || last <= first ? null : [first, last];
    if (timer !== null) again();
    change({ looping });
  },

  // How fast: 1 as written.
  tempo(factor) {
    rate = Math.min(4, Math.max(0.1, factor));
    if (timer !== null) again();
  },

  metronome(whether) { clicking = whether; },

  // How loud everything is, or one voice: 1 is as it is.
  volume(gain, voice = null) {
    if (voice === null) {
      synth.setLevel(gain);
    } else {
      change({ volume: new Map(store.volume).set(voice, gain) });
    }
  },

  // One note as a voice of the piece plays it.
  async audition(voice, pitch, velocity = 80, seconds = AUDITION_SECONDS) {
    await begun();
    const made = store.piece?.voices[voice] ?? {};
    synth.single(pitch, velocity, seconds, made.program ?? 0, Boolean(made.drums));
  },

  // Notes that belong to no piece: { onset, duration (seconds), pitch, velocity, program, drums }. Resolves at the end.
  async playPassage(notes, program = 0) {
    await begun();
    const begin = now() + LEAD;
    const programs = [...new Set(notes.map((note) => note.program ?? program))];
    let end = 0;
    for (const note of notes) {
      const [onset, pitch, duration, velocity] = Array.isArray(note) ? note : [note.onset, note.pitch, note.duration, note.velocity];
      const slot = note.drums ? 0 : 1 + programs.indexOf(note.program ?? program); // one for percussion, then the instruments
      synth.single(pitch, velocity || 80, duration, note.program ?? program, Boolean(note.drums), slot, begin + onset);
      end = Math.max(end, onset + duration);
    }
    await new Promise((resolve) => setTimeout(resolve, (end + LEAD) * 1000));
  },
};

for (const topic of ["mute", "solo", "volume"]) on(topic, loudness);
