"""What a file says of its keys where its notes say otherwise: the piece has those heard, and both are told."""

from __future__ import annotations

from libretto.errors import ScoreError
from libretto.score.keys import Key
from libretto.score.late import Unnamed
from libretto.score.model import Score

__all__ = ["overruled_keys", "semitones_to"]

_OCTAVE, _HALF = 12, 6


def overruled_keys(score: Score) -> tuple[tuple[int, Key], ...]:
    """The keys that its file says of a piece and that its notes do not bear out, so that the piece has others."""
    unnamed: Unnamed | None = score.__dict__.get("unnamed")
    said = () if unnamed is None else unnamed.said
    heard = [(tick, key, score.key_at(tick)) for tick, key in said if tick < score.ticks]
    return tuple((tick, key) for tick, key, now in heard if (key.tonic_class, key.mode) != (now.tonic_class, now.mode))


def semitones_to(score: Score, goal: Key, called: str = "the piece") -> int:
    """How far a piece has to move to come to a key, the shorter way: from its own, or from the one that its file says.

    A ScoreError where neither is of that mode.
    """
    keys = [score.key, *(key for tick, key in overruled_keys(score) if tick == 0)]
    start = next((key for key in keys if key.mode == goal.mode), None)
    if start is None:
        raise ScoreError(f"{called} is in {score.key}; moving it does not make it {goal.mode}")
    return (goal.tonic_class - start.tonic_class + _HALF) % _OCTAVE - _HALF
