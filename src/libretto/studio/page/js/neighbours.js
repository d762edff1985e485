// What other parts of the page do, reached at the moment it is needed, so that the parts load in any order.

export const say = (text, kind) => import("./messages.js").then((part) => part.say(text, kind), () => console.info(text));
export const refuse = (error) => import("./messages.js").then((part) => part.refuse(error), () => console.error(error));
export const perform = async (kind, args) => (await import("./jobs.js")).perform(kind, args);
export const showTakes = async (ids) => (await import("./takes.js")).showTakes(ids);

let known = null;
import("./player.js").then((part) => (known = part.player), () => {});

// The player, or null as long as there is none.
export const player = () => known;

// What sounds now while it plays, else where the cursor stands.
export function placeOf(store) {
  return store.playing && known ? known.tick() : store.tick;
}

export function seek(tick) {
  known?.seek(tick);
}

export function audition(voice, pitch, velocity) {
  known?.audition(voice, pitch, velocity);
}
