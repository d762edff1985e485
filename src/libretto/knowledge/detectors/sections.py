"""Sections: how one stretch of a piece differs from the next, returns, thins out, breaks off or lifts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from libretto.knowledge.detectors.drum_grooves import runs, struck
from libretto.knowledge.detectors.layers import active_parts
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import Bools, Ints, Line
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import QUARTER

__all__ = [
    "fewer_parts",
    "form_letters",
    "intro_vamp",
    "lifted_repeat",
    "loop",
    "new_harmony",
    "pre_chorus_lift",
    "prints",
    "turnaround_bar",
]

_MIX = np.uint64(0x9E3779B97F4A7C15)
_SIXTEENTH = QUARTER // 4


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
        for step in by:
            lifted = np.triu(_blocks(same & (rise == step), bars), bars)
            if not lifted.any():
                continue
            level = _blocks(same & (rise == 0), bars)
            for one, other in np.argwhere(lifted)[:200].tolist():
                kinds = len(np.unique(low.pitch[(low.bar >= one) & (low.bar < one + bars)] % 12))
                if kinds >= tones and other * 2 >= sight.bars - bars and not level[one, other:].any():
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


@detectors.register("fewer_parts")
def fewer_parts(sight: Sight, fall: int = 2, bars: int = 4) -> list[Sighting]:
    """So many bars in which at least so many parts fewer play than in as many before, while the drums go on."""
    active = active_parts(sight)
    count, found = active[:-1].sum(axis=0), []
    for bar in range(bars, sight.bars - bars + 1):
        before, after = count[bar - bars : bar], count[bar : bar + bars]
        if before.min() - after.max() >= fall and after.min() > 0 and active[-1, bar - bars : bar + bars].all():
            found.append(Sighting(sight.number(bar), sight.number(bar + bars - 1)))
    return found


@detectors.register("intro_vamp")
def intro_vamp(sight: Sight, shortest: int = 2, most: int = 16) -> list[Sighting]:
    """The piece opens with bars that repeat in two parts or more (drums may be one) before the melody enters."""
    melody = sight.melody
    enters = int(melody.bar[0]) if len(melody) else 0
    if not shortest <= enters <= most or len(sight.lines) < 2:
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


@detectors.register("form_letters")
def form_letters(
    sight: Sight, pattern: str, blocks: Sequence[int] = (2, 4, 8), same: float = 0.5, other: float = 0.25
) -> list[Sighting]:
    """Stretches of equal length whose melodies agree where the pattern repeats a letter and else differ."""
    top, found = sight.melody.top, []
    grid = np.zeros((sight.bars, 16 * 12), dtype=np.bool_)
    slot = np.minimum(top.position * 16 // np.maximum(sight.bar_length[top.bar], 1), 15)
    grid[top.bar, slot * 12 + top.pitch % 12] = True
    size, length = grid.sum(axis=1), len(pattern)
    pairs = [(one, two) for two in range(length) for one in range(two)]
    for block in blocks:
        if sight.bars < block * length:
            continue
        notes = _over(size, block)
        near = {step: _near(grid, size, step * block, block) for step in range(1, length)}
        good = np.ones(sight.bars - block * length + 1, dtype=np.bool_)
        for place in range(length):
            good &= notes[place * block :][: len(good)] >= 2 * block
        for one, two in pairs:
            value = near[two - one][one * block :][: len(good)]
            good &= value >= same if pattern[one] == pattern[two] else value <= other
        for start in np.flatnonzero(good).tolist():
            found.append(Sighting(sight.number(start), sight.number(start + block * length - 1), sight.melody.voice))
    return found


def _over(values: Ints, bars: int) -> Ints:
    """The sum over each stretch of so many bars."""
    total = np.concatenate(([0], np.cumsum(values)))
    return np.asarray(total[bars:] - total[:-bars])


def _near(grid: Bools, size: Ints, apart: int, block: int) -> NDArray[np.float64]:
    """How much each stretch of bars shares with the stretch so many bars later, from 0 to 1."""
    shared = _over((grid[:-apart] & grid[apart:]).sum(axis=1), block)
    whole = _over(size[:-apart] + size[apart:], block) - shared
    return np.asarray(shared / np.maximum(whole, 1))


def _chords(sight: Sight) -> list[list[tuple[int, bool]]]:
    """The supported chords of each bar as semitones above the tonic and whether they are minor; repeats left out."""
    found: list[list[tuple[int, bool]]] = [[] for _ in range(sight.bars)]
    for chord in sight.harmony:
        here = (chord.degree, chord.is_minor)
        if chord.supported and found[chord.bar][-1:] != [here]:
            found[chord.bar].append(here)
    return found


@detectors.register("new_harmony")
def new_harmony(sight: Sight, bars: int = 2, before: int = 4, most: int = 16) -> list[Sighting]:
    """A stretch of two chords or more, none heard before and none the tonic, after which the old ones return."""
    chords, found = _chords(sight), []
    known: set[tuple[int, bool]] = set()
    bar = 0
    while bar < sight.bars:
        end = bar
        while (
            end < sight.bars and chords[end] and not known & set(chords[end]) and all(each[0] for each in chords[end])
        ):
            end += 1
        fresh = {each for row in chords[bar:end] for each in row}
        back = end < sight.bars and bool(known & set(chords[end]))
        if bar >= before and bars <= end - bar <= most and len(fresh) >= 2 and back:
            found.append(Sighting(sight.number(bar), sight.number(end - 1)))
        known |= {each for row in chords[bar : max(end, bar + 1)] for each in row}
        bar = max(end, bar + 1)
    return found


@detectors.register("turnaround_bar")
def turnaround_bar(sight: Sight, chords: int = 2, every: int = 4) -> list[Sighting]:
    """A bar with more chords than those before, at the end of four or eight, whose last is the dominant (or the flat
    second) and which falls to the tonic of a new start."""
    rows, found = _chords(sight), []
    for bar in range(every - 1, sight.bars - 1):
        slow = all(len(row) < len(rows[bar]) for row in rows[bar - every + 1 : bar])
        ends = bool(rows[bar]) and rows[bar][-1] in ((7, False), (1, False))
        if len(rows[bar]) >= chords and slow and ends and rows[bar + 1][:1] and rows[bar + 1][0][0] == 0:
            found.append(Sighting(sight.number(bar), sight.number(bar)))
    return found


@detectors.register("pre_chorus_lift")
def pre_chorus_lift(sight: Sight, bars: int = 2, higher: float = 1.5) -> list[Sighting]:
    """Bars whose tune lies higher than before and which end away from home, then a bar with more parts or a crash."""
    top = sight.melody.top
    number = np.bincount(top.bar, minlength=sight.bars)
    total = np.bincount(top.bar, top.pitch, minlength=sight.bars)
    onsets = np.bincount(np.concatenate((sight.notes.bar, sight.drums.bar)), minlength=sight.bars)
    count, crash = active_parts(sight).sum(axis=0), struck(sight, "crash")[:, 0]
    chords, found = _chords(sight), []
    fresh = crash | (np.diff(count, prepend=count[:1]) > 0)
    for bar in (np.flatnonzero(fresh[2 * bars : -1]) + 2 * bars).tolist():
        old, new = slice(bar - 2 * bars, bar - bars), slice(bar - bars, bar)
        if min(number[old].sum(), number[new].sum()) < 2 * bars or not chords[bar - 1] or not chords[bar]:
            continue
        rise = total[new].sum() / number[new].sum() - total[old].sum() / number[old].sum()
        away = (
            chords[bar - 1][-1][0] in (5, 7)
            and chords[bar][0][0] in (0, 9, 5)
            and chords[bar][0] != chords[bar - 1][-1]
        )
        fuller = onsets[new].mean() > onsets[old].mean() and (crash[bar] or count[bar] > count[new].max())
        if rise >= higher and away and fuller:
            found.append(Sighting(sight.number(bar - bars), sight.number(bar)))
    return found
