"""Loudness in time: gradual and sudden changes, single accents, layers of loud and soft.

Conventions: loudness is the velocity of each onset's loudest note, in one voice at a time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.detectors.rhythm_cells import SLACK
from libretto.knowledge.line import Ints, Line
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import QUARTER

__all__ = ["agogic", "climax", "echo", "fade", "ghost_notes", "hairpin", "level_steps", "single_accents"]

_WAVER = 2  # how far a gradual change may fall back on its way
_JUMP = 0.45  # the largest part of a gradual change that one step may take


class _Loud(NamedTuple):
    line: Line
    level: Ints


def _loud(sight: Sight, where: str) -> list[_Loud]:
    """The top line of each chosen voice with the loudness of its onsets."""
    known = ("loudness", where)
    if known not in sight.cache:
        sight.cache[known] = [
            _Loud(line.top, np.maximum.reduceat(line.velocity, line.starts))
            for line in sight.chosen(where)
            if len(line)
        ]
    found: list[_Loud] = sight.cache[known]
    return found


def _runs(level: Ints, notes: int, change: int) -> list[tuple[int, int]]:
    """First and last rows of gradual rises: never back by more than a waver, no step too large, all in all enough."""
    step = np.diff(level)
    breaks = np.flatnonzero(step < -_WAVER) + 1
    edges = np.concatenate(([0], breaks, [len(level)]))
    found = []
    span = np.maximum.reduceat(level, edges[:-1]) - np.minimum.reduceat(level, edges[:-1])
    long = np.flatnonzero((np.diff(edges) >= notes) & (span >= change))
    for first, end in zip(edges[long].tolist(), edges[long + 1].tolist(), strict=True):
        part = level[first:end]
        low = int(np.flatnonzero(part == part.min())[-1])
        high = int(np.argmax(part))
        low = low if low < high else 0
        rise = int(part[high] - part[low])
        if high - low + 1 < notes or rise < change:
            continue
        ways = np.diff(part[low : high + 1])
        if ways.max() <= max(_JUMP * rise, 6) and (ways > 0).mean() >= 0.4:
            found.append((first + low, first + high))
    return found


@detectors.register("hairpin")
def hairpin(
    sight: Sight,
    shape: str = "up",
    notes: int = 6,
    change: int = 22,
    bars: float = 0.9,
    same_pitch: bool = False,
    where: str = "any",
) -> list[Sighting]:
    """A voice grows (``up``), fades (``down``) or grows and then fades (``arch``) step by step over several notes."""
    found = []
    for line, level in _loud(sight, where):
        ups = _runs(level, notes, change) if shape != "down" else []
        downs = (
            [(len(level) - 1 - b, len(level) - 1 - a) for a, b in _runs(level[::-1], notes, change)]
            if shape != "up"
            else []
        )
        arches = [(a, d) for a, b in ups for c, d in downs if 0 <= c - b <= 1]
        spans = arches if shape == "arch" else ups or downs
        for first, last in spans:
            took = int(line.onset[last] - line.onset[first])
            if took < bars * int(sight.bar_length[line.bar[first]]) - QUARTER:
                continue
            if same_pitch and len(np.unique(line.pitch[first : last + 1])) > 1:
                continue
            found.append(Sighting(sight.number(int(line.bar[first])), sight.number(int(line.bar[last])), line.voice))
    return found


@detectors.register("level_steps")
def level_steps(
    sight: Sight, direction: str = "both", change: int = 22, notes: int = 4, spread: int = 14, where: str = "any"
) -> list[Sighting]:
    """Loudness jumps from one level to another, the notes before and after each staying near their own level."""
    found = []
    for line, level in _loud(sight, where):
        if len(level) < 2 * notes:
            continue
        block = np.lib.stride_tricks.sliding_window_view(level, notes)
        high, low = block.max(axis=1), block.min(axis=1)
        flat = high - low <= spread
        both = flat[:-notes] & flat[notes:]
        up = both & (low[notes:] - high[:-notes] >= change)
        down = both & (low[:-notes] - high[notes:] >= change)
        mine = {"up": up, "down": down, "both": up | down}[direction]
        found += [
            Sighting(sight.number(bar), sight.number(bar), line.voice)
            for bar in line.bar[np.flatnonzero(mine) + notes].tolist()
        ]
    return found


@detectors.register("single_accents")
def single_accents(sight: Sight, more: int = 25, reach: int = 2, where: str = "any") -> list[Sighting]:
    """A single note stands out above the notes around it (``reach`` on either side), which are near one level."""
    found = []
    for line, level in _loud(sight, where):
        if len(level) < 2 * reach + 1:
            continue
        block = np.lib.stride_tricks.sliding_window_view(level, 2 * reach + 1)
        others = np.delete(block, reach, axis=1)
        good = (block[:, reach] - others.max(axis=1) >= more) & (np.ptp(others, axis=1) <= 16)
        found += [
            Sighting(sight.number(bar), sight.number(bar), line.voice)
            for bar in line.bar[np.flatnonzero(good) + reach].tolist()
        ]
    return found


@detectors.register("echo")
def echo(sight: Sight, softer: int = 14, most_bars: int = 4, notes: int = 4, where: str = "any") -> list[Sighting]:
    """One to four bars return at once with the same notes and rhythm, clearly softer."""
    found = []
    for line, level in _loud(sight, where):
        edges = np.searchsorted(line.bar, np.arange(sight.bars + 1))
        size = np.diff(edges)
        mean = np.bincount(line.bar, level, minlength=sight.bars) / np.maximum(size, 1)
        for shift in range(most_bars, 0, -1):
            drop = (mean[:-shift] - mean[shift:] >= softer) & (size[:-shift] == size[shift:]) & (size[:-shift] > 0)
            if len(drop) < shift:
                continue
            whole = np.flatnonzero(np.convolve(drop, np.ones(shift), "valid") == shift)
            for bar in whole.tolist():
                first, middle, last = int(edges[bar]), int(edges[bar + shift]), int(edges[bar + 2 * shift])
                if middle - first >= notes and _same(line, first, middle, last):
                    found.append(Sighting(sight.number(bar), sight.number(bar + 2 * shift - 1), line.voice))
    return found


def _same(line: Line, first: int, middle: int, last: int) -> bool:
    """Whether two neighboring stretches of a line have the same places in the bar and the same pitches."""
    columns = ((line.position, SLACK), (line.pitch, 0))
    pairs = ((column[first:middle], column[middle:last], most) for column, most in columns)
    return middle - first == last - middle and all(
        bool((np.abs(one - other) <= most).all()) for one, other, most in pairs
    )


@detectors.register("ghost_notes")
def ghost_notes(sight: Sight, soft: int = 50, gap: int = 28, bars: int = 2, where: str = "any") -> list[Sighting]:
    """Very soft short notes stand between clearly louder ones, two or more in a bar, bar after bar."""
    found = []
    for line, level in _loud(sight, where):
        ghost = (level <= soft) & (line.duration <= QUARTER // 2)
        top = np.zeros(sight.bars)
        np.maximum.at(top, line.bar, level)
        ghost &= top[line.bar] - level >= gap
        loud = ~ghost & (level >= soft + gap // 2)
        count, full = (
            np.bincount(line.bar[ghost], minlength=sight.bars),
            np.bincount(line.bar[loud], minlength=sight.bars),
        )
        middle = np.bincount(line.bar[~ghost & ~loud], minlength=sight.bars)
        shown = (count >= 2) & (full >= 2) & (middle == 0)
        found += [s for s in sight.spans(shown, line.voice) if s.last - s.first + 1 >= bars]
    return found


@detectors.register("dynamic_climax")
def climax(sight: Sight, rise: int = 25, where: str = "melody") -> list[Sighting]:
    """The loudest note of a voice is also its highest, comes once, after the middle, and is well above both ends."""
    found = []
    for line, level in _loud(sight, where):
        if len(level) < 10:
            continue
        peak = int(np.argmax(line.pitch))
        single = (line.pitch == line.pitch[peak]).sum() == 1 and (level == level.max()).sum() == 1
        place = (line.onset[peak] - line.onset[0]) / max(1, line.onset[-1] - line.onset[0])
        third = max(2, len(level) // 4)
        away = min(level[peak] - level[:third].mean(), level[peak] - level[-2:].mean())
        if single and peak == int(np.argmax(level)) and 0.4 <= place <= 0.92 and away >= rise:
            found += sight.spans(line.bar[[peak]], line.voice)
    return found


@detectors.register("fade")
def fade(sight: Sight, bars: int = 4, end: int = 40, change: int = 30) -> list[Sighting]:
    """The last ``bars`` bars or more grow softer one after the other, until the piece ends in almost nothing."""
    notes = sight.notes
    count = np.bincount(notes.bar, minlength=sight.bars)
    played = np.flatnonzero(count)
    level = (np.bincount(notes.bar, notes.velocity, minlength=sight.bars) / np.maximum(count, 1))[played]
    kept = np.flatnonzero(np.diff(level) >= 0)
    first = int(kept[-1]) + 1 if len(kept) else 0
    if len(level) - first < bars or level[-1] > end or level[first] - level[-1] < change:
        return []
    return [Sighting(sight.number(int(played[first])), sight.number(int(played[-1])))]


@detectors.register("agogic_accent")
def agogic(sight: Sight, longer: float = 2.9, level: int = 8, where: str = "melody") -> list[Sighting]:
    """Weight by length alone: a note on an inner beat, ``longer`` times its neighbors, and no louder than they are."""
    found = []
    for line, loud in _loud(sight, where):
        if len(loud) < 5:
            continue
        late = np.minimum(line.position % line.beat, -line.position % line.beat)
        middle, before, after = line.duration[1:-1], line.duration[:-2], line.duration[2:]
        good = (middle >= longer * np.maximum(before, after)) & (late <= SLACK)[1:-1]
        good &= np.abs(loud[1:-1] - (loud[:-2] + loud[2:]) / 2) <= level
        good &= line.position[1:-1] > 0
        found += [Sighting(sight.number(b), sight.number(b), line.voice) for b in line.bar[1:-1][good].tolist()]
    return found
