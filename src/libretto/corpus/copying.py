"""From where on sharing is copying: a ceiling that falls with the number of notes that are compared.

Two short or sparse pieces share more by chance than two long, full ones: a solo of sixteen bars has a few dozen notes,
a song for a band thousands, and the best of all songs and displacements is looked for. So the ceiling is a curve over
the logarithm of the number of notes, which never rises: a high quantile of what real pieces (whole songs, windows of
them, solos to quartets taken out of them) share beyond chance with the nearest song of another artist.

How often it is wrong is counted on artists that the curve has not seen: songs in folds, the curve learnt from the
others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from libretto.score.table import Floats, Ints

__all__ = ["WHOLE", "Copying", "Unrelated", "learn_copying"]

#: The kind of pieces that are songs as they are.
WHOLE = "whole songs"
_KNOTS = tuple(2**power for power in range(3, 14))  # notes, from a motif to a long song for a band
_WIDTH = 0.6  # how far, in doublings, pieces speak for a number of notes
_QUANTILE = 0.98  # of unrelated pieces lie below: more than the 97 of 100 songs that are promised, as artists differ
_JUST_ABOVE = 0.02  # so much is added: what unrelated pieces reach is not yet copying
_HIGHEST = 1.01  # more than anything can be: so few notes are found somewhere by chance, and nothing can be told
_FOLDS = 8
_DIGITS = 4


class Unrelated(NamedTuple):
    """What a real piece shares beyond chance with the nearest song of another artist."""

    group: int
    kind: str
    notes: int
    score: float


@dataclass(frozen=True)
class Copying:
    """How much a piece of so many notes may share beyond chance with one song.

    ``notes`` and ``ceilings`` are the curve. ``alarms`` says for each kind of real pieces by artists that the curve had
    not seen how many shared more with another artist's song, and of how many.
    """

    notes: tuple[int, ...]
    ceilings: tuple[float, ...]
    alarms: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def ceiling(self, notes: int) -> float:
        """The least score that is too much for so many notes."""
        return float(np.interp(np.log2(max(notes, 1)), np.log2(self.notes), self.ceilings))

    def to_dict(self) -> dict[str, Any]:
        """The curve as plain data."""
        return {**asdict(self), "alarms": {kind: list(counts) for kind, counts in self.alarms.items()}}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Copying:
        """The curve from plain data."""
        alarms = {str(kind): (int(wrong), int(of)) for kind, (wrong, of) in data["alarms"].items()}
        notes, ceilings = tuple(map(int, data["notes"])), tuple(map(float, data["ceilings"]))
        if len(notes) != len(ceilings) or len(notes) < 2 or any(a >= b for a, b in pairwise(notes)):
            raise ValueError("the ceilings of copying are no curve")
        return cls(notes, ceilings, alarms)


def learn_copying(pieces: Sequence[Unrelated]) -> Copying:
    """The ceilings that unrelated pieces teach, and how often they are wrong on artists that were held out."""
    group = np.array([piece.group for piece in pieces], dtype=np.int64)
    notes = np.array([piece.notes for piece in pieces], dtype=np.int64)
    scores = np.array([piece.score for piece in pieces], dtype=np.float64)
    fold = np.argsort(np.argsort(np.unique(group)))[np.searchsorted(np.unique(group), group)] % _FOLDS
    wrong = np.zeros(len(pieces), dtype=np.bool_)
    for number in range(_FOLDS):
        held = fold == number
        if held.any() and not held.all():
            curve = Copying(_KNOTS, _curve(notes[~held], scores[~held]))
            ceilings = [curve.ceiling(count) for count in notes[held].tolist()]
            wrong[held] = scores[held] >= ceilings
    kinds = np.array([piece.kind for piece in pieces])
    alarms = {
        kind: (int(wrong[kinds == kind].sum()), int((kinds == kind).sum())) for kind in sorted(set(kinds.tolist()))
    }
    return Copying(_KNOTS, _curve(notes, scores), alarms)


def _curve(notes: Ints, scores: Floats) -> tuple[float, ...]:
    """For each knot a quantile of the pieces near it, none above the one before."""
    place, order = np.log2(notes), np.argsort(scores, kind="stable")
    ceilings: list[float] = []
    for knot in _KNOTS:
        weight = np.exp(-0.5 * ((place[order] - np.log2(knot)) / _WIDTH) ** 2)
        reached = np.cumsum(weight) / max(float(weight.sum()), 1e-9)
        at = min(int(np.searchsorted(reached, _QUANTILE)), len(order) - 1)
        ceilings.append(min(_HIGHEST, float(scores[order][at]) + _JUST_ABOVE))
    return tuple(round(value, _DIGITS) for value in np.minimum.accumulate(ceilings).tolist())
