"""What speaks for a tempo and a meter: numbers that a small net weighs.

Of a tempo: how it lies among usual ones, which note values the moments would be written in, how well they lie on
quarters, eighths, triplets and sixteenths, and after how many quarters music comes again. Of a meter and its bar line:
where in the bar moments of each kind fall beside where they fall in real music, and how much each kind prefers the bar
line and the middle of the bar.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from libretto.hearing.moments import Lags, Moments
from libretto.score.table import Floats

__all__ = ["METERS", "PARTS", "Barred", "barred", "of_tempo"]

#: Meters that are told apart (2/4 and 2/2 are heard as 4/4), and quarters in a bar of each.
METERS = {"4/4": 4, "3/4": 3, "6/8": 3}
PARTS = 12  #: places in a quarter: sixteenths and triplets
_OFF = 0.022  # seconds that an onset is usually off its place
_STRAY = 0.03  # the part of onsets that lie anywhere
_SLACK = 0.05  # seconds that the first note may be off a bar line
_OPENS = 0.1  # what speaks for a bar line where the first note begins: people begin with the first beat
_REFERENCE_BPM = 6.8  # log2 of about 111 quarters a minute
_VALUES = np.log2(np.array([1 / 8, 1 / 6, 1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4, 1, 3 / 2, 2, 3, 4]))  # quarters
_AGAIN = (0.25, 1 / 3, 0.5, 1, 1.5, 2, 3, 4, 6, 8)  # quarters after which music may come again
_LEAST = 1e-3


class Barred(NamedTuple):
    """The second of a bar line, and what speaks for a meter with it."""

    first: float
    signs: list[float]


def of_tempo(moments: Moments, lags: Lags, quarter: float) -> list[float]:
    """What speaks for so many seconds a quarter."""
    times = moments.times
    pace = float(np.log2(60 / quarter)) - _REFERENCE_BPM
    density = float(np.log2(max(len(times), 2) / max(quarter, times[-1] - times[0]) * quarter))
    fits = [float(np.abs(np.exp(2j * np.pi * parts * times / quarter).mean())) for parts in (1, 2, 3, 4, 6)]
    again = [value for step in _AGAIN for value in lags.at(step * quarter)]
    lows = times[moments.classes[2] > 0]
    return [
        pace, density, float(moments.kit), *fits, *_values(np.diff(times) / quarter), *_values(np.diff(lows) / quarter),
        *again,
    ]  # fmt: skip


def _values(steps: Floats) -> list[float]:
    """Which part of the steps is nearest to each usual note value."""
    if not len(steps):
        return [0.0] * len(_VALUES)
    near = np.abs(np.log2(np.maximum(steps, _LEAST))[:, None] - _VALUES[None, :]).argmin(axis=1)
    return [float(count) / len(steps) for count in np.bincount(near, minlength=len(_VALUES))]


def barred(moments: Moments, lags: Lags, quarter: float, meter: str, likely: Floats) -> Barred:
    """The bar line that suits the moments best in a meter, and what speaks for the two.

    ``likely`` is how likely each place of the bar is for moments of every class.
    """
    times, size = moments.times, METERS[meter]
    bar, part = size * quarter, quarter / PARTS
    start, places = _phase(times, quarter), likely.shape[1]
    exact = (times - start) / part
    nearest = np.round(exact).astype(np.int64)
    near = np.exp(-0.5 * ((exact - nearest) * part / _OFF) ** 2) / (_OFF * np.sqrt(2 * np.pi)) * bar * (1 - _STRAY)
    shifts = np.arange(places)
    firsts = start + shifts * part
    place = (nearest[None, :] - shifts[:, None]) % places
    speaks = np.zeros((len(likely), places))
    for row, counts in enumerate(moments.classes):
        some = np.flatnonzero(counts)
        if len(some):
            speaks[row] = np.log(likely[row][place[:, some]] * near[some] + _STRAY).mean(axis=1)
    opens = np.abs((times[0] - firsts + bar / 2) % bar - bar / 2) <= _SLACK
    best = int(np.argmax(speaks.sum(axis=0) + _OPENS * opens))
    other = quarter * (3 if meter == "4/4" else 4)
    again = [value for after in (bar, other, 2 * bar, 4 * bar, bar / 2, bar / 3) for value in lags.at(after)]
    signs = [
        float(meter == "3/4"), float(meter == "6/8"), float(opens[best]), *speaks[:, best].tolist(),
        *again, *_preferred(moments.classes, place[best], places),
    ]  # fmt: skip
    return Barred(float(firsts[best] % bar), signs)


def _preferred(classes: Floats, place: np.ndarray, places: int) -> list[float]:
    """Which part of each class falls on the bar line, on half a bar and on thirds of it."""
    total = np.maximum(1.0, classes.sum(axis=1))
    spots = (place == 0, place == places // 2, (place == places // 3) | (place == 2 * places // 3))
    return [part for spot in spots for part in (classes @ spot / total).tolist()]


def _phase(times: Floats, quarter: float) -> float:
    """Where sixteenths lie, in seconds after the start: the middle of the onsets within them."""
    turn = np.exp(8j * np.pi * times / quarter).mean()
    return float(np.angle(turn) / (8 * np.pi) * quarter)
