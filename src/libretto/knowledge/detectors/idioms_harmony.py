"""Harmony: moves of chords by name, chords that change faster, and inner lines that slide under a held chord.

Conventions: a step of a progression is written ``"7 dominant"``: semitones above the tonic, and a kind of chord; ``|``
stands between alternatives. Only chords that the notes support count, and one that is struck again is one chord.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from libretto.knowledge.detectors.comping import LOOSE, places
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import Ints
from libretto.knowledge.sight import Harmony, Sight, Sighting

__all__ = [
    "applied_dominants",
    "appoggiaturas",
    "by_bars",
    "chord_tones_at",
    "distinct",
    "half_bars",
    "in_order",
    "mediants",
    "quickening",
    "sliding",
    "suspended",
    "suspensions",
]

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


def distinct(sight: Sight) -> list[Harmony]:
    """The supported chords in order, a chord that goes on counted once; unsupported ones break nothing."""
    if "distinct chords" not in sight.cache:
        found: list[Harmony] = []
        for chord in sight.harmony:
            if not chord.supported:
                continue
            if found and (found[-1].root, found[-1].tones, found[-1].bass) == (chord.root, chord.tones, chord.bass):
                found[-1] = found[-1]._replace(end=chord.end)
            else:
                found.append(chord)
        sight.cache["distinct chords"] = found
    known: list[Harmony] = sight.cache["distinct chords"]
    return known


def _fits(chord: Harmony, step: str, home: int) -> bool:
    for one in step.split("|"):
        degree, _, kind = one.strip().partition(" ")
        if (chord.root - home) % 12 == int(degree) and _KINDS[kind or "any"](chord.tones):
            return True
    return False


def _mode_fits(sight: Sight, bar: int, mode: str) -> bool:
    return not mode or bool(sight.minor[bar]) == (mode == "minor")


@detectors.register("changes")
def in_order(
    sight: Sight, steps: list[str], mode: str = "", within: int = 4, free: bool = False, least_beats: float = 0.0
) -> list[Sighting]:
    """Chords that follow each other in that order within so many bars; with ``free`` the first is the home of all."""
    chords, found = distinct(sight), []
    for place in range(len(chords) - len(steps) + 1):
        run = chords[place : place + len(steps)]
        home = run[0].root if free else int(sight.tonic[run[0].bar])
        if not _fits(run[0], steps[0], home) or not _mode_fits(sight, run[0].bar, mode):
            continue
        whole = all(one.end >= other.start for one, other in pairwise(run))
        last = int(np.searchsorted(sight.lines_at, run[-1].start, side="right")) - 1
        short = min(chord.end - chord.start for chord in run) < least_beats * int(sight.beat[run[0].bar])
        fits = all(_fits(chord, step, home) for chord, step in zip(run[1:], steps[1:], strict=True))
        if fits and whole and not short and last - run[0].bar < within:
            found.append(Sighting(sight.number(run[0].bar), sight.number(last)))
    return found


@detectors.register("changes_by_bar")
def by_bars(sight: Sight, steps: list[str]) -> list[Sighting]:
    """Bars whose first chords follow each other in that order, one a bar."""
    first: dict[int, Harmony] = {}
    for chord in sight.harmony:
        if chord.supported:
            first.setdefault(chord.bar, chord)
    found = []
    for bar in range(sight.bars - len(steps) + 1):
        home = int(sight.tonic[bar])
        if all(bar + k in first and _fits(first[bar + k], step, home) for k, step in enumerate(steps)):
            found.append(Sighting(sight.number(bar), sight.number(bar + len(steps) - 1)))
    return found


@detectors.register("applied_dominants")
def applied_dominants(sight: Sight, sevenths: bool = True, tonicize_home: bool = False) -> list[Sighting]:
    """A dominant chord that is not the key's own and resolves down a fifth to another chord than the tonic."""
    found = []
    for one, other in pairwise(distinct(sight)):
        home = int(sight.tonic[one.bar])
        goal = (other.root - home) % 12
        minor = bool(sight.minor[one.bar])
        own = {7} | ({10, 3} if minor else set())
        dominant = {4, 10} <= one.tones if sevenths else 4 in one.tones
        foreign = (one.root + 4 - home) % 12 not in ((0, 2, 3, 5, 7, 8, 10, 11) if minor else (0, 2, 4, 5, 7, 9, 11))
        flat = (one.root + 10 - home) % 12 == 10 and not minor and 10 in one.tones
        falls = (one.root - other.root) % 12 == 7 and one.end >= other.start
        if (
            dominant
            and falls
            and (goal != 0 or tonicize_home)
            and (one.root - home) % 12 not in own
            and (foreign or flat)
        ):
            found.append(Sighting(sight.number(one.bar), sight.number(other.bar)))
    return found


