"""Intervals and scales by name, in semitones above a root or a tonic, as detectors ask for them."""

from __future__ import annotations

__all__ = [
    "FIFTH",
    "FOURTH",
    "GUIDES",
    "LEADING_MINOR",
    "MAJOR",
    "MAJOR_SEVENTH",
    "MINOR",
    "MINOR_SEVENTH",
    "PITCHES",
    "SEVENTHS",
    "SIXTHS",
    "THIRDS",
    "TRITONE",
]

#: How many pitches MIDI has.
PITCHES = 128
FOURTH, TRITONE, FIFTH = 5, 6, 7
MINOR_SEVENTH, MAJOR_SEVENTH = 10, 11
#: Minor and major.
THIRDS, SIXTHS, SEVENTHS = (3, 4), (8, 9), (10, 11)
#: What leads from chord to chord: thirds and sevenths.
GUIDES = (*THIRDS, *SEVENTHS)
MAJOR = (0, 2, 4, 5, 7, 9, 11)
#: Minor with the leading tone beside the natural seventh.
LEADING_MINOR = (0, 2, 3, 5, 7, 8, 10, 11)
#: Minor with both forms of the sixth and the seventh degree.
MINOR = (0, 2, 3, 5, 7, 8, 9, 10, 11)
