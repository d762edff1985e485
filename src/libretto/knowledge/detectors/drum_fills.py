"""Fills, crashes, rolls and runs: what leads from one stretch into the next."""

from __future__ import annotations

import numpy as np

from libretto.knowledge.detectors.drum_grooves import four_beats, runs, slots_of, struck
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import Bools, Ints, Line
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import QUARTER

__all__ = ["crash_start", "drum_fill", "fast_roll", "fill_bars", "run_up", "snare_build"]

_HALF = 8
_FINE = QUARTER // 8


def fill_bars(sight: Sight) -> Bools:
    """Bars whose second half has far more snare and toms than the three bars before, with a downbeat to follow."""
    known = "fill_bars"
    if known in sight.cache:
        cached: Bools = sight.cache[known]
        return cached
    kit = struck(sight, "snare") | struck(sight, "tom")
    late = kit[:, _HALF:].sum(axis=1)
    usual = np.zeros(sight.bars)
    for back in (1, 2, 3):
        usual[back:] = np.maximum(usual[back:], late[:-back])
    groove = np.asarray(struck(sight, "any").any(axis=1))
    after = np.zeros(sight.bars, dtype=np.bool_)
    down = struck(sight, "kick")[:, 0] | struck(sight, "crash")[:, 0]
    after[:-1] = down[1:]
    before = np.zeros(sight.bars, dtype=np.bool_)
    before[2:] = groove[1:-1] & groove[:-2]
    found = np.asarray((late >= 4) & (late >= usual + 2) & after & before & four_beats(sight))
    sight.cache[known] = found
    return found


@detectors.register("drum_fill")
def drum_fill(sight: Sight, apart: int = 4, toms: int = 0, sides: int = 0) -> list[Sighting]:
    """Fills that lead into a downbeat, each at least ``apart`` bars of groove after the last one or the start.

    ``toms`` and ``sides`` ask for so many strokes on toms or on side stick and timbales in the filled bar.
    """
    tom = struck(sight, "tom").sum(axis=1)
    drums = sight.drums
    dry = drums.of(37, 65, 66)
    side = slots_of(sight, drums.onset[dry], drums.bar[dry]).sum(axis=1)
    found, last = [], -1
    for bar in np.flatnonzero(fill_bars(sight)).tolist():
        if bar - last >= apart and tom[bar] >= toms and side[bar] >= sides:
            found.append(Sighting(sight.number(bar), sight.number(bar)))
        last = bar
    return found


@detectors.register("crash_start")
def crash_start(sight: Sight, rest: int = 4) -> list[Sighting]:
    """A crash on the one with the kick, none in the bars before, where a fill led in or the parts that play change."""
    crash = struck(sight, "crash")
    any_crash, one = np.asarray(crash.any(axis=1)), crash[:, 0] & struck(sight, "kick")[:, 0]
    fresh = np.ones(sight.bars, dtype=np.bool_)
    for back in range(1, rest + 1):
        fresh[back:] &= ~any_crash[:-back]
    fresh[:rest] = False
    changed = np.zeros(sight.bars, dtype=np.bool_)
    changed[1:] = fill_bars(sight)[:-1]
    active = _active(sight)
    changed[1:] |= (active[:, 1:] != active[:, :-1]).sum(axis=0) >= 2
    return [Sighting(sight.number(bar), sight.number(bar)) for bar in np.flatnonzero(one & fresh & changed).tolist()]


def _active(sight: Sight) -> Bools:
    """Which pitched parts strike in each bar: one row a part."""
    rows = [np.bincount(line.bar, minlength=sight.bars) > 0 for line in sight.lines]
    return np.array(rows) if rows else np.zeros((1, sight.bars), dtype=np.bool_)


@detectors.register("snare_build")
def snare_build(sight: Sight, bars: int = 2, last: int = 12) -> list[Sighting]:
    """Snare or clap strokes that grow from bar to bar, at least twofold over the stretch, to ``last`` a bar or more."""
    drums = sight.drums
    mine = drums.kind("snare")
    count = np.bincount(drums.bar[mine], minlength=sight.bars)
    found = []
    for end in np.flatnonzero(count >= last).tolist():
        first = end
        while first > 0 and 0 < count[first - 1] <= count[first]:
            first -= 1
        if (
            end - first + 1 >= bars
            and count[first] * 2 <= count[end]
            and (end + 1 >= sight.bars or count[end + 1] < count[end])
        ):
            found.append(Sighting(sight.number(max(first, end - 7)), sight.number(end)))
    return found


@detectors.register("fast_roll")
def fast_roll(sight: Sight, part: str = "hat", strokes: int = 3, most: float = 0.6) -> list[Sighting]:
    """Bursts of strokes faster than sixteenths on one part of the kit, in some bars but not in most."""
    drums = sight.drums
    mine = drums.kind(part)
    onset, bar = np.unique(drums.onset[mine], return_index=True)
    if len(onset) < strokes:
        return []
    where: Ints = drums.bar[mine][bar]
    gap = np.diff(onset)
    fast = (gap > 0) & (gap <= QUARTER // 6 + QUARTER // 48) & (gap >= QUARTER // 14)
    rolled = np.zeros(sight.bars, dtype=np.bool_)
    for first, _ in runs(np.asarray(fast), strokes - 1):
        rolled[where[first]] = True
    playing = np.bincount(where, minlength=sight.bars) > 0
    return sight.spans(rolled) if rolled.sum() <= most * playing.sum() else []


@detectors.register("run_up")
def run_up(sight: Sight, notes: int = 8, span: int = 12, step: int = 4) -> list[Sighting]:
    """A fast run upward, sixteenths or faster and mostly by step, of an octave or more, that lands on a downbeat."""
    found = []
    for line in sight.chosen("upper"):
        top = line.top
        if len(top) <= notes:
            continue
        move, gap = line.moves, line.gaps
        fast = (move > 0) & (move <= step) & (gap <= QUARTER // 4 + _FINE // 2)
        for first, last in runs(np.asarray(fast), notes - 1):
            end = last + 1
            into = min(end + 1, len(top) - 1)
            lands = any(_on_one(sight, top, row) for row in (end, into))
            if lands and top.pitch[end] - top.pitch[first] >= span:
                found.append(Sighting(sight.number(int(top.bar[first])), sight.number(int(top.bar[into])), line.voice))
    return found


def _on_one(sight: Sight, line: Line, row: int) -> bool:
    late = int(sight.bar_length[line.bar[row]]) - int(line.position[row])
    return int(line.position[row]) <= _FINE or late <= _FINE
