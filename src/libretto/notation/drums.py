"""Where General MIDI drum keys stand on a percussion staff, and what they are called there."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

import numpy as np

from libretto.score import Key, spell

__all__ = ["Drum", "drum_at", "drum_of", "drum_spelling", "engraved_drum"]


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
