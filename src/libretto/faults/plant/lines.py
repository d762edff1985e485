"""Planters of faults between two lines: crossing, parallel fifths and octaves."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from libretto.faults.columns import CLASSES
from libretto.faults.lines import LinePair, line_pairs
from libretto.faults.plant.fault import HIGHEST, LOWEST, Planted, Soil, planters
from libretto.score import QUARTER

__all__: list[str] = []

_RUN = 4  # parallel moves in a row: one or two may be chance
_LONGEST_RUN = 16 * QUARTER
_CROSSES = 0.01  # of their meetings: two lines that cross less hardly ever do
_PLAINLY = 3  # semitones on the other side
_TOGETHER = 0.5  # of the longer note
_MOVES, _PARALLEL = 24, 0.02  # two lines are independent that move so often together, so seldom in parallel
_FIFTH, _OCTAVE = 7, 12
_HIGHEST_PARALLEL = 120


@planters.register("crossing")
def _crossing(soil: Soil) -> Planted | None:
    """One note moved by octaves to the other side of a line that its own never crosses (subtle: hardly ever)."""
    inner = set(soil.inner().tolist())
    often = 0.0 if soil.plain else _CROSSES
    pairs = [pair for pair in line_pairs(soil.facts) if pair.crossings <= often * len(pair.upper)]
    for pair in soil.chance.sample(pairs, len(pairs)):
        for at in soil.chance.sample(range(len(pair.upper)), len(pair.upper)):
            if pair.share[at] < _TOGETHER:
                continue
            top, bottom = int(pair.upper[at]), int(pair.lower[at])
            for octaves in (1, 2):
                for index, other, up in ((bottom, top, octaves), (top, bottom, -octaves)):
                    if index in inner and (planted := _across(soil, index, other, up)):
                        return planted
    return None


def _across(soil: Soil, index: int, other: int, octaves: int) -> Planted | None:
    """The piece with a note moved by octaves where that brings it to the other side of another note; else None."""
    facts = soil.facts
    pitch = int(facts.pitch[index]) + octaves * _OCTAVE
    gap = (pitch - int(facts.pitch[other])) * np.sign(octaves)
    if gap < (_PLAINLY if soil.plain else 1) or not LOWEST <= pitch <= HIGHEST:
        return None
    rival = soil.score.voices[int(facts.voice[other])].name
    side = "above" if octaves > 0 else "below"
    words = f"{soil.where(index)}: {soil.name(pitch)}, octaves off, crosses {side} {rival}"
    return soil.repitched({index: pitch}, int(facts.bar[index]), words)


@planters.register("parallels")
def _parallels(soil: Soil) -> Planted | None:
    """Four parallel fifths or octaves in a row between two lines that otherwise keep apart."""
    facts = soil.facts
    pairs = [pair for pair in line_pairs(facts) if len(pair.moves) >= _MOVES and pair.parallel.mean() <= _PARALLEL]
    for pair in soil.chance.sample(pairs, len(pairs)):
        starts = [
            start
            for start in range(len(pair.moves) - _RUN)
            if _is_run(pair, start) and facts.bar[pair.upper[pair.moves[start]]] > 0
        ]
        for start in soil.chance.sample(starts, len(starts)):
            planted = _in_parallel(soil, pair, start)
            if planted is not None:
                return planted
    return None


def _in_parallel(soil: Soil, pair: LinePair, start: int) -> Planted | None:
    """The piece with the upper of two lines led in parallel to the lower from a move on; None where that cannot be."""
    facts = soil.facts
    steps = [*pair.moves[start : start + _RUN].tolist(), int(pair.moves[start + _RUN - 1]) + 1]
    low = [int(facts.pitch[pair.lower[step]]) for step in steps]
    if any(a == b or abs(a - b) > _FIFTH for a, b in pairwise(low)):
        return None
    high = [int(facts.pitch[pair.upper[step]]) for step in steps]
    size = soil.chance.choice((_FIFTH, _OCTAVE))
    gap = size + CLASSES * round((np.mean(high) - np.mean(low) - size) / CLASSES)
    if gap < _FIFTH or max(low) + gap > _HIGHEST_PARALLEL:
        return None
    changes = {int(pair.upper[step]): pitch + gap for step, pitch in zip(steps, low, strict=True)}
    first, below = int(pair.upper[steps[0]]), int(pair.lower[steps[0]])
    name = "fifths" if size == _FIFTH else "octaves"
    words = f"{soil.where(first)}: parallel {name} with {soil.score.voices[int(facts.voice[below])].name}"
    return soil.repitched(changes, int(facts.bar[first]), words)


def _is_run(pair: LinePair, start: int) -> bool:
    """Whether so many moves follow each other without a gap."""
    run = pair.moves[start : start + _RUN]
    return len(run) == _RUN and bool((np.diff(run) == 1).all()) and bool(np.ptp(pair.time[run]) < _LONGEST_RUN)
