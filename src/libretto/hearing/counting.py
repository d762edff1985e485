"""The ear for bars: how many beats pass until the pattern begins again, and which beat is the first.

Onsets in five bands give the pulse: the period at whose multiples they come again. Each pulse is described by what
begins on it, band by band. Bars of three, four or five beats are those at whose distance pulses are most alike; the
first beat is the one on which the low bands begin the most.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from libretto.hearing.audio import Clip
from libretto.hearing.partials import RATE, TINY, decibels, hearable, rises
from libretto.hearing.reading import Reading
from libretto.hearing.rhythm import PULSE_HOP, band_powers
from libretto.score.table import Floats

__all__ = ["read_beats"]

_FRAME = PULSE_HOP / RATE  # seconds
_BANDS = ((30, 150), (150, 400), (400, 1200), (1200, 4000), (4000, 8000))  # Hz
_FLOOR, _RISING = -60.0, 4  # dB that are heard, and frames in which a level rises
_PULSES = np.arange(0.14, 0.72, 0.0025)  # seconds from pulse to pulse
_MULTIPLES = 12  # of a period at which onsets should come again
_NEAR = 6  # frames around a pulse that belong to it
_BEATS = (0.3, 0.75)  # seconds a beat: 200 to 80 a minute
_GROUPS = (3, 4, 5)
_DIVISIONS = (1, 2)  # pulses a beat
_LOW = 1  # bands in which first beats weigh
_FEWEST = 2  # bars that must be heard


class _Count(NamedTuple):
    """Bars as they are counted: how alike pulses are at their distance, beats a bar, pulses a beat."""

    alike: float
    beats: int
    division: int


def read_beats(clip: Clip) -> Reading:
    """Every beat of a clip as it is counted in its bar, and what is heard from some of the bands alone."""
    sound = hearable(clip)
    if not len(sound):
        return Reading(())
    rise = rises(np.maximum(_FLOOR, decibels(band_powers(sound, _BANDS))), _RISING)
    period, start = _pulse(rise.mean(axis=1))
    if period <= 0:
        return Reading(())
    table = _at_pulses(rise, period, start)
    ways = [slice(None), slice(0, 3), slice(1, None), slice(0, 4), slice(0, 2), slice(2, None)]
    counts = [_counted(table[:, bands], period) for bands in ways]
    first, *others = ((_numbers(table, count) if count is not None else ()) for count in counts)
    margin = _margin(table, period)
    return Reading(first, tuple(others), margin)


def _pulse(strength: Floats) -> tuple[float, int]:
    """The period of the pulse in frames and the frame of the first one; the period is 0 where nothing comes again."""
    strength = strength - strength.mean()
    size = 1 << (2 * len(strength)).bit_length()
    spectrum = np.abs(np.fft.rfft(strength, size)) ** 2
    again = np.fft.irfft(spectrum, size)[: len(strength)]
    if again[0] <= TINY:
        return 0.0, 0
    again = again / again[0]
    best, most = 0.0, 0.0
    for seconds in _PULSES:
        period = seconds / _FRAME
        on = np.round(np.arange(1, _MULTIPLES + 1) * period).astype(np.int64)
        between = np.round((np.arange(_MULTIPLES) + 1 / 2) * period).astype(np.int64)
        if on[-1] + 2 >= len(again):
            break
        gain = float(_peak(again, on).mean() - _peak(again, between).mean())
        if gain > most:
            best, most = period, gain
    return (best, _phase(strength, best)) if best else (0.0, 0)


def _peak(values: Floats, places: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Floats:
    """The highest value within two frames of each place."""
    return np.asarray(np.max([values[np.clip(places + by, 0, len(values) - 1)] for by in range(-2, 3)], axis=0))


def _phase(strength: Floats, period: float) -> int:
    """The first frame from which pulses of that period meet the most; a little below 0 where one begins the clip."""
    count = int((len(strength) - period) / period)
    teeth = np.round(np.arange(max(1, count)) * period).astype(np.int64)
    sums = [float(_peak(strength, teeth + start).sum()) for start in range(round(period))]
    start = int(np.argmax(sums))
    return start if start + _NEAR < period else start - round(period)


def _at_pulses(rise: Floats, period: float, start: int) -> Floats:
    """What begins on each pulse in each band, each band by its usual strength; from the first pulse that is struck."""
    count = int((len(rise) - start) / period)
    places = [start + round(number * period) for number in range(count)]
    table = np.array([rise[max(0, place - _NEAR) : place + _NEAR + 1].max(axis=0) for place in places])
    table = table / np.maximum(TINY, table.std(axis=0) + table.mean(axis=0))[None, :]
    struck = np.flatnonzero(table.sum(axis=1) > np.median(table.sum(axis=1)) / 2)
    return np.asarray(table[struck[0] : struck[-1] + 1]) if len(struck) else table


def _candidates(table: Floats, period: float) -> list[_Count]:
    """How alike pulses are at the distance of bars of three, four and five beats."""
    centred = table - table.mean(axis=0)[None, :]
    power = float((centred**2).sum()) / max(1, len(centred))
    counts = []
    for division in _DIVISIONS:
        if not _BEATS[0] <= division * period * _FRAME <= _BEATS[1]:
            continue
        for beats in _GROUPS:
            lag = beats * division
            if len(table) >= _FEWEST * lag and power > TINY:
                alike = float((centred[:-lag] * centred[lag:]).sum(axis=1).mean()) / power
                counts.append(_Count(alike, beats, division))
    return counts


def _counted(table: Floats, period: float) -> _Count | None:
    return max(_candidates(table, period), default=None)


def _margin(table: Floats, period: float) -> float:
    """By how much the best count is better than the best with another number of beats, from 0 to 1."""
    counts = sorted(_candidates(table, period), reverse=True)
    other = next((count.alike for count in counts if count.beats != counts[0].beats), 0.0) if counts else 0.0
    return min(1.0, max(0.0, counts[0].alike - max(0.0, other))) if counts else 0.0


def _numbers(table: Floats, count: _Count) -> tuple[int, ...]:
    """The number of each beat in its bar; the first beats are those on which the low bands begin the most."""
    low = table[:, :_LOW].sum(axis=1)
    lag = count.beats * count.division
    weights = [float(low[first::lag].mean()) for first in range(0, lag)]
    first = int(np.argmax(weights))
    places = range(first % count.division, len(table), count.division)
    return tuple((place - first) // count.division % count.beats + 1 for place in places)
