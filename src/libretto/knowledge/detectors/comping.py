"""Comping: how the chords of an accompaniment are spaced, led and placed against the beat.

Conventions: a *chord* is what one voice strikes at one instant. Places are counted in equal parts of a beat and allow
for a thirty-second of played looseness; a note nearer to no place has the place -1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import Bools, Ints, Line
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import QUARTER

__all__ = [
    "LOOSE",
    "arpeggiated",
    "block_chords",
    "chords_of",
    "led_closely",
    "long_enough",
    "off_beat",
    "per_bar",
    "places",
    "roots_at",
    "shaped",
]

#: How far a note may lie from its place: a thirty-second.
LOOSE = QUARTER // 8


def places(sight: Sight, bar: Ints, position: Ints, parts: int = 1) -> Ints:
    """The place of each onset in parts of a beat from the bar line; -1 where it is near none."""
    unit = np.maximum(sight.beat[bar] // parts, 1)
    place = (position + unit // 2) // unit
    return np.asarray(np.where(np.abs(position - place * unit) <= LOOSE, place, -1))


def per_bar(sight: Sight, bar: Ints, weight: Bools | None = None) -> Ints:
    """How many of the onsets (those with a weight) stand in each bar."""
    return np.bincount(bar if weight is None else bar[weight], minlength=sight.bars)


def long_enough(sight: Sight, shown: Bools, voice: str, bars: int, join: int = 1) -> list[Sighting]:
    """Sightings of at least so many bars."""
    return [place for place in sight.spans(shown, voice, join) if place.last - place.first + 1 >= bars]


def chords_of(line: Line, size: int) -> tuple[Ints, Ints]:
    """The chords of exactly that size: for each the row of its lowest note, and its pitches from low to high."""
    rows = line.starts[line.sizes == size]
    return rows, line.pitch[rows[:, None] + np.arange(size)]


def roots_at(sight: Sight, onset: Ints) -> Ints:
    """The root at each instant: that of the chord heard there, else the pitch class of the bass; -1 in silence."""
    low = sight.bass.low
    if not len(low):
        return np.full(len(onset), -1, dtype=np.int64)
    which = np.searchsorted(low.onset, onset + LOOSE, side="right") - 1
    at = np.maximum(which, 0)
    sounds = (which >= 0) & (onset - low.onset[at] <= 2 * low.beat[at] + low.duration[at])
    bass = np.where(sounds, low.pitch[at] % 12, -1)
    if "heard roots" not in sight.cache:
        chords = [(chord.start, chord.end, chord.root) for chord in sight.harmony if chord.supported]
        sight.cache["heard roots"] = np.array(chords or [(0, 0, 0)], dtype=np.int64)
    heard = sight.cache["heard roots"]
    at = np.maximum(np.searchsorted(heard[:, 0], onset + LOOSE, side="right") - 1, 0)
    inside = (heard[at, 0] <= onset + LOOSE) & (onset < heard[at, 1])
    return np.asarray(np.where(inside, heard[at, 2], bass))


@detectors.register("comping_off_beat")
def off_beat(sight: Sight, where: str = "inner", size: int = 2, ratio: float = 0.6, bars: int = 2) -> list[Sighting]:
    """A voice that strikes chords, at least two a bar, mostly between the beats, for several bars."""
    found = []
    for line in sight.chosen(where):
        chord = line.low.where(line.sizes >= size)
        if not len(chord):
            continue
        off = places(sight, chord.bar, chord.position) < 0
        all_, loose = per_bar(sight, chord.bar), per_bar(sight, chord.bar, off)
        singles = per_bar(sight, line.top.bar) - all_
        good = (all_ >= 2) & (loose >= ratio * all_) & (singles <= all_)
        found += long_enough(sight, good, line.voice, bars)
    return found


@detectors.register("comping_arpeggio")
def arpeggiated(
    sight: Sight, where: str = "inner", notes: int = 6, bars: int = 2, alberti: bool = False
) -> list[Sighting]:
    """A voice that plays its chords one note after another in even values: few notes, wide moves, hardly a step; with
    ``alberti`` only in the order low, high, middle, high."""
    found = []
    for line in sight.chosen(where):
        top = line.low if alberti else line.top
        if len(top) < notes or (len(line) > 1.3 * len(top) and not alberti):
            continue
        count, bar = per_bar(sight, top.bar), top.bar[:-1]
        gap, move = np.diff(top.onset), np.abs(np.diff(top.pitch))
        inside = top.bar[1:] == bar
        starts = np.flatnonzero(np.diff(bar, prepend=-1))
        usual = np.repeat(np.minimum.reduceat(gap, starts), np.diff(starts, append=len(bar)))
        even = per_bar(sight, bar, inside & (np.abs(gap - usual) <= LOOSE))
        good = (count >= notes) & (even >= 0.85 * (count - 1))
        if alberti:
            good &= _alberti_bars(sight, top, count)
        else:
            kinds = np.zeros((sight.bars, 12), dtype=np.bool_)
            kinds[top.bar, top.pitch % 12] = True
            few = (kinds.sum(axis=1) >= 3) & (kinds.sum(axis=1) <= 5)
            good &= few & (per_bar(sight, bar, inside & (move >= 3)) >= 0.7 * (count - 1))
        found += long_enough(sight, good, line.voice, bars)
    return found


def _alberti_bars(sight: Sight, top: Line, count: Ints) -> Bools:
    """Bars in which the groups of four notes go low, high, middle, high."""
    if len(top) < 4:
        return np.zeros(sight.bars, dtype=np.bool_)
    first, second, third, fourth = (top.pitch[k : len(top) - 3 + k] for k in range(4))
    shape = (first < third) & (third < second) & (second == fourth) & (top.bar[:-3] == top.bar[3:])
    place = places(sight, top.bar[:-3], top.position[:-3], 2)
    return np.asarray(per_bar(sight, top.bar[:-3], shape & (place >= 0)) >= np.maximum(0.75 * (count // 4), 1))


def _drop_two(chord: Ints, root: Ints) -> Bools:
    lifted = np.sort(np.concatenate([chord[:, :1] + 12, chord[:, 1:]], axis=1), axis=1)
    second = (chord[:, 0] + 12 > chord[:, 2]) & (chord[:, 0] + 12 < chord[:, 3])
    return np.asarray(second & (np.diff(lifted, axis=1) > 0).all(axis=1) & (lifted[:, 3] - lifted[:, 0] < 12))


def _shell(chord: Ints, root: Ints) -> Bools:
    above = np.sort((chord[:, 1:] - chord[:, :1]) % 12, axis=1)
    return np.asarray(np.isin(above[:, 0], (3, 4)) & np.isin(above[:, 1], (9, 10, 11)) & (np.ptp(chord, axis=1) > 8))


def _rootless(chord: Ints, root: Ints) -> Bools:
    above = (chord - root[:, None]) % 12
    third = np.isin(above, (3, 4)).any(axis=1) & np.isin(above, (10, 11)).any(axis=1)
    colour = np.isin(above, (1, 2, 9, 6, 8)).any(axis=1)
    return np.asarray((root >= 0) & third & colour & (above != 0).all(axis=1))


def _open_low(chord: Ints, root: Ints) -> Bools:
    gaps = np.diff(chord, axis=1)
    return np.asarray((gaps[:, 0] >= 7) & (gaps[:, -2:].max(axis=1) <= 5) & (np.ptp(chord, axis=1) >= 19))


def _colour(chord: Ints, root: Ints) -> Bools:
    above = (chord - root[:, None]) % 12
    third = np.isin(above, (3, 4)).any(axis=1) & np.isin(above, (10, 11)).any(axis=1)
    return np.asarray((root >= 0) & third & np.isin(above, (2, 9)).any(axis=1))


def _quartal(chord: Ints, root: Ints) -> Bools:
    return np.asarray((np.diff(chord, axis=1)[:, :2] == 5).all(axis=1))


_SHAPES: dict[str, tuple[Callable[[Ints, Ints], Bools], tuple[int, ...]]] = {
    "drop two": (_drop_two, (4,)),
    "shell": (_shell, (3,)),
    "rootless": (_rootless, (3, 4, 5)),
    "open low": (_open_low, (4, 5, 6)),
    "ninths": (_colour, (3, 4, 5, 6)),
    "fourths": (_quartal, (3, 4, 5)),
}


@detectors.register("voicing_shape")
def shaped(
    sight: Sight, shape: str = "shell", where: str = "upper", ratio: float = 0.6, bars: int = 2
) -> list[Sighting]:
    """A voice most of whose chords are spaced that way for several bars: ``drop two``, ``shell`` (root, third and
    seventh), ``rootless`` (third, seventh and a colour over a bass that has the root), ``open low`` (a fifth or more at
    the bottom, close at the top, wide in all), ``ninths`` (third, seventh and ninth or thirteenth) or ``fourths``."""
    test, sizes = _SHAPES[shape]
    found = []
    for line in sight.chosen(where):
        all_, mine, kinds = np.zeros(sight.bars, dtype=np.int64), np.zeros(sight.bars, dtype=np.int64), 0
        for size in np.unique(line.sizes[line.sizes >= 3]).tolist():
            rows, pitch = chords_of(line, size)
            all_ += per_bar(sight, line.bar[rows])
            if size in sizes:
                fits = test(pitch, roots_at(sight, line.onset[rows]))
                mine += per_bar(sight, line.bar[rows], fits)
                kinds += len(np.unique(pitch[fits, 0]))
        if kinds >= 2:
            found += long_enough(sight, (mine > 0) & (mine >= ratio * all_), line.voice, bars, join=1)
    return found


def _changes(line: Line) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Neighbouring chords of one size that differ: rows of the first, pitches of the first and of the second."""
    for size in (3, 4, 5):
        rows, pitch = chords_of(line, size)
        if len(rows) > 2:
            change = (pitch[1:] != pitch[:-1]).any(axis=1)
            yield rows[:-1][change], pitch[:-1][change], pitch[1:][change]


