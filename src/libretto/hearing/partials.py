"""Which pitches sound, and how strongly, in each moment: a spectrum explained as a sum of harmonic tones.

All pitches share one tone colour: how strong each partial is. Colour and amounts are found in turn, by multiplicative
steps that lessen the divergence between the spectrum and its explanation (Lee and Seung 2001) and never go below
nothing; the start is the same for all clips, so the result is too. A partial that a lower tone explains is left nothing
to explain, so overtones do not count as notes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.hearing.audio import SILENCE, Clip, at_rate
from libretto.score.table import Floats, Singles

__all__ = [
    "HIGHEST",
    "HOP",
    "LOWEST",
    "RATE",
    "TINY",
    "Explained",
    "decibels",
    "explained",
    "framed",
    "hearable",
    "magnitudes",
    "projected",
    "rises",
    "salience",
]

HOP = 160  #: samples between frames: 10 ms
LOWEST, HIGHEST = 28, 100  #: MIDI pitches that are told apart
_A4, _A4_HERTZ = 69, 440
_SIZES = (2048, 4096)  # samples of a spectrum: 128 ms, and 256 ms for what lies low
_LOW = 250.0  # Hz
_STEPS_A_SEMITONE = 3
_TOP = 117  # MIDI: 7 kHz, where the spectrum ends
_LOUDNESS = 0.7  # magnitudes are heard to this power, between loudness (0.6) and amplitude (1)
_TILT = 1.0  # the colour at the start: partials fall as 1/n
_FIRST = 0.3  # the first partial is never weaker than this part of the strongest
_MOST_PARTIALS = 20
_LEARNED_FRAMES = 160
_ROUNDS, _FIRST_ROUNDS = 40, 15  # steps in which amounts are found, and those before the colour is learned
_WHITE_SECONDS = 20  # of the noise with which others are compared
_LOBE, _LOBE_STEP = 4, 1 / 8  # bins to which a partial reaches in a spectrum, and how finely that is known
_HIGHEST_PART = 0.47  # of the rate: partials above are not there
_NOWHERE = -10.0  # bins: a partial there is in no spectrum
_FRAMES_AT_ONCE = 1024
TINY = 1e-9  #: what is no amount, and keeps a division from failing
_QUIET = 0.2  # the part of the frames that are quiet in a step
_WIDE = 18  # steps to either side among which noise is even: half an octave
_AUDIBLE = 1e-4  # noise 40 dB below the music is left alone: taking it away costs soft notes and gains nothing
_OVER, _SURE = 2.0, 1.3  # how much of the noise is taken away from a frame, and from an average of many


class Explained(NamedTuple):
    """A clip explained: how much of each pitch (columns from ``LOWEST``) sounds in each frame, and by what means.

    ``power`` is what was seen, ``noise`` the steady noise in it, step by step; ``templates`` are the tones.
    """

    amounts: Singles
    power: Singles
    noise: Singles
    templates: Singles

    def between(self, first: int, last: int) -> Singles:
        """How much of each pitch sounds between two frames: what most frames hear, or in noise one moment of all.

        Noise averages out where all frames are explained as one; without noise that only blurs what decays.
        """
        if not self.noise.any():
            return np.asarray(np.median(self.amounts[first:last], axis=0))
        power = self.power[first:last].mean(axis=0, dtype=np.float32)[None, :]
        seen = np.maximum(0.0, power - _SURE * self.noise) ** np.float32(_LOUDNESS / 2)
        return np.asarray(_amounts(np.asarray(seen, dtype=np.float32), self.templates, _ROUNDS)[0])


def salience(sound: Singles, done: Callable[[float], None] | None = None) -> Singles:
    """How much of each pitch (columns from ``LOWEST``) sounds in each frame; ``done`` hears which part is done."""
    return explained(sound, done).amounts


def explained(sound: Singles, done: Callable[[float], None] | None = None) -> Explained:
    """A sound explained as tones above a steady noise; ``done`` hears which part is done."""
    power = np.asarray(sum(_steps(sound)), dtype=np.float32) ** 2
    noise = _noise(power)
    seen = np.maximum(0.0, power - _OVER * noise) ** np.float32(_LOUDNESS / 2)
    templates = np.tensordot(_colour(seen), _tones(), 1)
    parts = []
    for first in range(0, len(seen), _FRAMES_AT_ONCE):
        parts.append(_amounts(seen[first : first + _FRAMES_AT_ONCE], templates, _ROUNDS))
        if done is not None:
            done(min(1.0, (first + _FRAMES_AT_ONCE) / len(seen)))
    return Explained(np.concatenate(parts), power, noise, templates)


def _steps(sound: Singles) -> list[Singles]:
    return [projected(sound, size, HOP, _bank(size)) for size in _SIZES]


def _noise(power: Singles) -> Singles:
    """The power of a steady noise in each step: what even the quiet frames have, beside what they have in white noise.

    The middle of neighbouring steps is taken, so that a tone that never stops is not mistaken for noise.
    """
    sounding = power[power.sum(axis=1) > 0]
    if not len(sounding):
        return np.zeros(power.shape[1], dtype=np.float32)
    quiet, mean = _white()
    level = np.quantile(sounding, _QUIET, axis=0) / quiet
    around = np.lib.stride_tricks.sliding_window_view(np.pad(level, _WIDE, mode="reflect"), 2 * _WIDE + 1)
    noise = np.asarray(np.median(around, axis=1) * mean, dtype=np.float32)
    hiss = np.median(level[-2 * _WIDE :]) * mean.sum()  # above nearly all tones there is nothing but noise
    return noise if hiss > _AUDIBLE * sounding.mean(axis=0).sum() else np.zeros_like(noise)


@lru_cache(maxsize=1)
def _white() -> tuple[Floats, Floats]:
    """What each step has of white noise: in its quiet frames, and on average."""
    sound = np.random.default_rng(0).standard_normal(RATE * _WHITE_SECONDS).astype(np.float32)
    power = np.asarray(sum(_steps(sound)), dtype=np.float64) ** 2
    return np.quantile(power, _QUIET, axis=0), power.mean(axis=0)


def _amounts(seen: Singles, templates: Singles, rounds: int) -> Singles:
    amounts = np.full((len(seen), len(templates)), max(TINY, float(seen.mean())), dtype=np.float32)
    weight = templates.sum(axis=1)[None, :] + TINY
    for _ in range(rounds):
        amounts *= (seen / (amounts @ templates + TINY)) @ templates.T / weight
    return amounts


def _colour(seen: Singles) -> Singles:
    """How strong each partial is in this clip, learned from frames spread over it, the loud ones above all."""
    loud = seen.sum(axis=1)
    chosen = np.sort(np.argsort(-loud, kind="stable")[: max(1, len(seen) // 2)])
    some = seen[chosen[:: max(1, len(chosen) // _LEARNED_FRAMES)]]
    tones = _tones()
    colour = (np.arange(1, _MOST_PARTIALS + 1) ** -_TILT).astype(np.float32) ** np.float32(_LOUDNESS)
    reach = tones.sum(axis=2)
    amounts = _amounts(some, np.tensordot(colour, tones, 1), _FIRST_ROUNDS)
    for _ in range(_ROUNDS):
        templates = np.tensordot(colour, tones, 1)
        ratio = some / (amounts @ templates + TINY)
        colour = colour * np.tensordot(tones, amounts.T @ ratio, 2) / (reach @ amounts.sum(axis=0) + TINY)
        colour = colour / colour.max()
        colour[0] = max(colour[0], _FIRST)
        templates = np.tensordot(colour, tones, 1)
        ratio = some / (amounts @ templates + TINY)
        amounts *= ratio @ templates.T / (templates.sum(axis=1)[None, :] + TINY)
    return np.asarray(colour, dtype=np.float32)


def _hertz(pitches: NDArray[np.number]) -> Floats:
    """The frequencies of MIDI pitches."""
    return np.asarray(_A4_HERTZ * 2 ** ((pitches - _A4) / 12), dtype=np.float64)


@lru_cache(maxsize=4)
def _bank(size: int) -> Singles:
    """From the bins of a spectrum to steps of a third of a semitone: triangles at least a bin wide.

    The longer spectrum gives the low steps, the shorter one the others.
    """
    count = (_TOP - LOWEST + 2) * _STEPS_A_SEMITONE
    centres = _hertz(LOWEST - 1 + np.arange(count) / _STEPS_A_SEMITONE)
    width = np.maximum(RATE / size, centres * (2 ** (1 / 12 / _STEPS_A_SEMITONE) - 1))
    bins = np.arange(size // 2 + 1) * RATE / size
    bank = np.maximum(0.0, 1 - np.abs(bins[:, None] - centres[None, :]) / width[None, :])
    bank[:, (centres < _LOW) != (size == max(_SIZES))] = 0.0
    return np.asarray(bank / np.maximum(1.0, bank.sum(axis=0)), dtype=np.float32)


@lru_cache(maxsize=1)
def _tones() -> Singles:
    """The spectrum of each partial of each pitch, as steps of a third of a semitone: partial, pitch, step."""
    return np.asarray(sum(_lobes(size) for size in _SIZES), dtype=np.float32) ** np.float32(_LOUDNESS)


def _lobes(size: int) -> Floats:
    window = np.hanning(size + 1)[:-1]
    away = np.arange(0, _LOBE + _LOBE_STEP / 2, _LOBE_STEP)
    lobe = np.abs(np.exp(-2j * np.pi * np.outer(away, np.arange(size)) / size) @ window) / window.sum()
    pitches = _hertz(np.arange(LOWEST, HIGHEST + 1)) * size / RATE
    bins = np.arange(size // 2 + 1)
    tones = []
    for number in range(1, _MOST_PARTIALS + 1):
        at = np.where(number * pitches < _HIGHEST_PART * size, number * pitches, _NOWHERE)
        tones.append(np.interp(np.abs(bins[None, :] - at[:, None]), away, lobe, right=0.0) @ _bank(size))
    return np.array(tones)


RATE = 16_000

_NOTHING = 1e-10  # power: -100 dB


def hearable(clip: Clip) -> Singles:
    """The samples at the ear's rate, without offset, the loudest at one; nothing where the clip is silent."""
    if clip.silent:
        return np.zeros(0, dtype=np.float32)
    sound = at_rate(clip, RATE)
    sound = sound - sound.mean()
    loudest = float(np.abs(sound).max(initial=0.0))
    return np.asarray(sound / loudest, dtype=np.float32) if loudest >= SILENCE else np.zeros(0, dtype=np.float32)


