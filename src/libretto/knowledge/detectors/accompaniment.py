"""Accompaniment figures: what a left hand does while a tune is sung, read from the lowest notes of a part."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from libretto.knowledge.detectors.contour import on_beats
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.detectors.textures import lasting
from libretto.knowledge.line import Bools, Ints, Line
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import QUARTER

__all__ = ["broken_figure", "ground", "oom_pah", "repeated_chords"]

_NEAR = QUARTER // 8


@detectors.register("broken_figure")
def broken_figure(
    sight: Sight,
    where: str = "any",
    shapes: tuple[tuple[int, ...], ...] = ((0, 2, 1, 2),),
    times: int = 4,
    widest: int = 16,
    quickest: float = 1.0,
) -> list[Sighting]:
    """A chord broken into one figure again and again: the lowest notes of equal lengths, in order of height ``shapes``.

    The figure begins on a beat, its notes are at most ``quickest`` quarters long, and it lies on at least two chords.
    """
    found = []
    for line in sight.chosen(where):
        low, gaps, beat = line.low, line.gaps, on_beats(line.low)
        even = np.abs(np.diff(gaps)) <= _NEAR
        for shape in shapes:
            rows = _matching(low, np.asarray(shape), widest)
            total = np.concatenate(([0], np.cumsum(even)))
            size = len(shape)
            good = [
                row
                for row in rows.tolist()
                if beat[row] and total[row + size - 2] - total[row] == size - 2 and gaps[row] <= quickest * QUARTER
            ]
            found += _groups(sight, line, np.asarray(good, dtype=np.int64), size, times)
    return found


def _matching(low: Line, shape: Ints, widest: int) -> Ints:
    """The rows at which the next notes have that order of height, equal ranks being the same note."""
    size = len(shape)
    if len(low) < size:
        return np.empty(0, dtype=np.int64)
    window = np.lib.stride_tricks.sliding_window_view(low.pitch, size)
    good = np.ptp(window, axis=1) <= widest
    for one in range(size):
        for two in range(one):
            good &= np.sign(window[:, one] - window[:, two]) == np.sign(shape[one] - shape[two])
    return np.flatnonzero(good)


def _groups(sight: Sight, line: Line, rows: Ints, size: int, times: int) -> list[Sighting]:
    """Figures that follow one another at once, at least ``times`` of them, not all on the same notes."""
    found = []
    chained = set(rows.tolist())
    for row in rows.tolist():
        if row - size in chained:
            continue
        count = 1
        while row + count * size in chained:
            count += 1
        pitch = line.low.pitch[row : row + count * size].reshape(count, size)
        if count >= times and len(np.unique(pitch, axis=0)) >= 2:
            bar = line.low.bar
            last = int(bar[row + count * size - 1])
            found.append(Sighting(sight.number(int(bar[row])), sight.number(last), line.voice))
    return found


@detectors.register("oom_pah")
def oom_pah(
    sight: Sight, where: str = "any", beats: tuple[str, ...] = ("bcc",), leap: int = 5, bars: int = 3, voices: int = 2
) -> list[Sighting]:
    """A bass note and chords by turns on the beats of every bar: ``b`` is a bass note, ``c`` a chord above it.

    All parts together are looked at too. The chord's lowest note lies at least ``leap`` semitones above the bass, and
    the chord has ``voices`` notes or more.
    """
    found = []
    together = (sight.notes,) if len(sight.lines) > 1 else ()
    for line in (*sight.chosen(where), *together):
        for pattern in beats:
            found += lasting(sight, _alternates(sight, line, pattern, leap, voices), line.voice, bars)
    return found


def _alternates(sight: Sight, line: Line, pattern: str, leap: int, voices: int) -> Bools:
    """The bars whose beats are a bass note or a chord as the pattern says."""
    length, low = len(pattern), line.low
    fits = sight.bar_length == sight.beat * length
    beat = np.where(on_beats(low) & fits[low.bar], (low.position + _NEAR) // low.beat, -1)
    depth = np.full((sight.bars, length), -1, dtype=np.int64)
    size = np.zeros((sight.bars, length), dtype=np.int64)
    rows = (beat >= 0) & (beat < length)
    depth[low.bar[rows], beat[rows]] = low.pitch[rows]
    size[low.bar[rows], beat[rows]] = line.sizes[rows]
    bass = np.array([each == "b" for each in pattern])
    above = depth[:, ~bass].min(axis=1) - depth[:, bass].max(axis=1)
    light = (size[:, bass].max(axis=1) <= 2) | (line.voice == "")
    full = fits & (depth >= 0).all(axis=1) & light
    return np.asarray(full & (above >= leap) & (size[:, ~bass].min(axis=1) >= voices))


@detectors.register("repeated_chords")
def repeated_chords(
    sight: Sight, where: str = "any", voices: int = 3, times: int = 6, longest: float = 0.5, chords: int = 2
) -> list[Sighting]:
    """Chords that pulse: the same notes struck together again and again, short and even, on at least two chords."""
    found = []
    for line in sight.chosen(where):
        top, low = line.top, line.low
        full = line.sizes >= voices
        again = full[1:] & full[:-1] & (line.sizes[1:] == line.sizes[:-1]) & (np.diff(low.pitch) == 0)
        again &= (np.diff(top.pitch) == 0) & (line.gaps <= longest * QUARTER + _NEAR)
        edges = np.flatnonzero(np.diff(np.concatenate(([False], again, [False])).astype(np.int8))).reshape(-1, 2)
        runs = edges[edges[:, 1] - edges[:, 0] >= times - 1]
        if len(np.unique(low.pitch[runs[:, 0]] * 128 + top.pitch[runs[:, 0]])) >= chords:
            for first, last in runs.tolist():
                found.append(Sighting(sight.number(int(top.bar[first])), sight.number(int(top.bar[last])), line.voice))
    return found


@detectors.register("ground")
def ground(sight: Sight, where: str = "any", times: int = 4, notes: int = 3, size: int = 1) -> list[Sighting]:
    """A bass figure of ``size`` bars that comes again unchanged while what lies above it changes."""
    found = []
    for line in sight.chosen(where):
        heights = np.unique(line.pitch)
        if len(heights) < 4:
            continue
        jumps = np.diff(heights)
        jump = int(np.argmax(jumps))
        if jumps[jump] < 3:
            continue
        deep = line.pitch <= heights[jump]
        if (np.bincount(line.bar[deep], minlength=sight.bars) >= 2).sum() < size * times or deep.all():
            continue
        under, over = _bars(sight, line, deep), _bars(sight, line, ~deep)
        for first in range(0, sight.bars - size * times + 1):
            part = under[first : first + size * times]
            cell = part[:size]
            same = all(part[at : at + size] == cell for at in range(0, len(part), size))
            upper = {tuple(over[first + at : first + at + size]) for at in range(0, len(part), size)}
            if (
                same
                and sum(map(len, cell)) >= notes
                and len({pitch for bar in cell for _, pitch in bar}) >= 2
                and len(upper) > 1
            ):
                found.append(Sighting(sight.number(first), sight.number(first + size * times - 1), line.voice))
    return found


def _bars(sight: Sight, line: Line, rows: Bools) -> list[tuple[tuple[int, int], ...]]:
    """What some notes of a line play in each bar: place and pitch."""
    part = line.where(rows)
    edges = np.searchsorted(part.bar, np.arange(sight.bars + 1))
    place = (part.position + _NEAR // 2) // _NEAR
    both = list(zip(place.tolist(), part.pitch.tolist(), strict=True))
    return [tuple(both[a:b]) for a, b in pairwise(edges.tolist())]
