"""Grids: which slots a bar is written on.

``fit`` is exact: the coarsest grid on which every start and every length of a bar is a whole number of
slots. ``quantize`` is tolerant: for music that was played, it finds bar by bar the coarsest grid that keeps
notes distinct and starts within tolerance, and moves the notes onto it.

How ``quantize`` decides, in order:

1. Starts choose the family. Candidates run from quarters to 256ths; one is taken when every start of the
   bar lies within 8 ms and less than a 256th note of a slot, and no two notes of one pitch in one voice meet. Tight
   tolerance is what keeps a straight off-beat from being written as a triplet.
2. Quintuplets and septuplets need to be near exact, and at least three starts that nothing simpler explains.
3. Lengths refine within the family: the grid is doubled until rounding neither lengthens nor shortens
   the pitched notes of the bar by more than 3% on average. Percussion has no say: a drum's length is not heard.
4. What no grid holds was played freely, and is written on 256ths (or on the finest grid the bar allows).

Applied to its own result ``quantize`` changes nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.score.time import WHOLE, Grid

__all__ = ["DIVISIONS", "TOLERANCE_SECONDS", "fit", "quantize"]

Ints = NDArray[np.int64]

DIVISIONS = (4, 6, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 128, 256)  #: coarsest first
TOLERANCE_SECONDS = 0.008
_TOLERANCE_TICKS = WHOLE // 256 - 1
_RARE = (20, 28, 40, 56)  # quintuplets and septuplets
_RARE_TOLERANCE, _RARE_STARTS = 125, 3
_PLAIN = WHOLE // 192  # triplets and binary values down to 64ths all lie on this lattice
_FINEST = 256
_MEAN_BIAS, _MEAN_ERROR = 0.03, 0.2
_PASSES = 12


def fit(lengths: Ints, bar: Ints, position: Ints, duration: Ints) -> tuple[Grid, ...]:
    """The coarsest grid for each bar that holds every start and length exactly.

    ``lengths`` are the bars'; the other three are the notes'. A silent bar takes the commonest grid.
    """
    count = len(lengths)
    step = np.zeros(count, dtype=np.int64)
    if len(bar):
        order = np.argsort(bar, kind="stable")
        bars, starts = np.unique(bar[order], return_index=True)
        step[bars] = np.gcd.reduceat(np.gcd(position, duration)[order], starts)
    sounding = step > 0
    step[sounding] = np.gcd(step[sounding], lengths[sounding])
    chosen = np.zeros(count, dtype=np.int64)
    for division in reversed(DIVISIONS):
        chosen[sounding & (step % (WHOLE // division) == 0)] = division
    exact = sounding & (chosen == 0)
    chosen[exact] = WHOLE // np.gcd(step[exact], WHOLE)
    return _named(_fill_silent(chosen, lengths))


def _fill_silent(chosen: Ints, lengths: Ints) -> Ints:
    """Silent bars take the commonest grid of the piece, or the coarsest that fits their length."""
    silent = chosen == 0
    if not silent.any():
        return chosen
    counts = np.bincount(chosen[~silent]) if not silent.all() else np.zeros(1, dtype=np.int64)
    usual = int(np.argmax(counts)) if counts.any() else 16
    filled = chosen.copy()
    filled[silent] = WHOLE // np.gcd(WHOLE // usual, lengths[silent])
    return filled


def _named(divisions: Ints) -> tuple[Grid, ...]:
    return tuple(map(Grid.of, divisions.tolist()))


def quantize(
    bar_lines: Ints, onset: Ints, duration: Ints, part: Ints, pitched: NDArray[np.bool_], tolerance: Ints
) -> tuple[Ints, Ints]:
    """Move played notes onto the grids found for their bars; returns their starts and lengths.

    ``part`` keeps voices and pitches apart (one number for each pair); ``pitched`` is False for
    percussion; ``tolerance`` is how many ticks a start may move, for each bar.
    """
    if not len(onset):
        return onset, duration
    tolerance = np.clip(tolerance, 1, _TOLERANCE_TICKS)
    for _ in range(_PASSES):
        moved = _pass(bar_lines, onset, duration, part, pitched, tolerance)
        if np.array_equal(moved[0], onset) and np.array_equal(moved[1], duration):
            break
        onset, duration = moved
    return onset, duration


def _pass(
    bar_lines: Ints, onset: Ints, duration: Ints, part: Ints, pitched: NDArray[np.bool_], tolerance: Ints
) -> tuple[Ints, Ints]:
    """One choice of grids and one rounding; repeated until nothing moves."""
    order = np.argsort(onset, kind="stable")
    at, length, who, heard = onset[order], duration[order], part[order], pitched[order]
    bar = np.searchsorted(bar_lines, at, side="right") - 1
    bars, starts = np.unique(bar, return_index=True)
    which = np.repeat(np.arange(len(bars)), np.diff(np.append(starts, len(bar))))
    position = at - bar_lines[bar]
    bar_length = (bar_lines[1:] - bar_lines[:-1])[bars]
    grid = _by_starts(position, who, which, starts, bar_length, tolerance[bars])
    grid = _by_lengths(grid, length, heard, which, starts)
    slot = (WHOLE // grid)[which]
    placed = bar_lines[bar] + _nearest(position, slot)
    # A note that rounds up to the next bar line belongs to that bar, wherever that bar's slots lie.
    placed = np.minimum(placed, bar_lines[bar + 1])
    rounded = np.maximum(_nearest(length, slot), slot)
    new_onset, new_duration, slots = np.empty_like(onset), np.empty_like(duration), np.empty_like(onset)
    new_onset[order], new_duration[order], slots[order] = placed, rounded, slot
    new_duration = _kept_apart(part, new_onset, new_duration, onset, duration, slots)
    return new_onset, _unnested(part, new_onset, new_duration, slots)


def _nearest(value: Ints, slot: Any) -> Ints:
    return np.asarray((value + slot // 2) // slot * slot, dtype=np.int64)


def _by_starts(position: Ints, who: Ints, which: Ints, starts: Ints, bar_length: Ints, tolerance: Ints) -> Ints:
    """For each bar the first division that takes all its starts."""
    chosen = np.zeros(len(starts), dtype=np.int64)
    open_bars = np.ones(len(starts), dtype=np.bool_)
    off_plain = np.abs(position - _nearest(position, _PLAIN)) > _RARE_TOLERANCE
    unexplained = np.add.reduceat(off_plain.astype(np.int64), starts)
    for division in DIVISIONS:
        slot = WHOLE // division
        placed = _nearest(position, slot)
        error = np.maximum.reduceat(np.abs(placed - position), starts)
        fits = (error <= tolerance) & (bar_length % slot == 0) & open_bars
        if division in _RARE:
            fits &= (error <= _RARE_TOLERANCE) & (unexplained >= _RARE_STARTS)
        if fits.any():
            fits &= ~_collides(placed, position, who, which, starts, fits)
            chosen[fits] = division
            open_bars &= ~fits
            if not open_bars.any():
                break
    chosen[open_bars] = _FINEST
    return chosen


def _collides(
    placed: Ints, position: Ints, who: Ints, which: Ints, starts: Ints, fits: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Bars in which two different starts of one pitch in one voice would become one."""
    meets = np.zeros(len(starts), dtype=np.bool_)
    rows = np.flatnonzero(fits[which])
    order = rows[np.lexsort((position[rows], placed[rows], who[rows], which[rows]))]
    first, second = order[:-1], order[1:]
    same = (which[first] == which[second]) & (who[first] == who[second]) & (placed[first] == placed[second])
    meets[which[first[same & (position[first] != position[second])]]] = True
    return meets


