// A MIDI file as the player needs it: for each voice the messages in order, each with its second.
//
// Our own writer makes these files: the first track holds the tempi, and every further one is a voice. Anything that
// is no message of a channel (names, words, system messages) is passed over.

const META = 0xff;
const TEMPO = 0x51;
const USUAL_TEMPO = 500_000; // microseconds a quarter, until a file says otherwise
const SHORT = new Set([0xc0, 0xd0]); // messages with one byte after the status
const MOST_MESSAGES = 2_000_000;

class Bytes {
  constructor(buffer) {
    this.view = new DataView(buffer);
    this.at = 0;
  }
  u8() { return this.view.getUint8(this.at++); }
  u16() { this.at += 2; return this.view.getUint16(this.at - 2); }
  u32() { this.at += 4; return this.view.getUint32(this.at - 4); }
  variable() {
    let value = 0;
    for (let count = 0; count < 4; count++) {
      const byte = this.u8();
      value = (value << 7) | (byte & 0x7f);
      if (byte < 0x80) break;
    }
    return value;
  }
}

function track(bytes, end, tempi) {
  const events = [];
  let tick = 0;
  let status = 0;
  while (bytes.at < end && events.length < MOST_MESSAGES) {
    tick += bytes.variable();
    if (bytes.view.getUint8(bytes.at) >= 0x80) status = bytes.u8();
    if (status === META) {
      const kind = bytes.u8();
      const length = bytes.variable();
      if (kind === TEMPO && length === 3) tempi.push([tick, (bytes.u8() << 16) | bytes.u16()]);
      else bytes.at += length;
    } else if (status >= 0xf0) {
      bytes.at += bytes.variable();
    } else {
      const first = bytes.u8();
      events.push([tick, status & 0xf0, first, SHORT.has(status & 0xf0) ? 0 : bytes.u8(), (status & 0x0f) === 9]);
    }
  }
  bytes.at = end;
  return events;
}

// Seconds of ticks, asked in rising order.
function clock(tempi, division) {
  const changes = [[0, USUAL_TEMPO], ...tempi].sort((one, other) => one[0] - other[0]);
  let place = 0;
  let second = 0;
  return (tick) => {
    while (place + 1 < changes.length && changes[place + 1][0] <= tick) {
      second += ((changes[place + 1][0] - changes[place][0]) * changes[place][1]) / division / 1e6;
      place++;
    }
    return second + ((tick - changes[place][0]) * changes[place][1]) / division / 1e6;
  };
}

/**
 * Read a MIDI file.
 * @param {ArrayBuffer} buffer
 * @returns {{voices: {drums: boolean, program: number}[], events: {second, voice, status, a, b}[], seconds: number}}
 */
export function readMidi(buffer) {
  const bytes = new Bytes(buffer);
  if (bytes.u32() !== 0x4d546864) throw new Error("this is no MIDI file");
  const header = bytes.u32();
  bytes.u16();
  const count = bytes.u16();
  const division = bytes.u16() || 480;
  bytes.at = 8 + header;
  const tempi = [];
  const tracks = [];
  for (let number = 0; number < count && bytes.at + 8 <= buffer.byteLength; number++) {
    const kind = bytes.u32();
    const end = Math.min(bytes.u32() + bytes.at, buffer.byteLength);
    if (kind === 0x4d54726b) tracks.push(track(bytes, end, tempi));
    bytes.at = end;
  }
  const voices = [];
  const events = [];
  let seconds = 0;
  tracks.slice(1).forEach((list, voice) => {
    const at = clock(tempi, division);
    const program = list.find((event) => event[1] === 0xc0);
    voices.push({ drums: list.length > 0 && list[0][4], program: program ? program[2] : 0 });
    for (const [tick, status, a, b] of list) {
      const second = at(tick);
      seconds = Math.max(seconds, second);
      events.push({ second, voice, status, a, b });
    }
  });
  // Of one moment: controls and programs, then what ends, then what begins.
  const rank = (event) => (event.status === 0x90 && event.b > 0 ? 2 : event.status <= 0x90 ? 1 : 0);
  events.sort((one, other) => one.second - other.second || rank(one) - rank(other));
  return { voices, events, seconds };
}
