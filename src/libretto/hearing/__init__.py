"""The local ear: drum loops, single lines and chords heard by arithmetic alone, with no model and no network.

It needs numpy, and soundfile to read clips. See ``docs/hearing.md`` for how it hears and how its thresholds were set.
"""

from libretto.hearing.chord import hear_chord
from libretto.hearing.melody import hear_line, hear_melody
from libretto.hearing.notes import HeardNote, hear_notes
from libretto.hearing.rhythm import Loop, hear_loop, hear_rhythm

__all__ = ["HeardNote", "Loop", "hear_chord", "hear_line", "hear_loop", "hear_melody", "hear_notes", "hear_rhythm"]
