"""A step of a tune: one note whose time is decided and whose pitch is not."""

from __future__ import annotations

from dataclasses import dataclass

from libretto.score.chords import Chord

__all__ = ["Step"]


@dataclass(frozen=True)
class Step:
    """One note of a tune whose rhythm is decided.

    Times are ticks from the start of the piece; ``phrase`` and ``close`` are where its phrase begins and ends. ``bias``
    goes by pitch from ``low`` to ``high`` and is added to the model's log-probability: minus infinity forbids a pitch,
    () says nothing. ``echo`` is the index of the earlier step that this one answers (the same place of a motif), -1 for
    none.
    """

    onset: int
    length: int
    chord: Chord | None
    phrase: int
    close: int
    bias: tuple[float, ...] = ()
    echo: int = -1
