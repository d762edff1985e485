"""Instruments as players know them: how far they read from where they sound, which family they sit in, short names."""

from __future__ import annotations

from dataclasses import replace

from libretto.errors import ScoreError
from libretto.score import Score, transpose

__all__ = ["abbreviation", "at_written_pitch", "family", "full_name", "written_above"]

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
_FAMILIES = (
    ("strings", frozenset(range(40, 46))),
    ("brass", frozenset(range(56, 64))),
    ("woodwind", frozenset(range(64, 80))),
)
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


def at_written_pitch(score: Score, index: int) -> Score:
    """The piece as the player of one voice reads it: notes, keys and chords moved, other voices left out."""
    voice = score.voices[index]
    alone = replace(score, voices=(voice,))
    by = written_above(voice.program)
    if voice.drums or not by:
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
