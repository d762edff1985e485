"""Whether a voice repeats itself at pitch, or a semitone off: songs say the same thing again, and at the same pitch."""

from __future__ import annotations

import numpy as np

from libretto.score.facts import Facts
from libretto.score.table import Floats, Ints

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
    code = np.zeros(facts.bars, dtype=np.uint64)
    np.add.at(code, bar, mixed)
    many = np.bincount(bar, minlength=facts.bars)
    return code.astype(np.int64), many


def echo_rows(facts: Facts, voice: int, spans: Ints) -> Floats:
    """For each passage which share of its bars comes again elsewhere as it is, a semitone lower, a semitone higher."""
    if facts.bars > _MOST_BARS:
        return np.zeros((len(spans), len(ECHO_EVIDENCE)))
    plain, many = _codes(facts, voice, 0)
    worth = many >= _FEWEST
    bars = np.arange(facts.bars)
    far = (np.abs(bars[:, None] - bars[None, :]) >= _APART) & worth[None, :]
    again = {}
    for semitones in (0, -1, 1):
        moved, _ = _codes(facts, voice, semitones)
        again[semitones] = ((moved[:, None] == plain[None, :]) & far).any(axis=1) & worth
    at_pitch = again[0]
    columns = (at_pitch, again[-1] & ~at_pitch, again[1] & ~at_pitch)
    total = np.concatenate((np.zeros((1, 4)), np.cumsum(np.stack([*columns, worth], axis=1), axis=0)))
    sums = total[spans[:, 1]] - total[spans[:, 0]]
    count = np.maximum(sums[:, 3:], 1.0)
    return np.concatenate((sums[:, :3] / count, np.log2(1 + sums[:, 3:])), axis=1)
