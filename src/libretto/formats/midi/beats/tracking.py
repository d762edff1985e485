"""Beats tracked through time, at several speeds at once.

Time is cut into frames of 10 ms. A path of beats is as good as the moments it meets, on the beat and at its halves,
quarters and thirds, less what each change of tempo costs; the best path is found exactly, by dynamic programming over
frames and periods. Every range of speeds has its own path: which of them a listener would tap is decided later
(``judging``), with bars and harmony at hand.
"""

from __future__ import annotations

import numpy as np

from libretto.score.table import Floats, Ints

__all__ = ["MOST_SECONDS", "track"]

FRAME = 0.010  # seconds
MOST_SECONDS = 1_500.0  #: what lies later is not tracked
_FASTEST, _BANDS, _APART, _WIDTH = 0.20, 6, 2**0.5, 2.4  # seconds a beat, and ranges of a ratio, each a half octave on
_STEP = 1.03  # from one period to the next
_BLUR = 0.022  # seconds: how far from a moment a beat may fall
_LOCAL = 6.0  # seconds over which weights are levelled
_COST = 0.35  # of a beat that meets nothing, in moments of usual weight
_INSIDE = 0.35  # what a moment inside the beat counts
_EASE = 0.06  # change of tempo, as a ratio, that costs half a moment
_NEIGHBOURS = 6  # steps by which the period of a beat may differ from the one before
_REACH = 3.0  # in blurs, on each side


def track(times: Floats, weights: Floats) -> list[Floats]:
    """Beats in seconds, a path for each range of speeds; from just before the first moment to just after the last."""
    if len(times) < 2:
        return []
    kept = times <= times[0] + MOST_SECONDS
    times, weights = times[kept], weights[kept]
    lead = _periods(_BANDS - 1)[-1]
    frames = int(np.ceil((times[-1] - times[0]) / FRAME)) + 2 * lead
    salience = _salience(times - times[0] + lead * FRAME, weights, frames)
    paths = _paths(salience, lead)
    return [times[0] + (path - lead) * FRAME for path in paths]


def _periods(band: int) -> Ints:
    """The periods of a range of speeds, in frames."""
    shortest = _FASTEST * _APART**band
    count = round(np.log(_WIDTH) / np.log(_STEP)) + 1
    return np.round(shortest * _STEP ** np.arange(count) / FRAME).astype(np.int64)


def _salience(times: Floats, weights: Floats, frames: int) -> Floats:
    """How much begins around each frame, in moments of usual weight, less what a miss costs."""
    level = np.interp(times, times, _levelled(times, weights))
    reach = int(np.ceil(_REACH * _BLUR / FRAME))
    salience = np.zeros(frames + 2 * reach + 2)
    middle = np.round(times / FRAME).astype(np.int64)
    for offset in range(-reach, reach + 1):
        at = middle + offset
        strength = weights / level * np.exp(-0.5 * ((at * FRAME - times) / _BLUR) ** 2)
        np.maximum.at(salience, at + reach, strength)
    return salience[reach : reach + frames] - _COST


def _levelled(times: Floats, weights: Floats) -> Floats:
    """The usual weight around each moment."""
    total = np.concatenate([[0.0], np.cumsum(weights)])
    first = np.searchsorted(times, times - _LOCAL)
    last = np.searchsorted(times, times + _LOCAL, side="right")
    return np.asarray((total[last] - total[first]) / (last - first))


def _paths(salience: Floats, lead: int) -> list[Floats]:
    """The best path of each range through the frames.

    No beat is shorter than a block of frames, so that all frames of a block follow from earlier blocks only.
    """
    periods = np.stack([_periods(band) for band in range(_BANDS)])
    gains = _gains(salience, periods)
    frames, block, columns = len(salience), int(periods.min()), periods.shape[1]
    ahead = np.zeros((frames, *periods.shape), dtype=np.float32)  # the best that can come before a beat after this one
    before = np.zeros((frames, *periods.shape), dtype=np.int8)
    easy = (-0.5 * (np.arange(-_NEIGHBOURS, _NEIGHBOURS + 1) * np.log(_STEP) / _EASE) ** 2).astype(np.float32)
    rows, places = np.arange(_BANDS)[None, :, None], np.arange(columns)[None, None, :]
    for start in range(0, frames, block):
        here = np.arange(start, min(start + block, frames))
        since = here[:, None, None] - periods[None]
        score = gains[here] + np.where(since >= 0, ahead[np.maximum(since, 0), rows, places], 0)
        gains[here] = score
        padded = np.pad(score, ((0, 0), (0, 0), (_NEIGHBOURS, _NEIGHBOURS)), constant_values=-np.inf)
        options = np.lib.stride_tricks.sliding_window_view(padded, 2 * _NEIGHBOURS + 1, axis=2) + easy
        best = options.argmax(axis=3)
        before[here] = best + (places - _NEIGHBOURS)
        ahead[here] = np.take_along_axis(options, best[..., None], axis=3)[..., 0]
    return [_walked(gains[:, band], before[:, band], periods[band], lead) for band in range(_BANDS)]


def _gains(salience: Floats, periods: Ints) -> Floats:
    """What a beat at each frame is worth with each period before it: itself, and what lies inside."""
    gains = np.empty((len(salience), *periods.shape), dtype=np.float32)
    padded = np.concatenate([np.full(int(periods.max()), -_COST), salience])
    start = int(periods.max())

    def earlier(frames: float) -> Floats:
        shift = start - round(frames)
        return padded[shift : shift + len(salience)]

    known: dict[int, Floats] = {}
    for (band, column), period in np.ndenumerate(periods):
        if int(period) not in known:
            halves = earlier(period / 2) + 0.5 * (earlier(period / 4) + earlier(3 * period / 4))
            thirds = 0.75 * (earlier(period / 3) + earlier(2 * period / 3))
            known[int(period)] = salience + _INSIDE * np.maximum(np.maximum(halves, thirds), -_COST)
        gains[:, band, column] = known[int(period)]
    return gains


def _walked(final: Floats, before: Ints, periods: Ints, lead: int) -> Floats:
    """The frames of the best path, walked back from the best end."""
    frames = len(final)
    frame = frames - lead + int(np.argmax(final[frames - lead :].max(axis=1)))
    column = int(final[frame].argmax())
    path = [frame]
    while frame - int(periods[column]) >= 0:
        frame -= int(periods[column])
        path.append(frame)
        column = int(before[frame, column])
    return np.array(path[::-1], dtype=np.float64)
