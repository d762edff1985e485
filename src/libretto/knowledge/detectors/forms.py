"""Forms: how the parts of a whole piece repeat, return and contrast, heard from the melody.

Conventions: a scheme is one letter a part of equal length, the same letter where the melody returns (``likeness`` at
least 0.7) and another where it does not (0.4 at most). It spans the whole piece; only one of more than forty bars may
hold it, in parts of eight bars or more, among other things. Section names show nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from libretto.knowledge.detectors.changes import changes, chord_at, fits, pickup
from libretto.knowledge.detectors.phrases import closes, idea, likeness, marks, part_of, shared, stretch
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import Line
from libretto.knowledge.sight import Sight, Sighting

__all__ = [
    "climax",
    "codetta",
    "form",
    "imitation",
    "introduction",
    "ostinato_form",
    "tag",
    "through_composed",
    "variations",
]

_ALIKE, _UNLIKE = 0.7, 0.4
_SOFTER = 8
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
) -> list[Sighting]:
    """The piece is made of equal parts that return as the letters of ``scheme`` say: ``bars`` are lengths tried,
    ``spare`` bars may be left at the end, ``breath`` wants a close at the end of each part, ``lift`` names a letter
    whose part lies higher than the first, ``exact`` wants returns note for note."""
    lead = pickup(sight)
    long, found = sight.bars > _LONG, []
    for size in bars:
        length = size * len(scheme)
        for after in (0, 4) if long and size >= 8 else (0,):
            left = sight.bars - lead - after - length
            if left < 0 or not (left <= min(spare, size - 1) or (long and size >= 8)):
                continue
            same = likeness(sight, size, after=after)
            for unit in range(left // size + 1):
                first = lead + after + unit * size
                part = same[unit : unit + len(scheme), unit : unit + len(scheme)]
                if _returns(part, scheme, 0.97 if exact else _ALIKE) and _made(
                    sight, scheme, first, size, breath, lift
                ):
                    found.append(Sighting(sight.number(first), sight.number(first + length - 1), sight.melody.voice))
    return found


def _returns(same: NDArray[np.float64], scheme: str, least: float) -> bool:
    """Whether parts with one letter are alike and others are not."""
    equal = np.array([[one == two for two in scheme] for one in scheme])
    return bool((same[equal] >= least).all() and (same[~equal] <= _UNLIKE).all())


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
    if not row or not fits(row[-1], "I|i") or likeness(sight, 2)[pairs].max(initial=0) > _UNLIKE:
        return []
    if any(idea(sight, lead + 2 * one, lead + 2 * two, 2) for one, two in np.argwhere(np.triu(pairs)).tolist()):
        return []
    return [Sighting(sight.number(0), sight.number(sight.bars - 1), sight.melody.voice)]


@detectors.register("variations")
def variations(sight: Sight, *, bars: Sequence[int] = (4, 8), count: int = 3) -> list[Sighting]:
    """Equal parts over the same chords whose melodies differ in rhythm yet pass through the theme's main notes at the
    start of most bars."""
    found, lead = [], pickup(sight)
    for size in bars:
        units = (sight.bars - lead) // size
        if units < count or sight.bars - lead - units * size > 2:
            continue
        roots: list[list[int]] = [[] for _ in range(sight.bars)]
        for each in sight.harmony:
            if each.supported:
                roots[each.bar].append(each.root)
        tunes = [[pitch % 12 for _, pitch in notes] for notes in marks(sight)]
        heads = [set(tune[:3]) if bar >= lead + size else set(tune[:1]) for bar, tune in enumerate(tunes)]
        surface = likeness(sight, size)
        for unit in range(1, units):
            mine = range(lead, lead + size)
            chords = np.mean([bool(roots[k]) and roots[k] == roots[unit * size + k] for k in mine])
            kept = np.mean([bool(heads[k] & heads[unit * size + k]) for k in mine])
            if chords < 0.75 or kept < 0.75 or surface[0, unit] > 0.6:
                break
        else:
            found.append(Sighting(sight.number(0), sight.number(lead + units * size - 1), sight.melody.voice))
    return found


@detectors.register("ostinato_form")
def ostinato_form(sight: Sight, *, bars: Sequence[int] = (1, 2), times: int = 4, notes: int = 3) -> list[Sighting]:
    """A low figure of at least ``notes`` notes comes back unchanged ``times`` times in a row while what sounds above it
    changes from one time to the next."""
    every = sight.notes
    if not len(every):
        return []
    if len(sight.lines) > 1:
        low, high = sight.bass, sight.melody
    else:
        split = (int(every.pitch.min()) + int(every.pitch.max())) // 2
        low, high = every.where(every.pitch <= split), every.where(every.pitch > split)
    for size in bars:
        units = sight.bars // size
        if units < times:
            continue
        figures, above = _figures(low, sight, size), _figures(high, sight, size)
        for first in range(units - times + 1):
            mine = figures[first : first + times]
            if len(mine[0]) < notes or any(each != mine[0] for each in mine):
                continue
            new = len(set(above[first : first + times])) >= times - 1
            if len({pitch for _, pitch in mine[0]}) >= 2 and new:
                return [Sighting(sight.number(first * size), sight.number((first + times) * size - 1), low.voice)]
    return []


def _figures(line: Line, sight: Sight, size: int) -> list[tuple[tuple[int, int], ...]]:
    """What a line plays in each stretch of bars: ticks from its start, and pitches."""
    starts = np.arange(0, sight.bars - size + 1, size)
    edges = np.searchsorted(line.bar, [*starts.tolist(), int(starts[-1]) + size]).tolist()
    onset = line.onset - sight.lines_at[line.bar // size * size]
    notes = list(zip(onset.tolist(), line.pitch.tolist(), strict=True))
    return [tuple(notes[one:two]) for one, two in pairwise(edges)]


@detectors.register("phrase_echo")
def imitation(
    sight: Sight, *, shifts: Sequence[int], bars: Sequence[int] = (1, 2), softer: bool = False, times: int = 2
) -> list[Sighting]:
    """A stretch of at least three notes is answered at once by the same notes moved by one of ``shifts`` semitones, in
    the same rhythm, ``times`` times in the piece; ``softer`` wants the answer clearly quieter."""
    found = []
    for size in bars:
        first = 0
        while first + 2 * size <= sight.bars:
            good = _answered(sight, first, size, shifts)
            if good and softer:
                one, two = part_of(sight, first, size), part_of(sight, first + size, size)
                good = bool(one.velocity.mean() - two.velocity.mean() >= _SOFTER)
            if good:
                found.append(Sighting(sight.number(first), sight.number(first + 2 * size - 1), sight.melody.voice))
            first += 2 * size if good else size
    return found if len(found) >= times else []


def _answered(sight: Sight, first: int, size: int, shifts: Sequence[int]) -> bool:
    """Whether a stretch is followed by itself in one rhythm, all notes moved alike."""
    one, two = stretch(sight, first, size), stretch(sight, first + size, size)
    if len(one) < 3 or [note[:2] for note in one] != [note[:2] for note in two]:
        return False
    moved = {there[2] - here[2] for here, there in zip(one, two, strict=True)}
    return len(moved) == 1 and moved <= set(shifts) and len({note[2] for note in one}) >= 2


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
                shared(sight, lead, other, size) >= _ALIKE for other in range(lead + size, sight.bars - size + 1)
            )
            alone = all(shared(sight, 0, other, lead) <= _UNLIKE for other in range(lead, sight.bars - lead + 1))
            lower = float(one.pitch.mean()) < float(two.pitch.mean()) - 2
            if returns and alone and (lower or one.velocity.mean() < two.velocity.mean() - 5):
                return [Sighting(sight.number(0), sight.number(lead - 1))]
    return []


@detectors.register("codetta")
def codetta(sight: Sight, *, shortest: int = 2, longest: int = 4) -> list[Sighting]:
    """After a full close (dominant to tonic with the tonic in the melody) the piece confirms its tonic chord once more
    or oftener, for ``shortest`` to ``longest`` bars without returning to its theme, and ends on it."""
    row = changes(sight)
    ends = [close for close in closes(sight) if close.degree == 0]
    if len(ends) < 2 or not row or not fits(row[-1], "I|i") or sight.bars < 6:
        return []
    for close in ends[:-1]:
        here, after = chord_at(sight, close.onset), sight.bars - 1 - close.bar
        if here < 1 or not shortest <= after <= min(longest, close.bar) or close.bar < 3:
            continue
        if max(shared(sight, close.bar + 1, earlier, 2) for earlier in range(close.bar)) > _UNLIKE:
            continue
        if fits(row[here], "I|i") and fits(row[here - 1], "V") and _only_home(sight, close.bar + 1):
            return [Sighting(sight.number(close.bar + 1), sight.number(sight.bars - 1))]
    return []


def _only_home(sight: Sight, first: int) -> bool:
    """Whether the chords from a bar on are tonic, subdominant and dominant alone, two at least."""
    rest = [each for each in changes(sight) if each.last >= first]
    return all(fits(each, "I|i|IV|iv|V|ii|iio|viio") for each in rest) and len(rest) >= 2


@detectors.register("tag")
def tag(sight: Sight, *, times: int = 3, bars: Sequence[int] = (1, 2)) -> list[Sighting]:
    """The closing idea is said ``times`` times in a row before (or as) the piece ends on its tonic chord."""
    row = changes(sight)
    if not row or not fits(row[-1], "I|i"):
        return []
    for size in bars:
        for end in (sight.bars, sight.bars - 1, sight.bars - 2):
            first = end - times * size
            if first < 2 or len(part_of(sight, first, size)) < 2:
                continue
            again = all(shared(sight, first, first + number * size, size) >= _ALIKE for number in range(1, times))
            if again and shared(sight, first, first - size, size) < _ALIKE and shared(sight, 0, first, size) <= _UNLIKE:
                return [Sighting(sight.number(first), sight.number(sight.bars - 1), sight.melody.voice)]
    return []


@detectors.register("golden_climax")
def climax(sight: Sight, *, low: float = 0.56, high: float = 0.7, above: int = 2) -> list[Sighting]:
    """The melody's highest note comes once, ``above`` semitones over every other, between two shares of the whole time,
    and nothing is louder."""
    top = sight.melody.top
    if len(top) < 12:
        return []
    row = int(top.pitch.argmax())
    others = np.delete(top.pitch, row)
    where = float(top.onset[row]) / float(sight.lines_at[-1])
    if low <= where <= high and top.pitch[row] - others.max() >= above and top.velocity[row] >= top.velocity.max():
        bar = sight.number(int(top.bar[row]))
        return [Sighting(bar, bar, sight.melody.voice)]
    return []
