"""The tempo, the meter and the first bar line of notes that were heard, from when they begin and how they weigh.

Every tempo, meter and place of the bar line is an explanation of the moments at which notes begin. What speaks for one
(``signs``: which note values it would be written in, where in the bar moments of each kind fall, what comes again after
a bar, which tempos are usual) is weighed by a small net that was taught on real music (``places.json``: counts and
weights alone; ``lab/hearing/teach_meter.py``: how). The explanation that it finds best wins.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from libretto.hearing.moments import Lags, moments_of
from libretto.hearing.notes import HeardNote
from libretto.hearing.signs import METERS, barred, of_tempo
from libretto.score.table import Floats
from libretto.score.time import Meter

__all__ = ["Beat", "Explanation", "beat_and_meter", "explanations"]

_FASTEST, _SLOWEST, _STEP = 0.24, 1.5, 1.006  # seconds a quarter, and the ratio from one to the next
_TRIED = 28  # tempos that are looked at closely
_FEWEST = 4
_USUAL_QUARTER = 0.5


class Beat(NamedTuple):
    """Seconds a quarter, the meter, and the second at which a bar begins (the first that is heard whole, or 0)."""

    quarter: float
    meter: Meter
    first: float

    @property
    def bpm(self) -> float:
        """Quarters a minute."""
        return 60 / self.quarter


class _Net(NamedTuple):
    """Signs brought to their usual size, then one hidden layer."""

    middle: Floats
    spread: Floats
    inner: Floats
    offset: Floats
    outer: Floats

    def __call__(self, signs: Floats) -> Floats:
        """How good each row of signs is."""
        return np.asarray(np.tanh((signs - self.middle) / self.spread @ self.inner + self.offset) @ self.outer)


@lru_cache(maxsize=1)
def _taught() -> tuple[dict[str, Floats], _Net]:
    """For each meter how likely each place is, by class, and the net that weighs the signs."""
    data = json.loads(files("libretto.hearing").joinpath("places.json").read_text(encoding="utf-8"))
    places = {name: np.array(rows, dtype=np.float64) for name, rows in data["places"].items()}
    return places, _Net(**{name: np.array(values, dtype=np.float64) for name, values in data["net"].items()})


def beat_and_meter(notes: Sequence[HeardNote]) -> Beat:
    """The tempo, meter and bar line that explain best when the notes begin."""
    places, net = _taught()
    ways = explanations(notes, places)
    if not ways:
        return Beat(_USUAL_QUARTER, Meter(4, 4), min((note.start for note in notes), default=0.0))
    best = ways[int(np.argmax(net(np.array([way.signs for way in ways]))))]
    beats, unit = map(int, best.meter.split("/"))
    return Beat(best.quarter, Meter(beats, unit), best.first)


class Explanation(NamedTuple):
    """Seconds a quarter, a meter, the second of a bar line, and what speaks for them."""

    quarter: float
    meter: str
    first: float
    signs: list[float]


def explanations(notes: Sequence[HeardNote], places: dict[str, Floats]) -> list[Explanation]:
    """Every tempo and meter that is worth a look, with its best bar line and its signs; none where notes are few."""
    moments = moments_of(notes)
    if len(moments.times) < _FEWEST:
        return []
    lags = Lags.of(notes, moments)
    ways = []
    for quarter in _tempos(moments.times):
        shared = of_tempo(moments, lags, quarter)
        for name in METERS:
            first, signs = barred(moments, lags, quarter, name, places[name])
            ways.append(Explanation(quarter, name, first, shared + signs))
    return ways


def _tempos(times: Floats) -> list[float]:
    """The tempos at whose sixteenths or triplets the onsets lie best: the best of their neighbourhoods."""
    count = int(np.ceil(np.log(_SLOWEST / _FASTEST) / np.log(_STEP)))
    quarters = _FASTEST * _STEP ** np.arange(count)
    fits = np.zeros(count)
    for parts, weight in ((1, 0.6), (2, 0.9), (3, 0.8), (4, 1.0)):
        turn = np.exp(2j * np.pi * parts * times[None, :] / quarters[:, None])
        fits = np.maximum(fits, weight * np.abs(turn.mean(axis=1)))
    inner = np.pad(fits, 1, mode="edge")
    peaks = np.flatnonzero((fits >= inner[:-2]) & (fits >= inner[2:]))
    kept = peaks[np.argsort(-fits[peaks], kind="stable")][:_TRIED]
    return [_settled(times, float(quarters[place])) for place in sorted(kept.tolist())]


def _settled(times: Floats, quarter: float) -> float:
    """A tempo moved to where the sixteenths fit best, between the steps that were tried."""
    near = quarter * np.linspace(1 / _STEP, _STEP, 9)
    turn = np.abs(np.exp(8j * np.pi * times[None, :] / near[:, None]).mean(axis=1))
    return float(near[int(np.argmax(turn))])
