"""What a piece is: pitch, time, notes, voices, the Score, and pure edits of it."""

from typing import TYPE_CHECKING

from libretto.registry import lazy_names

if TYPE_CHECKING:
    from libretto.score.chords import Chord, is_chord, parse_chord, transpose_chord
    from libretto.score.diff import Diff, diff
    from libretto.score.edit import add_voice, join, remove_voice, requantize, take_bars, without_controls
    from libretto.score.harmony import hear_chords
    from libretto.score.keys import Key, infer_key, spell
    from libretto.score.marks import Mark
    from libretto.score.model import Score
    from libretto.score.patch import Patch, make_patch, outside_digest, replace_bars, untouched
    from libretto.score.played import played
    from libretto.score.time import QUARTER, WHOLE, Grid, Meter
    from libretto.score.transposing import transpose
    from libretto.score.voice import Note, Voice, legal_name

__all__ = [
    "QUARTER",
    "WHOLE",
    "Chord",
    "Diff",
    "Grid",
    "Key",
    "Mark",
    "Meter",
    "Note",
    "Patch",
    "Score",
    "Voice",
    "add_voice",
    "diff",
    "hear_chords",
    "infer_key",
    "is_chord",
    "join",
    "legal_name",
    "make_patch",
    "outside_digest",
    "parse_chord",
    "played",
    "remove_voice",
    "replace_bars",
    "requantize",
    "spell",
    "take_bars",
    "transpose",
    "transpose_chord",
    "untouched",
    "without_controls",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "chords": "Chord is_chord parse_chord transpose_chord",
        "diff": "Diff diff",
        "edit": "add_voice join remove_voice requantize take_bars without_controls",
        "harmony": "hear_chords",
        "keys": "Key infer_key spell",
        "marks": "Mark",
        "model": "Score",
        "patch": "Patch make_patch outside_digest replace_bars untouched",
        "played": "played",
        "time": "QUARTER WHOLE Grid Meter",
        "transposing": "transpose",
        "voice": "Note Voice legal_name",
    },
)
