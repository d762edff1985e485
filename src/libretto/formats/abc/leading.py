"""Whether signs of repeats lead through an ABC page as they do through the piece.

ABC has rules of its own for endings and where repeats begin, so that a page is tried on the bones of a piece: one note
for every bar, which tells the bar by its pitch.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from libretto.formats.abc.read import first_tune
from libretto.formats.abc.score import score_of
from libretto.score import Note, Score, Voice, played
from libretto.score.marks import REPEAT_MARKS
from libretto.score.pitch import fifths_of_semitones

__all__ = ["leads_alike", "skeleton"]

_LOWEST, _PITCHES, _VELOCITY = 24, 72, 80


def skeleton(score: Score) -> Score | None:
    """A piece of one voice with a note for every bar and the signs of that piece; None where it has no signs."""
    if not any(mark.kind in REPEAT_MARKS for mark in score.marks):
        return None
    notes = []
    for bar, (start, stop) in enumerate(pairwise(score.bar_lines)):
        pitch = _LOWEST + bar % _PITCHES
        notes.append(Note(start, stop - start, pitch, _VELOCITY, fifths_of_semitones(pitch)))
    return replace(score, voices=(Voice.of("-", notes),))


def leads_alike(bones: Score, page: str) -> bool:
    """Whether the bars of such a piece are played in the same order by who reads the page."""
    return _order(score_of(first_tune(page))) == _order(bones)


def _order(score: Score) -> list[int]:
    pitches: list[int] = played(score).sounds["pitch"].tolist()
    return pitches
