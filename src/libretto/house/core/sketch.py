"""What players hand in: notes on a straight clock, with accents instead of velocities; performing comes later."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Sketch", "clipped"]


class Sketch(NamedTuple):
    """One note as written down by a player: ticks, pitch, and how much louder or softer than the part it is meant."""

    onset: int
    duration: int
    pitch: int
    accent: int = 0


def clipped(notes: list[Sketch]) -> list[Sketch]:
    """The same notes, each ending where the same pitch is struck again."""
    ordered = sorted(notes)
    following: dict[int, int] = {}
    kept = []
    for note in reversed(ordered):
        until = following.get(note.pitch)
        if until == note.onset:
            continue
        length = note.duration if until is None else min(note.duration, until - note.onset)
        following[note.pitch] = note.onset
        kept.append(note._replace(duration=max(1, length)))
    return kept[::-1]
