// A tune hummed, sung or played into the microphone becomes a piece; it is written down on this machine.

import { openPiece, refresh } from "./app.js";
import { make } from "./elements.js";
import { hearFromStart, seeMusic } from "./hear.js";
import { perform } from "./jobs.js";
import { refuse } from "./messages.js";
import { base64, record } from "./microphone.js";

// A button that records until it is pressed again.
export function mountHumming() {
  let recording = null;
  const button = make("button", { type: "button", class: "button", id: "hum", title: "Sing, hum or play it; it is written down on this machine" }, "Hum it");
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      if (recording) await finish();
      else await begin();
    } catch (error) {
      rest();
      if (error?.data?.state !== "cancelled") refuse(error);
    } finally {
      button.disabled = false;
    }
  });
  const rest = () => {
    recording = null;
    button.textContent = "Hum it";
    button.setAttribute("aria-pressed", "false");
  };
  const begin = async () => {
    recording = await record();
    button.textContent = "Stop, write it down";
    button.setAttribute("aria-pressed", "true");
  };
  const finish = async () => {
    const heard = recording;
    rest();
    const made = await perform("transcribe", { wav: base64(await heard.stop()), name: "hummed" });
    await refresh();
    await openPiece(made.piece);
    seeMusic();
    await hearFromStart();
  };
  return button;
}
