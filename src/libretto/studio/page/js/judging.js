// The appraisal of a piece, asked for once a version and shared by the findings and the measures.

import { perform } from "./jobs.js";
import { refuse } from "./messages.js";
import { store, tell } from "./store.js";

const KEPT = 20; // appraisals that the page remembers
const known = new Map(); // "name@version" -> appraisal
let running = null;

const handle = (piece) => `${piece.name}@${piece.version}`;

// What is known of the piece that is open: its own appraisal, or null.
export const appraisal = () => (store.piece && known.get(handle(store.piece))) || null;

// Whether an appraisal is under way.
export const isJudging = () => running !== null;

// Have the open piece appraised; "judged" is told when it begins and when it ends.
export async function judge() {
  const { piece } = store;
  if (!piece || running) return;
  running = handle(piece);
  tell("judged", null);
  try {
    known.set(running, await perform("appraise", { piece: running }));
    if (known.size > KEPT) known.delete(known.keys().next().value);
  } catch (error) {
    if (error?.data?.state !== "cancelled") refuse(error);
  } finally {
    running = null;
    tell("judged", appraisal());
  }
}
