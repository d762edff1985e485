"""Voicings: how the notes of struck chords lie, and how whole chords move.

Conventions: gaps are semitones between neighbouring notes of a chord from the lowest up.
"""

from __future__ import annotations

import numpy as np

from libretto.knowledge.detectors.chords import Struck, mask_of, struck_chords
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import Bools, Ints
from libretto.knowledge.sight import Sight, Sighting

__all__ = ["parallel", "pedal_chords", "polychord", "resolution", "rootless", "slash_chord", "spacing", "stack"]

_TRIADS = ((0, 4, 7), (0, 3, 7))
_PLANE = 4  # the largest move of a chord that slides
_MASKS = {mask_of(triad, root): root for triad in _TRIADS for root in range(12)}
_GUIDES = ((4, 10), (4, 11), (3, 10), (3, 9), (3, 11), (4, 9))
_COLORS = (1, 2, 3, 6, 8, 9)


def _rows(chords: Struck, size: int) -> tuple[Ints, Ints]:
    """Which chords have that many notes, and their pitches as a table."""
    which = np.flatnonzero(chords.size == size)
    return which, chords.pitch[chords.first[which][:, None] + np.arange(size)]


def _distinct(pitch: Ints) -> Ints:
    """How many different pitch classes each chord has."""
    ordered = np.sort(pitch % 12, axis=1)
    return np.asarray(1 + (np.diff(ordered, axis=1) > 0).sum(axis=1))


@detectors.register("stack")
def stack(sight: Sight, gaps: list[int], notes: int = 3, most: int = 8, must: int = -1) -> list[Sighting]:
    """A chord whose neighbouring notes all lie one of these gaps apart: fourths, fifths, seconds.

    It has ``notes`` to ``most`` different pitches; ``must`` is a gap that has to be among them.
    """
    found = []
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
        found += sight.spans(np.concatenate(bars), chords.voice, join=0)
    return found


@detectors.register("spacing")
def spacing(sight: Sight, shape: str, tones: int = 3, run: int = 1) -> list[Sighting]:
    """Chords of as many different tones, one note each, that lie close, open, as drop 2, as drop 3 or as a shell.

    close: within an octave; open: wider than an octave, with a chord tone left out between any two neighbours; drop2
    and drop3: close but for the second or third note from above, an octave lower; shell: root, third and seventh
    alone with the root below. ``run`` is how many in a row.
    """
    tests = {"close": _is_close, "open": _is_open, "drop2": _is_drop2, "drop3": _is_drop3, "shell": _is_shell}
    found = []
    for chords in struck_chords(sight):
        which, pitch = _rows(chords, tones)
        if not len(which):
            continue
        flags = np.zeros(len(chords.size), dtype=np.bool_)
        flags[which] = tests[shape](pitch) & (_distinct(pitch) == tones)
        edges = np.flatnonzero(np.diff(np.concatenate(([False], flags, [False])).astype(np.int8))).reshape(-1, 2)
        for first, last in edges[edges[:, 1] - edges[:, 0] >= run].tolist():
            bars = chords.bar[first:last]
            found.append(Sighting(sight.number(int(bars[0])), sight.number(int(bars[-1])), chords.voice))
    return found


def _is_close(pitch: Ints) -> Bools:
    return np.asarray((pitch[:, -1] - pitch[:, 0] < 12) & (np.diff(pitch, axis=1) > 1).all(axis=1))


def _is_open(pitch: Ints) -> Bools:
    wide = pitch[:, -1] - pitch[:, 0] > 12
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
    found = []
    for chords in struck_chords(sight):
        which, pitch = _rows(chords, 6)
        if not len(which):
            continue
        bits = 1 << (pitch % 12)
        lower, upper = bits[:, :3].sum(axis=1), bits[:, 3:].sum(axis=1)
        triads = np.isin(lower, list(_MASKS)) & np.isin(upper, list(_MASKS))
        apart = _distinct(pitch) >= 5
        found += sight.spans(np.asarray(chords.bar[which[triads & apart]]), chords.voice, join=0)
    return found


@detectors.register("slash_chord")
def slash_chord(sight: Sight, foreign: bool = True) -> list[Sighting]:
    """A major or minor triad over a bass that is no tone of it (or, unless ``foreign``, that is not its root).

    The bass lies a fourth or more below the triad and does not merely add a third below it.
    """
    found = []
    for chords in struck_chords(sight):
        good = np.zeros(len(chords.own), dtype=np.bool_)
        bass = chords.bass % 12
        for size in (3, 4):
            which, pitch = _rows(chords, size)
            upper = (1 << (pitch[:, -3:] % 12)).sum(axis=1)
            under = pitch[:, 0] if size == 4 else chords.bass[which]
            for mask, root in _MASKS.items():
                above = (bass[which] - root) % 12
                third = 4 if mask >> ((root + 4) % 12) & 1 else 3
                wrong = [0, third, 7, 9 if third == 4 else 8] if foreign else [0]
                good[which] |= (upper == mask) & ~np.isin(above, wrong) & (pitch[:, -3] - under >= 5)
        found += sight.spans(np.asarray(chords.bar[good]), chords.voice, join=0)
    return found


