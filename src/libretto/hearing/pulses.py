"""The tempos that are worth a look: how long a quarter may be, and how surely that is known.

Onsets lie well on the sixteenths or triplets of a few tempos only. Each of these is then fitted finely, a straight line
through the onsets, so that it can be told whether a tempo is a whole number of quarters a minute: most music that was
made with a computer has such a tempo, and then its half or its double often has none.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from libretto.score.table import Floats

__all__ = ["TRIED", "Pulses", "pulses_of"]

_FASTEST, _SLOWEST, _STEP = 0.24, 1.5, 1.006  # seconds a quarter, and the ratio from one to the next
TRIED = 30  #: tempos that are looked at closely, at most
_LEVELS = ((1, 0.6), (2, 0.9), (3, 0.8), (4, 1.0))  # parts of a quarter, and how much onsets on them count
_SIXTEENTHS = 4
_NEAR = 0.15  # of a sixteenth: onsets farther away hardly count in the fit
_FITS = 3  # times that the line is drawn anew
_LEAST = 1e-9


class Pulses(NamedTuple):
    """Seconds a quarter, from fast to slow, and by which part each of them is usually off."""

    quarters: Floats
    errors: Floats


def pulses_of(times: Floats) -> Pulses:
    """The tempos at whose sixteenths or triplets the onsets lie best."""
    count = int(np.ceil(np.log(_SLOWEST / _FASTEST) / np.log(_STEP)))
    quarters: Floats = _FASTEST * _STEP ** np.arange(count, dtype=np.float64)
    turn = np.exp(2j * np.pi * times[None, :] / quarters[:, None])
    fits, power = np.zeros(count), np.ones_like(turn)
    for _, weight in _LEVELS:
        power = power * turn
        fits = np.maximum(fits, weight * np.abs(power.mean(axis=1)))
    inner = np.pad(fits, 1, mode="edge")
    peaks = np.flatnonzero((fits >= inner[:-2]) & (fits >= inner[2:]))
    kept = np.sort(peaks[np.argsort(-fits[peaks], kind="stable")][:TRIED])
    return _fitted(times, _settled(times, quarters[kept]))


def _settled(times: Floats, quarters: Floats) -> Floats:
    """Tempos moved to where the sixteenths fit best, between the steps that were tried."""
    near = quarters[:, None] * np.linspace(1 / _STEP, _STEP, 7)[None, :]
    turn = np.abs(np.exp(2j * np.pi * _SIXTEENTHS * times / near[:, :, None]).mean(axis=2))
    return np.asarray(near[np.arange(len(near)), turn.argmax(axis=1)])


def _fitted(times: Floats, quarters: Floats) -> Pulses:
    """A line through the onsets that lie near sixteenths, drawn a few times; no tempo leaves its neighbourhood."""
    sixteenths = quarters / _SIXTEENTHS
    phase = np.angle(np.exp(2j * np.pi * times / sixteenths[:, None]).mean(axis=1)) / (2 * np.pi) * sixteenths
    error = np.ones_like(sixteenths)
    for _ in range(_FITS):
        exact = (times - phase[:, None]) / sixteenths[:, None]
        place = np.round(exact)
        weight = np.exp(-0.5 * ((exact - place) / _NEAR) ** 2)
        total = weight.sum(axis=1) + _LEAST
        middle = (weight * place).sum(axis=1) / total
        away = place - middle[:, None]
        spread = (weight * away**2).sum(axis=1) + _LEAST
        mean = (weight * times).sum(axis=1) / total
        slope = (weight * away * times).sum(axis=1) / spread
        rest = times - mean[:, None] - slope[:, None] * away
        error = np.sqrt((weight * rest**2).sum(axis=1) / total / spread) / sixteenths
        sixteenths = np.clip(slope, quarters / _SIXTEENTHS / _STEP, quarters / _SIXTEENTHS * _STEP)
        phase = mean - sixteenths * middle
    return Pulses(sixteenths * _SIXTEENTHS, error)
