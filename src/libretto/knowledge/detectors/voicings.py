"""Voicings: how the notes of struck chords lie, and how whole chords move.

Conventions: gaps are semitones between neighboring notes of a chord from the lowest up.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

import numpy as np

from libretto.knowledge.detectors.chords import Struck, mask_of, struck_chords, turned
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import LOOSE, VoiceLine, runs
from libretto.knowledge.sight import Sight, Sighting, SoundingChord, shared
from libretto.score.arrays import Bools, Ints

__all__ = [
    "CLASS_COUNTS",
    "FOREIGN_BASSES",
    "chords_of",
    "parallel",
    "polychord",
    "rootless",
    "roots_at",
    "shaped",
    "slash_chord",
    "spacing",
    "stack",
]

_TRIADS = ((0, 4, 7), (0, 3, 7))
CLASS_COUNTS = np.array([each.bit_count() for each in range(1 << 12)], dtype=np.int64)
_MASKS = {mask_of(triad, root): root for triad in _TRIADS for root in range(12)}  #: by bits
_PLANE = 4  # the largest move of a chord that slides
_COLORS = (1, 2, 3, 6, 8, 9)
_GUIDES = ((4, 10), (4, 11), (3, 10), (3, 9), (3, 11), (4, 9))


def _rootless_sets() -> Bools:
    """Which sets of pitch classes above a root are third, seventh, a color and perhaps the fifth, without that root."""
    sets = np.zeros(1 << 12, dtype=np.bool_)
    for guides in _GUIDES:
        rest = [tone for tone in (*_COLORS, 7) if tone not in guides]
        for size in (1, 2, 3):
            some = [colors for colors in combinations(rest, size) if set(colors) & set(_COLORS)]
            sets[[mask_of((*guides, *colors)) for colors in some]] = True
    return sets


def _foreign_basses() -> Bools:
    """Which bass is foreign to which triad: rows are triads as bits, columns basses; other sets have none."""
    foreign = np.zeros((1 << 12, 12), dtype=np.bool_)
    for triad in _TRIADS:
        for root in range(12):
            own = {(root + tone) % 12 for tone in (*triad, 9 if triad[1] == 4 else 8)}
            foreign[mask_of(triad, root)] = [bass not in own for bass in range(12)]
    return foreign


def _rows(chords: Struck, size: int) -> tuple[Ints, Ints]:
    """Which chords have that many notes, and their pitches as a table."""
    which = np.flatnonzero(chords.size == size)
    return which, chords.pitch[chords.first[which][:, None] + np.arange(size)]


def _bits(pitch: Ints) -> Ints:
    """The pitch classes of each chord as bits."""
    return np.asarray(np.bitwise_or.reduce(1 << (pitch % 12), axis=1))


def _distinct(pitch: Ints) -> Ints:
    """How many different pitch classes each chord has."""
    return CLASS_COUNTS[_bits(pitch)]


@detectors.register("stack")
def stack(sight: Sight, gaps: list[int], notes: int = 3, most: int = 8, must: int = -1) -> list[Sighting]:
    """A chord whose neighboring notes all lie one of these gaps apart: fourths, fifths, seconds.

    It has ``notes`` to ``most`` different pitches; ``must`` is a gap that has to be among them.
    """
    sightings = []
    for chords in struck_chords(sight):
        bars = [np.empty(0, dtype=np.int64)]
        for size in range(notes, most + 1):
            which, pitch = _rows(chords, size)
            if len(which):
                apart = np.diff(pitch, axis=1)
                good = np.isin(apart, gaps).all(axis=1)
                if must >= 0:
                    good &= (apart == must).any(axis=1)
                bars.append(chords.bar[which[good]])
        sightings += sight.spans(np.concatenate(bars), chords.voice, join=0)
    return sightings


@detectors.register("spacing")
def spacing(sight: Sight, shape: str, tones: int = 3, run: int = 1) -> list[Sighting]:
    """Chords of as many different tones, one note each, that lie close, open, as drop 2, as drop 3 or as a shell.

    close: within an octave; open: a major or minor triad wider than an octave, with gaps of a tritone or more; drop2
    and drop3: close but for the second or third note from above, an octave lower; shell: root, third and seventh
    alone with the root below. ``run`` is how many in a row.
    """
    tests = {"close": _is_close, "open": _is_open, "drop2": _is_drop2, "drop3": _is_drop3, "shell": _is_shell}
    sightings = []
    for chords in struck_chords(sight):
        which, pitch = _rows(chords, tones)
        if not len(which):
            continue
        flags = np.zeros(len(chords.size), dtype=np.bool_)
        flags[which] = tests[shape](pitch) & (_distinct(pitch) == tones)
        sightings += [sight.at(chords.bar[first], chords.bar[last], chords.voice) for first, last in runs(flags, run)]
    return sightings


def _is_close(pitch: Ints) -> Bools:
    return np.asarray((pitch[:, -1] - pitch[:, 0] < 12) & (np.diff(pitch, axis=1) > 1).all(axis=1))


def _is_open(pitch: Ints) -> Bools:
    triad = np.isin(_bits(pitch), list(_MASKS))
    wide = triad & (pitch[:, -1] - pitch[:, 0] > 12)
    return np.asarray(wide & (np.diff(pitch, axis=1) >= 6).all(axis=1) & (np.diff(pitch, axis=1) <= 16).all(axis=1))


def _lifted(pitch: Ints) -> Ints:
    """The chord with its lowest note an octave higher."""
    return np.concatenate((pitch[:, 1:], pitch[:, :1] + 12), axis=1)


def _is_drop2(pitch: Ints) -> Bools:
    lifted = _lifted(pitch)
    ordered = np.sort(lifted, axis=1)
    second = (lifted[:, -1] == ordered[:, -2]) & (lifted[:, -1] < lifted[:, -2])
    return np.asarray(second & _is_close(ordered))


def _is_drop3(pitch: Ints) -> Bools:
    lifted = _lifted(pitch)
    ordered = np.sort(lifted, axis=1)
    third = (lifted[:, -1] == ordered[:, -3]) & (lifted[:, -1] < lifted[:, -3])
    return np.asarray(third & _is_close(ordered))


def _is_shell(pitch: Ints) -> Bools:
    above = np.sort((pitch[:, 1:] - pitch[:, :1]) % 12, axis=1)
    return np.asarray(np.isin(above[:, 0], (3, 4)) & np.isin(above[:, 1], (9, 10, 11)))


@detectors.register("polychord")
def polychord(sight: Sight) -> list[Sighting]:
    """Two different major or minor triads struck together, one wholly above the other, without a note in common
    or with one at most."""
    sightings = []
    for chords in struck_chords(sight):
        which, pitch = _rows(chords, 6)
        if not len(which):
            continue
        lower, upper = _bits(pitch[:, :3]), _bits(pitch[:, 3:])
        triads = np.isin(lower, list(_MASKS)) & np.isin(upper, list(_MASKS))
        apart = _distinct(pitch) >= 5
        sightings += sight.spans(np.asarray(chords.bar[which[triads & apart]]), chords.voice, join=0)
    return sightings


@detectors.register("slash_chord")
def slash_chord(sight: Sight) -> list[Sighting]:
    """A major or minor triad over a bass that is no tone of it and is struck with it or held under it.

    The bass lies a fourth or more below the triad and does not merely add a third below it.
    """
    sightings = []
    for chords in struck_chords(sight):
        good = np.zeros(len(chords.own), dtype=np.bool_)
        for size in (3, 4):
            which, pitch = _rows(chords, size)
            upper = _bits(pitch[:, -3:])
            under = pitch[:, 0] if size == 4 else chords.bass[which]
            good[which] |= FOREIGN_BASSES[upper, chords.bass[which] % 12] & (pitch[:, -3] - under >= 5)
        sightings += sight.spans(np.asarray(chords.bar[good & (chords.bound == 1)]), chords.voice, join=0)
    return sightings


@detectors.register("rootless")
def rootless(sight: Sight) -> list[Sighting]:
    """A voicing of three to five notes with third, seventh and a color and without the root, whose root sounds below
    it in the same chord."""
    sightings = []
    heard = [chord for chord in sight.harmony if chord.supported]
    if not heard:
        return []
    start, end, root = (np.array([getattr(chord, name) for chord in heard]) for name in ("start", "end", "root"))
    for chords in struck_chords(sight):
        place = np.maximum(np.searchsorted(start, chords.onset, side="right") - 1, 0)
        inside = (chords.onset >= start[place]) & (chords.onset < end[place])
        good = inside & (chords.size >= 3) & (chords.size <= 5) & _ROOTLESS[turned(chords.own, root[place])]
        bars = [
            int(chords.bar[row])
            for row in np.flatnonzero(good).tolist()
            if _root_below(sight, heard[int(place[row])], int(chords.low[row]))
        ]
        sightings += sight.spans(np.array(bars, dtype=np.int64), chords.voice, join=0)
    return sightings


def _root_below(sight: Sight, harmony: SoundingChord, low: int) -> bool:
    """Whether the root is struck within the chord's time below that pitch."""
    first, last = np.searchsorted(sight.notes.onset, (harmony.start, harmony.end))
    mine = sight.notes.pitch[first:last]
    return bool(((mine % 12 == harmony.root) & (mine < low)).any())


