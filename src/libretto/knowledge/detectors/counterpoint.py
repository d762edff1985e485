"""Counterpoint within one part: how its lowest and its highest sounding notes move against each other.

Conventions: two strands are what is lowest and highest at each onset, held notes included; consonances are unisons,
thirds, fifths, sixths and octaves.
"""

from __future__ import annotations

import numpy as np

from libretto.knowledge.detectors.contour import on_beats
from libretto.knowledge.detectors.motifs import scale_steps
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.detectors.textures import lasting, sounding
from libretto.knowledge.line import Bools, Ints, Line
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import QUARTER

__all__ = ["hocket", "imitation", "outer_motion", "suspension_figure", "two_voices"]

_CONSONANT = (0, 3, 4, 7, 8, 9)


def _count(sight: Sight, bar: Ints, flags: Bools) -> Ints:
    return np.bincount(bar[flags], minlength=sight.bars)


def _kinds(low: Ints, high: Ints) -> dict[str, Bools]:
    """Which changes of two strands are contrary, oblique, similar and parallel."""
    under, over = np.diff(low), np.diff(high)
    same = np.sign(under) * np.sign(over)
    even = np.abs(under - over) <= 1
    return {
        "contrary": same < 0,
        "oblique": (under == 0) != (over == 0),
        "similar": (same > 0) & ~even,
        "parallel": (same > 0) & even,
    }


@detectors.register("outer_motion")
def outer_motion(
    sight: Sight, where: str = "any", how: str = "contrary", portion: float = 0.75, bars: int = 2, moves: int = 3
) -> list[Sighting]:
    """The outer notes of a part move mostly one way: ``contrary``, ``oblique``, ``similar`` or ``parallel``."""
    found = []
    for line in sight.chosen(where):
        heard, bar = sounding(sight, line), line.top.bar[1:]
        both = (heard.voices[1:] >= 2) & (heard.voices[:-1] >= 2)
        mine = _kinds(heard.low, heard.high)[how] & both
        moved = (np.diff(heard.low) != 0) | (np.diff(heard.high) != 0)
        all_of, good = _count(sight, bar, moved), _count(sight, bar, mine)
        found += lasting(sight, (good >= portion * all_of) & (good >= moves), line.voice, bars)
    return found


@detectors.register("two_voices")
def two_voices(
    sight: Sight, where: str = "any", against: int = 1, bars: int = 3, independent: float = 0.5, onsets: int = 3
) -> list[Sighting]:
    """Two strands in counterpoint, note against note or ``against`` notes to one: consonant on what is struck together,
    independent in motion, without parallel fifths and octaves."""
    found = []
    for line in sight.chosen(where):
        heard, bar = sounding(sight, line), line.top.bar
        two, struck = heard.voices == 2, line.sizes == 2
        together = np.flatnonzero(struck)
        if len(together) < 4:
            continue
        apart = (heard.high - heard.low) % 12
        kinds = _kinds(heard.low[together], heard.high[together])
        perfect = np.isin(apart[together], (0, 7))
        if (kinds["parallel"] & perfect[1:] & (np.diff(apart[together]) == 0)).any():
            continue
        if (kinds["contrary"] | kinds["oblique"]).mean() < independent:
            continue
        all_of, pairs = np.bincount(bar, minlength=sight.bars), _count(sight, bar, struck)
        sweet = _count(sight, bar, struck & np.isin(apart, _CONSONANT))
        full = _count(sight, bar, two) == all_of
        good = full & (pairs * against == all_of) & (all_of >= onsets) & (sweet >= 0.75 * pairs)
        found += lasting(sight, good, line.voice, bars)
    return found


