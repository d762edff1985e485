"""Where each voice sits in the sound, and how loud the font's instruments are, so that the mix does not depend on it.

Conventions: levels are decibels against a lead voice as a listener hears them, pan runs from -1 (left) to 1 (right),
``reverb`` from 0 (none) to 1. A seat knows nothing of the font; what a font itself makes too loud or too soft is heard
by playing each instrument alone for a moment. Loudness is the power of a note as the ear weighs it, about as ITU-R
BS.1770 does: the lowest tones count for less, those above 1.5 kHz for more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.score import Voice
from libretto.score.general_midi import guess_program
from libretto.score.table import Floats
from libretto.sound.synth import (
    ALL_SOUND_OFF,
    BLOCK,
    DRUM_CHANNEL,
    FULL_SCALE,
    RATE,
    REVERB,
    VOLUME,
    Event,
    control,
    note_off,
    note_on,
    play,
    program_change,
    set_level,
)

__all__ = ["StageSeat", "ear_weights", "loudnesses", "program_of", "seats"]


class StageSeat(NamedTuple):
    """A place in the mix."""

    level: float
    pan: float
    reverb: float


#: One seat for each family of eight General MIDI programs.
_FAMILIES = (
    StageSeat(-2.5, -0.2, 0.50),  # pianos, slightly left
    StageSeat(-2.5, 0.35, 0.60),  # bells and mallets
    StageSeat(-4.0, -0.3, 0.50),  # organs
    StageSeat(-3.5, 0.35, 0.40),  # guitars, right
    StageSeat(1.5, 0.0, 0.10),  # basses, in the middle and dry
    StageSeat(-0.5, -0.35, 0.75),  # solo strings
    StageSeat(-5.0, -0.25, 0.80),  # ensembles and choirs
    StageSeat(-1.5, 0.2, 0.60),  # brass
    StageSeat(0.0, 0.1, 0.55),  # reeds
    StageSeat(0.0, -0.1, 0.60),  # flutes
    StageSeat(-0.5, 0.0, 0.50),  # synthesiser leads
    StageSeat(-5.0, -0.3, 0.80),  # pads
    StageSeat(-6.0, 0.3, 0.80),  # effects
    StageSeat(-1.5, 0.25, 0.50),  # plucked and bowed strings of the world
    StageSeat(-3.0, 0.3, 0.50),  # tuned percussion
    StageSeat(-8.0, 0.0, 0.50),  # noises
)
_DRUMS = StageSeat(-2.5, 0.0, 0.30)  # the kit's own samples are spread
#: An orchestra's strings from left to right; distorted guitars are dense and sit lower; voices are in the middle.
_PROGRAMS = {
    29: StageSeat(-4.5, 0.4, 0.35), 30: StageSeat(-4.5, 0.4, 0.35), 41: StageSeat(-1.0, 0.15, 0.75),
    42: StageSeat(-0.5, 0.3, 0.75), 43: StageSeat(-0.5, 0.1, 0.6), 46: StageSeat(-2.0, -0.3, 0.7),
    47: StageSeat(-3.0, 0.1, 0.7), 52: StageSeat(-3.0, 0.0, 0.8), 53: StageSeat(-2.0, 0.0, 0.75),
    54: StageSeat(-2.0, 0.0, 0.75), 60: StageSeat(-1.5, -0.2, 0.75),
}  # fmt: skip
#: Where the second, third ... voice of one family goes: as far from the others as there is room.
_TURNS = (1.0, -1.0, 1.7, -1.7, 0.4, -0.4, 1.3, -1.3)
_LEAST_TURN, _WIDEST = 0.3, 0.75
_FAMILY = 8  # programs of General MIDI
_SLOT = 375  # blocks: half a second a note, by which slow instruments have spoken
_RELEASE = 8  # blocks before the end of its slot at which a note is let go
_VELOCITY = 90
_FAINTEST, _NO_POWER = -60.0, 1e-12  # decibels, and what keeps the logarithm of nothing from failing
_DEEP_HERTZ, _BRIGHT_HERTZ, _BRIGHTER = 38.0, 1500.0, 1.5  # below the first less counts, above the second more
_THICKER = 6  # decibels for every tenfold of notes at once
_COMMON_DRUMS = 4
_TYPICAL = (25, 75)  # percentiles of a voice's pitches


def program_of(voice: Voice) -> int:
    """The program that plays a voice: its own, or one guessed from its name; for percussion, the kit."""
    if voice.program is not None:
        return voice.program
    return 0 if voice.drums else guess_program(voice.name)


def seats(voices: Sequence[Voice]) -> list[StageSeat]:
    """A seat for each voice: by its family, voices of one family apart, and a lone one in the middle."""
    alone = sum(not voice.drums and bool(len(voice.array)) for voice in voices) < 2
    seen: Counter[int] = Counter()
    seated = []
    for voice in voices:
        if voice.drums:
            seated.append(_DRUMS)
            continue
        program = program_of(voice)
        seat = _PROGRAMS.get(program, _FAMILIES[program // _FAMILY])
        kind = program if program in _PROGRAMS else -(program // _FAMILY)
        seated.append(seat._replace(pan=0.0 if alone else _turned(seat.pan, seen[kind])))
        seen[kind] += 1
    return seated


def _turned(pan: float, number: int) -> float:
    """The pan of a voice before which ``number`` of its kind have been seated."""
    if number == 0:
        return pan
    wide = pan if abs(pan) >= _LEAST_TURN else (_LEAST_TURN if pan >= 0 else -_LEAST_TURN)
    return max(-_WIDEST, min(_WIDEST, wide * _TURNS[number % len(_TURNS)]))


def ear_weights(frequencies: NDArray[np.floating[Any]]) -> Floats:
    """How much power at each frequency (Hz) counts."""
    low = frequencies**4 / (frequencies**4 + _DEEP_HERTZ**4)
    return np.asarray(low * (1 + _BRIGHTER * frequencies**4 / (frequencies**4 + _BRIGHT_HERTZ**4)))


def loudnesses(font: bytes, voices: Sequence[Voice]) -> list[float]:
    """How loud each voice would be if it played everything alike, in decibels.

    A pitched voice counts by two of its pitches and how many notes it plays at once, a kit by its strongest common key.
    """
    asked = [_samples_of(voice) for voice in voices]
    samples = dict.fromkeys(sample for of_voice in asked for sample in of_voice)
    heard = dict(zip(samples, _heard(font, list(samples)), strict=True))
    return [
        _loudness(voice, [heard[sample] for sample in of_voice]) for voice, of_voice in zip(voices, asked, strict=True)
    ]


def _loudness(voice: Voice, levels: Sequence[float]) -> float:
    """How loud a voice is whose samples have these levels."""
    if not levels:
        return _FAINTEST
    if voice.drums:
        return max(levels)
    return float(np.mean(levels) + _THICKER * np.log10(_thickness(voice)))


def _thickness(voice: Voice) -> float:
    """How many notes of a voice sound at once, on average over the time in which any does."""
    start, length = voice.array["onset"], voice.array["duration"]
    reached = np.maximum.accumulate(start + length)
    fresh = np.minimum(length, np.maximum(0, (start + length) - np.insert(reached[:-1], 0, 0)))
    return float(length.sum() / max(1, fresh.sum()))


class _Sample(NamedTuple):
    """A key of an instrument that is heard alone."""

    drums: bool
    program: int
    key: int


def _samples_of(voice: Voice) -> list[_Sample]:
    """What stands for a voice: two typical pitches, or its commonest drums."""
    if not len(voice.array):
        return []
    if voice.drums:
        keys = [key for key, _ in Counter(voice.array["pitch"].tolist()).most_common(_COMMON_DRUMS)]
    else:
        keys = sorted({int(key) for key in np.percentile(voice.array["pitch"], _TYPICAL)})
    return [_Sample(voice.drums, program_of(voice), key) for key in keys]


def _heard(font: bytes, samples: Sequence[_Sample]) -> list[float]:
    """The loudness of one note of each sample, in decibels."""
    if not samples:
        return []
    opening = [control(channel, REVERB, 0) for channel in (0, DRUM_CHANNEL)]
    opening += [message for channel in (0, DRUM_CHANNEL) for message in set_level(channel, VOLUME, 0.0)]
    events = [Event(0, 0, message) for message in opening]
    for slot, (drums, program, key) in enumerate(samples):
        channel, start = DRUM_CHANNEL if drums else 0, slot * _SLOT
        messages = (
            (start, control(channel, ALL_SOUND_OFF, 0)),
            (start, program_change(channel, program)),
            (start + 1, note_on(channel, key, _VELOCITY)),
            (start + _SLOT - _RELEASE, note_off(channel, key)),
        )
        events += [Event(block, rank, message) for rank, (block, message) in enumerate(messages, 1)]
    length = len(samples) * _SLOT * BLOCK
    sound = play(font, events, len(samples) * _SLOT)[:length]
    slots = np.pad(sound, ((0, length - len(sound)), (0, 0))).reshape(len(samples), -1, 2) / FULL_SCALE
    power = np.abs(np.fft.rfft(slots, axis=1)) ** 2
    weights = ear_weights(np.fft.rfftfreq(slots.shape[1], 1 / RATE))
    mean = 2 * (power * weights[:, None]).sum(axis=(1, 2)) / slots.shape[1] ** 2
    return [max(_FAINTEST, float(level)) for level in 10 * np.log10(mean + _NO_POWER)]
