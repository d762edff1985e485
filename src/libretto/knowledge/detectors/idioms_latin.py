"""Latin: patterns of two bars that every part obeys.

Conventions: a pattern is written with ``x`` for a stroke and ``.`` for none, one sign a place, the
places equal parts of two bars; spaces are for the eye.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from libretto.knowledge.detectors.comping import LOOSE, long_enough, per_bar
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import Bools, Ints
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import QUARTER

__all__ = ["bossa_guitar", "montuno", "stroke_pattern", "tumbao"]

_POWERS = 1 << np.arange(16)


def _grid(sight: Sight, bar: Ints, onset: Ints, slots: int) -> tuple[Bools, Ints]:
    """Which places of each bar are struck, and how many strokes of each bar are near no place."""
    unit = np.maximum(sight.bar_length[bar] // slots, 1)
    place = (onset - sight.lines_at[bar] + unit // 2) // unit
    near = np.abs(onset - sight.lines_at[bar] - place * unit) <= LOOSE
    later = place == slots
    bar = np.minimum(bar + later, sight.bars - 1)
    place = np.where(later, 0, place)
    taken = np.zeros((sight.bars, slots), dtype=np.bool_)
    taken[bar[near], place[near]] = True
    return taken, per_bar(sight, bar, ~near)


@detectors.register("stroke_pattern")
def stroke_pattern(
    sight: Sight,
    patterns: list[str],
    slack: int = 0,
    least_bars: int = 4,
    keys: list[int] | None = None,
    voices: bool = False,
) -> list[Sighting]:
    """One percussion instrument that plays exactly one of those patterns of two bars (all but ``slack`` places), its
    halves in either order, or the same twice as fast within one bar; ``keys`` are the General MIDI keys it may be, and
    with ``voices`` any pitched voice may play it too."""
    drums, found = sight.drums, []
    fits, fewest = _alike(tuple(pattern.replace(" ", "") for pattern in patterns), slack)
    straight = sight.bar_length == 4 * QUARTER
    kinds = [drums.key == key for key in np.unique(drums.key).tolist() if not keys or key in keys]
    parts = [(drums.bar[mine], drums.onset[mine]) for mine in kinds]
    parts += [(line.top.bar, line.top.onset) for line in sight.lines if voices]
    for bar, onset in parts:
        if len(onset) < 2 * fewest:
            continue
        fine, stray = _grid(sight, bar, onset, 16)
        whole = fits[fine @ _POWERS]
        half = fine[:, ::2] @ _POWERS[:8]
        even = fine[:, 1::2].sum(axis=1) == 0
        pair = fits[half[:-1] + (half[1:] << 8)] & even[:-1] & even[1:]
        for shown in (whole, np.append(pair, False) | np.insert(pair, 0, False)):
            found += long_enough(sight, shown & straight & (stray == 0), "", least_bars)
    return found


@lru_cache(maxsize=64)
def _alike(patterns: tuple[str, ...], slack: int) -> tuple[Bools, int]:
    """Which of all sets of sixteen places are one of the patterns, halves in either order, but for so many places; and
    how few strokes such a set has."""
    sets = np.arange(1 << 16)[:, None] >> np.arange(16) & 1 == 1
    fits = np.zeros(1 << 16, dtype=np.bool_)
    for pattern in patterns:
        places = np.array([sign == "x" for sign in pattern])
        for each in (places, np.roll(places, 8)):
            fits |= (sets != each).sum(axis=1) <= slack
    return fits, int(sets[fits].sum(axis=1).min())


@detectors.register("tumbao_bass")
def tumbao(sight: Sight, where: str = "bass", bars: int = 3) -> list[Sighting]:
    """A bass that plays on the and of two and on four, which it holds over the empty downbeat."""
    found = []
    for line in sight.chosen(where):
        low = line.low
        taken, _ = _grid(sight, low.bar, low.onset, 8)
        straight = sight.bar_length == 4 * QUARTER
        core = taken[:, 3] & taken[:, 6] & ~taken[:, 7] & (taken.sum(axis=1) <= 4) & straight
        empty = ~taken[:, 0]
        empty[:1] = True
        found += long_enough(sight, core & (empty | ~np.insert(core[:-1], 0, False)), line.voice, bars)
    return found


@detectors.register("montuno")
def montuno(sight: Sight, where: str = "upper", bars: int = 4) -> list[Sighting]:
    """A voice that repeats a two-bar rhythm of chords or octaves with single notes between, mostly off the beat, that
    comes onto the beat in one of its bars."""
    found = []
    for line in sight.chosen(where):
        top = line.top
        taken, _ = _grid(sight, top.bar, top.onset, 8)
        count, off = taken.sum(axis=1), taken[:, 1::2].sum(axis=1)
        both = np.append(taken[:-1].sum(axis=1) + taken[1:].sum(axis=1), 0)
        late = np.append(off[:-1] + off[1:], 0)
        again = np.zeros(sight.bars, dtype=np.bool_)
        if sight.bars >= 4:
            alike = (taken[:-2] != taken[2:]).sum(axis=1) <= 1
            again[:-3] = alike[:-1] & alike[1:]
        doubled = np.bincount(top.bar, line.sizes > 1, minlength=sight.bars)
        single = np.bincount(top.bar, line.sizes == 1, minlength=sight.bars)
        mixed = (doubled >= 2) & ((single >= 1) | (doubled == count))
        moves = np.bincount(top.bar[:-1], line.moves != 0, minlength=sight.bars)
        high = np.bincount(top.bar, top.pitch, minlength=sight.bars) >= 60 * np.maximum(per_bar(sight, top.bar), 1)
        steady = (both >= 9) & (late >= 0.6 * both) & (late <= both - 1) & high & (moves >= 0.75 * count)
        good = again & steady & mixed & (count >= 4) & (sight.bar_length == 4 * QUARTER)
        shown = np.zeros(sight.bars, dtype=np.bool_)
        for k in range(4):
            shown[k:] |= good[: sight.bars - k]
        found += long_enough(sight, shown, line.voice, bars)
    return found


@detectors.register("bossa_comping")
def bossa_guitar(sight: Sight, bars: int = 4, where: str = "upper") -> list[Sighting]:
    """A bass on one and three (with or without the eighth before each) under a voice whose chords repeat a syncopated
    rhythm of two bars, on and off the beat in turn."""
    low = sight.bass.low
    taken, stray = _grid(sight, low.bar, low.onset, 8)
    surdo = taken[:, 0] & taken[:, 4] & ~taken[:, [1, 2, 5, 6]].any(axis=1) & (stray == 0)
    surdo &= sight.bar_length == 4 * QUARTER
    found = []
    for line in sight.chosen(where):
        chord = line.low.where(line.sizes >= 3)
        if len(chord) < 8:
            continue
        struck, _ = _grid(sight, chord.bar, chord.onset, 8)
        count, off = struck.sum(axis=1), struck[:, 1::2].sum(axis=1)
        again = np.zeros(sight.bars, dtype=np.bool_)
        if sight.bars > 2:
            again[:-2] = (struck[:-2] != struck[2:]).sum(axis=1) <= 2
            again[2:] |= again[:-2]
        pair = np.append(off[:-1] + off[1:], off[-1:])
        good = surdo & again & (count >= 2) & (count <= 6) & (pair >= 2) & (off < count)
        found += long_enough(sight, good, line.voice, bars)
    return found
