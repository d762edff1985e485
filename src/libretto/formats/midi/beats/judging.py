"""Which of many paths a listener would tap, and in bars of how many beats.

Each path with each size of bar is described by numbers that mean the same at every tempo (and by the tempo itself);
a net that was taught on written music says how good it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.formats.midi.beats.bars import BARS, Barring, barring
from libretto.formats.midi.beats.evidence import Laid, around, evidence, lay
from libretto.formats.midi.beats.levels import levels_of
from libretto.formats.midi.beats.net import Net, taught
from libretto.formats.midi.beats.playing import KICKS, SNARES, Played
from libretto.formats.midi.beats.tracking import track
from libretto.score.table import Bools, Floats, Ints

__all__ = ["LOG_PERIOD", "LOG_PERIOD_SQUARED", "MISFIT_SECONDS", "Beats", "Candidate", "candidates", "find_beats"]

#: Which of the numbers that describe a path depend on how fast it is; all others are in beats.
LOG_PERIOD, LOG_PERIOD_SQUARED, MISFIT_SECONDS = 0, 1, 13

_SLOTS = 12  # of a beat
_LAGS = (1, 2, 3, 4, 6, 8)  # beats after which music may come again
_VALUES = np.array([1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4, 1, 3 / 2, 2, 3, 4])  # lengths in beats
_LEAST_WEIGHT = 0.5  # of what weighs most, for a path to be looked at
_LEAST = 1e-6


class Beats(NamedTuple):
    """Beats in seconds, the place of each in its bar (from 0), beats to a bar, and if beats are divided in threes."""

    times: Floats
    places: Ints
    size: int
    compound: bool


class Candidate(NamedTuple):
    """A path with bars of one size, and the numbers it is judged by."""

    times: Floats
    bars: Barring
    features: Floats
    slots: Floats


def find_beats(played: Played) -> Beats | None:
    """The beats and bars of what was played, or None where too little was."""
    options = candidates(played, {size: taught(f"bar{size}") for size in BARS})
    if not options:
        return None
    scores = taught("judge")(np.stack([option.features for option in options]))[:, 0]
    best = options[int(scores.argmax())]
    return Beats(best.times, best.bars.places, best.bars.size, _in_threes(best.slots))


def _in_threes(slots: Floats) -> bool:
    """Whether beats are divided in threes, with something on the first third: swing alone is not."""
    return bool(slots[4] + slots[8] > slots[3] + slots[6] + slots[9] and slots[4] > slots[8] / 3)


def candidates(played: Played, nets: Mapping[int, Net]) -> list[Candidate]:
    """Every path at every level with every size of bar, for which there is a net."""
    options = []
    for times in levels_of(track(played.times, played.weights)):
        times = _trimmed(times, played)
        if len(times) < 2 * max(BARS):
            continue
        if not _is_weighty(times, played):
            continue
        laid = lay(played, times)
        views = evidence(played, laid)
        looks = around(views)
        barrings = [barring(looks, nets[size]) for size in BARS]
        slots, common = _described(played, laid, views)
        gains = np.array([one.gain for one in barrings])
        for one in barrings:
            own = np.concatenate([gains, gains - one.gain, [one.gain], np.equal(BARS, one.size)])
            options.append(Candidate(times, one, np.concatenate([common, own]), slots))
    return options


def _is_weighty(times: Floats, played: Played) -> bool:
    """Whether not much more weighs on another place of the beat than on the beat itself."""
    slots = _slots(np.interp(played.times, times, np.arange(len(times))), played.weights)
    return bool(slots[0] >= _LEAST_WEIGHT * slots.max())


def _trimmed(times: Floats, played: Played) -> Floats:
    """The beats from the last before the first moment to the first after the last."""
    first = max(0, int(np.searchsorted(times, played.times[0] + 0.1)) - 1)
    last = int(np.searchsorted(times, played.times[-1] - 0.1)) + 1
    return times[first:last]


def _described(played: Played, laid: Laid, views: Floats) -> tuple[Floats, Floats]:
    """How many moments lie in each twelfth of a beat, and all numbers that describe a path without its bars."""
    period = np.diff(laid.beats)
    speed = np.log2(period)
    middle = float(np.median(speed))
    change = np.diff(speed)
    steady = [middle, middle**2, float(np.abs(change).mean()), float(np.sqrt((change**2).mean())), float(speed.std())]
    count = len(laid.beats)
    _, firsts = np.unique(played.moment, return_index=True)
    slots = _slots(laid.place[firsts], played.weights)
    plain = _slots(laid.place[firsts], np.ones(len(firsts)))
    kinds = [
        slots,
        plain,
        _slots(laid.place[played.bass], np.ones(int(played.bass.sum()))),
        _slots(laid.place, np.where(played.drums, 0.0, laid.span)),
    ]
    drums = [_slots(laid.place[rows], np.ones(int(rows.sum())))[[0, 3, 4, 6, 8, 9]] for rows in _drum_rows(played)]
    dense = [np.log2((len(firsts) + 1) / count), np.log2((len(laid.place) + 1) / count), float(played.drums.mean())]
    off = lay(played, (laid.beats[1:] + laid.beats[:-1]) / 2) if count > 4 else laid
    contrast = views.mean(axis=0) - evidence(played, off).mean(axis=0)
    rest = [steady, dense, _misfit(laid, firsts), _lengths(played, laid), _again(views), views.mean(axis=0), contrast]
    return plain, np.concatenate([*map(np.asarray, rest), *kinds, *drums])


def _drum_rows(played: Played) -> list[Bools]:
    kick, snare = np.isin(played.pitch, KICKS), np.isin(played.pitch, SNARES)
    return [played.drums & kick, played.drums & snare, played.drums & ~kick & ~snare]


def _slots(place: Floats, weights: Floats) -> Floats:
    """Shares of weight in each twelfth of a beat."""
    slot = np.round(place * _SLOTS).astype(np.int64) % _SLOTS
    shares = np.bincount(slot, weights=weights, minlength=_SLOTS)
    return np.asarray(shares / max(_LEAST, shares.sum()))


def _misfit(laid: Laid, rows: NDArray[np.intp]) -> list[float]:
    """How far moments lie from halves, quarters and thirds of a beat, on average, in beats and in seconds."""
    inside = laid.place[rows] % 1.0
    period = float(np.median(np.diff(laid.beats)))
    misfits = []
    for parts in (1, 2, 3, 4):
        misfits.append(float(np.abs(inside * parts - np.round(inside * parts)).mean()) / parts)
    both = np.minimum(
        np.abs(inside * 4 - np.round(inside * 4)) / 4, np.abs(inside * 3 - np.round(inside * 3)) / 3
    ).mean()
    return [*misfits, float(both), float(both) * period]


def _lengths(played: Played, laid: Laid) -> Floats:
    """How many pitched notes are about as long as each usual value."""
    span = laid.span[~played.drums]
    near = np.abs(np.log2(np.maximum(span, _LEAST))[:, None] - np.log2(_VALUES)[None, :]).argmin(axis=1)
    counts = np.bincount(near, minlength=len(_VALUES)).astype(np.float64)
    return np.asarray(counts / max(1.0, counts.sum()))


def _again(views: Floats) -> Floats:
    """How alike beats are to those some beats later."""
    spread = views.std(axis=0)
    usual = (views - views.mean(axis=0))[:, spread > _LEAST] / spread[spread > _LEAST]
    return np.array([float((usual[lag:] * usual[:-lag]).mean()) if len(usual) > lag else 0.0 for lag in _LAGS])
