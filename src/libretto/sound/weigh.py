"""How loud a font's instruments are: each is heard alone for a moment, so that the mix does not depend on the font.

Loudness is the power of a note as the ear weighs it, about as ITU-R BS.1770 does: the lowest tones count for less,
those above 1.5 kHz for more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.score import Voice
from libretto.sound.mix import program_of
from libretto.sound.synth import BLOCK, DRUM_CHANNEL, RATE, Event, control, play, set_level

__all__ = ["ear_weights", "loudnesses"]

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