@detectors.register("rootless")
def rootless(sight: Sight) -> list[Sighting]:
    """A voicing of three to five notes with third and seventh and without the root, whose root sounds below it in
    the same chord."""
    found = []
    starts = np.array([each.start for each in sight.harmony], dtype=np.int64)
    if not len(starts):
        return []
    for chords in struck_chords(sight):
        bars = []
        place = np.searchsorted(starts, chords.onset, side="right") - 1
        for row in np.flatnonzero((chords.size >= 3) & (chords.size <= 5) & (place >= 0)).tolist():
            harmony = sight.harmony[int(place[row])]
            first = int(chords.first[row])
            above = {int(each - harmony.root) % 12 for each in chords.pitch[first : first + int(chords.size[row])]}
            guides = next((pair for pair in _GUIDES if set(pair) <= above), None)
            if harmony.supported and guides and 0 not in above and len(above) >= 3:
                rest = above - set(guides)
                if rest <= {*_COLORS, 7} and rest & set(_COLORS) and _root_below(sight, harmony, int(chords.low[row])):
                    bars.append(int(chords.bar[row]))
        found += sight.spans(np.array(bars, dtype=np.int64), chords.voice, join=0)
    return found


def _root_below(sight: Sight, harmony: object, low: int) -> bool:
    """Whether the root is struck within the chord's time below that pitch."""
    start, end, root = (getattr(harmony, name) for name in ("start", "end", "root"))
    notes = sight.notes
    a, b = np.searchsorted(notes.onset, (start, end))
    mine = notes.pitch[a:b]
    return bool(((mine % 12 == root) & (mine < low)).any())


@detectors.register("parallel_chords")
def parallel(sight: Sight, notes: int = 3, run: int = 4, exact: bool = True) -> list[Sighting]:
    """Chords of one shape that slide by small moves: every note goes the same distance, several times in a row.

    Without ``exact`` the shape may bend within the key by a semitone.
    """
    found = []
    for chords in struck_chords(sight):
        for size in range(notes, 7):
            which, pitch = _rows(chords, size)
            if len(which) < run:
                continue
            moves = np.diff(pitch, axis=0)
            spread = moves.max(axis=1) - moves.min(axis=1)
            near = (np.abs(moves) <= _PLANE).all(axis=1) & (moves != 0).all(axis=1)
            good = near & (spread <= (0 if exact else 1)) & (np.diff(which) == 1)
            edges = np.flatnonzero(np.diff(np.concatenate(([False], good, [False])).astype(np.int8))).reshape(-1, 2)
            for first, last in edges[edges[:, 1] - edges[:, 0] >= run - 1].tolist():
                bars = chords.bar[which[first : last + 1]]
                found.append(Sighting(sight.number(int(bars[0])), sight.number(int(bars[-1])), chords.voice))
    return found


@detectors.register("pedal_chords")
def pedal_chords(sight: Sight, changes: int = 3) -> list[Sighting]:
    """Several different chords in a row over one bass note that stays, and at least one of them does not hold it."""
    found = []
    for chords in struck_chords(sight):
        upper = chords.own & ~np.where(chords.low == chords.bass, 1 << (chords.bass % 12), 0)
        under = (chords.bass < chords.low) | (chords.size >= 4)
        block = np.cumsum(np.diff(chords.bass, prepend=-1) != 0)
        for each in np.flatnonzero(np.bincount(block) > changes - 1).tolist():
            rows = np.flatnonzero((block == each) & under)
            if len(rows) < changes:
                continue
            mine = chords.own[rows] if (chords.bass[rows] < chords.low[rows]).all() else upper[rows]
            foreign = (_consonant(mine, int(chords.bass[rows[0]]) % 12) == 0).any()
            if len(np.unique(mine)) >= changes and foreign:
                first, last = int(chords.bar[rows[0]]), int(chords.bar[rows[-1]])
                found.append(Sighting(sight.number(first), sight.number(last), chords.voice))
    return found


def _consonant(mask: Ints, bass: int) -> Ints:
    """Whether chords could hold the bass: it is a tone of theirs, or makes a triad with two of them."""
    found = np.asarray((mask >> bass) & 1)
    for triad in (*_TRIADS, (0, 3, 6)):
        for root in range(12):
            whole = mask_of(triad, root)
            if whole >> bass & 1:
                found = found | ((mask | 1 << bass) == whole)
    return found


@detectors.register("tritone_resolution")
def resolution(sight: Sight, notes: int = 3) -> list[Sighting]:
    """A dominant seventh whose tritone resolves: the third climbs a semitone and the seventh falls by a step."""
    found = []
    for chords in struck_chords(sight):
        enough = (chords.size[:-1] >= notes) & (chords.size[1:] >= notes)
        for root in range(12):
            wanted = mask_of((0, 4, 10), root)
            ready = enough & (chords.own[:-1] & wanted == wanted) & (chords.full[1:] >> ((root + 5) % 12) & 1 == 1)
            for row in np.flatnonzero(ready).tolist():
                if _resolves(_pitches(chords, row), _pitches(chords, row + 1), root):
                    first, last = (sight.number(int(bar)) for bar in chords.bar[row : row + 2])
                    found.append(Sighting(first, last, chords.voice))
    return sorted(found)


def _pitches(chords: Struck, row: int) -> set[int]:
    first = int(chords.first[row])
    return set(chords.pitch[first : first + int(chords.size[row])].tolist())


def _resolves(one: set[int], two: set[int], root: int) -> bool:
    """Whether the third above the root climbs a semitone and the seventh falls by step from one chord to the other."""
    thirds, sevenths = ({each for each in one if (each - root) % 12 == tone} for tone in (4, 10))
    rises = any(each + 1 in two and each not in two for each in thirds)
    falls = any((each - 1 in two or each - 2 in two) and each not in two for each in sevenths)
    return rises and falls
