"""Tunes first: of players who are listed after the beat, those with a line come before those whose hands have chords.

Who is named first leads where nobody says who does. A list that begins with a drum is in no such order: of *tambourine,
organetto and violin* the violin leads a dance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from libretto.contract.instruments import Instrument

__all__ = ["tunes_first"]

_BEATEN = frozenset({"drums", "percussion", "timpani"})  # families
_KEYED = frozenset({"free reeds"})  # families of those who have a tune or chords under their hands


class _Seat(Protocol):
    @property
    def instrument(self) -> Instrument: ...


T = TypeVar("T", bound=_Seat)


def tunes_first(seats: Sequence[T]) -> list[T]:
    """Some who play, in the order in which a tune is theirs: as they are named, but after a beat free reeds last."""
    beaten = len(seats) > 1 and seats[0].instrument.family in _BEATEN
    return sorted(seats, key=lambda seat: beaten and seat.instrument.family in _KEYED)
