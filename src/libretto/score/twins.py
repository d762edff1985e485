"""Parallel passages: bars in which a voice plays the same, one note perhaps excepted, and what they say of it.

Conventions: a *line* is one voice in one bar, as a number: the voice times the bars, plus the bar. A *key* says where
in its bar a note stands and which pitch it has.
"""

from __future__ import annotations

import numpy as np

from libretto.score.table import Bools, Ints, distinct

__all__ = ["twins_among"]

_PITCHES = 128
_MOST_MEETINGS = 1_500_000  # of equal notes of two bars, at a time
_LEAST_ALIKE = 3  # notes of a bar that can be a twin
_STEPS, _OCTAVES = (-2, -1, 1, 2), (-24, -12, 12, 24)  # semitones by which twins may differ


def twins_among(line: Ints, slot: Ints, pitch: Ints, bars: int, asked: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """How parallel passages read some notes of a piece: agree, contradict, contradict by a step, by octaves.

    Of all notes come the line, the place in the bar and the pitch; ``asked`` are indices.
    """
    counts: Ints = np.zeros((4, len(asked)), dtype=np.int64)
    span = (int(slot.max(initial=0)) + 2) * _PITCHES  # further than any key is from the next line's, moved by octaves
    code = line * span + np.maximum(slot, 0) * _PITCHES + pitch
    entries, wanted = distinct(code), code[asked]
    mine, of_line = distinct(line[asked]), np.bincount(entries // span, minlength=1)
    step = max(1, _MOST_MEETINGS // max(bars * int(of_line.max()), 1))
    for first in range(0, len(mine), step):
        some = mine[first : first + step]
        here = np.flatnonzero((wanted >= some[0] * span) & (wanted < (some[-1] + 1) * span))
        counts[:, here] = _read(entries, span, bars, some, wanted[here])
    return counts[0], counts[1], counts[2], counts[3]


def _read(entries: Ints, span: int, bars: int, mine: Ints, wanted: Ints) -> list[Ints]:
    """The same for the notes of some lines. ``entries`` are the lines and keys that there are, as numbers in order.

    Two bars are twins for a note where the other has all the rest of its bar: it has the note, too, and agrees, or the
    note is the only one that it has not.
    """
    line, key = entries // span, entries % span
    size = np.bincount(line, minlength=(int(line[-1]) // bars + 1) * bars)
    row, shape = mine.searchsorted(wanted // span), (len(mine), bars)
    meeting, other_bar, owner = _meetings(line, key, span, bars, mine)
    cell = owner * bars + other_bar
    shared = np.bincount(cell, minlength=len(mine) * bars).reshape(shape)
    voice, full = mine // bars, size[mine][:, None]
    near = (np.abs(size.reshape(-1, bars)[voice] - full) <= 1) & (full >= _LEAST_ALIKE)
    near[np.arange(len(mine)), mine % bars] = False  # a bar is no twin of itself
    agree = np.count_nonzero(near & (shared == full), axis=1)
    one, other = np.nonzero(near & (shared == full - 1))
    # Of the sum of what a bar has, less the sum of what both have, the one that is missing is left.
    has = np.bincount(line, key, minlength=len(size))[mine]
    both = np.bincount(cell, key[meeting], minlength=len(mine) * bars).reshape(shape)
    missing = (has[one] - both[one, other]).astype(np.int64)
    contradicted, instead = mine[one] * span + missing, (voice[one] * bars + other) * span + missing

    def there(shifts: tuple[int, ...]) -> Bools:
        codes = instead + np.array(shifts)[:, None]
        return np.asarray((entries.take(entries.searchsorted(codes), mode="clip") == codes).any(axis=0))

    said = [contradicted, contradicted[there(_STEPS)], contradicted[there(_OCTAVES)]]
    return [agree[row], *(_times(codes, wanted) for codes in said)]


def _meetings(line: Ints, key: Ints, span: int, bars: int, mine: Ints) -> tuple[Ints, Ints, Ints]:
    """Where a key of some lines comes again in a bar of the same voice: which entry it is, that bar, and of which of
    the lines the entry is."""
    same = line // bars * span + key
    order = np.argsort(same, kind="stable")
    own = np.flatnonzero(mine.take(mine.searchsorted(line), mode="clip") == line)
    start, end = (same[order].searchsorted(same[own], side=side) for side in ("left", "right"))
    many = end - start
    entry = np.repeat(own, many)
    place = np.repeat(start - np.cumsum(many) + many, many) + np.arange(len(entry))
    return entry, line[order[place]] % bars, mine.searchsorted(line[entry])


def _times(codes: Ints, wanted: Ints) -> Ints:
    """How often each number that is wanted is among the codes."""
    ordered = np.sort(codes)
    return np.asarray(ordered.searchsorted(wanted, side="right") - ordered.searchsorted(wanted, side="left"))
