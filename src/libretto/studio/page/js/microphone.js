// The microphone: what is sung or played becomes a WAV file that the server on this machine transcribes.

const RATE = 22050; // samples a second: a voice needs no more
const LONGEST = 180; // seconds of one recording
const FULL = 32767;
const HEADER = 44;

// Begin to record; resolves once the microphone is open, with { stop() -> WAV as ArrayBuffer, cancel(), level() }.
export async function record() {
  if (!navigator.mediaDevices?.getUserMedia) throw new Error("this browser gives no microphone to this page");
  let stream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({
      audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false },
    });
  } catch {
    throw new Error("the browser was not allowed to use the microphone, or there is none");
  }
  const recorder = new MediaRecorder(stream);
  const pieces = [];
  recorder.ondataavailable = (event) => pieces.push(event.data);
  const ended = new Promise((resolve) => (recorder.onstop = resolve));
  recorder.start();
  const end = async () => {
    clearTimeout(limit);
    if (recorder.state !== "inactive") recorder.stop();
    await ended;
    for (const track of stream.getTracks()) track.stop();
  };
  const limit = setTimeout(() => recorder.state !== "inactive" && recorder.stop(), LONGEST * 1000);
  return {
    cancel: end,
    stop: async () => {
      await end();
      return asWave(await new Blob(pieces).arrayBuffer());
    },
  };
}

// A recording as one channel of 16-bit samples.
async function asWave(bytes) {
  if (!bytes.byteLength) throw new Error("nothing was recorded");
  const decoder = new OfflineAudioContext(1, 1, RATE);
  let sound;
  try {
    sound = await decoder.decodeAudioData(bytes); // resampled to the decoder's rate
  } catch {
    throw new Error("the recording cannot be read");
  }
  const channels = Array.from({ length: sound.numberOfChannels }, (_, index) => sound.getChannelData(index));
  const file = new DataView(new ArrayBuffer(HEADER + 2 * sound.length));
  const write = (at, text) => [...text].forEach((letter, index) => file.setUint8(at + index, letter.charCodeAt(0)));
  write(0, "RIFF");
  file.setUint32(4, HEADER - 8 + 2 * sound.length, true);
  write(8, "WAVEfmt ");
  file.setUint32(16, 16, true);
  file.setUint16(20, 1, true);
  file.setUint16(22, 1, true);
  file.setUint32(24, sound.sampleRate, true);
  file.setUint32(28, 2 * sound.sampleRate, true);
  file.setUint16(32, 2, true);
  file.setUint16(34, 16, true);
  write(36, "data");
  file.setUint32(40, 2 * sound.length, true);
  for (let index = 0; index < sound.length; index += 1) {
    const mixed = channels.reduce((sum, channel) => sum + channel[index], 0) / channels.length;
    file.setInt16(HEADER + 2 * index, Math.max(-1, Math.min(1, mixed)) * FULL, true);
  }
  return file.buffer;
}

// Bytes as the text that JSON can carry.
export function base64(buffer) {
  const bytes = new Uint8Array(buffer);
  const CHUNK = 0x8000; // arguments that a function takes at once
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}
