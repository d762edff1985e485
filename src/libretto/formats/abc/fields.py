"""ABC's information fields as values: keys, meters, unit lengths, tempi, voice definitions.

What is only a placeholder (``M:Meter``) is read as if the field were absent; what is a wrong number is an error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from libretto.errors import FormatError, ScoreError
from libretto.formats.abc.text import ALTERS, words_of
from libretto.notation.staves import LETTERS, signature_alters
from libretto.score.keys import Key
from libretto.score.pitch import parse_letter
from libretto.score.time import Meter, micros_of_bpm

__all__ = [
    "TEMPO_WORDS",
    "Setting",
    "Signature",
    "VoiceField",
    "read_key",
    "read_meter",
    "read_shifts",
    "read_tempo",
    "read_tempo_words",
    "read_unit",
    "read_voice",
]

_KEY = re.compile(r"([A-G])(##|bb|[#b]?)\s*([A-Za-z]*)")
_MODES = {
    "": "major",
    "maj": "major",
    "m": "minor",
    "min": "minor",
    "ion": "ionian",
    "dor": "dorian",
    "phr": "phrygian",
    "lyd": "lydian",
    "mix": "mixolydian",
    "aeo": "aeolian",
    "loc": "locrian",
}
_ACCIDENTAL = re.compile(r"(?:^|(?<=[\s^_=A-Ga-g]))(\^\^?|__?|=)([A-Ga-g])(?=[\s^_=]|\Z)")
_METER = re.compile(r"\(?\s*(\d{1,3}(?:\s*\+\s*\d{1,3}){0,15})\s*\)?\s*/\s*(\d{1,3})")
_FRACTION = re.compile(r"(\d{1,6})(?:\s*/\s*(\d{1,6}))?")
_BEATS = re.compile(r"((?:\d{1,4}/\d{1,4}\s*){1,4})=\s*(\d{1,9}(?:\.\d{0,15})?)")
_TURNED = re.compile(r"(\d{1,6}(?:\.\d{0,15})?)\s*=\s*(\d{1,4}/\d{1,4})")
_UNITS = re.compile(r"C(\d{0,2})\s*=\s*(\d{1,6}(?:\.\d{0,15})?)")
_NUMBER = re.compile(r"\d{1,9}(?:\.\d{0,15})?")
TEMPO_WORDS = {"largo": 50, "lento": 54, "adagio": 70, "andante": 90, "moderato": 110, "allegretto": 116}
TEMPO_WORDS |= {"allegro": 130, "vivace": 150, "presto": 180}
_SIXTEENTH, _EIGHTH = Fraction(1, 16), Fraction(1, 8)
_SHORTEST_UNIT, _LONGEST_UNIT = Fraction(1, 4096), 16
_SHOWN = 20  # letters of a wrong field that a message repeats
_SHIFT = re.compile(r"\b(octave|transpose)\s*=\s*([+-]?\d{1,3})|\b(?:treble|bass|alto|tenor)\d?([+-]8)\b", re.I)
_ATTRIBUTE = re.compile(r'\s*([A-Za-z_-]+)\s*=\s*("[^"]*"?|[^\s"]+)')
_WORD = re.compile(r"\s*(treble|bass|alto|tenor|perc|none|up|down|merge)((?:[+-]8)?)(?=\s|\Z)", re.IGNORECASE)


class Signature(NamedTuple):
    """A key and what it does to each letter (a ``K:`` field may add accidentals of its own)."""

    key: Key
    alters: dict[str, int]

    @classmethod
    def of(cls, key: Key) -> Signature:
        """The signature that belongs to a key, also beyond seven sharps or flats."""
        return cls(key, signature_alters(key.signature))


@dataclass
class Setting:
    """What the header says for every voice, until a voice says otherwise."""

    meter: Meter | None = None
    unit: Fraction | None = None
    signature: Signature | None = None
    tempo: int | None = None
    clef: str = ""

    @property
    def unit_length(self) -> Fraction:
        """The unit length, by the standard's rule where no ``L:`` gives it: a 16th below 3/4, else an eighth."""
        short = self.meter is not None and self.meter.ticks < Meter(3, 4).ticks
        return self.unit or (_SIXTEENTH if short else _EIGHTH)


