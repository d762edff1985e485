"""Read ABC notation (standard 2.1 with the usual MIDI directives), also as language models write it.

Conventions: the first tune of a file that has notes is read. Bars stand as written; repeats and endings are marks
that give the order of play by ABC's lenient rules (``libretto.score.played`` plays them out). Where no marks can say
that order, the bars are written out as played. Bars are as long as written; a first bar shorter than the meter is the
pickup. Chord symbols become labels; a tune without any is labelled by ear. Dynamics set velocities; everything is 80
until one is met. Lyrics, decorations, slurs, grace notes, annotations, clefs and tempo words become marks.

Left out: words after the tune (``W:``), symbol lines (``s:``), the order of parts (``P:AABB`` in the header), macros,
microtones, and decorations over rests and bar lines that order no play.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from libretto.errors import FormatError, ScoreError
from libretto.formats.abc.score import score_of
from libretto.formats.abc.text import text_of, tunes_of
from libretto.formats.abc.tune import TuneReader
from libretto.score import Score, hear_chords

__all__ = ["decode", "first_tune"]

_MOST_TUNES = 5_000  # looked through for one with notes


def decode(data: bytes) -> Score:
    """The piece that an ABC file writes: its first tune that has notes.

    >>> score = decode(b"X:1\\nM:3/4\\nL:1/4\\nK:G\\nD|GAB|d2:|")
    >>> [note.name for note in score.voices[0].notes]
    ['D4', 'G4', 'A4', 'B4', 'D5']
    >>> [mark.kind for mark in score.marks]
    ['written', 'repeat-end']
    """
    tune = first_tune(text_of(data))
    try:
        score = score_of(tune)
    except ScoreError as wrong:
        raise FormatError(f"the ABC tune cannot be a piece: {wrong}") from None
    has_symbols = any(measure.symbols for voice in tune.voices.values() for measure in voice.measures)
    return score if has_symbols else replace(score, chords=hear_chords(score))


def first_tune(text: str) -> TuneReader:
    """The first tune with notes, else the first with rests."""
    silent = None
    for lines in islice(tunes_of(text), _MOST_TUNES):
        tune = TuneReader(lines)
        if tune.notes:
            return tune
        if silent is None and tune.has_bars:
            silent = tune
    if silent is None:
        raise FormatError("this is not an ABC tune: it has no X: or K: field followed by notes")
    return silent