@detectors.register("suspension_figure")
def suspension_figure(
    sight: Sight,
    where: str = "any",
    figures: tuple[str, ...] = ("4-3", "7-6", "9-8"),
    times: int = 1,
    chain: bool = False,
) -> list[Sighting]:
    """The top is kept over a bass that makes it a dissonance and then falls by step: 4-3, 7-6 or 9-8.

    ``chain`` wants each resolution to be the preparation of the next.
    """
    sizes = {"4-3": ((5, 3), (5, 4), (6, 4)), "7-6": ((10, 8), (10, 9), (11, 9)), "9-8": ((2, 0), (1, 0))}
    pairs = [pair for figure in figures for pair in sizes[figure]]
    found = []
    for line in sight.chosen(where):
        heard, beat = sounding(sight, line), on_beats(line.top)
        apart = (heard.high - heard.low) % 12
        kept = (np.diff(heard.high)[:-1] == 0) & np.isin(apart[:-2], _CONSONANT) & (np.diff(heard.low)[:-1] != 0)
        falls = np.isin(np.diff(heard.high)[1:], (-1, -2)) & (np.diff(heard.low)[1:] == 0)
        figure = np.zeros(len(kept), dtype=np.bool_)
        for tense, calm in pairs:
            figure |= (apart[1:-1] == tense) & (apart[2:] == calm)
        rows = np.flatnonzero(kept & falls & figure & beat[1:-1] & (heard.voices[1:-1] >= 2) & (heard.voices[2:] >= 2))
        if chain:
            rows = rows[np.isin(rows + 2, rows) | np.isin(rows - 2, rows)]
        if len(rows) >= times:
            found += sight.spans(line.top.bar[rows], line.voice)
    return found


@detectors.register("hocket")
def hocket(sight: Sight, where: str = "any", apart: int = 10, notes: int = 8) -> list[Sighting]:
    """A line dealt out between two registers: single notes by turns high and low, never together, both moving."""
    found = []
    for line in sight.chosen(where):
        pitch, moves = line.top.pitch, line.moves
        alone = (sounding(sight, line).voices == 1)[:-1]
        turn = (np.abs(moves) >= apart) & alone
        swing = turn[1:] & turn[:-1] & (np.sign(moves[1:]) == -np.sign(moves[:-1]))
        total = np.concatenate(([0], np.cumsum(swing)))
        if len(total) <= notes - 2:
            continue
        until = -1
        for first in np.flatnonzero(total[notes - 2 :] - total[: -(notes - 2)] == notes - 2).tolist():
            strands = pitch[first : first + notes : 2], pitch[first + 1 : first + notes : 2]
            if first >= until and all((each != each[0]).any() for each in strands):
                until, bar = first + notes, line.top.bar
                found.append(Sighting(sight.number(int(bar[first])), sight.number(int(bar[until - 1])), line.voice))
    return found


@detectors.register("imitation")
def imitation(sight: Sight, where: str = "any", notes: int = 5, within: int = 2) -> list[Sighting]:
    """A figure of one register that the other takes up within a few bars, at any height, while the first goes on."""
    found = []
    for line in sight.chosen(where):
        heights = np.unique(line.pitch)
        if len(heights) < 2:
            continue
        jump = int(np.argmax(np.diff(heights)))
        deep = line.pitch <= heights[jump]
        if heights[jump + 1] - heights[jump] < 3 or not 0.1 < deep.mean() < 0.9:
            continue
        strands = [(each, _shapes(sight, each, notes)) for each in (line.where(deep), line.where(~deep))]
        for (leader, shapes), (answer, replies) in (strands, strands[::-1]):
            for shape in shapes.keys() & replies.keys():
                for lead in shapes[shape]:
                    first = int(leader.top.bar[lead])
                    for last in answer.top.bar[replies[shape]].tolist():
                        if 0 < last - first <= within and (leader.top.bar == last).any():
                            found.append(Sighting(sight.number(first), sight.number(last), line.voice))
    return sorted(set(found))


def _shapes(sight: Sight, line: Line, notes: int) -> dict[tuple[int, ...], list[int]]:
    """The figures of a strand that begin a bar and turn at least once, by scale steps and rhythm."""
    found: dict[tuple[int, ...], list[int]] = {}
    if not len(line):
        return found
    moves, gaps = np.diff(scale_steps(sight, line)), (line.gaps + QUARTER // 16) // (QUARTER // 8)
    for row in np.flatnonzero(line.top.position == 0).tolist():
        shape = moves[row : row + notes - 1]
        if len(shape) == notes - 1 and (shape > 0).any() and (shape < 0).any():
            found.setdefault((*shape.tolist(), *gaps[row : row + notes - 1].tolist()), []).append(row)
    return found
