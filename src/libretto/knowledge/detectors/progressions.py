"""Progressions: chords in order, heard from the notes and named by their degree in the key.

Conventions: a token is a Roman numeral counted in the major scale of the tonic (in minor one writes ``bVI``), large for
a major third and small for a minor one; ``*`` is any chord and ``A|B`` either. After it may stand ``7`` (minor
seventh), ``maj7``, ``o`` (diminished fifth), ``+`` (augmented fifth), ``!`` (a bare triad); ``/V`` counts from that
degree, ``:4`` wants the bass so many semitones above the root. A chord that the notes do not support matches nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import QUARTER

__all__ = [
    "Change",
    "Token",
    "bass_motion",
    "changes",
    "chord_plan",
    "fits",
    "line_cliche",
    "pedal_point",
    "progression",
    "read_tokens",
    "root_motion",
]

_SLACK = QUARTER // 8
_NUMERALS = {"i": 0, "ii": 2, "iii": 4, "iv": 5, "v": 7, "vi": 9, "vii": 11}
_TOKEN = re.compile(
    r"(?P<sign>[b#]?)(?P<roman>[IViv]+)(?P<kind>maj7|7|o|\+|!)?(?:/(?P<of>[b#]?[IViv]+))?(?::(?P<low>\d+))?\Z"
)


class Change(NamedTuple):
    """A chord until the next different one: bars from 0, ticks, root, degree above the tonic (-1 where the notes do not
    support it), tones above the root, and the pitch that sounds lowest at its start (-1 where none does)."""

    bar: int
    last: int
    start: int
    end: int
    root: int
    degree: int
    tones: frozenset[int]
    low: int


class Token(NamedTuple):
    """What one place of a pattern asks for; None where it does not care."""

    degree: int | None
    major: bool | None
    kind: str
    low: int | None


@cache
def read_tokens(text: str) -> tuple[Token, ...]:
    """The alternatives of one place of a pattern."""
    found = []
    for word in text.split("|"):
        if word == "*":
            found.append(Token(None, None, "", None))
            continue
        match = _TOKEN.match(word)
        if match is None or match["roman"].lower() not in _NUMERALS:
            raise ValueError(f"{word!r} is no degree such as bVII7 or ii:3")
        of = match["of"] or "I"
        degree = _degree(match["sign"], match["roman"]) + _degree(
            of[: -len(of.lstrip("b#"))] if of[0] in "b#" else "", of.lstrip("b#")
        )
        low = int(match["low"]) if match["low"] else None
        found.append(Token(degree % 12, match["roman"].isupper(), match["kind"] or "", low))
    return tuple(found)


def _degree(sign: str, roman: str) -> int:
    return _NUMERALS[roman.lower()] + {"": 0, "b": -1, "#": 1}[sign]


def fits(change: Change, text: str, shift: int = 0) -> bool:
    """Whether a chord is what a token asks for, the tonic moved up by ``shift`` semitones."""
    return any(_fits(change, token, shift) for token in read_tokens(text))


def _fits(change: Change, token: Token, shift: int) -> bool:
    if change.degree < 0:
        return False
    if token.degree is None:
        return True
    tones = change.tones
    if (
        (change.degree - shift) % 12 != token.degree
        or (4 if token.major else 3) not in tones
        or (token.major is False and 4 in tones)
    ):
        return False
    if token.low is not None and (change.low < 0 or (change.low - change.root) % 12 != token.low):
        return False
    fifth = {"o": 6, "+": 8}.get(token.kind, 7)
    seventh = {"7": 10, "maj7": 11}.get(token.kind)
    if token.kind == "!" and tones & {9, 10, 11}:
        return False
    return fifth in tones and (seventh is None or seventh in tones)


def changes(sight: Sight, inversions: bool = False) -> tuple[Change, ...]:
    """The chords of a piece with repeated ones joined; ``inversions`` keeps those apart whose bass differs."""
    known = ("changes", inversions)
    if known not in sight.cache:
        sight.cache[known] = tuple(_changes(sight, inversions))
    found: tuple[Change, ...] = sight.cache[known]
    return found


def _changes(sight: Sight, inversions: bool) -> list[Change]:
    found: list[Change] = []
    lows = _lows(sight)
    for each, low in zip(sight.harmony, lows, strict=True):
        degree = each.degree if each.supported else -1
        now = Change(each.bar, each.bar, each.start, each.end, each.root, degree, each.tones, low)
        before = found[-1] if found else None
        if before is not None and _same(before, now) and (not inversions or (before.low - low) % 12 == 0):
            found[-1] = before._replace(last=now.bar, end=now.end, tones=before.tones | now.tones)
        else:
            found.append(now)
    return found


def _same(one: Change, other: Change) -> bool:
    """Whether two chords in a row are one: same root, third and fifth, no time between."""
    triad = frozenset((3, 4, 6, 7, 8))
    return one.end == other.start and (one.root, one.degree, one.tones & triad) == (
        other.root,
        other.degree,
        other.tones & triad,
    )


def _lows(sight: Sight) -> list[int]:
    """The lowest pitch that sounds where each chord starts; the first to come where none sounds yet."""
    if "lows" not in sight.cache:
        notes = sight.notes
        ends, longest = notes.onset + notes.duration, 8 * QUARTER
        found = []
        for each in sight.harmony:
            first, last = np.searchsorted(notes.onset, (each.start - longest, each.start + _SLACK), side="right")
            ringing = notes.pitch[first:last][ends[first:last] > each.start + _SLACK]
            if len(ringing):
                found.append(int(ringing.min()))
            else:
                found.append(int(notes.pitch[last]) if last < len(notes) and notes.onset[last] < each.end else -1)
        sight.cache["lows"] = found
    lows: list[int] = sight.cache["lows"]
    return lows


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
        if opens and (part[0].bar % 4 or part[0].start != sight.lines_at[part[0].bar]):
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
    """One chord at the start of each bar as the plan has it, ``*`` for any, with at least two thirds of all supported."""
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
    """The lowest note at each change of chord moves only by ``moves`` (semitones, up is positive), ``length`` notes in a
    row over at least ``chords`` roots; ``degrees`` are what it must begin with, above the tonic."""
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
        if low >= 0 and right and len({each.root for each in part}) >= chords and len(others) >= 2:
            if not final or row[end].last == sight.bars - 1:
                found.append(_sighting(sight, row[place], row[end]))
        place = end + 1
    return found


@detectors.register("line_cliche")
def line_cliche(sight: Sight, *, step: int = -1, length: int = 4) -> list[Sighting]:
    """One note of a chord moves by semitones (``step`` -1 or 1) through ``length`` chords while root and third stay."""
    row, found, best = sight.harmony, [], 0
    sounding = [_sounding(sight, each.start, each.end) for each in row]
    for place in range(len(row) - length + 1):
        part = row[place : place + length]
        if place < best or not all(
            each.supported and each.root == part[0].root and each.is_minor == part[0].is_minor for each in part
        ):
            continue
        for start in sorted(sounding[place]):
            line = [(start + step * number) % 12 for number in range(length)]
            kept = all(note in sounding[place + number] for number, note in enumerate(line))
            left = all(
                note not in sounding[place + number + 1] or note == part[0].root
                for number, note in enumerate(line[:-1])
            )
            if kept and left:
                found.append(Sighting(sight.number(part[0].bar), sight.number(part[-1].bar)))
                best = place + length
                break
    return found


def _sounding(sight: Sight, start: int, end: int) -> set[int]:
    """The pitch classes struck within a time."""
    first, last = np.searchsorted(sight.notes.onset, (start - _SLACK, end - _SLACK))
    return set((sight.notes.pitch[first:last] % 12).tolist())
