"""Whether a voice repeats itself at pitch, or a semitone off: songs say the same thing again, and at the same pitch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.score.facts import Facts
from libretto.score.table import Floats, Ints

__all__ = ["ECHO_EVIDENCE", "echo_rows", "echo_sums"]

ECHO_EVIDENCE = ("bars said again", "bars again a step lower", "bars again a step higher", "bars worth comparing")
_APART = 8  # bars between two that are compared: closer ones may be off together
_FEWEST = 2  # notes of a bar that can be told from another
_MOST_BARS = 1000
_PRIME, _SEED = 1_000_003, 7
_VOICE = 0x1B873593CC9E2D51  # an odd number, by multiples of which the numbers of voices differ
_MOVES = (0, -1, 1)  # semitones by which a bar may come again


def _codes(facts: Facts) -> tuple[Ints, Ints]:
    """A number for what each voice plays in each bar, moved by each of some semitones, the same for the same; and how
    many notes."""
    shape = (facts.voices, facts.bars)
    note = np.maximum(facts.slot, 0) * 256 + facts.pitch + np.array(_MOVES)[:, None] + _SEED
    note = note.astype(np.uint64)
    mixed = (note * np.uint64(_PRIME)) ^ ((note * note) << np.uint64(7))
    mixed = mixed * np.uint64(0x9E3779B97F4A7C15)
    place = facts.voice * facts.bars + facts.bar
    order = np.argsort(place, kind="stable")
    place = place[order]
    code, starts = (
        np.zeros((len(_MOVES), shape[0] * shape[1]), dtype=np.uint64),
        np.flatnonzero(np.diff(place, prepend=-1)),
    )
    if len(place):
        code[:, place[starts]] = np.add.reduceat(mixed[:, order], starts, axis=1)
    many = np.bincount(place, minlength=shape[0] * shape[1])
    return code.view(np.int64).reshape(-1, *shape), many.reshape(shape)


def echo_sums(facts: Facts, voices: Sequence[int]) -> Floats:
    """For each voice how many bars up to each come again elsewhere as they are, a semitone lower, a semitone higher;
    and how many are worth comparing."""
    total = np.zeros((len(voices), facts.bars + 1, len(ECHO_EVIDENCE)))
    if facts.bars > _MOST_BARS:
        return total
    codes, many = _codes(facts)
    worth = many[voices] >= _FEWEST
    row, bar = np.nonzero(worth)
    moved = codes[:, voices][:, row, bar] + row * _VOICE  # one voice's bars are no other's
    order = np.argsort(moved[0], kind="stable")  # of those that are the same, one bar after another
    plain, bars = moved[0][order], bar[order]
    first, last = plain.searchsorted(moved), plain.searchsorted(moved, side="right") - 1
    here = first <= last
    early, late = (bars[np.minimum(at, len(bars) - 1)] for at in (first, last))
    again, lower, higher = here & ((early <= bar - _APART) | (late >= bar + _APART))
    columns = (again, lower & ~again, higher & ~again, np.ones_like(again))
    total[row, bar + 1] = np.stack(columns, axis=1)
    return np.asarray(np.cumsum(total, axis=1))


def echo_rows(total: Floats, row: Ints, spans: Ints) -> Floats:
    """For each of some passages, of the voice in a row of the sums up to each bar, which share of its bars comes again
    elsewhere."""
    sums = total[row, spans[:, 1]] - total[row, spans[:, 0]]
    count = np.maximum(sums[:, 3:], 1.0)
    return np.concatenate((sums[:, :3] / count, np.log2(1 + sums[:, 3:])), axis=1)