def framed(sound: Singles, size: int, hop: int) -> Singles:
    """Overlapping frames as rows, the first centred on the first sample."""
    padded = np.pad(sound, (size // 2, size))
    return np.lib.stride_tricks.sliding_window_view(padded, size)[: len(sound) + 1 : hop]


def _window(size: int) -> Singles:
    """The window that every frame is seen through; a sine of amplitude one gives about one."""
    window = np.hanning(size + 1)[:-1].astype(np.float32)
    window *= 2.0 / window.sum()
    return window


def magnitudes(sound: Singles, size: int, hop: int, bins: int | None = None) -> Singles:
    """How strong each frequency is in each frame: a sine of amplitude one gives about one."""
    window = _window(size)
    frames = framed(sound, size, hop)
    parts = [
        np.abs(np.fft.rfft(frames[first : first + _FRAMES_AT_ONCE] * window, axis=1))[:, :bins].astype(np.float32)
        for first in range(0, len(frames), _FRAMES_AT_ONCE)
    ]
    return np.concatenate(parts)


def projected(sound: Singles, size: int, hop: int, bank: Singles) -> Singles:
    """The magnitudes times a matrix, frame by frame, so that a long recording is never held as a whole spectrum."""
    frames = (len(sound) + hop) // hop
    window = _window(size)
    parts = []
    for first in range(0, frames, _FRAMES_AT_ONCE):
        last = min(frames, first + _FRAMES_AT_ONCE)
        start, stop = first * hop - size // 2, (last - 1) * hop + size
        piece = np.pad(sound[max(0, start) : stop], (max(0, -start), 0))
        piece = np.pad(piece, (0, size + hop))
        view = np.lib.stride_tricks.sliding_window_view(piece, size)[: (last - first) * hop : hop]
        parts.append(np.abs(np.fft.rfft(view * window, axis=1)).astype(np.float32) @ bank)
    return np.concatenate(parts)


def decibels(power: NDArray[np.floating]) -> Floats:
    """Power in decibels; nothing is -100."""
    return np.asarray(10 * np.log10(np.maximum(power, _NOTHING)), dtype=np.float64)


def rises(levels: Floats, frames: int) -> Floats:
    """How much each row exceeds the one that many frames before, where it does; sounds start from silence."""
    before = np.concatenate((np.repeat(levels[:1] * 0 + levels.min(), frames, axis=0), levels[:-frames]))
    return np.asarray(np.maximum(0.0, levels - before))
