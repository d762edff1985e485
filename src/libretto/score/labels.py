"""Chord labels that nobody wrote: heard in a piece when they are first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from libretto.score.harmony import Piece

__all__ = ["heard_labels"]


def heard_labels(piece: Piece) -> tuple[tuple[str, ...], ...]:
    """The chord labels of a piece that has none."""
    from libretto.score.harmony import hear_chords  # nobody else has to wait for its tables

    return hear_chords(piece)
