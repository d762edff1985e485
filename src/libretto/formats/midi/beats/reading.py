"""Read MIDI that may have been played freely: bytes -> Score."""

from __future__ import annotations

from libretto.formats.midi.beats.recognition import ignores_bar_lines
from libretto.formats.midi.read import score_of
from libretto.formats.midi.source import MidiSource, source_of
from libretto.score import Score

__all__ = ["decode_free"]


def decode_free(data: bytes, *, beats: bool = False) -> tuple[Score, bool]:
    """The piece in a MIDI file, and whether its notes ignore its bar lines; with ``beats`` these are found anew."""
    source = source_of(data)
    return score_of(_anew(source) if beats else source), ignores_bar_lines(source)


def _anew(source: MidiSource) -> MidiSource:
    """The source with its beats found anew; what finds them is seldom wanted, and takes a while to load."""
    from libretto.formats.midi.beats.retiming import retimed

    return retimed(source)
