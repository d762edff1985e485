"""Sections: how one stretch of a piece differs from the next, returns, thins out, breaks off or lifts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from libretto.knowledge.detectors.drum_grooves import runs, struck
from libretto.knowledge.detectors.idioms_electric import figures
from libretto.knowledge.detectors.layers import active_parts, sight_runs
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import Bools, Ints, Line
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import QUARTER

__all__ = [
    "breakdown",
    "fewer_parts",
    "intro_vamp",
    "lifted_repeat",
    "loop",
    "prints",
    "stop_time",
    "tacet",
]

_MIX = np.uint64(0x9E3779B97F4A7C15)
_SIXTEENTH = QUARTER // 4


@detectors.register("stop_time")
def stop_time(sight: Sight, bars: int = 2, parts: int = 2, tune: int = 3, hits: int = 2) -> list[Sighting]:
    """Bars in which the band strikes together once or twice, then rests, while a single part plays on through the hole."""
    shown = [figure for figure in figures(sight) if figure.count.any()]
    if len(shown) < parts + 1:
        return []
    count = np.array([figure.count for figure in shown])
    span = np.array([figure.length for figure in shown]) * count * QUARTER / sight.bar_length
    slots = np.array([figure.slots for figure in shown])
    few = (count > 0) & (count <= hits) & (span <= 0.55)
    together = (slots & few[:, :, None]).sum(axis=0).max(axis=1) >= parts
    one = (count >= tune).sum(axis=0) == 1
    rest = ((count == 0) | few | (count >= tune)).all(axis=0)
    good = one & rest & together & (struck(sight, "any").sum(axis=1) <= hits + 1)
    return sight_runs(sight, np.asarray(good), bars)


@detectors.register("tacet")
def tacet(sight: Sight, what: str = "drums", most: int = 2, around: int = 2, fewest: int = 1) -> list[Sighting]:
    """One to ``most`` bars in which the drums (or the bass, or all but one part of the band) are silent between bars they play."""
    active = active_parts(sight)
    if what == "drums":
        mine = active[-1]
    elif what == "bass":
        mine = np.bincount(sight.bass.bar, minlength=sight.bars) > 0
    else:
        mine = active.sum(axis=0) > 1
        full = active.sum(axis=0) >= 4
    found = []
    for first, last in runs(np.asarray(~mine), 1):
        near = slice(max(first - around, 0), first), slice(last + 1, last + 1 + around)
        whole = first >= around and last + around < sight.bars and last - first < most
        if not whole or not (mine[near[0]].all() and mine[near[1]].all()):
            continue
        if (active[:, first : last + 1].sum(axis=0) >= fewest).all() and (
            what in ("drums", "bass") or (full[near[0]].all() and full[near[1]].all())
        ):
            found.append(Sighting(sight.number(first), sight.number(last)))
    return found


def prints(sight: Sight) -> NDArray[np.uint64]:
    """A number for what each part strikes in each bar, 0 where it rests: equal bars have equal numbers."""
    if "prints" not in sight.cache:
        rows = []
        for line in sight.lines:
            slot = (line.position + _SIXTEENTH // 2) // _SIXTEENTH
            code = (slot * 128 + line.pitch + 1).astype(np.uint64) * _MIX
            code ^= code >> np.uint64(29)
            row = np.zeros(sight.bars, dtype=np.uint64)
            np.add.at(row, line.bar, code * _MIX)
            rows.append(row)
        sight.cache["prints"] = np.array(rows, dtype=np.uint64).reshape(len(rows), sight.bars)
    found: NDArray[np.uint64] = sight.cache["prints"]
    return found


@detectors.register("loop")
def loop(sight: Sight, length: int = 2, times: int = 3, parts: int = 2, varied: bool = False) -> list[Sighting]:
    """So many parts that repeat the same bars over and over, in a loop of so many bars that is no shorter loop.

    With ``varied`` another part, or one of them, changes in at least one return.
    """
    marks = prints(sight)
    if sight.bars < length * times or not len(marks):
        return []
    plays = marks != 0
    back = np.zeros_like(plays)
    back[:, length:] = (marks[:, length:] == marks[:, :-length]) & plays[:, length:]
    fresh = np.zeros_like(plays)
    fresh[:, 1:] = (marks[:, 1:] != marks[:, :-1]) | (length == 1)
    good = (back & fresh).sum(axis=0) >= parts
    new = (plays & ~back).any(axis=0)
    found = []
    for first, last in runs(good, length * (times - 1)):
        if not varied or new[first : last + 1].any():
            found.append(Sighting(sight.number(first - length), sight.number(last)))
    return found


@detectors.register("lifted_repeat")
def lifted_repeat(sight: Sight, by: Sequence[int] = (1, 2), bars: int = 4, tones: int = 3) -> list[Sighting]:
    """Bars of the bass or the melody that come again later some semitones higher, and not at the old pitch any more."""
    found = []
    for line in dict.fromkeys((sight.bass, sight.melody)):
        low = line.low
        if len(low) < bars * 2:
            continue
        shape, first = _shapes(sight, low)
        same = (shape[:, None] == shape[None, :]) & (shape != 0)[:, None]
        rise = first[None, :] - first[:, None]
        kinds = [len(np.unique(low.pitch[(low.bar >= bar) & (low.bar < bar + bars)] % 12)) for bar in range(sight.bars)]
        level = _blocks(same & (rise == 0), bars)
        for step in by:
            lifted = np.triu(_blocks(same & (rise == step), bars), bars)
            for one, other in np.argwhere(lifted)[:200].tolist():
                if kinds[one] >= tones and other * 2 >= sight.bars - bars and not level[one, other:].any():
                    found.append(Sighting(sight.number(other), sight.number(other + bars - 1), line.voice))
                    break
    return found


def _shapes(sight: Sight, low: Line) -> tuple[NDArray[np.uint64], Ints]:
    """What each bar of a line looks like when it begins on the same pitch, and the pitch on which it begins."""
    begin = np.flatnonzero(np.diff(low.bar, prepend=-1))
    first = np.full(sight.bars, -999, dtype=np.int64)
    first[low.bar[begin]] = low.pitch[begin]
    slot = (low.position + _SIXTEENTH // 2) // _SIXTEENTH
    code = (slot * 256 + low.pitch - first[low.bar] + 129).astype(np.uint64) * _MIX
    code ^= code >> np.uint64(29)
    shape = np.zeros(sight.bars, dtype=np.uint64)
    np.add.at(shape, low.bar, code * _MIX)
    return shape, first


def _blocks(pairs: Bools, bars: int) -> Bools:
    """Where so many neighbouring pairs of bars agree: element (i, j) stands for bars i and j and those after them."""
    if len(pairs) <= bars:
        return np.zeros((0, 0), dtype=np.bool_)
    found = pairs.copy()
    for step in range(1, bars):
        found[:-step, :-step] &= pairs[step:, step:]
        found[-step:] = False
        found[:, -step:] = False
    return np.asarray(found)


@detectors.register("breakdown")
def breakdown(sight: Sight, least: int = 2, most: int = 16, share: float = 0.6, kick: bool = False) -> list[Sighting]:
    """A stretch in which at most a share of the parts go on and the bass drum rests, and then the band is back.

    With ``kick`` the bass drum may go on and the drums must play.
    """
    count = active_parts(sight).sum(axis=0)
    beat = struck(sight, "kick").any(axis=1)
    found = []
    for first, last in runs(np.asarray(beat if kick else ~beat), least):
        for start, end in runs(np.asarray(count[first : last + 1] <= share * _usual(count, first, least)), least):
            one, other = first + start, first + end
            after = count[other + 1 : other + 1 + least]
            if one < least or len(after) < least or other - one >= most or not count[one : other + 1].all():
                continue
            full = count[one - least : one].min()
            if full >= 4 and after.min() >= 0.7 * full and beat[one - least : one].all() and beat[other + 1 : other + 1 + least].all():
                found.append(Sighting(sight.number(one), sight.number(other)))
    return found


def _usual(count: Ints, first: int, bars: int) -> float:
    """How many parts played in the bars before."""
    return float(count[max(first - bars, 0) : first].mean()) if first else 0.0


@detectors.register("fewer_parts")
def fewer_parts(sight: Sight, fall: int = 2, bars: int = 4) -> list[Sighting]:
    """A bar line after which, for so many bars, at least so many parts fewer play than before, while the drums go on."""
    active = active_parts(sight)
    count, found = active[:-1].sum(axis=0), []
    for bar in range(bars, sight.bars - bars + 1):
        before, after = count[bar - bars : bar], count[bar : bar + bars]
        if before.min() - after.max() >= fall and after.min() > 0 and active[-1, bar - bars : bar + bars].all():
            found.append(Sighting(sight.number(bar), sight.number(bar + bars - 1)))
    return found


@detectors.register("intro_vamp")
def intro_vamp(sight: Sight, least: int = 2, most: int = 16) -> list[Sighting]:
    """The piece opens with bars that repeat in at least two parts (drums may be one), before the melody enters over them."""
    melody = sight.melody
    enters = int(melody.bar[0]) if len(melody) else 0
    if not least <= enters <= most or len(sight.lines) < 2:
        return []
    marks = prints(sight)
    rows = np.vstack((marks, _drum_print(sight)))[:, :enters]
    for length in (1, 2, 4):
        if enters < 2 * length:
            continue
        back = (rows[:, length:] == rows[:, :-length]) & (rows[:, length:] != 0)
        pitched = back[:-1].any(axis=0)
        if (back.sum(axis=0) >= 2).mean() >= 0.7 and pitched.mean() >= 0.7:
            return [Sighting(sight.number(0), sight.number(enters - 1))]
    return []


def _drum_print(sight: Sight) -> NDArray[np.uint64]:
    kit = np.concatenate([struck(sight, part) for part in ("kick", "snare", "hat", "hand")], axis=1)
    weights = np.arange(1, kit.shape[1] + 1, dtype=np.uint64) * _MIX
    return np.asarray((kit * weights).sum(axis=1), dtype=np.uint64)
