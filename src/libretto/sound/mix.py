"""Where each voice sits in the sound: its level, its place from left to right, and how large a room it likes.

Conventions: levels are decibels against a lead voice as a listener hears them, pan runs from -1 (left) to 1 (right),
``reverb`` from 0 (none) to 1. What a font itself makes too loud or too soft is found by ``weigh`` and not mended here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.score import Voice
from libretto.score.general_midi import guess_program
from libretto.sound.synth import BLOCK, DRUM_CHANNEL, RATE, Event, control, play, set_level

__all__ = ["Seat", "ear_weights", "loudnesses", "program_of", "seats"]


class Seat(NamedTuple):
    """A place in the mix."""

    level: float
    pan: float
    reverb: float


#: One seat for each family of eight General MIDI programs.
_FAMILIES = (
    Seat(-2.5, -0.2, 0.50),  # pianos, slightly left
    Seat(-2.5, 0.35, 0.60),  # bells and mallets
    Seat(-4.0, -0.3, 0.50),  # organs
    Seat(-3.5, 0.35, 0.40),  # guitars, right
    Seat(1.5, 0.0, 0.10),  # basses, in the middle and dry
    Seat(-0.5, -0.35, 0.75),  # solo strings
    Seat(-5.0, -0.25, 0.80),  # ensembles and choirs
    Seat(-1.5, 0.2, 0.60),  # brass
    Seat(0.0, 0.1, 0.55),  # reeds
    Seat(0.0, -0.1, 0.60),  # flutes
    Seat(-0.5, 0.0, 0.50),  # synthesiser leads
    Seat(-5.0, -0.3, 0.80),  # pads
    Seat(-6.0, 0.3, 0.80),  # effects
    Seat(-1.5, 0.25, 0.50),  # plucked and bowed strings of the world
    Seat(-3.0, 0.3, 0.50),  # tuned percussion
    Seat(-8.0, 0.0, 0.50),  # noises
)
_DRUMS = Seat(-2.5, 0.0, 0.30)  # the kit's own samples are spread
#: An orchestra's strings from left to right; distorted guitars are dense and sit lower; voices are in the middle.
_PROGRAMS = {
    29: Seat(-4.5, 0.4, 0.35), 30: Seat(-4.5, 0.4, 0.35), 41: Seat(-1.0, 0.15, 0.75), 42: Seat(-0.5, 0.3, 0.75),
    43: Seat(-0.5, 0.1, 0.6), 46: Seat(-2.0, -0.3, 0.7), 47: Seat(-3.0, 0.1, 0.7), 52: Seat(-3.0, 0.0, 0.8),
    53: Seat(-2.0, 0.0, 0.75), 54: Seat(-2.0, 0.0, 0.75), 60: Seat(-1.5, -0.2, 0.75),
}  # fmt: skip
#: Where the second, third ... voice of one family goes: as far from the others as there is room.
_TURNS = (1.0, -1.0, 1.7, -1.7, 0.4, -0.4, 1.3, -1.3)
_LEAST_TURN, _WIDEST = 0.3, 0.75


def program_of(voice: Voice) -> int:
    """The program that plays a voice: its own, or one guessed from its name; for percussion, the kit."""
    if voice.program is not None:
        return voice.program
    return 0 if voice.drums else guess_program(voice.name)


def seats(voices: Sequence[Voice]) -> list[Seat]:
    """A seat for each voice: by its family, voices of one family apart, and a lone one in the middle."""
    alone = sum(not voice.drums and bool(len(voice.array)) for voice in voices) < 2
    seen: Counter[int] = Counter()
    found = []
    for voice in voices:
        if voice.drums:
            found.append(_DRUMS)
            continue
        program = program_of(voice)
        seat = _PROGRAMS.get(program, _FAMILIES[program // 8])
        kind = program if program in _PROGRAMS else -(program // 8)
        found.append(seat._replace(pan=0.0 if alone else _turned(seat.pan, seen[kind])))
        seen[kind] += 1
    return found


def _turned(pan: float, number: int) -> float:
    """The pan of a voice before which ``number`` of its kind have been seated."""
    if number == 0:
        return pan
    wide = pan if abs(pan) >= _LEAST_TURN else (_LEAST_TURN if pan >= 0 else -_LEAST_TURN)
    return max(-_WIDEST, min(_WIDEST, wide * _TURNS[number % len(_TURNS)]))


_SLOT = 375  # blocks: half a second a note, by which slow instruments have spoken
_VELOCITY = 90
_FAINTEST = -60.0


def ear_weights(frequencies: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """How much power at each frequency (Hz) counts."""
    low = frequencies**4 / (frequencies**4 + 38.0**4)
    return np.asarray(low * (1 + 1.5 * frequencies**4 / (frequencies**4 + 1500.0**4)))


def loudnesses(font: bytes, voices: Sequence[Voice]) -> list[float]:
    """How loud each voice would be if it played everything alike, in decibels.

    A pitched voice counts by two of its pitches and how many notes it plays at once, a kit by its strongest common key.
    """
    asked = [_samples_of(voice) for voice in voices]
    places = dict.fromkeys(place for each in asked for place in each)
    heard = dict(zip(places, _heard(font, list(places)), strict=True))
    found = []
    for voice, each in zip(voices, asked, strict=True):
        levels = [heard[place] for place in each]
        if not levels:
            found.append(_FAINTEST)
        elif voice.drums:
            found.append(max(levels))
        else:
            found.append(float(np.mean(levels)) + 6 * np.log10(_thickness(voice)))
    return found


def _thickness(voice: Voice) -> float:
    """How many notes of a voice sound at once, on average over the time in which any does."""
    start, length = voice.array["onset"], voice.array["duration"]
    reached = np.maximum.accumulate(start + length)
    fresh = np.minimum(length, np.maximum(0, (start + length) - np.insert(reached[:-1], 0, 0)))
    return float(length.sum() / max(1, fresh.sum()))


def _samples_of(voice: Voice) -> list[tuple[bool, int, int]]:
    """(drums, program, key) of what stands for a voice: two typical pitches, or its commonest drums."""
    if not len(voice.array):
        return []
    if voice.drums:
        keys = [key for key, _ in Counter(voice.array["pitch"].tolist()).most_common(4)]
    else:
        keys = sorted({int(key) for key in np.percentile(voice.array["pitch"], (25, 75))})
    return [(voice.drums, program_of(voice), key) for key in keys]


def _heard(font: bytes, places: Sequence[tuple[bool, int, int]]) -> list[float]:
    """The loudness of one note at each place, in decibels."""
    if not places:
        return []
    events = [Event(0, 0, control(channel, 91, 0)) for channel in (0, DRUM_CHANNEL)]
    events += [Event(0, 0, message) for channel in (0, DRUM_CHANNEL) for message in set_level(channel, 7, 0.0)]
    for slot, (drums, program, key) in enumerate(places):
        channel, start = DRUM_CHANNEL if drums else 0, slot * _SLOT
        events.append(Event(start, 1, control(channel, 120, 0)))
        events.append(Event(start, 2, bytes((0xC0 | channel, program))))
        events.append(Event(start + 1, 3, bytes((0x90 | channel, key, _VELOCITY))))
        events.append(Event(start + _SLOT - 8, 4, bytes((0x80 | channel, key, 0))))
    sound = play(font, events, len(places) * _SLOT)[: len(places) * _SLOT * BLOCK]
    slots = np.pad(sound, ((0, len(places) * _SLOT * BLOCK - len(sound)), (0, 0))).reshape(len(places), -1, 2) / 32768.0
    power = np.abs(np.fft.rfft(slots, axis=1)) ** 2
    weights = ear_weights(np.fft.rfftfreq(slots.shape[1], 1 / RATE))
    mean = 2 * (power * weights[:, None]).sum(axis=(1, 2)) / slots.shape[1] ** 2
    return [max(_FAINTEST, float(level)) for level in 10 * np.log10(mean + 1e-12)]
