"""Forms: how the parts of a whole piece repeat, return and contrast, heard from the melody.

Conventions: a scheme is one letter a part of equal length, the same letter where the melody returns (``likeness`` at
least 0.7) and another where it does not (0.4 at most). It spans the whole piece; only one of more than forty bars may
hold it, in parts of eight bars or more, among other things. Section names show nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.knowledge.detectors.changes import changes, fits, pickup
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.detectors.tunes import ALIKE, UNLIKE, closes, idea, likeness, marks, part_of, shared_notes
from libretto.knowledge.sight import Sight, Sighting
from libretto.score.table import Bools, Floats, Ints

__all__ = ["form", "introduction", "through_composed", "variations"]

_NEW_SURFACE, _KEPT = 0.6, 0.75  # of a variation: the most likeness to the theme, and the share of bars that keep it
_EXACT = 0.97  # likeness of returns note for note
_LARGE_PART = 8  # bars
_QUIETER = 5  # in velocity, an introduction than its theme
_SLOTS = 16  # of a bar, in which melodies are compared

_LONG = 40  # bars: a longer piece may show a form of parts of eight or more within it


@detectors.register("form")
def form(
    sight: Sight,
    *,
    scheme: str,
    bars: Sequence[int] = (4, 8, 2, 16),
    spare: int = 2,
    breath: bool = False,
    lift: str = "",
    exact: bool = False,
    anywhere: bool = False,
    same: float = 0.5,
    other: float = 0.25,
) -> list[Sighting]:
    """The piece is made of equal parts that return as the letters of ``scheme`` say: ``bars`` are lengths tried,
    ``spare`` bars may be left at the end, ``breath`` wants a close at the end of each part, ``lift`` names a letter
    whose part lies higher than the first, ``exact`` wants returns note for note.

    With ``anywhere`` any stretch of a piece will do whose parts share at least ``same`` of their notes where a letter
    returns and at most ``other`` where it does not, in any octave.
    """
    if anywhere:
        return _letters_anywhere(sight, scheme, bars, same, other)
    lead = pickup(sight)
    long, sightings = sight.bars > _LONG, []
    for size in bars:
        length = size * len(scheme)
        for after in (0, 4) if long and size >= _LARGE_PART else (0,):
            left = sight.bars - lead - after - length
            if left < 0 or not (left <= min(spare, size - 1) or (long and size >= _LARGE_PART)):
                continue
            alike = likeness(sight, size, after=after)
            for unit in range(left // size + 1):
                first = lead + after + unit * size
                part = alike[unit : unit + len(scheme), unit : unit + len(scheme)]
                returns = _returns(part, scheme, _EXACT if exact else ALIKE)
                if returns and _made(sight, scheme, first, size, breath, lift):
                    sightings.append(sight.at(first, first + length - 1, sight.melody.voice))
    return sightings


def _returns(same: Floats, scheme: str, least: float) -> bool:
    """Whether parts with one letter are alike and others are not."""
    equal = np.array([[one == two for two in scheme] for one in scheme])
    return bool((same[equal] >= least).all() and (same[~equal] <= UNLIKE).all())


def _made(sight: Sight, scheme: str, first: int, size: int, breath: bool, lift: str) -> bool:
    """Whether each part closes (``breath``) and the part of a letter lies higher than the first (``lift``)."""
    ends = {close.bar for close in closes(sight)}
    if breath and not all(first + (number + 1) * size - 1 in ends for number in range(len(scheme))):
        return False
    return not lift or _height(sight, first + scheme.index(lift) * size, size) > _height(sight, first, size) + 1


def _height(sight: Sight, first: int, size: int) -> float:
    part = part_of(sight, first, size)
    return float(part.pitch.mean()) if len(part) else 0.0


@detectors.register("through_composed")
def through_composed(sight: Sight, *, bars: int = 12, phrases: int = 3) -> list[Sighting]:
    """At least ``bars`` bars and ``phrases`` phrases in which no two bars and no idea of two bars return, and a tonic
    chord at the end."""
    if sight.bars < bars or len({close.bar for close in closes(sight)}) < phrases:
        return []
    lead = pickup(sight)
    pairs = ~np.eye((sight.bars - lead) // 2, dtype=np.bool_)
    row = changes(sight)
    if not row or not fits(row[-1], "I|i") or likeness(sight, 2)[pairs].max(initial=0) > UNLIKE:
        return []
    if any(idea(sight, lead + 2 * one, lead + 2 * two, 2) for one, two in np.argwhere(np.triu(pairs)).tolist()):
        return []
    return [sight.at(0, sight.bars - 1, sight.melody.voice)]


@detectors.register("variations")
def variations(sight: Sight, *, bars: Sequence[int] = (4, 8), count: int = 3) -> list[Sighting]:
    """Equal parts over the same chords whose melodies differ in rhythm yet pass through the theme's main notes at the
    start of most bars."""
    sightings, lead = [], pickup(sight)
    for size in bars:
        units = (sight.bars - lead) // size
        if units < count or sight.bars - lead - units * size > 2:
            continue
        surface = likeness(sight, size)[0, 1:units]
        if (surface <= _NEW_SURFACE).all() and _over_one_plan(sight, lead, size, units):
            sightings.append(sight.at(0, lead + units * size - 1, sight.melody.voice))
    return sightings


def _over_one_plan(sight: Sight, lead: int, size: int, units: int) -> bool:
    """Whether all parts have the chords of the first one, and its main notes, in most of their bars."""
    roots: list[list[int]] = [[] for _ in range(sight.bars)]
    for chord in sight.supported:
        roots[chord.bar].append(chord.root)
    tunes = [[pitch % 12 for _, pitch in notes] for notes in marks(sight)]
    heads = [set(tune[:3]) if bar >= lead + size else set(tune[:1]) for bar, tune in enumerate(tunes)]
    theme = range(lead, lead + size)
    for after in range(size, units * size, size):
        chords = np.mean([bool(roots[bar]) and roots[bar] == roots[after + bar] for bar in theme])
        kept = np.mean([bool(heads[bar] & heads[after + bar]) for bar in theme])
        if min(chords, kept) < _KEPT:
            return False
    return True


@detectors.register("introduction")
def introduction(sight: Sight, *, bars: Sequence[int] = (2, 4, 1), theme: Sequence[int] = (4, 8)) -> list[Sighting]:
    """The first bars come only once, softer or lower than the theme that enters after them and returns later."""
    for lead in bars:
        for size in theme:
            if lead + 2 * size > sight.bars:
                continue
            one, two = part_of(sight, 0, lead), part_of(sight, lead, size)
            if not len(one) or not len(two):
                continue
            returns = any(
                shared_notes(sight, lead, other, size) >= ALIKE for other in range(lead + size, sight.bars - size + 1)
            )
            alone = all(shared_notes(sight, 0, other, lead) <= UNLIKE for other in range(lead, sight.bars - lead + 1))
            lower = float(one.pitch.mean()) < float(two.pitch.mean()) - 2
            if returns and alone and (lower or one.velocity.mean() < two.velocity.mean() - _QUIETER):
                return [sight.at(0, lead - 1)]
    return []


def _letters_anywhere(sight: Sight, pattern: str, blocks: Sequence[int], same: float, other: float) -> list[Sighting]:
    """Stretches of equal length whose melodies agree where the pattern repeats a letter and else differ."""
    top, sightings = sight.melody.top, []
    grid = np.zeros((sight.bars, _SLOTS * 12), dtype=np.bool_)
    slot = np.minimum(top.position * _SLOTS // np.maximum(sight.bar_length[top.bar], 1), _SLOTS - 1)
    grid[top.bar, slot * 12 + top.pitch % 12] = True
    size, length = grid.sum(axis=1), len(pattern)
    pairs = [(one, two) for two in range(length) for one in range(two)]
    for block in blocks:
        if sight.bars < block * length:
            continue
        notes = _over(size, block)
        near = {step: _near(grid, size, step * block, block) for step in range(1, length)}
        good = np.ones(sight.bars - block * length + 1, dtype=np.bool_)
        for place in range(length):
            good &= notes[place * block :][: len(good)] >= 2 * block
        for one, two in pairs:
            value = near[two - one][one * block :][: len(good)]
            good &= value >= same if pattern[one] == pattern[two] else value <= other
        for start in np.flatnonzero(good).tolist():
            sightings.append(sight.at(start, start + block * length - 1, sight.melody.voice))
    return sightings


def _over(values: Ints, bars: int) -> Ints:
    """The sum over each stretch of so many bars."""
    total = np.concatenate(([0], np.cumsum(values)))
    return np.asarray(total[bars:] - total[:-bars])


def _near(grid: Bools, size: Ints, apart: int, block: int) -> Floats:
    """How much each stretch of bars shares with the stretch so many bars later, from 0 to 1."""
    shared = _over((grid[:-apart] & grid[apart:]).sum(axis=1), block)
    whole = _over(size[:-apart] + size[apart:], block) - shared
    return np.asarray(shared / np.maximum(whole, 1))
