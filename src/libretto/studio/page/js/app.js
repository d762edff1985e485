// The page put together: every part mounts into its own element and listens to the store.

import { get } from "./api.js";
import { change, store } from "./store.js";

const parts = [];

export async function openPiece(handle) {
  change({ piece: await get(`/api/pieces/${handle}`), selection: null, notes: new Set() });
  history.replaceState(null, "", `#${store.piece.name}`);
}

export async function refresh() {
  const state = await get("/api/state");
  change({ pieces: state.pieces, jobs: new Map(state.jobs.map((job) => [job.id, job])) });
}

async function begin() {
  for (const [id, module] of parts) (await import(module)).mount(document.getElementById(id));
  await refresh();
  const asked = decodeURIComponent(location.hash.slice(1)) || store.pieces[0]?.name;
  if (asked) await openPiece(asked);
}

begin();