@detectors.register("mediant_shift")
def mediants(sight: Sight, least_beats: float = 2.0) -> list[Sighting]:
    """A plain triad that moves by a third to another of its own kind (one common tone stays, the key does not), and not
    as a dominant of what follows, nor by way of the dominant in minor."""
    chords, found = distinct(sight), []
    for place, (one, other) in enumerate(pairwise(chords)):
        same = one.is_major == other.is_major and one.is_minor == other.is_minor and (one.is_major or one.is_minor)
        plain = not {10, 11} & (one.tones | other.tones) and 7 in one.tones and 7 in other.tones
        long = min(one.end - one.start, other.end - other.start) >= least_beats * int(sight.beat[one.bar])
        third = one.end >= other.start and (other.root - one.root) % 12 in (3, 4, 8, 9)
        if not (same and plain and long and third):
            continue
        after = chords[place + 2] if place + 2 < len(chords) else None
        leads = after is not None and (other.root - after.root) % 12 == 7
        natural = bool(sight.minor[one.bar]) and 7 in (one.degree, other.degree)
        if not leads and not natural:
            found.append(Sighting(sight.number(one.bar), sight.number(other.bar)))
    return found


@detectors.register("changes_quicken")
def quickening(sight: Sight, slow: int = 3, fast: int = 2) -> list[Sighting]:
    """Several bars of one chord each, then a bar with more chords, then the tonic or the dominant on a downbeat."""
    count, heads = np.zeros(sight.bars, dtype=np.int64), {}
    for chord in distinct(sight):
        count[chord.bar] += 1
        if chord.start == sight.lines_at[chord.bar]:
            heads[chord.bar] = (chord.degree, chord.label)
    found = []
    for bar in range(slow, sight.bars - 1):
        calm = (count[bar - slow : bar] == 1).all() and all(b in heads for b in range(bar - slow, bar + 1))
        goal = heads.get(bar + 1, (-1, ""))[0] in (0, 7)
        if calm and count[bar] >= fast and goal:
            found.append(Sighting(sight.number(bar - slow), sight.number(bar + 1)))
    return found


def half_bars(sight: Sight) -> NDArray[np.float64]:
    """How long each pitch class sounds in each half of a bar, as a share of that half."""
    if "half bars" not in sight.cache:
        middle = sight.lines_at[:-1] + sight.bar_length // 2
        spans = np.stack([np.stack([sight.lines_at[:-1], middle], 1), np.stack([middle, sight.lines_at[1:]], 1)], 1)
        spans = spans.reshape(-1, 2)
        sight.cache["half bars"] = sight._mass(spans) / np.maximum(np.diff(spans, axis=1), 1)
    known: NDArray[np.float64] = sight.cache["half bars"]
    return known


@detectors.register("sliding_line")
def sliding(sight: Sight, notes: int = 4, step: int = -1, present: float = 0.3) -> list[Sighting]:
    """Under a held chord one note slides by semitones, one a bar or half-bar: root, major seventh, minor seventh, sixth
    (``step`` -1), or fifth, sharp fifth, sixth (``step`` 1)."""
    halves = half_bars(sight)
    found = []
    for unit in (1, 2):
        sounds = (halves if unit == 1 else (halves[::2] + halves[1::2]) / 2) >= present
        size = len(sounds) - notes + 1
        if size < 1:
            continue
        turned = [np.roll(sounds, -tone, axis=1) for tone in range(12)]  # by root: does the note so far above it sound?
        held = (turned[7] if step < 0 else turned[0]) & (turned[3] | turned[4])
        good = np.ones((size, 12), dtype=np.bool_)
        for place in range(notes):
            part, note = slice(place, size + place), (0 if step < 0 else 7) + place * step
            good &= held[part] & turned[note % 12][part]
            if place:
                good &= ~turned[(note - step) % 12][part]
        for row in np.flatnonzero(good.any(axis=1)).tolist():
            bars = row * unit // 2, (row + notes - 1) * unit // 2
            found.append(Sighting(sight.number(bars[0]), sight.number(bars[1])))
    return found


@detectors.register("suspended_chords")
def suspended(sight: Sight, beats: float = 2.0, unresolved: bool = True) -> list[Sighting]:
    """Chords with a fourth or second in place of the third, held for some time, that do not just resolve into their own
    third."""
    chords, found = distinct(sight), []
    for place, chord in enumerate(chords):
        open_ = not {3, 4} & chord.tones and bool({2, 5} & chord.tones) and 7 in chord.tones
        after = chords[place + 1] if place + 1 < len(chords) else None
        resolves = after is not None and after.root == chord.root and bool({3, 4} & after.tones)
        if open_ and chord.end - chord.start >= beats * int(sight.beat[chord.bar]) and not (unresolved and resolves):
            found.append(Sighting(sight.number(chord.bar), sight.number(chord.bar)))
    return found


