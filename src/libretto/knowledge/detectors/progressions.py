"""Progressions: chords in order, by their degree in the key, and how their roots move.

Conventions: chords are asked for by the tokens of ``changes``, or as ``"7 dominant"``: semitones above the tonic, and a
kind of chord; ``|`` stands between alternatives. Only chords that the notes support count, and one that is struck again
is one chord.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise, zip_longest

import numpy as np

from libretto.knowledge.detectors.changes import ChordChange, changes, chord_span, fits, pickup
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import FIFTH, LEADING_MINOR, MAJOR, MINOR, MINOR_SEVENTH, SEVENTHS, SIXTHS, THIRDS
from libretto.knowledge.sight import Sight, Sighting, SoundingChord, shared

__all__ = [
    "applied_dominants",
    "by_bars",
    "chord_cycle",
    "chord_plan",
    "distinct",
    "in_order",
    "mediants",
    "progression",
    "root_motion",
]

_MAJOR_THIRD, _DOMINANT = frozenset((4,)), frozenset((4, MINOR_SEVENTH))
_QUALITIES = {"major": frozenset((4, FIFTH)), "minor": frozenset((3, FIFTH)), "dominant": _DOMINANT}

_KINDS: dict[str, Callable[[frozenset[int]], bool]] = {
    "any": lambda tones: True,
    "major": lambda tones: 4 in tones and 8 not in tones,
    "minor": lambda tones: 3 in tones and 4 not in tones and 7 in tones,
    "dominant": lambda tones: {4, 10} <= tones,
    "triad": lambda tones: 4 in tones and 10 not in tones,
    "seventh": lambda tones: bool({10, 11} & tones),
    "diminished": lambda tones: {3, 6} <= tones and 4 not in tones,
    "sus": lambda tones: not {3, 4} & tones,
}


@detectors.register("progression")
def progression(
    sight: Sight, *, chords: Sequence[str], opens: bool = False, mode: str = "", anywhere: bool = False, bars: int = 0
) -> list[Sighting]:
    """Chords one straight after the other, each supported by notes: ``opens`` wants the first at a bar's start where
    four bars begin, ``mode`` a major or minor key, ``anywhere`` reads them from any tonic, ``bars`` is their most."""
    row = changes(sight, any(":" in chord for chord in chords))
    shifts = range(12) if anywhere else (0,)
    sightings = []
    for place in range(len(row) - len(chords) + 1):
        part = row[place : place + len(chords)]
        first, last = part[0], part[-1]
        long = bars and last.bar - first.bar >= bars
        if long or not sight.in_mode(first.bar, mode) or (opens and not _opens(sight, first)):
            continue
        joined = all(one.end == two.start for one, two in pairwise(part))
        if joined and any(all(fits(*pair, shift) for pair in zip(part, chords, strict=True)) for shift in shifts):
            sightings.append(chord_span(sight, first, last))
    return sightings


def _opens(sight: Sight, change: ChordChange) -> bool:
    """Whether a chord stands at the start of a bar where four bars begin."""
    return (change.bar - pickup(sight)) % 4 == 0 and change.start == int(sight.lines_at[change.bar])


@detectors.register("chord_plan")
def chord_plan(sight: Sight, *, plan: Sequence[str]) -> list[Sighting]:
    """One chord at the start of each bar as the plan has it, ``*`` for any, two thirds of all supported."""
    by_bar: dict[int, ChordChange] = {}
    for change in changes(sight):
        for bar in range(change.bar, change.last + 1):
            if change.start <= sight.lines_at[bar]:
                by_bar[bar] = change
    sightings = []
    for first in range(sight.bars - len(plan) + 1):
        wanted = [(by_bar.get(first + offset), text) for offset, text in enumerate(plan)]
        held = sum(change is not None and change.degree >= 0 for change, _ in wanted)
        good = all(text == "*" or (change is not None and fits(change, text)) for change, text in wanted)
        if good and 3 * held >= 2 * len(plan):
            sightings.append(sight.at(first, first + len(plan) - 1))
    return sightings


@detectors.register("root_motion")
def root_motion(
    sight: Sight, *, steps: Sequence[int], length: int = 4, quality: str = "", alike: bool = False, foreign: int = 0
) -> list[Sighting]:
    """A chain of chords whose roots all move by one of ``steps`` (semitones up, mod 12): ``quality`` is major, minor or
    dominant, ``alike`` wants the same kind of chord throughout, ``foreign`` so many with notes outside the key."""
    row, sightings, place = changes(sight), [], 0
    while place < len(row):
        end = place
        while end + 1 < len(row) and _moves(row[end], row[end + 1], steps, alike) and _is(row[end + 1], quality):
            end += 1
        part = row[place : end + 1]
        outside = sum(_foreign(sight, change) for change in part)
        if len(part) >= length and part[0].degree >= 0 and _is(part[0], quality) and outside >= foreign:
            sightings.append(chord_span(sight, part[0], part[-1]))
        place = max(end, place + 1)
    return sightings


def _moves(one: ChordChange, two: ChordChange, steps: Sequence[int], alike: bool) -> bool:
    if min(one.degree, two.degree) < 0 or one.end != two.start or (two.root - one.root) % 12 not in steps:
        return False
    return not alike or one.tones == two.tones


def _is(change: ChordChange, quality: str) -> bool:
    return _QUALITIES.get(quality, frozenset()) <= change.tones


def _foreign(sight: Sight, change: ChordChange) -> bool:
    """Whether a chord has notes outside its key (in minor the raised sixth and seventh belong to it)."""
    scale = MINOR if sight.minor[change.bar] else MAJOR
    return any((change.degree + tone) % 12 not in scale for tone in change.tones)


@shared
def distinct(sight: Sight) -> list[SoundingChord]:
    """The supported chords in order, a chord that goes on counted once; unsupported ones break nothing."""
    chords: list[SoundingChord] = []
    for chord in sight.harmony:
        if not chord.supported:
            continue
        if chords and (chords[-1].root, chords[-1].tones, chords[-1].bass) == (chord.root, chord.tones, chord.bass):
            chords[-1] = chords[-1]._replace(end=chord.end)
        else:
            chords.append(chord)
    return chords


def _fits(chord: SoundingChord, step: str, home: int) -> bool:
    for one in step.split("|"):
        degree, _, kind = one.strip().partition(" ")
        if (chord.root - home) % 12 == int(degree) and _KINDS[kind or "any"](chord.tones):
            return True
    return False


@detectors.register("changes")
def in_order(
    sight: Sight, steps: list[str], mode: str = "", within: int = 4, free: bool = False, least_beats: float = 0.0
) -> list[Sighting]:
    """Chords that follow each other in that order within so many bars; with ``free`` the first is the home of all."""
    chords, sightings = distinct(sight), []
    for place in range(len(chords) - len(steps) + 1):
        run = chords[place : place + len(steps)]
        home = run[0].root if free else int(sight.tonic[run[0].bar])
        if not _fits(run[0], steps[0], home) or not sight.in_mode(run[0].bar, mode):
            continue
        whole = all(one.end >= other.start for one, other in pairwise(run))
        last = int(np.searchsorted(sight.lines_at, run[-1].start, side="right")) - 1
        short = min(chord.end - chord.start for chord in run) < least_beats * int(sight.beat[run[0].bar])
        fits = all(_fits(chord, step, home) for chord, step in zip(run[1:], steps[1:], strict=True))
        if fits and whole and not short and last - run[0].bar < within:
            sightings.append(sight.at(run[0].bar, last))
    return sightings


@detectors.register("changes_by_bar")
def by_bars(sight: Sight, steps: list[str]) -> list[Sighting]:
    """Bars whose first chords follow each other in that order, one a bar."""
    first: dict[int, SoundingChord] = {}
    for chord in sight.harmony:
        if chord.supported:
            first.setdefault(chord.bar, chord)
    sightings = []
    for bar in range(sight.bars - len(steps) + 1):
        home = int(sight.tonic[bar])
        if all(bar + k in first and _fits(first[bar + k], step, home) for k, step in enumerate(steps)):
            sightings.append(sight.at(bar, bar + len(steps) - 1))
    return sightings


@detectors.register("applied_dominants")
def applied_dominants(sight: Sight, sevenths: bool = True, tonicize_home: bool = False) -> list[Sighting]:
    """A dominant chord that is not the key's own and resolves down a fifth to another chord than the tonic."""
    sightings = []
    for one, other in pairwise(distinct(sight)):
        dominant = (_DOMINANT if sevenths else _MAJOR_THIRD) <= one.tones
        falls = (one.root - other.root) % 12 == FIFTH and one.end >= other.start
        goal = (other.root - int(sight.tonic[one.bar])) % 12
        if dominant and falls and (goal != 0 or tonicize_home) and _is_borrowed(sight, one):
            sightings.append(sight.at(one.bar, other.bar))
    return sightings