@lru_cache(maxsize=1024)
def read_key(text: str) -> Signature | None:
    """The key that a ``K:`` field names; None where it names only a clef or nothing."""
    text = text.replace("♯", "#").replace("♭", "b").strip()
    if text[:2] in ("HP", "Hp"):
        return Signature.of(Key.parse("A mixolydian"))  # the pipes' scale: F# and C#
    if not text or text.lower().startswith("none"):
        return Signature.of(Key(0)) if text else None
    match = _KEY.match(text)
    if not match:
        return None
    word = match[3]
    mode = "major" if word == "M" else _MODES.get(word.lower()[:3], "major")
    tonic = parse_letter(match[1] + match[2])
    if tonic is None:
        return None
    signature = Signature.of(Key(tonic, mode))
    tail = text[match.start(3) :]
    if re.search(r"\bexp\b", tail):
        signature = Signature(signature.key, dict.fromkeys(LETTERS, 0))
    for sign, letter in _ACCIDENTAL.findall(tail):
        signature.alters[letter.upper()] = ALTERS[sign]
    return signature


def read_meter(text: str) -> Meter | None:
    """The meter that an ``M:`` field names: ``C``, ``C|``, ``6/8``, ``(2+3)/8``; None for a free one."""
    text = text.strip()
    if text[:2] == "C|":
        return Meter(2, 2)
    if text == "C" or text[:2] == "C ":
        return Meter(4, 4)
    match = _METER.match(text)
    if not match:
        return None
    try:
        return Meter.parse(f"{sum(map(int, match[1].split('+')))}/{match[2]}")
    except ScoreError as wrong:
        raise FormatError(f"the ABC meter {text[:_SHOWN]!r} is not possible: {wrong}") from None


def read_unit(text: str) -> Fraction | None:
    """The unit length that an ``L:`` field names, as part of a whole note."""
    match = _FRACTION.match(text.strip())
    if not match:
        return None
    over, under = int(match[1]), int(match[2] or 1)
    if not over or not under or not _SHORTEST_UNIT <= Fraction(over, under) <= _LONGEST_UNIT:
        raise FormatError(f"the ABC unit length {text.strip()[:_SHOWN]!r} is not possible")
    return Fraction(over, under)


def read_tempo(text: str, unit: Fraction) -> int | None:
    """The tempo that a ``Q:`` field names, in microseconds a quarter; a bare number counts quarters."""
    words = re.sub(r'"[^"]*"?', " ", text)
    bpm: float | None = None
    if match := _BEATS.search(words):
        parts = [part.split("/") for part in match[1].split()]
        if all(int(under) for _, under in parts):
            bpm = float(match[2]) * float(4 * sum(Fraction(int(over), int(under)) for over, under in parts))
    elif match := _TURNED.search(words):
        over, under = match[2].split("/")
        bpm = float(match[1]) * 4 * int(over) / int(under) if int(under) else None
    elif match := _UNITS.search(words):
        bpm = float(match[2]) * float(4 * unit * int(match[1] or 1))
    elif match := _NUMBER.search(words):
        bpm = float(match[0])
    else:
        bpm = next((float(value) for word, value in TEMPO_WORDS.items() if word in text.lower()), None)
    return micros_of_bpm(bpm) if bpm else None


def read_tempo_words(text: str) -> list[str]:
    """The words between quotes in a ``Q:`` field."""
    return [words for words in map(words_of, re.findall(r'"([^"]*)"?', text)) if words]


class VoiceField(NamedTuple):
    """A ``V:`` field: which voice, what is said of it, and music that follows on the same line."""

    name: str
    said: dict[str, str]
    music: str


def read_voice(text: str) -> VoiceField:
    """The parts of a ``V:`` field."""
    text = text.strip()
    name = text.split(None, 1)[0] if text else ""
    at, said = len(name), {}
    while match := (_ATTRIBUTE.match(text, at) or _WORD.match(text, at)):
        at = match.end()
        if "=" in match[0]:
            said[match[1].lower()] = match[2].strip('"') if match[2][0] == '"' else match[2]
        else:
            said["clef"] = (match[1] + match[2]).lower()
    rest = text[at:]
    return VoiceField(name, said, rest if "|" in rest else "")


def read_shifts(text: str) -> dict[str, int]:
    """How many semitones a ``V:`` or ``K:`` field moves the sound, by what says so.

    >>> read_shifts("1 clef=treble-8 transpose=2")
    {'clef': -12, 'transpose': 2}
    """
    shifts: dict[str, int] = {}
    for word, number, clef in _SHIFT.findall(re.sub(r'"[^"]*"?', " ", text)):
        if clef:
            shifts["clef"] = 12 if clef[0] == "+" else -12
        else:
            shifts[word.lower()] = int(number) * (12 if word.lower() == "octave" else 1)
    return shifts
