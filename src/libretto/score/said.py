"""What a file says of its keys where its notes say otherwise: the piece has those heard, and both are told."""

from __future__ import annotations

from libretto.errors import ScoreError
from libretto.score.keys import Key
from libretto.score.late import Unnamed
from libretto.score.model import Score

__all__ = ["goal_key", "overruled_keys", "semitones_to"]

_OCTAVE, _HALF = 12, 6


def overruled_keys(score: Score) -> tuple[tuple[int, Key], ...]:
    """The keys that its file says of a piece and that its notes do not bear out, so that the piece has others."""
    unnamed: Unnamed | None = score.__dict__.get("unnamed")
    said = () if unnamed is None else unnamed.said
    heard = [(tick, key, score.key_at(tick)) for tick, key in said if tick < score.ticks]
    return tuple((tick, key) for tick, key, now in heard if (key.tonic_class, key.mode) != (now.tonic_class, now.mode))


def goal_key(score: Score, text: str) -> Key:
    """The key that a text names for a piece; where it names no mode ("E"), in the mode that the piece has."""
    key = Key.parse(text)
    named = len(text.split()) > 1 or text.strip().endswith("m")
    return key if named else Key(key.tonic, score.key.mode)


def semitones_to(score: Score, goal: Key, called: str = "the piece") -> int:
    """How far a piece has to move to come to a key, the shorter way: from its own, or from the one that its file says.

    A ScoreError where neither is of that mode.
    """
    keys = [score.key, *(key for tick, key in overruled_keys(score) if tick == 0)]
    start = next((key for key in keys if key.mode == goal.mode), None)
    if start is None:
        raise ScoreError(
            f"{called} is in {score.key}; moving it does not make it {goal.mode}; name a {score.key.mode} key"
        )
    return (goal.tonic_class - start.tonic_class + _HALF) % _OCTAVE - _HALF
