// What is done with voices as a whole: which are meant, mute and solo.

import { change, store } from "./store.js";

// The places of the chosen voices; of all of them where none are chosen.
export function chosenVoicePlaces() {
  const all = (store.piece?.voices || []).map((_, voice) => voice);
  return store.voices.size ? all.filter((voice) => store.voices.has(voice)) : all;
}

// Mute or solo the chosen voices (of none, the active one), or take it back.
export function toggleVoices(kind) {
  const meant = store.voices.size ? chosenVoicePlaces() : [store.active];
  const next = new Set(store[kind]);
  const all = meant.every((voice) => next.has(voice));
  for (const voice of meant) {
    if (all) next.delete(voice);
    else next.add(voice);
  }
  change({ [kind]: next });
}

export function toggleVoice(kind, voice) {
  const next = new Set(store[kind]);
  if (!next.delete(voice)) next.add(voice);
  change({ [kind]: next });
}
