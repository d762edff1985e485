"""Sections: how one stretch of a piece differs from the next, returns, thins out or lifts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from libretto.knowledge.detectors.grooves import struck
from libretto.knowledge.detectors.harmony import bar_chords
from libretto.knowledge.detectors.layers import active_parts
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import FIFTH, FOURTH, PITCHES, SIXTEENTH, VoiceLine, runs
from libretto.knowledge.sight import Sight, Sighting, shared
from libretto.score.table import Bools, Ints

__all__ = [
    "fewer_parts",
    "intro_vamp",
    "lifted_repeat",
    "loop",
    "ostinato",
    "pre_chorus_lift",
    "prints",
    "register_shift",
]

_SHIFT = np.uint64(29)  # bits, to mix a print
_ELSEWHERE = -999  # stands for the pitch of a bar without notes
_LONGEST_BAR = 64  # sixteenths of a bar that are looked at
_REPEATED = 0.7  # of an opening's bars
_AWAY, _BACK = (FOURTH, FIFTH), (0, 9, FOURTH)  # degrees on which a lift ends, and on which it is answered

_MIX = np.uint64(0x9E3779B97F4A7C15)


@shared
def prints(sight: Sight) -> NDArray[np.uint64]:
    """A number for what each part strikes in each bar, 0 where it rests: equal bars have equal numbers."""
    rows = []
    for line in sight.lines:
        slot = (line.position + SIXTEENTH // 2) // SIXTEENTH
        code = (slot * PITCHES + line.pitch + 1).astype(np.uint64) * _MIX
        code ^= code >> _SHIFT
        row = np.zeros(sight.bars, dtype=np.uint64)
        np.add.at(row, line.bar, code * _MIX)
        rows.append(row)
    return np.array(rows, dtype=np.uint64).reshape(len(rows), sight.bars)


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
    sightings = []
    for first, last in runs(good, length * (times - 1)):
        if not varied or new[first : last + 1].any():
            sightings.append(sight.at(first - length, last))
    return sightings


@detectors.register("lifted_repeat")
def lifted_repeat(sight: Sight, by: Sequence[int] = (1, 2), bars: int = 4, tones: int = 3) -> list[Sighting]:
    """Bars of the bass or the melody that come again later some semitones higher, and not at the old pitch any more."""
    sightings = []
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
                    sightings.append(sight.at(other, other + bars - 1, line.voice))
                    break
    return sightings


def _shapes(sight: Sight, low: VoiceLine) -> tuple[NDArray[np.uint64], Ints]:
    """What each bar of a line looks like when it begins on the same pitch, and the pitch on which it begins."""
    begin = np.flatnonzero(np.diff(low.bar, prepend=-1))
    first = np.full(sight.bars, _ELSEWHERE, dtype=np.int64)
    first[low.bar[begin]] = low.pitch[begin]
    slot = (low.position + SIXTEENTH // 2) // SIXTEENTH
    code = (slot * 2 * PITCHES + low.pitch - first[low.bar] + PITCHES + 1).astype(np.uint64) * _MIX
    code ^= code >> _SHIFT
    shape = np.zeros(sight.bars, dtype=np.uint64)
    np.add.at(shape, low.bar, code * _MIX)
    return shape, first


def _blocks(pairs: Bools, bars: int) -> Bools:
    """Where so many neighbouring pairs of bars agree: element (i, j) stands for bars i and j and those after them."""
    if len(pairs) <= bars:
        return np.zeros((0, 0), dtype=np.bool_)
    blocks = pairs.copy()
    for step in range(1, bars):
        blocks[:-step, :-step] &= pairs[step:, step:]
        blocks[-step:] = False
        blocks[:, -step:] = False
    return np.asarray(blocks)


@detectors.register("fewer_parts")
def fewer_parts(sight: Sight, fall: int = 2, bars: int = 4) -> list[Sighting]:
    """So many bars in which at least so many parts fewer play than in as many before, while the drums go on."""
    active = active_parts(sight)
    count, sightings = active[:-1].sum(axis=0), []
    for bar in range(bars, sight.bars - bars + 1):
        before, after = count[bar - bars : bar], count[bar : bar + bars]
        if before.min() - after.max() >= fall and after.min() > 0 and active[-1, bar - bars : bar + bars].all():
            sightings.append(sight.at(bar, bar + bars - 1))
    return sightings


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
        if (back.sum(axis=0) >= 2).mean() >= _REPEATED and pitched.mean() >= _REPEATED:
            return [sight.at(0, enters - 1)]
    return []


def _drum_print(sight: Sight) -> NDArray[np.uint64]:
    kit = np.concatenate([struck(sight, part) for part in ("kick", "snare", "hat", "hand")], axis=1)
    weights = np.arange(1, kit.shape[1] + 1, dtype=np.uint64) * _MIX
    return np.asarray((kit * weights).sum(axis=1), dtype=np.uint64)


@detectors.register("pre_chorus_lift")
def pre_chorus_lift(sight: Sight, bars: int = 2, higher: float = 1.5) -> list[Sighting]:
    """Bars whose tune lies higher than before and which end away from home, then a bar with more parts or a crash."""
    top = sight.melody.top
    number = np.bincount(top.bar, minlength=sight.bars)
    total = np.bincount(top.bar, top.pitch, minlength=sight.bars)
    onsets = np.bincount(np.concatenate((sight.notes.bar, sight.drums.bar)), minlength=sight.bars)
    count, crash = active_parts(sight).sum(axis=0), struck(sight, "crash")[:, 0]
    chords, sightings = bar_chords(sight), []
    fresh = crash | (np.diff(count, prepend=count[:1]) > 0)
    for bar in (np.flatnonzero(fresh[2 * bars : -1]) + 2 * bars).tolist():
        old, new = slice(bar - 2 * bars, bar - bars), slice(bar - bars, bar)
        if min(number[old].sum(), number[new].sum()) < 2 * bars or not chords[bar - 1] or not chords[bar]:
            continue
        rise = total[new].sum() / number[new].sum() - total[old].sum() / number[old].sum()
        away = (
            chords[bar - 1][-1].degree in _AWAY
            and chords[bar][0].degree in _BACK
            and chords[bar][0] != chords[bar - 1][-1]
        )
        fuller = onsets[new].mean() > onsets[old].mean() and (crash[bar] or count[bar] > count[new].max())
        if rise >= higher and away and fuller:
            sightings.append(sight.at(bar - bars, bar))
    return sightings


@detectors.register("register_shift")
def register_shift(sight: Sight, semitones: float = 5, bars: int = 4, where: str = "melody") -> list[Sighting]:
    """A part whose mean pitch over so many bars is that much higher than over as many before; negative for lower."""
    sightings = []
    for line in sight.chosen(where):
        top = line.top
        number = np.concatenate(([0], np.cumsum(np.bincount(top.bar, minlength=sight.bars))))
        total = np.concatenate(([0], np.cumsum(np.bincount(top.bar, top.pitch, minlength=sight.bars))))
        notes, mass = number[bars:] - number[:-bars], total[bars:] - total[:-bars]
        mean = mass / np.maximum(notes, 1)
        if len(mean) <= bars:
            continue
        move = (mean[bars:] - mean[:-bars]) * np.sign(semitones)
        enough = (notes[bars:] >= 2 * bars) & (notes[:-bars] >= 2 * bars)
        at = np.flatnonzero((move >= abs(semitones)) & enough) + bars
        sightings += sight.spans(at, line.voice)
    return sightings


@detectors.register("ostinato")
def ostinato(
    sight: Sight, programs: list[int] | None = None, notes: int = 6, bars: int = 4, chords: int = 2
) -> list[Sighting]:
    """A voice that repeats one rhythm and shape of many notes bar after bar while the chords change."""
    roots = np.full(sight.bars, -1, dtype=np.int64)
    for chord in sight.harmony:
        if chord.supported:
            roots[chord.bar] = chord.root
    sightings = []
    for line in sight.on_programs(programs):
        top = line.top
        place = np.rint(top.position / SIXTEENTH).astype(np.int64)
        turn = np.append(np.sign(line.moves), 0)
        turn[np.append(np.diff(top.bar) > 0, True)] = 0
        shape = np.zeros((sight.bars, _LONGEST_BAR), dtype=np.int64)
        inside = place < _LONGEST_BAR
        shape[top.bar[inside], place[inside]] = turn[inside] + 2
        alike = np.append((shape[1:] == shape[:-1]).all(axis=1), False)
        moves = np.bincount(top.bar[:-1], (line.moves != 0) & (np.diff(top.bar) == 0), minlength=sight.bars)
        good = (sight.per_bar(top.bar) >= notes) & (moves >= notes // 2)
        linked = good & (alike | np.insert(alike[:-1], 0, False))
        for span in sight.spans(linked, line.voice, least=bars):
            part = roots[span.first - sight.score.first_bar : span.last - sight.score.first_bar + 1]
            if len(np.unique(part[part >= 0])) >= chords:
                sightings.append(span)
    return sightings
