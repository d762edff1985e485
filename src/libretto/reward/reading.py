"""Texts become pieces, within bounds: what is endless is refused before it is read, and what fails is told how far.

The bounds are wide for music and narrow for whoever tries to fill a computer: a piece of 512 bars lasts a quarter of an
hour. A text that cannot be read gets the share of its lines that no problem was found in, so that a model that learns
to write can be told that it comes closer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from libretto.errors import GrammarError, LibrettoError
from libretto.grammar import parse
from libretto.score import Score, played

__all__ = ["MOST_BARS", "MOST_CHARACTERS", "MOST_NOTES", "MOST_VOICES", "Read", "read_piece"]

MOST_CHARACTERS = 1_000_000  #: of a text
MOST_BARS = 512  #: of a piece, as it is played
MOST_NOTES = 50_000  #: of a piece
MOST_VOICES = 64  #: of a piece
_BARS = re.compile(r"BARS\s*:\s*(\d{1,9})")
_HEAD = 4_000  # characters in which a header says how many bars there are


@dataclass(frozen=True)
class Read:
    """A piece as it is played, or None and why not; ``sound`` is the share of lines without a problem."""

    score: Score | None = field(repr=False)
    sound: float = 1.0
    why: str = ""


def read_piece(piece: str | Score) -> Read:
    """A text or a Score as a piece to be rewarded.

    >>> read_piece("no music").score is None
    True
    """
    if isinstance(piece, Score):
        return _bounded(piece)
    if len(piece) > MOST_CHARACTERS:
        return Read(None, 0.0, f"the text has {len(piece):,} characters; {MOST_CHARACTERS:,} are read")
    stated = _BARS.search(piece, 0, _HEAD)
    if stated is not None and int(stated[1]) > MOST_BARS:
        return Read(None, 0.0, f"the text has {int(stated[1]):,} bars; {MOST_BARS} are read")
    try:
        return _bounded(parse(piece))
    except GrammarError as error:
        lines = max(1, sum(1 for line in piece.split("\n") if line.strip()))
        wrong = len({problem.line for problem in error.problems})
        return Read(None, max(0.0, 1.0 - max(wrong, 1) / lines), _line(error))
    except LibrettoError as error:
        return Read(None, 0.0, _line(error))


def _bounded(score: Score) -> Read:
    try:
        sounds = played(score)
    except LibrettoError as error:
        return Read(None, 0.0, _line(error))
    for many, most, what in (
        (sounds.bars, MOST_BARS, "bars"),
        (len(sounds.table), MOST_NOTES, "notes"),
        (len(sounds.voices), MOST_VOICES, "voices"),
    ):
        if many > most:
            return Read(None, 0.0, f"the piece has {many:,} {what}; {most:,} are read")
    return Read(sounds)


def _line(error: LibrettoError) -> str:
    first = next(iter(str(error).strip().splitlines()), "")
    return " ".join(first.split())
