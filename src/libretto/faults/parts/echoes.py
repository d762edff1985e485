"""Whether a voice repeats itself at pitch, or a semitone off: songs say the same thing again, and at the same pitch."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from libretto.score.facts import Facts
from libretto.score.table import Bools, Floats, Ints

__all__ = ["ECHO_EVIDENCE", "echo_rows"]

ECHO_EVIDENCE = ("bars said again", "bars again a step lower", "bars again a step higher", "bars worth comparing")
_APART = 8  # bars between two that are compared: closer ones may be off together
_FEWEST = 2  # notes of a bar that can be told from another
_MOST_BARS = 1000
_PRIME, _SEED = 1_000_003, 7
_WIDE = 2**61 - 1


def _codes(facts: Facts, voice: int, semitones: int) -> tuple[Ints, Ints]:
    """A number for what the voice plays in each bar, moved by semitones, the same for the same; and how many notes."""
    mine = facts.voice == voice
    bar = facts.bar[mine]
    note = (np.maximum(facts.slot[mine], 0) * 256 + facts.pitch[mine] + semitones + _SEED).astype(np.uint64)
    mixed = (note * np.uint64(_PRIME)) ^ ((note * note) << np.uint64(7))
    mixed = mixed * np.uint64(0x9E3779B97F4A7C15)
    code, starts = np.zeros(facts.bars, dtype=np.uint64), np.flatnonzero(np.diff(bar, prepend=-1))
    if len(bar):
        code[bar[starts]] = np.add.reduceat(mixed, starts)
    return code.astype(np.int64), np.bincount(bar, minlength=facts.bars)


@lru_cache(maxsize=4)
def _apart(bars: int) -> Bools:
    """Which of so many bars are far enough from each other to be compared."""
    numbers = np.arange(bars)
    return np.asarray(np.abs(numbers[:, None] - numbers[None, :]) >= _APART)


def echo_rows(facts: Facts, voice: int, spans: Ints) -> Floats:
    """For each passage which share of its bars comes again elsewhere as it is, a semitone lower, a semitone higher."""
    if facts.bars > _MOST_BARS:
        return np.zeros((len(spans), len(ECHO_EVIDENCE)))
    plain, many = _codes(facts, voice, 0)
    worth = many >= _FEWEST
    far = _apart(facts.bars) & worth[None, :]
    again = {}
    for semitones in (0, -1, 1):
        moved = _codes(facts, voice, semitones)[0] if semitones else plain
        again[semitones] = ((moved[:, None] == plain[None, :]) & far).any(axis=1) & worth
    at_pitch = again[0]
    columns = (at_pitch, again[-1] & ~at_pitch, again[1] & ~at_pitch)
    total = np.concatenate((np.zeros((1, 4)), np.cumsum(np.stack([*columns, worth], axis=1), axis=0)))
    sums = total[spans[:, 1]] - total[spans[:, 0]]
    count = np.maximum(sums[:, 3:], 1.0)
    return np.concatenate((sums[:, :3] / count, np.log2(1 + sums[:, 3:])), axis=1)