def _by_lengths(grid: Ints, length: Ints, heard: NDArray[np.bool_], which: Ints, starts: Ints) -> Ints:
    """Double a bar's grid until rounding lengths neither lengthens nor shortens the bar's notes."""
    grid = grid.copy()
    number = np.maximum(1, np.add.reduceat(heard.astype(np.int64), starts))
    safe = np.maximum(length, 1)
    while True:
        slot = (WHOLE // grid)[which]
        change = np.where(heard, np.maximum(_nearest(length, slot), slot) / safe - 1.0, 0.0)
        bias = np.abs(np.add.reduceat(change, starts) / number)
        error = np.add.reduceat(np.abs(change), starts) / number
        coarse = ((bias > _MEAN_BIAS) | (error > _MEAN_ERROR)) & (grid * 2 <= _FINEST)
        if not coarse.any():
            return grid
        grid[coarse] *= 2


def _kept_apart(
    part: Ints, onset: Ints, duration: Ints, old_onset: Ints, old_duration: Ints, slots: Ints
) -> Ints:
    """Lengthen by slots whichever notes of one pitch would otherwise have become the same note."""
    while True:
        rows = np.lexsort((old_duration, old_onset, duration, onset, part))
        first, second = rows[:-1], rows[1:]
        same = (part[first] == part[second]) & (onset[first] == onset[second])
        same &= duration[first] == duration[second]
        same &= (old_onset[first] != old_onset[second]) | (old_duration[first] != old_duration[second])
        if not same.any():
            return duration
        duration = duration.copy()
        duration[second[same]] += slots[second[same]]


def _unnested(part: Ints, onset: Ints, duration: Ints, slots: Ints) -> Ints:
    """Of overlapping notes of one pitch the first to start is the first to stop, as MIDI has it."""
    rows = np.lexsort((duration, onset, part))
    far = int((onset + duration).max()) + 1
    base, at, slot = part[rows] * far, onset[rows], slots[rows]
    length = duration[rows]
    while True:
        latest = np.maximum.accumulate(base + at + length) - base
        short = latest - at > length
        if not short.any():
            break
        length = np.where(short, -(-(latest - at) // slot) * slot, length)
    unnested = np.empty_like(duration)
    unnested[rows] = length
    return unnested