@detectors.register("voices_led_closely")
def led_closely(
    sight: Sight, where: str = "upper", common: int = 1, most: int = 2, changes: int = 4, bars: int = 3
) -> list[Sighting]:
    """Chords of a voice that change several times in a row by keeping common tones while no part moves far."""
    found = []
    for line in sight.chosen(where):
        for rows, one, other in _changes(line):
            kept = (one == other).sum(axis=1)
            step = np.abs(other - one).max(axis=1)
            fresh = (np.diff(line.bar[rows], prepend=-9) > 0) | (step > 0)
            good = (kept >= common) & (kept < one.shape[1]) & (step <= most) & fresh
            cuts = np.flatnonzero(~good)
            edges = np.concatenate([[-1], cuts, [len(good)]])
            for start, end in zip(edges[:-1] + 1, edges[1:], strict=True):
                if end - start >= changes:
                    first, last = int(line.bar[rows[start]]), int(line.bar[rows[end - 1]])
                    if last - first + 1 >= bars and len(np.unique(one[start:end], axis=0)) >= 3:
                        found.append(Sighting(sight.number(first), sight.number(last), line.voice))
    return found


@detectors.register("locked_chords")
def block_chords(sight: Sight, where: str = "any", size: int = 3, notes: int = 4, bars: int = 2) -> list[Sighting]:
    """A voice that strikes a full chord under every note of a moving tune: the tops differ, the whole hand moves."""
    found = []
    for line in sight.chosen(where):
        top, full = line.top, line.sizes >= size
        if not full.any():
            continue
        count, chords = per_bar(sight, top.bar), per_bar(sight, top.bar, full)
        moving = np.zeros(len(top), dtype=np.bool_)
        moving[1:] = (line.moves != 0) & (np.abs(line.moves) <= 5) & full[1:] & (np.diff(line.low.pitch) != 0)
        kinds = np.zeros((sight.bars, 128), dtype=np.bool_)
        kinds[top.bar, top.pitch] = True
        good = (chords >= notes) & (chords >= 0.8 * count) & (kinds.sum(axis=1) >= 3)
        good &= per_bar(sight, top.bar, moving) >= 0.6 * chords
        found += long_enough(sight, good, line.voice, bars)
    return found