def chord_tones_at(sight: Sight, onset: Ints, pitch: Ints) -> Ints:
    """For each note 1 where it belongs to the chord of its time, 0 where not, -1 where no chord is heard."""
    chords = distinct(sight)
    if not chords:
        return np.full(len(onset), -1, dtype=np.int64)
    if "chord tones" not in sight.cache:
        member = np.zeros((len(chords), 12), dtype=np.int64)
        for row, chord in enumerate(chords):
            member[row, [(chord.root + tone) % 12 for tone in chord.tones]] = 1
        spans = np.array([[chord.start, chord.end] for chord in chords], dtype=np.int64)
        sight.cache["chord tones"] = (member, spans)
    member, spans = sight.cache["chord tones"]
    which = np.maximum(np.searchsorted(spans[:, 0], onset + LOOSE, side="right") - 1, 0)
    inside = (spans[which, 0] <= onset + LOOSE) & (onset < spans[which, 1])
    return np.asarray(np.where(inside, member[which, pitch % 12], -1))


@detectors.register("suspensions")
def suspensions(sight: Sight, where: str = "upper", least_times: int = 2, within: int = 1) -> list[Sighting]:
    """Notes that are held or struck again into a beat where they clash with the bass (4-3, 7-6 or 9-8), were consonant
    before, and resolve down by step over the same bass; several in a chain, each ``within`` so many bars."""
    low = sight.bass.low
    firm = places(sight, low.bar, low.position) >= 0
    found: list[Sighting] = []
    for line in sight.chosen(where):
        top = line.top
        if line is sight.bass or len(top) < 4:
            continue
        goal, note = top.pitch[1:], top.pitch[:-1]
        again = np.insert(note[1:] == note[:-1], 0, False)
        falls = np.isin(note - goal, (1, 2)) & (line.rests < LOOSE)
        rows = np.flatnonzero(falls & (10 * top.duration[:-1] >= 8 * top.beat[:-1]))
        if not len(rows):
            continue
        begin = np.where(again[rows], top.onset[np.maximum(rows - 1, 0)], top.onset[rows])
        moved = np.searchsorted(low.onset, top.onset[rows + 1] - LOOSE) - 1  # the bass note under the resolution
        strike = low.onset[np.maximum(moved, 0)]
        before = np.searchsorted(low.onset, begin + LOOSE, side="right") - 1
        held = (begin < strike - LOOSE) & (moved > before) & (before >= 0)
        held &= ~again[rows] | (np.abs(top.onset[rows] - strike) <= LOOSE)
        clash = (note[rows] - low.pitch[np.maximum(moved, 0)]) % 12
        eased = (goal[rows] - low.pitch[np.maximum(moved, 0)]) % 12
        kinds = (np.isin(clash, (5,)) & np.isin(eased, (3, 4))) | (np.isin(clash, (10, 11)) & np.isin(eased, (8, 9)))
        kinds |= np.isin(clash, (1, 2)) & (eased == 0)
        prepared = np.isin((note[rows] - low.pitch[np.maximum(before, 0)]) % 12, (0, 3, 4, 7, 8, 9))
        beat = sight.beat[top.bar[rows]]
        slow = (top.onset[rows + 1] - strike >= beat - LOOSE) & (strike - begin >= beat - LOOSE)
        slow &= firm[np.maximum(moved, 0)]
        good = rows[held & kinds & prepared & slow]
        near = np.flatnonzero(np.diff(top.bar[good]) <= within)
        if len(near) + 1 >= least_times and len(near):
            found += sight.spans(top.bar[good[np.union1d(near, near + 1)] + 1], line.voice)
    return found


@detectors.register("appoggiaturas")
def appoggiaturas(sight: Sight, where: str = "melody", cadence: bool = False, least_times: int = 2) -> list[Sighting]:
    """Foreign notes on a strong beat, not prepared, that lean down by step into a note of the chord; with ``cadence``
    over a tonic chord that a dominant came before."""
    found: list[Sighting] = []
    closes = {two.bar for one, two in pairwise(distinct(sight)) if one.degree in (7, 11) and two.degree == 0}
    for line in sight.chosen(where):
        top = line.top
        if len(top) < 4:
            continue
        one, other = top.where(np.arange(1, len(top) - 1)), top.where(np.arange(2, len(top)))
        place = places(sight, one.bar, one.position)
        strong = (place == 0) | (2 * place * one.beat == sight.bar_length[one.bar])
        lean = strong & np.isin(one.pitch - other.pitch, (1, 2)) & (top.pitch[:-2] != one.pitch)
        lean &= (other.onset - one.onset >= one.beat // 2 - LOOSE) & (other.duration >= one.beat // 2 - LOOSE)
        rows = np.flatnonzero(lean)
        if cadence:
            rows = rows[np.isin(one.bar[rows], list(closes))]
        foreign = chord_tones_at(sight, one.onset[rows], one.pitch[rows]) == 0
        eased = chord_tones_at(sight, other.onset[rows], other.pitch[rows]) == 1
        rows = rows[foreign & eased]
        if len(rows) >= least_times:
            found += sight.spans(one.bar[rows], line.voice)
    return found
