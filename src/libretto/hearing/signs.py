"""What speaks for a tempo and a meter: numbers that a network weighs.

At any tempo: how dense, long, high and even the notes are. Of a tempo: how it lies among usual ones, whether it is a
whole number, which note values the moments would be written in, how well they lie on quarters, eighths, triplets and
sixteenths, and after how many quarters music comes again. Of a meter and its bar line: where in the bar moments of each
kind fall, also beside where they fall in real music, and what comes again after a bar.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from libretto.hearing.moments import CLASSES, Lags, Moments
from libretto.hearing.notes import HeardNote
from libretto.hearing.pulses import Pulses
from libretto.score.table import Floats

__all__ = ["METERS", "PARTS", "Barred", "barred", "of_all", "of_tempos"]

#: Meters that are told apart (2/4 and 2/2 are heard as 4/4), and quarters in a bar of each.
METERS = {"4/4": 4, "3/4": 3, "6/8": 3}
PARTS = 12  #: places in a quarter: sixteenths and triplets
_OFF = 0.022  # seconds that an onset is usually off its place
_STRAY = 0.03  # the part of onsets that lie anywhere
_PEAK = (1 - _STRAY) / (_OFF * np.sqrt(2 * np.pi))
_SLACK = 0.05  # seconds that the first note may be off a bar line
_OPENS = 0.1  # what speaks for a bar line where the first note begins: people begin with the first beat
_REFERENCE_BPM = 6.8  # log2 of about 111 quarters a minute
_VALUES = np.log2(np.array([1 / 8, 1 / 6, 1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4, 1, 3 / 2, 2, 3, 4]))  # quarters
_BOUNDS = (_VALUES[1:] + _VALUES[:-1]) / 2
_AGAIN = np.array([0.25, 1 / 3, 0.5, 2 / 3, 0.75, 1, 1.5, 2, 3, 4, 6, 8, 12, 16])  # quarters until music comes again
_ROUND = np.array([0.5, 1, 2, 4, 5, 10])  # quarters a minute: written tempos are often multiples of these
_USUAL_BPM = 120.0  # what is written where nobody chose
_SURE_BPM = 0.05  # quarters a minute: nobody writes a tempo more finely
_MIDDLE = 60  # a pitch
_EIGHTHS = 8  # the most in a bar
_LEAST = 1e-3


class Barred(NamedTuple):
    """For each tempo the second of a bar line, and what speaks for a meter with it."""

    firsts: Floats
    signs: Floats


def of_all(notes: Sequence[HeardNote], moments: Moments) -> Floats:
    """What is to be said of notes at any tempo."""
    seconds = float(moments.times[-1] - moments.times[0]) + 0.1
    pitches = np.array([note.pitch for note in notes], dtype=np.float64)
    strengths = np.array([note.strength for note in notes])
    steps = np.diff(moments.times)
    return np.array([
        float(moments.kit), np.log2(len(moments.times) / seconds), np.log2(len(notes) / len(moments.times)),
        np.log2(float(np.median(_lengths(notes)))), np.log2(float(np.median(steps)) + _LEAST),
        (pitches.mean() - _MIDDLE) / 12, pitches.std() / 12, np.log2(seconds), strengths.std(),
    ])  # fmt: skip


def _lengths(notes: Sequence[HeardNote]) -> Floats:
    return np.asarray(np.maximum(_LEAST, np.array([note.stop - note.start for note in notes])))


def of_tempos(notes: Sequence[HeardNote], moments: Moments, lags: Lags, pulses: Pulses) -> Floats:
    """What speaks for each tempo, a row a tempo."""
    times, quarters = moments.times, pulses.quarters
    pace = np.log2(60 / quarters) - _REFERENCE_BPM
    density = np.log2(max(len(times), 2) / np.maximum(quarters, times[-1] - times[0]) * quarters)
    turn = np.exp(2j * np.pi * times / quarters[:, None])
    fits = [np.abs((turn**parts).mean(axis=1)) for parts in (1, 2, 3, 4, 6)]
    rows = [times[moments.classes[CLASSES.index(name)] > 0] for name in ("any", "low", "change", "back", "full")]
    values = [_values(np.diff(row), quarters) for row in rows] + [_values(_lengths(notes), quarters)]
    again = lags.at(_AGAIN * quarters[:, None])
    return np.column_stack([pace, pace * pace, density, *fits, _whole(pulses), *values, *again])


def _whole(pulses: Pulses) -> Floats:
    """How near each tempo is to round numbers, and how finely it is known."""
    bpm = 60 / pulses.quarters[:, None]
    sure = _SURE_BPM + bpm * pulses.errors[:, None]
    away = np.abs(np.column_stack([bpm - np.round(bpm / _ROUND) * _ROUND, bpm - _USUAL_BPM]))
    return np.column_stack([np.exp(-0.5 * (away / sure) ** 2), np.log(sure)])


def _values(steps: Floats, quarters: Floats) -> Floats:
    """Which part of the steps is nearest to each usual note value, at each tempo."""
    sizes = np.log2(np.maximum(steps, _LEAST)) - np.log2(quarters)[:, None]
    return _counted(np.searchsorted(_BOUNDS, sizes), len(_VALUES)) / max(1, len(steps))


def _counted(places: np.ndarray, most: int, weights: Floats | None = None) -> Floats:
    """How often, or with which weight, each place stands in each row."""
    flat = (places + most * np.arange(len(places))[:, None]).ravel()
    counts = np.bincount(flat, None if weights is None else weights.ravel(), minlength=most * len(places))
    return np.asarray(counts.reshape(len(places), most), dtype=np.float64)


def barred(moments: Moments, lags: Lags, quarters: Floats, meter: str, likely: Floats) -> Barred:
    """For each tempo the bar line that suits the moments best in a meter, and what speaks for the two.

    ``likely`` is how likely each place of the bar is for moments of every class.
    """
    times, places = moments.times, likely.shape[1]
    bars, parts = METERS[meter] * quarters[:, None], quarters[:, None] / PARTS
    starts = _phases(times, quarters)[:, None]
    exact = (times - starts) / parts
    nearest = np.round(exact)
    near = np.exp(-0.5 * ((exact - nearest) * parts / _OFF) ** 2)
    place = nearest.astype(np.int64) % places
    total = np.maximum(1.0, moments.classes.sum(axis=1))
    shares = np.stack([_counted(place, places, row * near) for row in moments.classes / total[:, None]], axis=1)
    gain = np.log1p(likely * bars[:, :, None] * (_PEAK / _STRAY))  # tempos, classes, places
    turned = (np.arange(places)[:, None] + np.arange(places)[None, :]) % places
    speaks = np.einsum("qcsp,qcp->qcs", shares[:, :, turned], gain, optimize=True)
    firsts = starts + np.arange(places) * parts
    opens = np.abs((times[0] - firsts + bars / 2) % bars - bars / 2) <= _SLACK
    best = np.argmax(speaks.sum(axis=1) + _OPENS * opens, axis=1)
    every = np.arange(len(best))
    lying = np.take_along_axis(shares, turned[best][:, None, :], axis=2)
    other = quarters * (3 if meter == "4/4" else 4)
    again = lags.at(np.column_stack([bars * np.array([1, 2, 4, 1 / 2, 1 / 3]), other]))
    told = [np.full(len(best), float(meter == name)) for name in ("3/4", "6/8")]
    signs = np.column_stack(
        [*told, opens[every, best], speaks[every, :, best], *again, _placed(lying).reshape(len(best), -1)]
    )
    return Barred(firsts[every, best] % bars[:, 0], signs)


def _placed(lying: Floats) -> Floats:
    """Which part of each class falls on each eighth of the bar, on sixteenths between them, and on triplets."""
    eighth, places = PARTS // 2, np.arange(lying.shape[2])
    eighths = lying[:, :, ::eighth]
    seen = np.zeros((*lying.shape[:2], _EIGHTHS + 2))
    seen[:, :, : eighths.shape[2]] = eighths
    seen[:, :, -2] = lying[:, :, eighth // 2 :: eighth].sum(axis=2)
    seen[:, :, -1] = lying[:, :, np.isin(places % PARTS, (4, 8))].sum(axis=2)
    return seen


def _phases(times: Floats, quarters: Floats) -> Floats:
    """Where the sixteenths of each tempo lie, in seconds after the start: the middle of the onsets within them."""
    turn = np.exp(8j * np.pi * times / quarters[:, None]).mean(axis=1)
    return np.asarray(np.angle(turn) / (8 * np.pi) * quarters)
