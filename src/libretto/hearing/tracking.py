"""The pitch of a single line, every 10 ms: periods that repeat best, and the smoothest way through them.

In each frame the difference of the sound from itself, moved by every lag, is measured and set beside the mean over the
shorter lags (de Cheveigne and Kawahara 2002). Its deepest valleys are candidates. One way through the candidates of all
frames costs least: a shallow valley costs, a leap costs, and so does falling silent or beginning (after Mauch and Dixon
2014). So an octave heard wrongly for a moment does not break a line.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from libretto.hearing.partials import HOP, RATE, framed
from libretto.score.table import Bools, Floats, Singles

__all__ = ["FRAME_SECONDS", "Track", "track", "unlikeness"]

FRAME_SECONDS = HOP / RATE
_SIZE, _LAGS = 1024, 300  # samples of a frame, and of the longest period: 53 Hz
_SHORTEST_LAG = 7  # samples: 2.3 kHz
_CANDIDATES = 5
_LONGER = 0.04  # what a period costs more than one of half its length: both repeat as well
_LEAP, _FURTHEST = 0.035, 6.0  # what a semitone costs from one frame to the next, and after how many no more is added
_UNVOICED, _TURN = 0.42, 0.35  # what a silent frame costs, and to fall silent or begin
_QUIET = 45.0  # decibels below the loudest frame: nobody sings there
_LOUD = 30.0  # decibels below the loudest frame: louder ones say whether there is one tone
_LEVEL_SIZE = 320  # samples over which a level is heard: 20 ms
_FRAMES_AT_ONCE = 1024
_NEVER = 1e6
_TINY = 1e-12
_A4, _A4_HERTZ = 69, 440


class Track(NamedTuple):
    """Every 10 ms: the pitch (MIDI with fractions, 0 where silent), whether there is one, and the level in decibels."""

    pitch: Floats
    voiced: Bools
    level: Floats


def track(sound: Singles) -> Track:
    """The pitch and level of a line at the ear's rate."""
    lags, costs = _candidates(sound)
    level = _levels(sound, len(lags))
    costs = np.where(level[:, None] < level.max(initial=-_NEVER) - _QUIET, _NEVER, costs)
    pitch = _A4 + 12 * np.log2(RATE / np.maximum(lags, 1.0) / _A4_HERTZ)
    chosen = _cheapest(pitch, costs)
    voiced = chosen < _CANDIDATES
    heard = np.take_along_axis(pitch, np.minimum(chosen, _CANDIDATES - 1)[:, None], axis=1)[:, 0]
    return Track(np.where(voiced, heard, 0.0), voiced, level)


def unlikeness(sound: Singles) -> Floats:
    """How much each loud moment, of every other frame, differs from itself a period later: hardly for one tone."""
    frames = framed(sound, _SIZE, 2 * HOP)
    parts = [
        _differences(np.asarray(frames[first : first + _FRAMES_AT_ONCE], dtype=np.float64))[:, _SHORTEST_LAG:].min(
            axis=1
        )
        for first in range(0, len(frames), _FRAMES_AT_ONCE)
    ]
    level = _levels(sound, 2 * len(frames))[::2]
    return np.asarray(np.concatenate(parts)[level > level.max(initial=-_NEVER) - _LOUD])


def _levels(sound: Singles, count: int) -> Floats:
    """The level around each frame, in decibels."""
    sums = np.concatenate(([0.0], np.cumsum(sound.astype(np.float64) ** 2)))
    middle = np.arange(count) * HOP
    first, last = np.maximum(0, middle - _LEVEL_SIZE // 2), np.minimum(len(sound), middle + _LEVEL_SIZE // 2)
    power = (sums[np.minimum(last, len(sound))] - sums[np.minimum(first, len(sound))]) / _LEVEL_SIZE
    return np.asarray(10 * np.log10(np.maximum(power, _TINY)))


def _candidates(sound: Singles) -> tuple[Floats, Floats]:
    """For each frame the lags at which it repeats best, and what each costs; empty places cost too much."""
    frames = framed(sound, _SIZE, HOP)
    lags, costs = [], []
    for first in range(0, len(frames), _FRAMES_AT_ONCE):
        lag, cost = _valleys(_differences(np.asarray(frames[first : first + _FRAMES_AT_ONCE], dtype=np.float64)))
        lags.append(lag)
        costs.append(cost)
    return np.concatenate(lags), np.concatenate(costs)


def _differences(frames: Floats) -> Floats:
    """How much each frame differs from itself moved by each lag, beside the mean over the shorter lags."""
    window = _SIZE - _LAGS
    spectrum = np.fft.rfft(frames, 2 * _SIZE, axis=1)
    head = np.fft.rfft(frames[:, :window], 2 * _SIZE, axis=1)
    alike = np.fft.irfft(spectrum * np.conj(head), 2 * _SIZE, axis=1)[:, :_LAGS]
    sums = np.concatenate((np.zeros((len(frames), 1)), np.cumsum(frames**2, axis=1)), axis=1)
    power = sums[:, window : window + _LAGS] - sums[:, :_LAGS]
    raw = np.maximum(0.0, power[:, :1] + power - 2 * alike)
    mean = np.cumsum(raw[:, 1:], axis=1) / np.arange(1, _LAGS)
    beside = np.ones_like(raw)
    beside[:, 1:] = raw[:, 1:] / np.maximum(mean, _TINY)
    return beside


def _valleys(beside: Floats) -> tuple[Floats, Floats]:
    """The deepest valleys, with lags between samples by a parabola, and their costs."""
    left, here, right = beside[:, :-2], beside[:, 1:-1], beside[:, 2:]
    valley = (here < left) & (here <= right)
    valley[:, : _SHORTEST_LAG - 1] = False
    places = np.arange(1, _LAGS - 1)
    cost = np.where(valley, here + _LONGER * np.log2(places / _SHORTEST_LAG)[None, :], _NEVER)
    best = np.argpartition(cost, _CANDIDATES, axis=1)[:, :_CANDIDATES]
    a, b, c = (np.take_along_axis(part, best, axis=1) for part in (left, here, right))
    bend = np.maximum(a - 2 * b + c, _TINY)
    lag = places[best] + np.clip((a - c) / (2 * bend), -0.5, 0.5)
    return lag, np.take_along_axis(cost, best, axis=1)


def _cheapest(pitch: Floats, costs: Floats) -> np.ndarray:
    """The cheapest way through all frames: the number of the candidate, or one more where there is silence."""
    count = len(pitch)
    total = np.concatenate((costs[0], [_UNVOICED]))
    back = np.zeros((count, _CANDIDATES + 1), dtype=np.int64)
    for frame in range(1, count):
        leap = _LEAP * np.minimum(_FURTHEST, np.abs(pitch[frame][:, None] - pitch[frame - 1][None, :]))
        step = np.full((_CANDIDATES + 1, _CANDIDATES + 1), _TURN)
        step[:-1, :-1] = leap
        step[-1, -1] = 0.0
        ways = total[None, :] + step
        back[frame] = np.argmin(ways, axis=1)
        total = ways[np.arange(_CANDIDATES + 1), back[frame]] + np.concatenate((costs[frame], [_UNVOICED]))
    chosen = np.zeros(count, dtype=np.int64)
    chosen[-1] = int(np.argmin(total))
    for frame in range(count - 1, 0, -1):
        chosen[frame - 1] = back[frame, chosen[frame]]
    return chosen
