"""Where the ending of a song begins: the last chord that is held, what is silent after it, and the cadence into it.

A song that goes on must not stop in the middle: new bars come before its ending, and the ending after them.
"""

from __future__ import annotations

import numpy as np

from libretto.score import Score, parse_chord

__all__ = ["ending_of"]

_MOST, _PART = 4, 4  # an ending has so many bars at most, and is no more than one part in so many of its song
_STRIKES = 2  # different moments at which anything starts in a bar that only holds
_BUTTON = 3  # and in a last bar that stops
_HELD, _SILENT = 0.45, 0.2  # of a bar that the last chord is held, or that is silent after it, at least
_DOMINANT, _LEADING = 7, 11  # semitones above the tonic


def ending_of(song: Score) -> int | None:
    """The index of the bar in which the ending begins; None where the song has none and merely stops.

    The last bar that sounds has to be one that holds or stops: little starts in it, and what starts last is held for
    about half of it or leaves a fifth of it silent. Bars before it that hold as well belong to the ending, and so does
    a dominant that leads into it.
    """
    rows = song.table
    if not len(rows):
        return None
    last = int(rows["bar"].max())
    moments = [len(np.unique(rows["onset"][rows["bar"] == bar])) for bar in range(last + 1)]
    if not _closes(song, last):
        return None
    usual = float(np.median([count for count in moments if count] or [0]))
    if usual <= _STRIKES:  # a song of long notes all through has no bar that stands out
        return _cadence(song, last) if song.bars > _PART else None
    first = last
    while last - first + 1 < _MOST and first > 0 and 0 < moments[first - 1] <= _STRIKES:
        first -= 1
    return _cadence(song, first) if (song.bars - first) * _PART <= song.bars else None


def _closes(song: Score, last: int) -> bool:
    """Whether the last bar that sounds holds or stops, whatever drums do under it."""
    rows, lines = song.table, song.bar_lines
    pitched = rows[[not song.voices[index].drums for index in rows["voice"].tolist()]]
    late = pitched[pitched["bar"] == last]
    moments = len(np.unique(late["onset"]))
    if not 0 < moments <= _BUTTON:
        return False
    struck, size = int(late["onset"].max()), lines[last + 1] - lines[last]
    until = int((late["onset"] + late["duration"])[late["onset"] == struck].max())
    holds = until - struck >= _HELD * size and moments <= _STRIKES
    return holds or lines[last + 1] - until >= _SILENT * size


def _cadence(song: Score, first: int) -> int:
    """The bar before where it leads into the ending as a dominant does, else the same bar."""
    if first == 0 or (song.bars - first + 1) * _PART > song.bars:
        return first
    tonic = song.keys[-1][1].tonic_class
    before, final = parse_chord(song.chords[first - 1][-1]), parse_chord(song.chords[first][0])
    if before is None or final is None or final.root_class != tonic:
        return first
    leads = (before.root_class - tonic) % 12 in (_DOMINANT, _LEADING) and before.third != (tonic + 10) % 12
    return first - 1 if leads else first
