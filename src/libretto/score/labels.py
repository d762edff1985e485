"""Chord labels that nobody wrote: heard in a piece when they are first asked for.

Who reads a file to measure it, to judge it or to compare it never asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from libretto.score.harmony import Piece

__all__ = ["HeardLabels"]


class HeardLabels:
    """The chord labels of a piece that holds none itself; once heard, it holds them."""

    def __get__(self, piece: Piece | None, owner: type) -> Any:
        if piece is None:
            return self
        from libretto.score.harmony import hear_chords  # nobody else has to wait for its tables

        return piece.__dict__.setdefault("chords", hear_chords(piece))
