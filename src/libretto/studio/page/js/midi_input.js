// A MIDI keyboard through Web MIDI: every note that is pressed or let go, from whatever is plugged in.

const NOTE_OFF = 0x80, NOTE_ON = 0x90, KIND = 0xf0;

// Listen to every MIDI input. played(isOn, pitch, velocity, milliseconds); told(names) when devices come or go.
// Rejects with an Error of one line where the browser has no Web MIDI or the person said no.
export async function listenToMidi(played, told) {
  if (!navigator.requestMIDIAccess) throw new Error("this browser knows no MIDI keyboards; use Chrome, Edge or Firefox");
  let access;
  try {
    access = await navigator.requestMIDIAccess({ sysex: false });
  } catch {
    throw new Error("the browser was not allowed to use MIDI keyboards");
  }
  const heard = (message) => {
    const [status, pitch, velocity] = message.data;
    const kind = status & KIND;
    const at = message.timeStamp || performance.now();
    if (kind === NOTE_ON && velocity > 0) played(true, pitch, velocity, at);
    else if (kind === NOTE_OFF || kind === NOTE_ON) played(false, pitch, 0, at);
  };
  const connect = () => {
    const inputs = [...access.inputs.values()].filter((input) => input.state !== "disconnected");
    for (const input of inputs) input.onmidimessage = heard;
    told(inputs.map((input) => input.name || "a MIDI keyboard"));
  };
  access.onstatechange = connect;
  connect();
  return () => {
    access.onstatechange = null;
    for (const input of access.inputs.values()) input.onmidimessage = null;
  };
}
