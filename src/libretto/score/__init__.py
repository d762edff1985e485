"""What a piece is: pitch, time, notes, voices, the Score, and pure edits of it."""

from libretto.score.chords import Chord, is_chord, parse_chord, transpose_chord
from libretto.score.harmony import hear_chords
from libretto.score.keys import Key, infer_key, spell
from libretto.score.model import Note, Score, Voice, legal_name
from libretto.score.time import QUARTER, WHOLE, Grid, Meter

__all__ = [
    "QUARTER",
    "WHOLE",
    "Chord",
    "Grid",
    "Key",
    "Meter",
    "Note",
    "Score",
    "Voice",
    "hear_chords",
    "infer_key",
    "is_chord",
    "legal_name",
    "parse_chord",
    "spell",
    "transpose_chord",
]
