"""The tempo, the meter and the first bar line of notes that were heard, from when they begin and how they weigh.

Every tempo, meter and place of the bar line is an explanation of the onsets. In a bar some places are struck often and
others hardly ever, above all by long notes and by low ones; music repeats itself after a bar rather than after another
time; and some tempos are usual. How often places are struck, and how much each of these signs counts, is taught on real
music (``places.json``: counts and weights alone). The explanation that the signs speak for most wins.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from libretto.hearing.notes import HeardNote
from libretto.score.table import Floats
from libretto.score.time import Meter

__all__ = ["CLASSES", "METERS", "PARTS", "Beat", "Explanation", "beat_and_meter", "explanations", "onset_classes"]

#: Meters that are told apart (2/4 and 2/2 are heard as 4/4), and quarters in a bar of each.
METERS = {"4/4": 4, "3/4": 3, "6/8": 3}
PARTS = 12  #: places in a quarter: sixteenths and triplets
#: What an onset may be, each counted by itself: any, one that is long, one that lies low.
CLASSES = ("any", "long", "low")
_FASTEST, _SLOWEST, _STEP = 0.24, 1.25, 1.006  # seconds a quarter, and the ratio from one to the next
_TRIED = 28  # tempos that are looked at closely
_PHASES = 12  # places of the bar line that are tried in a quarter
_OFF = 0.022  # seconds that an onset is usually off its place
_STRAY = 0.03  # the part of onsets that lie anywhere
_MOST_ONSETS = 400
_TOGETHER = 0.04  # seconds: notes that begin so near to each other are one onset
_LONG, _LOW = 1.4, 0.34  # of the usual step, and of the notes: what is long, and what lies low
_FEWEST = 4
_LAG_SECONDS, _LAGS = 0.01, 1200  # how finely times between onsets are counted, and how far
_NEAR_LAGS = 3  # of these on either side count as the same time
_SLACK = 0.05  # seconds that the first note may be off a bar line
_OPENS = 0.1  # what speaks for a bar line where the first note begins: people begin with the first beat
_REFERENCE_BPM = 6.8  # log2 of about 111 quarters a minute
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


@lru_cache(maxsize=1)
def _taught() -> tuple[dict[str, Floats], Floats]:
    """For each meter how likely each place is, by class, and how much every sign counts."""
    data = json.loads(files("libretto.hearing").joinpath("places.json").read_text(encoding="utf-8"))
    places = {name: np.array(rows, dtype=np.float64) for name, rows in data["places"].items()}
    return places, np.array(data["weights"], dtype=np.float64)


def onset_classes(notes: Sequence[HeardNote]) -> tuple[Floats, Floats]:
    """The moments at which notes begin, and how much each counts in every class (rows as in ``CLASSES``)."""
    ordered = sorted(notes)
    groups: list[list[HeardNote]] = []
    for note in ordered:
        if groups and note.start - groups[-1][0].start <= _TOGETHER:
            groups[-1].append(note)
        else:
            groups.append([note])
    times = np.array([group[0].start for group in groups])
    steps = np.diff(times, append=times[-1] + 1.0) if len(times) else times
    usual = float(np.median(steps[:-1])) if len(steps) > 1 else _USUAL_QUARTER
    lowest = np.array([min(note.pitch for note in group) for group in groups])
    bound = float(np.quantile(lowest, _LOW)) if len(lowest) else 0.0
    moved = np.diff(lowest, prepend=-1) != 0
    low = (lowest <= bound) & moved if len(set(lowest.tolist())) > 1 else np.zeros(len(times), dtype=np.bool_)
    return times, np.stack([np.ones(len(times)), steps >= _LONG * usual, low]).astype(np.float64)


def beat_and_meter(notes: Sequence[HeardNote]) -> Beat:
    """The tempo, meter and bar line that explain best when the notes begin."""
    ways = explanations(notes)
    if not ways:
        return Beat(_USUAL_QUARTER, Meter(4, 4), min((note.start for note in notes), default=0.0))
    _, weights = _taught()
    best = max(ways, key=lambda way: float(way.signs @ weights))
    beats, unit = map(int, best.meter.split("/"))
    return Beat(best.quarter, Meter(beats, unit), best.first)


class Explanation(NamedTuple):
    """Seconds a quarter, a meter, the second of a bar line, and what speaks for them."""

    quarter: float
    meter: str
    first: float
    signs: Floats


def explanations(notes: Sequence[HeardNote]) -> list[Explanation]:
    """Every tempo and meter that is worth a look, with its best bar line and its signs; none where notes are few."""
    times, classes = onset_classes(notes)
    times, classes = times[:_MOST_ONSETS], classes[:, :_MOST_ONSETS]
    if len(times) < _FEWEST:
        return []
    lags = _Lags.of(sorted(notes), float(times[-1]))
    return [_explained(times, classes, lags, quarter, name) for quarter in _tempos(times) for name in METERS]


class _Lags(NamedTuple):
    """How often an onset, and the same pitch, comes again after each time."""

    any: Floats
    same: Floats

    @classmethod
    def of(cls, notes: Sequence[HeardNote], end: float) -> _Lags:
        """Counted over the notes up to a moment."""
        kept = [note for note in notes if note.start <= end][: 2 * _MOST_ONSETS]
        start = np.array([note.start for note in kept])
        pitch = np.array([note.pitch for note in kept])
        away = np.round((start[None, :] - start[:, None]) / _LAG_SECONDS).astype(np.int64)
        inside = (away > 0) & (away < _LAGS)
        alike = inside & (pitch[None, :] == pitch[:, None])
        every = np.bincount(away[inside], minlength=_LAGS).astype(np.float64)
        same = np.bincount(away[alike], minlength=_LAGS).astype(np.float64)
        room = np.array([max(1, int((start + lag * _LAG_SECONDS <= end).sum())) for lag in range(0, _LAGS, 10)])
        room = np.repeat(room, 10)[:_LAGS]
        box = np.ones(2 * _NEAR_LAGS + 1)
        return cls(np.convolve(every, box, "same") / room, np.convolve(same, box, "same") / room)

    def at(self, seconds: float) -> tuple[float, float]:
        """How often any onset, and the same pitch, comes again after so long; nothing beyond what was counted."""
        place = round(seconds / _LAG_SECONDS)
        return (float(self.any[place]), float(self.same[place])) if place < _LAGS else (0.0, 0.0)


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


def _explained(times: Floats, classes: Floats, lags: _Lags, quarter: float, meter: str) -> Explanation:
    """A tempo and a meter with the bar line that suits the onsets best, and what speaks for them."""
    likely = _taught()[0][meter]
    bar = METERS[meter] * quarter
    part = quarter / PARTS
    firsts = np.arange(METERS[meter] * _PHASES) * quarter / _PHASES + _phase(times, quarter)
    inside = (times[None, :] - firsts[:, None]) % bar
    place = np.round(inside / part).astype(np.int64)
    off = inside - place * part
    near = np.exp(-0.5 * (off / _OFF) ** 2) / (_OFF * np.sqrt(2 * np.pi))
    place %= likely.shape[1]
    speaks = []
    for row, counts in enumerate(classes):
        chance = (1 - _STRAY) * likely[row][place] * near * bar + _STRAY
        speaks.append((counts[None, :] * np.log(chance)).sum(axis=1) / max(1.0, counts.sum()))
    opens = np.abs((times[0] - firsts + bar / 2) % bar - bar / 2) <= _SLACK
    best = int(np.argmax(np.sum(speaks, axis=0) + _OPENS * opens))
    pace = np.log2(60 / quarter) - _REFERENCE_BPM
    density = np.log2(max(len(times), 2) / max(quarter, times[-1] - times[0]) * quarter)
    other = quarter * (3 if meter == "4/4" else 4)
    again, sooner, later = lags.at(bar), lags.at(other), lags.at(2 * bar)
    beat = lags.at(1.5 * quarter if meter == "6/8" else quarter)
    signs = [
        *(row[best] for row in speaks), pace, pace**2,
        density, density**2, meter == "3/4", meter == "6/8", pace * (meter == "6/8"), density * (meter == "6/8"),
        *again, *sooner, *later, *beat, lags.at(quarter / 2)[0], lags.at(quarter / 2 * (4 if meter == "4/4" else 3))[1],
    ]  # fmt: skip
    return Explanation(quarter, meter, float(firsts[best] % bar), np.array(signs, dtype=np.float64))


def _phase(times: Floats, quarter: float) -> float:
    """Where sixteenths lie, in seconds after the start: the middle of the onsets within them."""
    turn = np.exp(8j * np.pi * times / quarter).mean()
    return float(np.angle(turn) / (8 * np.pi) * quarter)
