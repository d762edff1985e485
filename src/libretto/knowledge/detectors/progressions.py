"""Progressions: chords in order, by their degree in the key; how their roots and their bass move.

Conventions: chords are asked for by the tokens of ``changes``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from libretto.knowledge.detectors.changes import Change, changes, fits, pickup, sounding
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.sight import Sight, Sighting

__all__ = [
    "bass_motion",
    "chord_plan",
    "line_cliche",
    "pedal_point",
    "progression",
    "root_motion",
]


def _sighting(sight: Sight, first: Change, last: Change) -> Sighting:
    return Sighting(sight.number(first.bar), sight.number(last.last))


@detectors.register("progression")
def progression(
    sight: Sight, *, chords: Sequence[str], opens: bool = False, mode: str = "", anywhere: bool = False, bars: int = 0
) -> list[Sighting]:
    """Chords one straight after the other, each supported by notes: ``opens`` wants the first at a bar's start where
    four bars begin, ``mode`` a major or minor key, ``anywhere`` reads them from any tonic, ``bars`` is their most."""
    row = changes(sight, any(":" in chord for chord in chords))
    found = []
    for place in range(len(row) - len(chords) + 1):
        part = row[place : place + len(chords)]
        if mode and bool(sight.minor[part[0].bar]) != (mode == "minor"):
            continue
        if opens and ((part[0].bar - pickup(sight)) % 4 or part[0].start != sight.lines_at[part[0].bar]):
            continue
        if bars and part[-1].bar - part[0].bar >= bars:
            continue
        joined = all(one.end == two.start for one, two in pairwise(part))
        shifts = range(12) if anywhere else (0,)
        if joined and any(all(fits(*pair, shift) for pair in zip(part, chords, strict=True)) for shift in shifts):
            found.append(_sighting(sight, part[0], part[-1]))
    return found


@detectors.register("chord_plan")
def chord_plan(sight: Sight, *, plan: Sequence[str]) -> list[Sighting]:
    """One chord at the start of each bar as the plan has it, ``*`` for any, two thirds of all supported."""
    by_bar: dict[int, Change] = {}
    for each in changes(sight):
        for bar in range(each.bar, each.last + 1):
            if each.start <= sight.lines_at[bar]:
                by_bar[bar] = each
    found = []
    for first in range(sight.bars - len(plan) + 1):
        wanted = [(by_bar.get(first + offset), text) for offset, text in enumerate(plan)]
        held = sum(each is not None and each.degree >= 0 for each, _ in wanted)
        good = all(text == "*" or (each is not None and fits(each, text)) for each, text in wanted)
        if good and 3 * held >= 2 * len(plan):
            found.append(Sighting(sight.number(first), sight.number(first + len(plan) - 1)))
    return found


@detectors.register("root_motion")
def root_motion(
    sight: Sight, *, steps: Sequence[int], length: int = 4, quality: str = "", alike: bool = False, foreign: int = 0
) -> list[Sighting]:
    """A chain of chords whose roots all move by one of ``steps`` (semitones up, mod 12): ``quality`` is major, minor or
    dominant, ``alike`` wants the same kind of chord throughout, ``foreign`` so many with notes outside the key."""
    row, found, place = changes(sight), [], 0
    while place < len(row):
        end = place
        while end + 1 < len(row) and _moves(row[end], row[end + 1], steps, alike) and _is(row[end + 1], quality):
            end += 1
        part = row[place : end + 1]
        outside = sum(_foreign(sight, each) for each in part)
        if len(part) >= length and part[0].degree >= 0 and _is(part[0], quality) and outside >= foreign:
            found.append(_sighting(sight, part[0], part[-1]))
        place = max(end, place + 1)
    return found


def _moves(one: Change, two: Change, steps: Sequence[int], alike: bool) -> bool:
    if min(one.degree, two.degree) < 0 or one.end != two.start or (two.root - one.root) % 12 not in steps:
        return False
    return not alike or one.tones == two.tones


def _is(change: Change, quality: str) -> bool:
    tones = change.tones
    wanted = {"major": 4 in tones and 7 in tones, "minor": 3 in tones and 7 in tones, "dominant": {4, 10} <= tones}
    return wanted.get(quality, True)


def _foreign(sight: Sight, change: Change) -> bool:
    """Whether a chord has notes outside its key (in minor the raised sixth and seventh belong to it)."""
    scale = {0, 2, 3, 5, 7, 8, 9, 10, 11} if sight.minor[change.bar] else {0, 2, 4, 5, 7, 9, 11}
    return any((change.degree + tone) % 12 not in scale for tone in change.tones)


@detectors.register("bass_motion")
def bass_motion(
    sight: Sight, *, moves: Sequence[int], length: int = 5, degrees: Sequence[int] = (), mode: str = "", chords: int = 3
) -> list[Sighting]:
    """The lowest note at each change of chord moves only by ``moves`` (semitones, up is positive), ``length`` notes in
    a row over at least ``chords`` roots; ``degrees`` are what it must begin with, above the tonic."""
    row = changes(sight, inversions=True)
    found, place = [], 0
    while place < len(row):
        end = place
        while (
            end + 1 < len(row) and min(row[end].low, row[end + 1].low) >= 0 and row[end + 1].low - row[end].low in moves
        ):
            end += 1
        part = [each for each in row[place : end + 1] if each.degree >= 0]
        lows = [(each.low - int(sight.tonic[each.bar])) % 12 for each in row[place : end + 1]]
        begun = list(degrees) == lows[: len(degrees)]
        right = not mode or bool(sight.minor[row[place].bar]) == (mode == "minor")
        if len(lows) >= length and len({each.root for each in part}) >= chords and begun and right:
            found.append(_sighting(sight, row[place], row[end]))
        place = end if end > place else place + 1
    return found


@detectors.register("pedal_point")
def pedal_point(sight: Sight, *, degree: int = 0, chords: int = 3, final: bool = False) -> list[Sighting]:
    """One bass note under at least ``chords`` different chords, two of which do not have it as root; ``degree`` is its
    place above the tonic (-1 for any), ``final`` wants it at the end of the piece."""
    row, found, place = changes(sight, inversions=True), [], 0
    while place < len(row):
        end = place
        while end + 1 < len(row) and row[end + 1].low == row[place].low and row[place].low >= 0:
            end += 1
        part = [each for each in row[place : end + 1] if each.degree >= 0]
        low = row[place].low
        others = {each.root for each in part} - {low % 12}
        right = degree < 0 or (low - int(sight.tonic[row[place].bar])) % 12 == degree
        right = right and (not final or row[end].last == sight.bars - 1)
        if low >= 0 and right and len({each.root for each in part}) >= chords and len(others) >= 2:
            found.append(_sighting(sight, row[place], row[end]))
        place = end + 1
    return found


@detectors.register("line_cliche")
def line_cliche(sight: Sight, *, step: int = -1, length: int = 4) -> list[Sighting]:
    """One note of a chord moves by semitones (``step`` -1 or 1) through ``length`` chords while root and third stay."""
    row, found, best = sight.harmony, [], 0
    heard = [sounding(sight, each.start, each.end) for each in row]
    for place in range(len(row) - length + 1):
        part = row[place : place + length]
        if place < best or not all(
            each.supported and each.root == part[0].root and each.is_minor == part[0].is_minor for each in part
        ):
            continue
        for start in sorted(heard[place]):
            line = [(start + step * number) % 12 for number in range(length)]
            kept = all(note in heard[place + number] for number, note in enumerate(line))
            left = all(
                note not in heard[place + number + 1] or note == part[0].root for number, note in enumerate(line[:-1])
            )
            if kept and left:
                found.append(Sighting(sight.number(part[0].bar), sight.number(part[-1].bar)))
                best = place + length
                break
    return found
