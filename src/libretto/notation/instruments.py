"""Instruments as players know them: transposition, family, short names; and where drums stand on a staff."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from libretto.errors import ScoreError
from libretto.score import Key, Score, Voice, spell, transpose
from libretto.score.general_midi import guess_program

__all__ = [
    "Drum",
    "abbreviation",
    "at_written_pitch",
    "drum_at",
    "drum_of",
    "drum_spelling",
    "engraved_drum",
    "family",
    "full_name",
    "instrument",
    "take_voices",
    "transposition",
    "written_above",
]

#: Semitones by which a part is written above its sound.
_ABOVE = {
    **dict.fromkeys((*range(24, 40), 43), 12),  # guitars, basses
    **dict.fromkeys((56, 59, 64, 71), 2),  # trumpet, soprano saxophone, clarinet in B flat
    65: 9,
    66: 14,
    67: 21,
    **dict.fromkeys((60, 69), 7),  # horn and English horn in F
    **dict.fromkeys((8, 13, 72, 78), -12),  # celesta, xylophone, piccolo, whistle
    9: -24,
}
#: Instruments that share a program with another, by words of their names.
_RELATIVES = (
    (re.compile(r"bass clarinet", re.I), 71, 14),
    (re.compile(r"alto flute", re.I), 73, 5),
    (re.compile(r"bass flute", re.I), 73, 12),
    (re.compile(r"contrabassoon", re.I), 70, 12),
)
_KEY_OF_AN_INSTRUMENT = re.compile(  # Clarinet in Bb, Clarinet (A), Eb Clarinet; but "A Clarinet" may be any
    r"(?:\b[Ii]n |\(|^(?=[B-G][b♭]? [A-Za-z]))([A-G])(b|#|♭|♯|[ -]?[Ff]lat|[ -]?[Ss]harp)?(?!\w)"
)
_WINDS = range(56, 80)
_CLASSES = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
_SIGN_OF = {"": 0, "b": -1, "♭": -1, "flat": -1, "#": 1, "♯": 1, "sharp": 1}
_FAMILIES = (
    ("strings", frozenset(range(40, 46))),
    ("brass", frozenset(range(56, 64))),
    ("woodwind", frozenset(range(64, 80))),
)
_MASSED_STRINGS, _BOWED = frozenset({44, 45, *range(48, 52)}), frozenset(range(40, 44))
_SINGER = 52
_SUNG = re.compile(r"\s*(mezzo|sopran[oe]|alto|contralto|tenor|baritone?|voice|singer|vocals?|vox)s?\s*\d*\s*\Z", re.I)
_HALF_OCTAVE = 6
_LONG = 26  # letters of a name before the first line
_SHORT = 6  # letters of a name that may stand before every line
_WORDS, _WORD, _STEM = 3, 4, 3  # words of a short name, letters of one that stay, and what is left of a longer one
_SHORT_NAMES = {
    **{"accordion": "Acc", "baritone": "Bari", "bassoon": "Bsn", "cello": "Vc", "clarinet": "Cl", "contrabass": "Cb"},
    **{"flute": "Fl", "guitar": "Gtr", "harmonica": "Harm", "horn": "Hn", "oboe": "Ob", "organ": "Org", "piano": "Pno"},
    **{
        "percussion": "Perc",
        "piccolo": "Picc",
        "saxophone": "Sax",
        "strings": "Str",
        "tenor": "Ten",
        "timpani": "Timp",
    },
    **{"trombone": "Tbn", "trumpet": "Tpt", "viola": "Vla", "violin": "Vln", "violoncello": "Vc", "vocals": "Voc"},
}


def written_above(program: int | None) -> int:
    """By how many semitones an instrument is written above its sound: 2 for a trumpet, -12 for a piccolo."""
    return _ABOVE.get(program, 0) if program is not None else 0


def instrument(voice: Voice) -> int:
    """The program of the instrument that plays a voice: what its name says where its sound is only like it.

    A voice called Viola that sounds as a string ensemble is a viola; one called Tenor that sounds as a piano is sung.
    """
    said = guess_program(voice.name)
    if voice.program is None:
        return _SINGER if _SUNG.match(voice.name) else said
    if voice.program in _MASSED_STRINGS and said in _BOWED:
        return said
    return voice.program


def transposition(voice: Voice) -> int:
    """By how many semitones a voice is written above its sound, by its program and by what its name says.

    ``Clarinet in A`` is read a third higher than it sounds, ``Trumpet in C`` where it sounds; without such words the
    usual instrument is meant.

    >>> [transposition(Voice(name, 71)) for name in ("Clarinet", "Clarinet in A", "Clarinet in Eb", "Bass Clarinet")]
    [2, 3, -3, 14]
    """
    if voice.drums:
        return 0
    program = instrument(voice)
    usual = next((by for words, of, by in _RELATIVES if of == program and words.search(voice.name)), None)
    above = written_above(program) if usual is None else usual
    said = _KEY_OF_AN_INSTRUMENT.search(voice.name) if program in _WINDS else None
    if said is None:
        return above
    sounding = _CLASSES[said[1].upper()] + _SIGN_OF[(said[2] or "").lower().strip(" -")]
    nearest = (-sounding - above + _HALF_OCTAVE) % 12 - _HALF_OCTAVE  # the octave nearest to the usual instrument's
    return above + nearest


def take_voices(score: Score, names: Sequence[str]) -> Score:
    """The piece with those voices alone, in its order; small and capital letters are the same."""
    wanted = {name.casefold().strip(): name for name in names}
    known = {voice.name.casefold() for voice in score.voices}
    for folded, name in wanted.items():
        if folded not in known:
            score.voice(name)  # says which there are
    return replace(score, voices=tuple(voice for voice in score.voices if voice.name.casefold() in wanted))


def at_written_pitch(score: Score, index: int) -> Score:
    """The piece as the player of one voice reads it: notes, keys and chords moved, other voices left out."""
    voice = score.voices[index]
    alone = replace(score, voices=(voice,))
    by = transposition(voice)
    if not by:
        return alone
    try:
        return transpose(alone, by)
    except ScoreError:  # a note would leave the keyboard: such a part is left where it sounds
        return alone


def family(program: int | None, drums: bool) -> str:
    """The group whose staves are bracketed together; empty for instruments that stand alone."""
    if drums or program is None:
        return ""
    return next((name for name, programs in _FAMILIES if program in programs), "")


def full_name(name: str) -> str:
    """A name that leaves room for the music: what is longer than two words or so is cut."""
    return name if len(name) <= _LONG else f"{name[: _LONG - 2].rstrip()}…"


def abbreviation(name: str) -> str:
    """A name short enough to stand before every line: ``Violin II`` is ``Vln. II``, ``LEAD GUITAR`` ``LEAD GTR.``"""
    if len(name) <= _SHORT:
        return name
    return " ".join(map(_short_word, name.split()[:_WORDS]))


def _short_word(word: str) -> str:
    letters = word.rstrip("0123456789-#.")
    number = word[len(letters) :].strip("-.")
    name = letters.casefold()
    known = _SHORT_NAMES.get(name) or _SHORT_NAMES.get(name.removesuffix("s"))
    if known is not None:
        letters = f"{known.upper() if letters.isupper() else known}."
    elif len(letters) > _WORD:
        letters = f"{letters[:_STEM]}."
    return f"{letters} {number}".strip()


class Drum(NamedTuple):
    """A place on the staff (as if under a treble clef), a notehead and a name."""

    step: str
    octave: int
    head: str
    name: str


_DRUMS = {
    27: Drum("B", 4, "diamond", "High Q"),
    31: Drum("C", 5, "slash", "Sticks"),
    33: Drum("A", 5, "diamond", "Metronome Click"),
    35: Drum("E", 4, "normal", "Acoustic Bass Drum"),
    36: Drum("F", 4, "normal", "Bass Drum"),
    37: Drum("C", 5, "x", "Side Stick"),
    38: Drum("C", 5, "normal", "Snare Drum"),
    39: Drum("C", 5, "triangle", "Hand Clap"),
    40: Drum("C", 5, "diamond", "Electric Snare"),
    41: Drum("G", 4, "normal", "Low Floor Tom"),
    42: Drum("G", 5, "x", "Closed Hi-Hat"),
    43: Drum("A", 4, "normal", "High Floor Tom"),
    44: Drum("D", 4, "x", "Pedal Hi-Hat"),
    45: Drum("B", 4, "normal", "Low Tom"),
    46: Drum("G", 5, "circle-x", "Open Hi-Hat"),
    47: Drum("D", 5, "normal", "Low-Mid Tom"),
    48: Drum("E", 5, "normal", "Hi-Mid Tom"),
    49: Drum("A", 5, "x", "Crash Cymbal"),
    50: Drum("F", 5, "normal", "High Tom"),
    51: Drum("F", 5, "x", "Ride Cymbal"),
    52: Drum("C", 6, "circle-x", "Chinese Cymbal"),
    53: Drum("F", 5, "diamond", "Ride Bell"),
    54: Drum("E", 5, "triangle", "Tambourine"),
    55: Drum("B", 5, "x", "Splash Cymbal"),
    56: Drum("E", 5, "inverted triangle", "Cowbell"),
    57: Drum("B", 5, "circle-x", "Crash Cymbal 2"),
    58: Drum("G", 4, "slash", "Vibraslap"),
    59: Drum("F", 5, "circle-x", "Ride Cymbal 2"),
    60: Drum("E", 5, "slash", "High Bongo"),
    61: Drum("D", 5, "slash", "Low Bongo"),
    62: Drum("D", 5, "x", "Mute High Conga"),
    63: Drum("D", 5, "diamond", "Open High Conga"),
    64: Drum("B", 4, "slash", "Low Conga"),
    65: Drum("A", 4, "diamond", "High Timbale"),
    66: Drum("G", 4, "diamond", "Low Timbale"),
    67: Drum("G", 5, "triangle", "High Agogo"),
    68: Drum("F", 5, "triangle", "Low Agogo"),
    69: Drum("A", 4, "x", "Cabasa"),
    70: Drum("B", 4, "x", "Maracas"),
    71: Drum("A", 5, "slash", "Short Whistle"),
    72: Drum("B", 5, "slash", "Long Whistle"),
    73: Drum("D", 5, "triangle", "Short Guiro"),
    74: Drum("B", 4, "triangle", "Long Guiro"),
    75: Drum("E", 5, "x", "Claves"),
    76: Drum("G", 5, "diamond", "High Wood Block"),
    77: Drum("G", 5, "slash", "Low Wood Block"),
    78: Drum("A", 4, "triangle", "Mute Cuica"),
    79: Drum("A", 4, "inverted triangle", "Open Cuica"),
    80: Drum("A", 5, "triangle", "Mute Triangle"),
    81: Drum("A", 5, "inverted triangle", "Open Triangle"),
}
_HEARD_FIRST = (36, 38, 42, 46, 49, 51, 41, 43, 45, 47, 48, 50, 44, 37)
_AT = {
    (drum.step, drum.octave, drum.head): key
    for key, drum in [*_DRUMS.items(), *((key, _DRUMS[key]) for key in reversed(_HEARD_FIRST))]
}
_SNARE, _OPEN_HAT = 38, 46
_FIRST_OF_KIND = {35: 36, 40: 38, 57: 49, 59: 51}
#: Noteheads that few engravers know, and what stands for them.
_DRAWN = {"circle-x": "x", "triangle": "diamond", "inverted triangle": "cross", "slash": "normal", "square": "normal"}


def drum_of(key: int) -> Drum:
    """The place, notehead and name of a drum key; keys beyond General MIDI stand on the middle line."""
    return _DRUMS.get(key) or Drum("B", 4, "square", f"Drum {key}")


def drum_at(step: str, octave: int, head: str) -> int:
    """The drum key that is usually meant by a place on the staff: the inverse of ``drum_of``."""
    for shape in (head, "normal", "x"):
        if (step, octave, shape) in _AT:
            return _AT[step, octave, shape]
    return _SNARE


def engraved_drum(key: int, kit: Container[int]) -> tuple[Drum, bool]:
    """How a drum key of a kit is engraved, and whether a small circle over it says open.

    A second drum of a kind takes the place of the first where the kit has no other: the electric snare of a kit
    without a snare is its snare. Noteheads are those that engravers draw.
    """
    usual = _FIRST_OF_KIND.get(key, key)
    drum = drum_of(key if usual in kit else usual)
    return drum._replace(head=_DRAWN.get(drum.head, drum.head)), key == _OPEN_HAT


def drum_spelling(key: int) -> int:
    """The spelling that a drum key gets where nobody chose one: as in C major."""
    return int(spell(np.array([key]), Key(0))[0])