def _is_borrowed(sight: Sight, chord: SoundingChord) -> bool:
    """Whether a dominant belongs to another key: its third, or in major its flat seventh, is foreign."""
    minor = bool(sight.minor[chord.bar])
    degree = (chord.root - int(sight.tonic[chord.bar])) % 12
    if degree in ((FIFTH, MINOR_SEVENTH, 3) if minor else (FIFTH,)):
        return False
    foreign = (degree + 4) % 12 not in (LEADING_MINOR if minor else MAJOR)
    return foreign or (degree == 0 and not minor and MINOR_SEVENTH in chord.tones)


@detectors.register("mediant_shift")
def mediants(sight: Sight, least_beats: float = 2.0) -> list[Sighting]:
    """A plain triad that moves by a third to another of its own kind (one common tone stays, the key does not), and not
    as a dominant of what follows, nor by way of the dominant in minor."""
    chords, sightings = distinct(sight), []
    for (one, other), after in zip_longest(pairwise(chords), chords[2:]):
        long = min(one.length, other.length) >= least_beats * int(sight.beat[one.bar])
        third = one.end >= other.start and (other.root - one.root) % 12 in (*THIRDS, *SIXTHS)
        leads = after is not None and (other.root - after.root) % 12 == FIFTH
        natural = bool(sight.minor[one.bar]) and FIFTH in (one.degree, other.degree)
        if _plain_alike(one, other) and long and third and not leads and not natural:
            sightings.append(sight.at(one.bar, other.bar))
    return sightings


