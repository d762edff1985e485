"""Tunes grown from a template, brought back, answered and accompanied.

>>> from libretto.house.tune.sketching import sketch_theme
>>> from libretto.score.chords import parse_chord
>>> from libretto.score.keys import Key
>>> from libretto.score.time import Meter
>>> theme = sketch_theme(Meter(4, 4), 8, seed=1, kind="")
>>> room = Room(Key.parse("G"), Meter(4, 4), 8, 0, lambda tick: parse_chord("G"), low=62, high=83, last=True)
>>> tune = grow(theme, room, seed=1)
>>> tune.notes[-1].pitch % 12 == Key.parse("G").tonic_class
True
"""

from __future__ import annotations

import numpy as np

from libretto.errors import LibrettoError
from libretto.house.tune.beside import answer, counter
from libretto.house.tune.critic import faults_of, matches_of
from libretto.house.tune.developing import developed
from libretto.house.tune.laying import Slot, lay_out, rows_of
from libretto.house.tune.leaning import is_pop
from libretto.house.tune.making import making_of
from libretto.house.tune.returning import again
from libretto.house.tune.rhythms import changed_bars
from libretto.house.tune.room import Grown, Room
from libretto.house.tune.singing import sung, taste_of
from libretto.house.tune.sketching import sketch_theme
from libretto.house.tune.themes import Theme

__all__ = ["Grown", "Room", "again", "answer", "counter", "grow", "sketch_theme"]

_TRIES = 2  # tunes grown at most, of which the better is taken
_SHARED, _COPYING = 0.33, 1.0  # so many notes may be the template's; what each further one counts
_NOT_AGAIN = 0.8  # what a note costs in the next try that was the template's
_SAME, _SONGS_SAME, _SONGS_RETURN = 0.5, 0.25, 0.5  # how much of a statement returns as it was; songs vary more
_ANOTHER = 1_000_003  # between the seeds of two ways to change the rhythms of a theme
_GOOD = 1.2  # so little can be said against a tune that no other is grown


def grow(theme: Theme, room: Room, seed: int, *, other: Theme | None = None) -> Grown:
    """A new tune of the room's length, made as the theme is made; another theme may lend rhythms for its answers.

    Raises LibrettoError where the theme is in another meter than the room or has no notes.
    """
    if theme.meter != room.meter:
        raise LibrettoError(f"a theme in {theme.meter} cannot grow in {room.meter}")
    if not theme.notes or room.bars < 1:
        raise LibrettoError(f"nothing can grow from {theme.name or 'a theme'} in {room.bars} bars")
    slots = _slots(theme, room, seed, other)
    best, least = Grown((), (), room.key, room.bars), float("inf")
    taste = taste_of(room)
    copied = np.zeros((len(slots), room.high - room.low + 1))
    for number in range(_TRIES):
        grown = sung(slots, room, f"{seed}/{number}", taste, extra=copied)
        matches = matches_of(grown.notes, theme)
        faults = faults_of(grown.notes, room) + _COPYING * max(0, len(matches) - _SHARED * len(grown.notes))
        if faults < least:
            best, least = grown, faults
        if least <= _GOOD:
            break
        for index in matches:
            copied[index, grown.notes[index].pitch - room.low] += _NOT_AGAIN
    return best


def _slots(theme: Theme, room: Room, seed: int, other: Theme | None) -> list[Slot]:
    """The slots of the room after the template."""
    song = is_pop(room.kind)
    making = developed(making_of(theme), seed, _SONGS_RETURN if song else 1.0)
    lender = making_of(other) if other and other.meter == theme.meter and other.notes else None
    bars = changed_bars(making, lender, room.busy, seed)
    later = changed_bars(making, lender, room.busy, seed + _ANOTHER) if song else ()
    rows = rows_of(theme.bars, room.bars, making.ends, _SONGS_SAME if song else _SAME)
    return lay_out(making, bars, rows, pickup=room.first > 0, last=room.last, later=later)
