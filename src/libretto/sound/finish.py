"""What is done to the whole mix: a room around it, its tail cut where it has become silent, the level of its peaks.

A room is what it answers to a click: decaying noise, longer at low frequencies, and early reflections.
"""

from __future__ import annotations

from functools import lru_cache
from math import log10

import numpy as np
from numpy.typing import NDArray

from libretto.score.arrays import Floats, Singles
from libretto.sound.dynamics import leaning
from libretto.sound.mix import seats
from libretto.sound.perform import Performance

__all__ = ["PEAK", "add_room", "finished", "room_for"]

PEAK = 10 ** (-1 / 20)  #: one decibel below full scale
_SILENCE = 10 ** (-60 / 20)
_FADE_SECONDS, _LONG_FADE_SECONDS = 0.03, 1.0
_PROBE = 1 << 17  # samples that are looked at together

# The room.
_SHORTEST_DECAY_SECONDS, _LONGER_SECONDS = 0.4, 2.0
_DRIEST_DECIBELS, _WETTER_DECIBELS = -25.0, 13.0
#: Bands of the noise: up to which frequency (Hz), how loud, and the part of the decay time that they last.
_BANDS = ((180.0, 0.0, 1.0), (700.0, 0.9, 1.0), (2_500.0, 1.0, 0.9), (6_000.0, 0.7, 0.65), (30_000.0, 0.35, 0.4))
_PRE_DELAY_SECONDS, _SWELL_SECONDS = 0.014, 0.02
_EARLY = ((0.011, 0.5), (0.017, -0.4), (0.023, 0.35), (0.031, 0.3), (0.041, -0.25))
_SILENCE_DECIBELS = 60.0
_SIZES = 20  # steps in which a room grows
_LONGEST_LIKED = 2.0  # seconds of a note that count in what its voice likes
_EARLY_LOUDNESS, _SIDE_LATER = 0.5, 0.13  # of early reflections, and how much later they are on the right


def finished(sound: Singles, rate: int) -> Singles:
    """Sound that ends: trimmed at 60 dB below its peak, faded out, and as loud as one decibel below full scale allows.

    The array that is given is used up.
    """
    peak = max(float(sound.max(initial=0.0)), -float(sound.min(initial=0.0)))
    if not peak:
        return sound
    end = _last_above(sound, peak * _SILENCE)
    fade = int(rate * (_FADE_SECONDS if end < len(sound) - 1 else _LONG_FADE_SECONDS))
    sound = sound[: end + fade]
    sound *= np.float32(PEAK / peak)
    fade = min(fade, len(sound))
    sound[len(sound) - fade :] *= (np.cos(np.linspace(0, np.pi, fade, dtype=np.float32)) / 2 + 0.5)[:, None]
    return sound


def _last_above(sound: Singles, level: float) -> int:
    """The index of the last sample that is louder than a level."""
    for start in reversed(range(0, len(sound), _PROBE)):
        loud = np.flatnonzero(np.abs(sound[start : start + _PROBE]) > level)
        if len(loud):
            return start + int(loud[-1]) // 2
    return 0


def room_for(performance: Performance) -> float:
    """The size of a piece's room from 0 to 1: what its voices like, the more the longer and louder they play."""
    notes = performance.notes
    likes = np.array([seat.reverb for seat in seats(performance.voices)])
    weight = np.minimum(notes["stop"] - notes["start"], _LONGEST_LIKED) * notes["velocity"].astype(np.float64) ** 2
    return float((likes[notes["voice"]] * weight).sum() / weight.sum()) if len(notes) else 0.0


def add_room(sound: Singles, rate: int, size: float) -> None:
    """Add a room of that size (0 to 1) to a sound, in place; what would ring beyond its end is lost."""
    step = max(0, min(_SIZES, round(_SIZES * size))) / _SIZES
    spectra, reach, length = _answers(rate, step)
    gain = np.float32(10 ** ((_DRIEST_DECIBELS + _WETTER_DECIBELS * step) / 20))
    hop = length - reach + 1
    ringing = np.zeros((length - hop, 2), dtype=np.float32)
    for start in range(0, len(sound), hop):
        block = sound[start : start + hop]
        heard = np.fft.rfft((block[:, 0] + block[:, 1]) / 2, length)
        for side in range(2):
            answer = gain * np.asarray(np.fft.irfft(heard * spectra[side], length), dtype=np.float32)
            answer[: len(ringing)] += ringing[:, side]
            block[:, side] += answer[: len(block)]
            ringing[:, side] = answer[hop:]


@lru_cache(maxsize=2)
def _answers(rate: int, size: float) -> tuple[NDArray[np.complex64], int, int]:
    """The spectra of what a room answers to a click, left and right; how long it lasts; and the length of a block."""
    decay = _SHORTEST_DECAY_SECONDS + _LONGER_SECONDS * size
    reach = int(rate * (decay + _PRE_DELAY_SECONDS))
    length = 1 << (3 * reach).bit_length()
    sides = np.stack([_answer(rate, decay, reach, side) for side in range(2)])
    return np.asarray(np.fft.rfft(sides, length), dtype=np.complex64), reach, length


def _answer(rate: int, decay: float, reach: int, side: int) -> Floats:
    """Decaying noise of unit energy after a pre-delay, and early reflections."""
    moments = np.arange(reach) / rate - _PRE_DELAY_SECONDS
    noise = np.fft.rfft(leaning(side + 1, np.arange(reach)))
    frequencies = np.fft.rfftfreq(reach, 1 / rate)
    answer = np.zeros(reach)
    below = 0.0
    for above, loudness, lasting in _BANDS:
        band = np.fft.irfft(noise * ((frequencies >= below) & (frequencies < above)), reach)
        answer += (
            loudness * band * np.exp(-np.maximum(moments, 0) * _SILENCE_DECIBELS / 20 / log10(np.e) / decay / lasting)
        )
        below = above
    answer *= np.clip(moments / _SWELL_SECONDS, 0.0, 1.0)
    answer /= np.sqrt((answer**2).sum())
    for delay, loudness in _EARLY:
        answer[int(rate * delay * (1.0 + _SIDE_LATER * side))] += _EARLY_LOUDNESS * loudness
    return answer