def _plain_alike(one: SoundingChord, other: SoundingChord) -> bool:
    """Whether two chords are both major or both minor triads, without a seventh."""
    third = 4 if one.is_major else 3
    kinds = (one.is_major, one.is_minor) == (other.is_major, other.is_minor)
    return kinds and {third, FIFTH} <= one.tones & other.tones and not set(SEVENTHS) & (one.tones | other.tones)


@detectors.register("chord_cycle")
def chord_cycle(sight: Sight, roots: Sequence[int] = (0, 5, 7, 9), times: int = 2, longest: int = 5) -> list[Sighting]:
    """As many chords as there are roots, in any order, played round at least so many times without anything between.

    Roots are semitones above the tonic; one round lasts at most ``longest`` bars.
    """
    chords = [chord for chord in sight.harmony if chord.supported]
    change = [place for place, chord in enumerate(chords) if not place or chords[place - 1].root != chord.root]
    chain = [chords[place] for place in change]
    size, sightings = len(roots), []
    place = 0
    while place + size * times <= len(chain):
        around = [chord.degree for chord in chain[place : place + size * times]]
        last = chain[place + size * times - 1]
        short = last.bar - chain[place].bar < longest * times
        if sorted(around[:size]) == sorted(roots) and around == around[:size] * times and short:
            sightings.append(sight.at(chain[place].bar, last.bar))
            place += size * times
        else:
            place += 1
    return sightings