@detectors.register("parallel_chords")
def parallel(sight: Sight, notes: int = 3, run: int = 4, exact: bool = True) -> list[Sighting]:
    """Chords of one shape that slide by small moves: every note goes the same distance, several times in a row.

    Without ``exact`` the shape may bend within the key by a semitone.
    """
    sightings = []
    for chords in struck_chords(sight):
        for size in range(notes, 7):
            which, pitch = _rows(chords, size)
            if len(which) < run:
                continue
            moves = np.diff(pitch, axis=0)
            spread = moves.max(axis=1) - moves.min(axis=1)
            near = (np.abs(moves) <= _PLANE).all(axis=1) & (moves != 0).all(axis=1)
            good = near & (spread <= (0 if exact else 1)) & (np.diff(which) == 1)
            bars = chords.bar[which]
            sightings += [sight.at(bars[slide.first], bars[slide.end], chords.voice) for slide in runs(good, run - 1)]
    return sightings


def chords_of(line: VoiceLine, size: int) -> tuple[Ints, Ints]:
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
    heard = _heard_roots(sight)
    at = np.maximum(np.searchsorted(heard.start, onset + LOOSE, side="right") - 1, 0)
    inside = (heard.start[at] <= onset + LOOSE) & (onset < heard.end[at])
    return np.asarray(np.where(inside, heard.root[at], bass))


