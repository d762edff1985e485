"""The house's own piece, written anew, brought to what a piece has become since: another key, other chords.

A plan says in which key a piece was composed, not in which it stands now. What is written anew from the plan is held
against the chords that are heard in the piece: moved to where it stands, and not used where the chords are others.
"""

from __future__ import annotations

import numpy as np

from libretto.score import Score, hear_chords, parse_chord, transpose
from libretto.score.table import Ints

__all__ = ["as_it_is_now"]

_SAME_PIECE = 0.5  # of the half bars that have the same root where one piece is another in some key
_SAME_CHORDS = 0.75  # the same in the bars that are written anew beside parts that stay
_SHIFTS = (0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5, 6)  # semitones, the nearest first


def as_it_is_now(own: Score, score: Score, span: tuple[int, int], *, everybody: bool) -> Score | None:
    """A version of a piece, of as many bars, in the key that the piece stands in now.

    None where its chords are others by now: in the bars of the span where parts stay there, else on the whole.
    """
    mine, theirs = _roots(own), _roots(score)
    sounding = (mine >= 0) & (theirs >= 0)
    if not sounding.any():
        return own
    agreed = [float(((mine + shift) % 12 == theirs)[sounding].mean()) for shift in _SHIFTS]
    best = int(np.argmax(agreed))
    if agreed[best] < _SAME_PIECE:
        return None
    shift = _SHIFTS[best]
    inside = sounding[2 * span[0] : 2 * span[1] + 2]
    same = ((mine + shift) % 12 == theirs)[2 * span[0] : 2 * span[1] + 2][inside]
    if not everybody and len(same) and float(same.mean()) < _SAME_CHORDS:
        return None
    return transpose(own, shift) if shift else own


def _roots(score: Score) -> Ints:
    """The root heard in each half of every bar; -1 where there is none."""
    chords = [parse_chord(label) for labels in hear_chords(score) for label in (labels[0], labels[-1])]
    return np.array([-1 if chord is None else chord.root_class for chord in chords], dtype=np.int64)
