"""Motifs: what becomes of a figure: repeated, sequenced, turned over, stretched, cut.

Conventions: shapes are compared in scale steps of the key (chromatic notes lie between them), rhythms by the time
from onset to onset within a 32nd. A figure that only runs in one direction is no motif.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.knowledge.detectors.changes import pickup
from libretto.knowledge.detectors.contour import phrases
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.detectors.tunes import UNLIKE, close_in, halves_alike, idea, shared_notes, stretch
from libretto.knowledge.line import FIFTH, LOOSE, VoiceLine
from libretto.knowledge.sight import Sight, Sighting
from libretto.score.pitch import pitch_class_of
from libretto.score.table import Bools, Ints
from libretto.score.time import QUARTER

__all__ = ["fragmentation", "motive", "restated", "scale_steps", "sequence_run", "sequenced", "transformed"]

_OCTAVE_STEPS = 14  # half scale steps of an octave
_LOWERED = (8, 10)  # the sixth and the seventh of minor


def scale_steps(sight: Sight, line: VoiceLine) -> Ints:
    """The highest notes counted in half scale steps: notes of the key are even, those between them odd.

    In minor both forms of the sixth and the seventh degree are the same step.
    """
    key = sight.score.key
    scale = sorted((pitch_class_of(step) - pitch_class_of(key.tonic)) % 12 for step in key.scale)
    table = [2 * sum(step <= tone for step in scale) - (2 if tone in scale else 1) for tone in range(12)]
    if key.is_minor and set(_LOWERED) <= set(scale):
        table[9], table[11] = table[8], table[10]
    above = line.top.pitch - sight.tonic[line.top.bar]
    return np.asarray(_OCTAVE_STEPS * (above // 12) + np.array(table)[above % 12], dtype=np.int64)


def _held(flags: Bools, length: int) -> Bools:
    """Where ``length`` flags in a row hold, beginning at each place."""
    total = np.concatenate(([0], np.cumsum(flags)))
    return np.asarray(total[length:] - total[:-length] == length)


def _turns(moves: Ints) -> bool:
    return bool((moves > 0).any() and (moves < 0).any())


@detectors.register("restated")
def restated(
    sight: Sight,
    where: str = "melody",
    shift: str = "any",
    exact: str = "any",
    notes: int = 3,
    most: int = 10,
    times: int = 3,
    far: int = 1,
    near: int = 24,
    quarters: float = 1.0,
) -> list[Sighting]:
    """A figure stated several times in a row, moved each time the same way.

    ``shift`` is none (repeated as it is), up, down or any; ``far`` and ``near`` bound the semitones it is moved by;
    ``exact`` is real (all intervals kept), tonal (some of them fitted to the key) or any; a statement lasts at least
    ``quarters``.
    """
    sightings: list[Sighting] = []
    for line in sight.chosen(where):
        top = line.top
        steps = top.pitch if exact == "real" else scale_steps(sight, line)
        moves = np.diff(steps)
        for size in range(notes, min(most, len(top) // max(2, times)) + 1):
            alike = (moves[:-size] == moves[size:]) & (np.abs(line.gaps[:-size] - line.gaps[size:]) <= LOOSE)
            pair = _held(alike, size - 1)
            pair = pair[: len(top) - 2 * size + 1] & _wanted(top, size, shift, (far, near), quarters)
            until = -1
            for first in np.flatnonzero(_chain(pair, size, times - 1)).tolist():
                if first >= until and _moved_alike(line, steps, first, size, times, shift, exact, (far, near)):
                    until = first + size * (times - 1)
                    sightings.append(sight.rows(line.top, first, first + size * times - 1))
    return sorted(set(sightings))


def _wanted(top: VoiceLine, size: int, shift: str, bounds: tuple[int, int], quarters: float) -> Bools:
    """Which pairs of statements begin as far apart in pitch as they may, and whole quarters apart in time."""
    count = len(top) - 2 * size + 1
    moved, time = (column[size : size + count] - column[:count] for column in (top.pitch, top.onset))
    even = (time >= quarters * QUARTER) & (np.abs((time + LOOSE) % QUARTER - LOOSE) <= LOOSE)
    if shift == "none":
        return np.asarray(even & (moved == 0))
    side = {"up": moved > 0, "down": moved < 0}.get(shift, moved != 0)
    return np.asarray(even & side & (np.abs(moved) >= bounds[0]) & (np.abs(moved) <= bounds[1]))


def _chain(pair: Bools, size: int, links: int) -> Bools:
    """Where pairs of statements follow one another ``links`` times."""
    length = max(0, len(pair) - size * (links - 1))
    chain = np.ones(length, dtype=np.bool_)
    for link in range(links):
        chain &= pair[link * size : link * size + length]
    return chain


def _moved_alike(
    line: VoiceLine,
    steps: Ints,
    first: int,
    size: int,
    times: int,
    shift: str,
    exact: str,
    bounds: tuple[int, int],
) -> bool:
    top = line.top
    rows = first + size * np.arange(times)
    time, moved, sung = np.diff(top.onset[rows]), np.diff(steps[rows]), np.diff(top.pitch[rows])
    if np.ptp(time) > LOOSE:
        return False
    cell = top.pitch[first : first + size]
    if shift == "none":
        return bool((sung == 0).all() and len(np.unique(cell)) >= 3 and (moved == 0).all())
    if np.ptp(moved) or moved[0] == 0 or not _turns(np.diff(top.pitch[first : first + size + 1])):
        return False
    if shift != "any" and (moved[0] > 0) != (shift == "up"):
        return False
    if not bounds[0] <= np.abs(sung).min() <= np.abs(sung).max() <= bounds[1]:
        return False
    shapes = {tuple(np.diff(top.pitch[row : row + size]).tolist()) for row in rows.tolist()}
    return exact == "any" or (len(shapes) == 1) == (exact == "real")


@detectors.register("transformed")
def transformed(
    sight: Sight, where: str = "melody", how: str = "inversion", notes: int = 5, within: int = 8
) -> list[Sighting]:
    """A figure that comes back turned over (``inversion``), backwards (``retrograde``), twice as slow
    (``augmentation``) or twice as fast (``diminution``); both begin a bar or a phrase."""
    sightings = []
    for line in sight.chosen(where):
        top, gaps, moves = line.top, line.gaps, np.diff(scale_steps(sight, line))
        begins = set(np.flatnonzero(top.position <= LOOSE).tolist()) | {first for first, _ in phrases(sight, line)}
        seen: dict[tuple[int, ...], list[int]] = {}
        for row in sorted(begin for begin in begins if begin + notes <= len(top)):
            shape, rhythm = moves[row : row + notes - 1], (gaps[row : row + notes - 1] + LOOSE // 2) // LOOSE
            for earlier in reversed(seen.get(tuple(shape.tolist()), ())):
                if top.bar[row] - top.bar[earlier] > within:
                    break
                before = (gaps[earlier : earlier + notes - 1] + LOOSE // 2) // LOOSE
                if row >= earlier + notes and _kept(before, rhythm, how):
                    sightings.append(sight.rows(line.top, earlier, row + notes - 1))
            if _turns(shape):
                seen.setdefault(tuple(_changed(shape, how).tolist()), []).append(row)
    return sightings


def _changed(shape: Ints, how: str) -> Ints:
    return {"inversion": -shape, "retrograde": -shape[::-1]}.get(how, shape)


def _kept(before: Ints, rhythm: Ints, how: str) -> bool:
    """Whether a rhythm is what that change makes of the one before."""
    if how in ("inversion", "retrograde"):
        other = before[::-1] if how == "retrograde" else before
        return bool(np.array_equal(before, rhythm) or np.array_equal(other, rhythm))
    slow, fast = (rhythm, before) if how == "augmentation" else (before, rhythm)
    return bool(np.array_equal(slow, 2 * fast))


@detectors.register("fragmentation")
def fragmentation(sight: Sight, where: str = "melody", notes: int = 3) -> list[Sighting]:
    """A bar's figure whose first half alone is then used twice in the next bar, at any height."""
    sightings = []
    for line in sight.chosen(where):
        top, steps = line.top, scale_steps(sight, line)
        rows = np.searchsorted(top.bar, np.arange(sight.bars + 1))
        for bar in range(sight.bars - 1):
            half, parts = int(sight.bar_length[bar]) // 2, []
            for here in (bar, bar + 1):
                a, b = int(rows[here]), int(rows[here + 1])
                middle = a + int(np.searchsorted(top.position[a:b], half - LOOSE))
                parts += [(a, middle, 0), (middle, b, half)]
            cells = [_cell(top, steps, *part) for part in parts]
            if len(cells[0]) >= notes and cells[0] == cells[2] == cells[3] != cells[1] and cells[1]:
                sightings.append(sight.rows(line.top, int(rows[bar]), int(rows[bar + 2]) - 1))
    return sightings