class _HeardRoots(NamedTuple):
    """The supported chords as arrays; one without length where there are none."""

    start: Ints
    end: Ints
    root: Ints


@shared
def _heard_roots(sight: Sight) -> _HeardRoots:
    chords = [(chord.start, chord.end, chord.root) for chord in sight.supported] or [(0, 0, 0)]
    return _HeardRoots(*np.array(chords, dtype=np.int64).T)


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


@detectors.register("voicing_shape")
def shaped(
    sight: Sight, shape: str = "shell", where: str = "upper", ratio: float = 0.6, bars: int = 2
) -> list[Sighting]:
    """A voice most of whose chords are spaced that way for several bars: ``drop two``, ``shell`` (root, third and
    seventh), ``rootless`` (third, seventh and a colour over a bass that has the root), ``open low`` (a fifth or more at
    the bottom, close at the top, wide in all), ``ninths`` (third, seventh and ninth or thirteenth) or ``fourths``."""
    test, sizes = _SHAPES[shape]
    sightings = []
    for line in sight.chosen(where):
        all_, mine, kinds = np.zeros(sight.bars, dtype=np.int64), np.zeros(sight.bars, dtype=np.int64), 0
        for size in np.unique(line.sizes[line.sizes >= 3]).tolist():
            rows, pitch = chords_of(line, size)
            all_ += sight.per_bar(line.bar[rows])
            if size in sizes:
                fits = test(pitch, roots_at(sight, line.onset[rows]))
                mine += sight.per_bar(line.bar[rows], fits)
                kinds += len(np.unique(pitch[fits, 0]))
        if kinds >= 2:
            sightings += sight.spans((mine > 0) & (mine >= ratio * all_), line.voice, least=bars)
    return sightings


_ROOTLESS, FOREIGN_BASSES = _rootless_sets(), _foreign_basses()
_SHAPES: dict[str, tuple[Callable[[Ints, Ints], Bools], tuple[int, ...]]] = {
    "drop two": (_drop_two, (4,)),
    "shell": (_shell, (3,)),
    "rootless": (_rootless, (3, 4, 5)),
    "open low": (_open_low, (4, 5, 6)),
    "ninths": (_colour, (3, 4, 5, 6)),
    "fourths": (_quartal, (3, 4, 5)),
}
