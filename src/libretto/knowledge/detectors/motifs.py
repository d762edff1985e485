"""Motifs: what becomes of a figure: repeated, sequenced, turned over, stretched, cut, lengthened, answered.

Conventions: shapes are compared in scale steps of the key (chromatic notes lie between them), rhythms by the time
from onset to onset within a 32nd. A figure that only runs in one direction is no motif.
"""

from __future__ import annotations

import numpy as np

from libretto.knowledge.detectors.contour import phrases
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import Bools, Ints, Line
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import QUARTER
from libretto.score.pitch import pitch_class_of

__all__ = ["call_response", "fragmentation", "phrase_growth", "restated", "scale_steps", "transformed", "twist"]

_NEAR = QUARTER // 8


def scale_steps(sight: Sight, line: Line) -> Ints:
    """The highest notes counted in half scale steps: notes of the key are even, those between them odd.

    In minor both forms of the sixth and the seventh degree are the same step.
    """
    key = sight.score.key
    scale = sorted((pitch_class_of(each) - pitch_class_of(key.tonic)) % 12 for each in key.scale)
    table = [2 * sum(each <= tone for each in scale) - (2 if tone in scale else 1) for tone in range(12)]
    if key.is_minor and 8 in scale and 10 in scale:
        table[9], table[11] = table[8], table[10]
    above = line.top.pitch - sight.tonic[line.top.bar]
    return np.asarray(14 * (above // 12) + np.array(table)[above % 12], dtype=np.int64)


def _place(sight: Sight, line: Line, first: int, last: int) -> Sighting:
    bar = line.top.bar
    return Sighting(sight.number(int(bar[first])), sight.number(int(bar[min(last, len(bar) - 1)])), line.voice)


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
    found: list[Sighting] = []
    for line in sight.chosen(where):
        top = line.top
        steps = top.pitch if exact == "real" else scale_steps(sight, line)
        moves = np.diff(steps)
        for size in range(notes, min(most, len(top) // max(2, times)) + 1):
            alike = (moves[:-size] == moves[size:]) & (np.abs(line.gaps[:-size] - line.gaps[size:]) <= _NEAR)
            pair = _held(alike, size - 1)
            pair = pair[: len(top) - 2 * size + 1] & _wanted(top, size, shift, (far, near), quarters)
            until = -1
            for first in np.flatnonzero(_chain(pair, size, times - 1)).tolist():
                if first >= until and _moved_alike(line, steps, first, size, times, shift, exact, (far, near)):
                    until = first + size * (times - 1)
                    found.append(_place(sight, line, first, first + size * times - 1))
    return sorted(set(found))


def _wanted(top: Line, size: int, shift: str, bounds: tuple[int, int], quarters: float) -> Bools:
    """Which pairs of statements begin as far apart in pitch as they may, and whole quarters apart in time."""
    count = len(top) - 2 * size + 1
    moved, time = (each[size : size + count] - each[:count] for each in (top.pitch, top.onset))
    even = (time >= quarters * QUARTER) & (np.abs((time + _NEAR) % QUARTER - _NEAR) <= _NEAR)
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
    line: Line,
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
    if np.ptp(time) > _NEAR:
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
    found = []
    for line in sight.chosen(where):
        top, gaps, moves = line.top, line.gaps, np.diff(scale_steps(sight, line))
        begins = set(np.flatnonzero(top.position <= _NEAR).tolist()) | {first for first, _ in phrases(sight, line)}
        seen: dict[tuple[int, ...], list[int]] = {}
        for row in sorted(each for each in begins if each + notes <= len(top)):
            shape, rhythm = moves[row : row + notes - 1], (gaps[row : row + notes - 1] + _NEAR // 2) // _NEAR
            for earlier in reversed(seen.get(tuple(shape.tolist()), ())):
                if top.bar[row] - top.bar[earlier] > within:
                    break
                before = (gaps[earlier : earlier + notes - 1] + _NEAR // 2) // _NEAR
                if row >= earlier + notes and _kept(before, rhythm, how):
                    found.append(_place(sight, line, earlier, row + notes - 1))
            if _turns(shape):
                seen.setdefault(tuple(_changed(shape, how).tolist()), []).append(row)
    return found


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
    found = []
    for line in sight.chosen(where):
        top, steps = line.top, scale_steps(sight, line)
        rows = np.searchsorted(top.bar, np.arange(sight.bars + 1))
        for bar in range(sight.bars - 1):
            half, parts = int(sight.bar_length[bar]) // 2, []
            for each in (bar, bar + 1):
                a, b = int(rows[each]), int(rows[each + 1])
                middle = a + int(np.searchsorted(top.position[a:b], half - _NEAR))
                parts += [(a, middle, 0), (middle, b, half)]
            cells = [_cell(top, steps, *part) for part in parts]
            if len(cells[0]) >= notes and cells[0] == cells[2] == cells[3] != cells[1] and cells[1]:
                found.append(_place(sight, line, int(rows[bar]), int(rows[bar + 2]) - 1))
    return found


def _cell(top: Line, steps: Ints, first: int, end: int, start: int) -> tuple[tuple[int, int], ...]:
    """A half bar's notes as place and height above its first note."""
    if end <= first:
        return ()
    place = (top.position[first:end] - start + _NEAR // 2) // _NEAR
    return tuple(zip(place.tolist(), (steps[first:end] - steps[first]).tolist(), strict=True))


def _same(line: Line, a: int, b: int, notes: int, transposed: Ints | None = None) -> bool:
    """Whether ``notes`` notes from row ``a`` and from row ``b`` are alike in rhythm and pitch (or shape)."""
    pitch = line.top.pitch if transposed is None else transposed
    one, two = pitch[a : a + notes], pitch[b : b + notes]
    rhythm = np.abs(line.gaps[a : a + notes - 1] - line.gaps[b : b + notes - 1])
    level = int(one[0] - two[0]) if transposed is not None else 0
    return len(one) == len(two) and bool((one - two == level).all() and (rhythm <= _NEAR).all())


@detectors.register("phrase_growth")
def phrase_growth(
    sight: Sight, where: str = "melody", how: str = "extension", notes: int = 4, more: int = 3, within: int = 2
) -> list[Sighting]:
    """A phrase that comes back longer: notes are added at its end (``extension``) or inside it (``interpolation``)."""
    found = []
    for line in sight.chosen(where):
        parts, pitch = phrases(sight, line), line.top.pitch
        for number, (a, b) in enumerate(parts):
            size = b - a
            if size < notes or len(np.unique(pitch[a:b])) < 3:
                continue
            for c, d in parts[number + 1 : number + 1 + within]:
                if d - c < size + more:
                    continue
                whole = _same(line, a, c, size)
                inside = any(
                    _same(line, a, c, head) and np.array_equal(pitch[a + head : b], pitch[d - (size - head) : d])
                    for head in range(3, size - 1)
                )
                if whole if how == "extension" else inside and not whole:
                    found.append(_place(sight, line, a, d - 1))
    return found


@detectors.register("twist")
def twist(sight: Sight, where: str = "melody", notes: int = 4) -> list[Sighting]:
    """A phrase heard twice alike and a third time with the same beginning and another end."""
    found = []
    for line in sight.chosen(where):
        parts = phrases(sight, line)
        for (a, b), (c, d), (e, f) in zip(parts, parts[1:], parts[2:], strict=False):
            size, head = b - a, max(3, (b - a) // 2)
            if size < notes or d - c != size or f - e < head + 1 or not _same(line, a, c, size):
                continue
            if _same(line, a, e, head) and not (f - e == size and _same(line, a, e, size)):
                found.append(_place(sight, line, a, f - 1))
    return found


@detectors.register("call_response")
def call_response(sight: Sight, where: str = "melody", notes: int = 3, apart: float = 3.0) -> list[Sighting]:
    """Four phrases with silence between that alternate in register, the calls or the answers alike."""
    found = []
    for line in sight.chosen(where):
        parts, pitch, steps = phrases(sight, line), line.top.pitch, scale_steps(sight, line)
        mean = [float(pitch[a:b].mean()) for a, b in parts]
        for at in range(len(parts) - 3):
            four = parts[at : at + 4]
            if min(b - a for a, b in four) < notes or min(line.rests[b - 1] for _, b in four[:3]) * 4 < QUARTER:
                continue
            one, two, three = mean[at + 1] - mean[at], mean[at + 2] - mean[at + 1], mean[at + 3] - mean[at + 2]
            swings = min(abs(one), abs(two), abs(three)) >= apart and one * two < 0 and two * three < 0
            alike = any(
                x[1] - x[0] == y[1] - y[0] and _same(line, x[0], y[0], x[1] - x[0], steps)
                for x, y in ((four[0], four[2]), (four[1], four[3]))
            )
            if swings and alike:
                found.append(_place(sight, line, four[0][0], four[3][1] - 1))
    return found
