// Between what is heard and what is written: seconds of the performance, and ticks of the page.
//
// A map is a list of stretches [second from, second to, tick from, tick to] in the order of play: repeats come twice,
// and a change of tempo begins a new stretch.

export class PlayMap {
  constructor(stretches) {
    this.stretches = stretches.length ? stretches : [[0, 0, 0, 0]];
    this.end = this.stretches[this.stretches.length - 1][1];
  }

  // A map for a page without repeats, from its clock ([tick, second] at every bar line).
  static of(piece) {
    if (piece.playing && piece.playing.length) return new PlayMap(piece.playing);
    const stretches = [];
    for (let place = 0; place + 1 < piece.clock.length; place++) {
      const [[tick, second], [nextTick, nextSecond]] = [piece.clock[place], piece.clock[place + 1]];
      stretches.push([second, nextSecond, tick, nextTick]);
    }
    return new PlayMap(stretches);
  }

  tick(second) {
    let low = 0;
    let high = this.stretches.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.stretches[middle][0] <= second) low = middle;
      else high = middle - 1;
    }
    const [from, to, tickFrom, tickTo] = this.stretches[low];
    const share = to > from ? Math.min(1, Math.max(0, (second - from) / (to - from))) : 0;
    return tickFrom + share * (tickTo - tickFrom);
  }

  // The second at which a tick is heard: of several passes the first that ends after `near`.
  second(tick, near = 0) {
    let best = null;
    for (const [from, to, tickFrom, tickTo] of this.stretches) {
      if (tick < tickFrom || tick >= tickTo) continue;
      const at = from + ((tick - tickFrom) / (tickTo - tickFrom)) * (to - from);
      if (best === null) best = at;
      if (at >= near) return at;
    }
    if (best !== null) return best;
    return tick <= this.stretches[0][2] ? 0 : this.end;
  }

  // Where a stretch of the page is heard whole: [second from, second to] of the first pass through it.
  span(first, last) {
    const from = this.second(first);
    let to = null;
    for (const [start, stop, tickFrom, tickTo] of this.stretches) {
      if (stop <= from || last <= tickFrom || last > tickTo) continue;
      to = start + ((last - tickFrom) / (tickTo - tickFrom)) * (stop - start);
      break;
    }
    return [from, to !== null && to > from ? to : this.end];
  }

  // Every beat in the order of play: [second, whether it begins a bar].
  beats(bars, end, quarter) {
    const places = [];
    bars.forEach((bar, index) => {
      const stop = index + 1 < bars.length ? bars[index + 1].tick : end;
      const [beats, unit] = String(bar.meter || "4/4").split("/").map((part) => parseInt(part, 10) || 4);
      const compound = unit >= 8 && beats > 3 && beats % 3 === 0;
      const step = ((quarter * 4) / unit) * (compound ? 3 : 1);
      for (let tick = bar.tick; tick < stop; tick += step) places.push([tick, tick === bar.tick]);
    });
    const heard = [];
    let place = 0;
    for (const [from, to, tickFrom, tickTo] of this.stretches) {
      if (place >= places.length || places[place][0] > tickFrom) place = 0;
      while (place < places.length && places[place][0] < tickFrom) place++;
      for (; place < places.length && places[place][0] < tickTo; place++) {
        const share = (places[place][0] - tickFrom) / (tickTo - tickFrom);
        heard.push([from + share * (to - from), places[place][1]]);
      }
    }
    return heard;
  }
}

// The place of the first of a list, in order of time, that is not before a second.
export function firstFrom(list, second, key) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(list[middle]) < second) low = middle + 1;
    else high = middle;
  }
  return low;
}
