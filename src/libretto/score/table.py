"""The note table: what every measurement reads.

``NOTE`` is what a voice stores, ``TABLE`` what ``score.table`` shows: the same columns and where each note stands.
``SOUND``, which ``score.sounds`` shows, is all of that but the spelling: what is only measured asks for no names. Rows
are ordered by voice, then onset, pitch, duration, velocity and spelling.

=========  ======  ===========================================================
column     type    meaning
=========  ======  ===========================================================
onset      int64   start, in ticks from the beginning of the piece
duration   int64   length in ticks, at least 1; may run past the bar line
pitch      int16   MIDI number, C4 = 60 (a General MIDI drum key in percussion)
velocity   int16   1 to 127
spelling   int16   place on the line of fifths, C = 0 (how the note is written)
voice      int32   index into ``score.voices``
bar        int32   index into ``score.bars``: 0 is the first bar written
position   int64   ticks from that bar's start
=========  ======  ===========================================================

The kinds of arrays that facts and measures are made of are named here, too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "NOTE",
    "SOUND",
    "TABLE",
    "Bools",
    "Floats",
    "Ints",
    "Singles",
    "distinct",
    "frozen",
    "middle",
    "note_order",
    "notes_of",
    "percentile",
    "sorted_notes",
    "taken_rows",
]

_COLUMNS: list[tuple[str, str]] = [
    ("onset", "<i8"),
    ("duration", "<i8"),
    ("pitch", "<i2"),
    ("velocity", "<i2"),
    ("spelling", "<i2"),
]
NOTE = np.dtype(_COLUMNS)
TABLE = np.dtype([*_COLUMNS, ("voice", "<i4"), ("bar", "<i4"), ("position", "<i8")])
SOUND = np.dtype([(name, TABLE[name]) for name in TABLE.names or () if name != "spelling"])


_PITCH_BITS, _ROOM = 7, 63  # of a pitch, and of a number that notes are ordered by
_FIRST = np.ones(1, dtype=np.bool_)


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """The same array, read-only from now on."""
    array.setflags(write=False)
    return array


def notes_of(table: NDArray[Any]) -> NDArray[Any]:
    """What voices hold of the rows of a table."""
    notes = np.empty(len(table), NOTE)
    for name in NOTE.names or ():
        notes[name] = table[name]
    return notes


def distinct(values: NDArray[Any]) -> NDArray[Any]:
    """Each value once, in order: what ``np.unique`` gives for whole numbers, in less time."""
    ordered = np.sort(values, axis=None)
    return np.asarray(ordered[np.concatenate((_FIRST[: len(ordered)], ordered[1:] != ordered[:-1]))])


def middle(values: NDArray[Any], axis: int = -1) -> NDArray[Any]:
    """The median along an axis: what ``np.median`` gives for numbers, without the modules that it imports."""
    ordered, count = np.sort(values, axis=axis), values.shape[axis]
    if not count:
        return np.full(np.delete(values.shape, axis), np.nan)
    low, high, last = (ordered.take(place, axis=axis) for place in ((count - 1) // 2, count // 2, count - 1))
    return np.where(last == last, (low + high) / 2, np.nan)  # NaN stands last, and is not equal to itself


def percentile(values: NDArray[Any], percent: float) -> float:
    """What that share of the values lies below: ``np.percentile``, without the modules that it imports."""
    ordered, place = np.sort(values), (len(values) - 1) * (percent / 100)
    low = int(place)
    here, there = float(ordered[low]), float(ordered[min(low + 1, len(values) - 1)])
    part = place - low
    return there - (there - here) * (1 - part) if part >= 1 / 2 else here + (there - here) * part


def sorted_notes(notes: NDArray[Any]) -> NDArray[Any]:
    """Notes of a voice in canonical order: onset, pitch, duration, velocity, spelling."""
    if len(notes) < 2:
        return notes
    onset, pitch = np.ascontiguousarray(notes["onset"]), notes["pitch"].astype(np.int64)
    lesser = (notes["duration"], notes["velocity"], notes["spelling"])
    return taken_rows(notes, note_order(np.zeros_like(onset), onset, pitch, *lesser))


def note_order(voice: Ints, onset: Ints, pitch: Ints, *lesser: NDArray[Any]) -> Ints:
    """The rows of notes by voice, onset and pitch and, where these are equal, by what else is given, in that order."""
    bits = max(1, int(onset.max(initial=0)).bit_length())
    if int(voice.max(initial=0)).bit_length() + bits + _PITCH_BITS > _ROOM or int(onset.min(initial=0)) < 0:
        return np.lexsort((*lesser[::-1], pitch, onset, voice))
    key = ((voice << bits) + onset << _PITCH_BITS) + pitch
    order = np.argsort(key, kind="stable")
    key = key[order]
    again = np.flatnonzero(key[1:] == key[:-1])
    if len(again):  # only these need more to be told apart
        tied = distinct(np.concatenate((again, again + 1)))
        some = order[tied]
        order[tied] = some[np.lexsort((*(column[some] for column in lesser[::-1]), key[tied]))]
    return order


def taken_rows(table: NDArray[Any], order: Ints) -> NDArray[Any]:
    """The rows of a table in that order; column by column, which is quicker than row by row."""
    taken = np.empty(len(order), table.dtype)
    for column in table.dtype.names or ():
        taken[column] = table[column][order]
    return taken


Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Singles = NDArray[np.float32]  # samples of sound, and spectra
