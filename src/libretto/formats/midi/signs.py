"""What a voice has besides notes, as MIDI messages: controllers, bends, pressure, the pedal, words and syllables.

Left out: later verses, and all that only a page shows. Articulations are for players; a file has the lengths as they
are.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from libretto.formats.midi.bytes import TEXT, meta_event
from libretto.formats.midi.events import BEND as BEND_MESSAGE
from libretto.formats.midi.events import CONTROL as CONTROL_MESSAGE
from libretto.formats.syllables import BOW, read_syllable
from libretto.score.marks import BEND, CONTROLLERS, PRESSURE, SUSTAIN
from libretto.score.voice import Voice

__all__ = ["messages_of_signs", "syllable"]

_LYRIC = 0x05  # the meta event of a syllable
_PRESSURE_MESSAGE = 0xD0
_REST, _HIGHEST_BEND = 8192, 16383  # the middle of a bend as MIDI counts it, and its top
_TOP, _BITS = 0x7F, 7  # what a data byte holds
_DOWN, _UP = 127, 0  # of the pedal
_EDGES = "- "  # what says at the ends of a syllable where its word begins and goes on


def messages_of_signs(voice: Voice, channel: int) -> Iterator[tuple[int, bytes]]:
    """The messages of a voice beside its notes, each with its tick on the clock of the Score."""
    for tick, kind, value in voice.controls.tolist():
        if kind < CONTROLLERS:
            yield tick, bytes((CONTROL_MESSAGE | channel, kind, min(max(value, 0), _TOP)))
        elif kind == BEND:
            bent = min(max(value + _REST, 0), _HIGHEST_BEND)
            yield tick, bytes((BEND_MESSAGE | channel, bent & _TOP, bent >> _BITS))
        elif kind == PRESSURE:
            yield tick, bytes((_PRESSURE_MESSAGE | channel, min(max(value, 0), _TOP)))
    pedalled = bool(np.any(voice.controls["kind"] == SUSTAIN))  # then the marks say the same
    pedal = (CONTROL_MESSAGE | channel, SUSTAIN)
    for mark in voice.marks:
        if mark.kind == "pedal" and mark.length and not pedalled:
            yield mark.tick, bytes((*pedal, _DOWN))
            yield mark.tick + mark.length, bytes((*pedal, _UP))
        elif mark.kind == "words" and mark.value:
            yield mark.tick, meta_event(TEXT, mark.value.encode())
    yield from ((tick, meta_event(_LYRIC, text.encode())) for tick, text in _syllables(voice))


def _syllables(voice: Voice) -> list[tuple[int, str]]:
    """The syllables of the first verse, once where several notes of a chord have them."""
    sung = ((mark.tick, syllable(mark.value)) for mark in voice.marks if mark.kind == "lyric")
    return list(dict.fromkeys((tick, text) for tick, text in sung if text))


def syllable(value: str) -> str:
    """What is sung of a lyric mark, as karaoke files have it: a blank ends a word; empty for all verses but the first.

    >>> syllable("Hal-"), syllable("-lo"), syllable("sky_"), syllable("2:moon")
    ('Hal', 'lo ', 'sky ', '')
    """
    said = read_syllable(value)
    text = BOW.join(said.texts).strip(_EDGES)
    return "" if said.verse != 1 or not text else text + " " * (not said.after)