def _cell(top: VoiceLine, steps: Ints, first: int, end: int, start: int) -> tuple[tuple[int, int], ...]:
    """A half bar's notes as place and height above its first note."""
    if end <= first:
        return ()
    place = (top.position[first:end] - start + LOOSE // 2) // LOOSE
    return tuple(zip(place.tolist(), (steps[first:end] - steps[first]).tolist(), strict=True))


@detectors.register("motif_sequence")
def sequenced(
    sight: Sight, where: str = "melody", notes: int = 4, times: int = 2, bars: int = 1, falling: bool = False
) -> list[Sighting]:
    """A motif of one or more bars played again at another pitch in the same rhythm, so many times in one direction."""
    sightings = []
    for line in sight.chosen(where):
        top = line.top
        place = np.rint(top.position / (QUARTER // 4)).astype(np.int64)
        edges = np.searchsorted(top.bar, np.arange(sight.bars + 1))
        likely = _likely(place, top.pitch, edges, bars) & (
            edges[bars : sight.bars - bars + 1] - edges[: -2 * bars] >= notes
        )
        same = np.zeros(len(likely), dtype=np.int64)
        for bar in np.flatnonzero(likely).tolist():
            one, other = (slice(edges[start], edges[start + bars]) for start in (bar, bar + bars))
            same[bar] = _shift(top.pitch[one], top.pitch[other], place[one], place[other], notes)
        run = np.sign(same)
        total = sum(run[k * bars : len(run) - (times - 2 - k) * bars] for k in range(times - 1)) if len(run) else run
        for bar in np.flatnonzero(total == 1 - times if falling else np.abs(total) == times - 1).tolist():
            sightings.append(sight.at(bar, bar + bars * times - 1, line.voice))
    return sightings


def _likely(place: Ints, pitch: Ints, edges: Ints, bars: int) -> Bools:
    """Stretches of bars whose onsets may stand in the same places as those of the next stretch, at other pitches."""
    sums = [np.concatenate([[0], np.cumsum(column)])[edges] for column in (place + 1, (place + 1) ** 3, pitch)]
    size = np.array([edges, *sums])
    part = size[:, bars:] - size[:, :-bars]
    now, after = part[:, : -bars or None], part[:, bars:]
    return np.asarray((now[:3] == after[:3]).all(axis=0) & (now[3] != after[3]))


def _shift(one: Ints, other: Ints, place: Ints, later: Ints, notes: int) -> int:
    """By how many semitones the second is the first one moved, steps of the scale allowed for; 0 if it is not."""
    if len(one) < notes or len(one) != len(other) or (np.abs(place - later) > 0).any() or len(np.unique(one)) < 3:
        return 0
    shift = other - one
    middle = int(np.rint(np.median(shift)))
    return middle if (np.abs(shift - middle) <= 1).all() and abs(middle) >= 1 and (shift != 0).all() else 0


@detectors.register("motive")
def motive(sight: Sight, *, times: int = 3, within: int = 4) -> list[Sighting]:
    """A one-bar idea of at least three notes comes ``times`` within so many bars, not always at one pitch, and the
    phrase closes on a longer note."""
    sightings = []
    for first in range(pickup(sight), sight.bars - within + 1, within):
        again = [bar for bar in range(first + 1, first + within) if idea(sight, first, bar)]
        moved = any(shared_notes(sight, first, bar, 1) < UNLIKE for bar in again)
        if len(again) + 1 >= times and moved and close_in(sight, first + within - 1, first + within - 1):
            sightings.append(sight.at(first, first + within - 1, sight.melody.voice))
    return sightings


@detectors.register("sequence_run")
def sequence_run(sight: Sight, *, times: int = 3, bars: Sequence[int] = (1, 2), broken: bool = False) -> list[Sighting]:
    """A model stated ``times`` or more, each higher (or each lower) than the one before; ``broken`` wants a shorter
    piece of it repeated straight afterwards."""
    sightings = []
    for size in bars:
        first = 0
        while first + times * size <= sight.bars:
            run = _run(sight, first, size)
            after = first + run * size
            rest = not broken or (after < sight.bars and halves_alike(sight, after, 1))
            if run >= times and rest:
                sightings.append(sight.at(first, after - 1, sight.melody.voice))
            first = after if run >= times else first + 1
    return sightings


def _run(sight: Sight, first: int, size: int) -> int:
    """How many statements of one idea follow each other by steps of one direction and at most a fifth."""
    count, way = 1, 0
    while first + (count + 1) * size <= sight.bars and idea(sight, first, first + count * size, size):
        one, two = stretch(sight, first + (count - 1) * size, size), stretch(sight, first + count * size, size)
        step = two[0][2] - one[0][2]
        if not step or abs(step) > FIFTH or way * step < 0:
            break
        way, count = 1 if step > 0 else -1, count + 1
    return count
