"""How notes are joined and parted: how much of the time to the next note each one sounds, held notes, breaths."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.detectors.rhythm_cells import SLACK, lengths, parts
from libretto.knowledge.line import Bools, Line
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import QUARTER

__all__ = ["articulated", "general_pause", "long_note", "mixed", "phrases", "slurred"]


def _sounding(line: Line) -> NDArray[np.float64]:
    """The share of the time to the next note that each note sounds; 1 for the last."""
    gaps = np.append(np.diff(line.onset), line.duration[-1:])
    return np.asarray(line.duration / np.maximum(gaps, 1))


def _stretches(shown: Bools, notes: int) -> list[tuple[int, int]]:
    """First and last rows of stretches of at least ``notes``."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], shown, [False])).astype(np.int8)))
    return [(int(a), int(b) - 1) for a, b in zip(edges[::2], edges[1::2], strict=True) if b - a >= notes]


def _places(sight: Sight, line: Line, rows: list[tuple[int, int]]) -> list[Sighting]:
    return [Sighting(sight.number(int(line.bar[a])), sight.number(int(line.bar[b])), line.voice) for a, b in rows]


@detectors.register("articulation")
def articulated(
    sight: Sight,
    low: float = 0.0,
    high: float = 0.6,
    notes: int = 8,
    loud: int = 0,
    longest: float = 1.0,
    where: str = "any",
) -> list[Sighting]:
    """A run of notes close together, each sounding a share from ``low`` to ``high`` of the time to the next."""
    found = []
    for top in parts(sight, where):
        if len(top) < notes:
            continue
        ratio = _sounding(top)
        gaps = np.append(np.diff(top.onset), QUARTER)
        good = (ratio >= low) & (ratio <= high) & (gaps <= longest * QUARTER) & (top.velocity >= loud)
        good[-1] = False
        found += _places(sight, top, _stretches(good, notes))
    return found


@detectors.register("slurred_phrases")
def slurred(sight: Sight, notes: int = 5, rest: float = 0.2, where: str = "any") -> list[Sighting]:
    """Notes joined without a gap and never repeated, in groups of ``notes`` or more, each group ending in a breath."""
    found = []
    for top in parts(sight, where):
        if len(top) < notes:
            continue
        joined = np.append((_sounding(top)[:-1] >= 0.97) & (np.diff(top.pitch) != 0), False)
        breath = np.append(np.diff(top.onset) - top.duration[:-1] >= rest * QUARTER, True)
        found += _places(sight, top, [(a, b + 1) for a, b in _stretches(joined, notes - 1) if breath[b + 1]])
    return found


@detectors.register("mixed_articulation")
def mixed(sight: Sight, bars: int = 2, where: str = "any") -> list[Sighting]:
    """Bars with both joined notes and short detached ones of the same written length, two of each at the least."""
    found = []
    for top in parts(sight, where):
        if len(top) < 4:
            continue
        ratio, gaps = _sounding(top), np.append(np.diff(top.onset), QUARTER)
        quick = gaps <= QUARTER
        short = np.bincount(top.bar[(ratio <= 0.6) & quick], minlength=sight.bars)
        long = np.bincount(top.bar[(ratio >= 0.97) & quick], minlength=sight.bars)
        shown = (short >= 2) & (long >= 1) & (short + long >= 4)
        found += [s for s in sight.spans(shown, top.voice) if s.last - s.first + 1 >= bars]
    return found


@detectors.register("long_note")
def long_note(
    sight: Sight, times: float = 6.0, bars: float = 1.0, inside: bool = True, where: str = "melody"
) -> list[Sighting]:
    """A note held ``bars`` bars or more and many times longer than the line's usual note; ``inside``: not the last."""
    found = []
    for line in parts(sight, where):
        if len(line) < 6:
            continue
        usual = float(np.median(np.diff(line.onset)))
        long = (line.duration >= times * usual) & (line.duration >= bars * sight.bar_length[line.bar] - SLACK)
        if inside:
            long[-1] = False
        if long.sum() <= max(1, len(line) // 24):
            found += sight.spans(line.bar[long], line.voice)
    return found


@detectors.register("phrases")
def phrases(sight: Sight, rest: float = 0.5, least_phrases: int = 3, where: str = "melody") -> list[Sighting]:
    """A voice breathes: rests after longer notes part phrases of one and a half to five bars, several in a row."""
    found = []
    for line in parts(sight, where):
        silent = np.maximum(lengths(line) - line.duration, 0)
        longer = line.duration >= np.median(line.duration)
        ends = np.flatnonzero((silent >= rest * QUARTER) & longer)
        ends = np.unique(np.append(ends, len(line) - 1))
        begins = np.append(0, ends[:-1] + 1)
        size = (line.onset[ends] + line.duration[ends] - line.onset[begins]) / np.median(sight.bar_length)
        good = (size >= 0.7) & (size <= 5) & (ends - begins >= 3)
        if len(good) >= least_phrases and good.mean() >= 0.75:
            found.append(Sighting(sight.number(int(line.bar[0])), sight.number(int(line.bar[-1])), line.voice))
    return found


@detectors.register("general_pause")
def general_pause(sight: Sight, bars: float = 0.9, notes: int = 4) -> list[Sighting]:
    """Everyone is silent at once for about a bar or longer, with music of several notes on both sides."""
    table = sight.score.table
    if len(table) < 2 * notes:
        return []
    onset, end = np.sort(table["onset"].astype(np.int64)), table["onset"].astype(np.int64) + table["duration"]
    reach = np.maximum.accumulate(end[np.argsort(table["onset"], kind="stable")])
    silent = onset[1:] - reach[:-1]
    rows = np.flatnonzero(silent > 0)
    rows = rows[(rows + 1 >= notes) & (len(onset) - rows - 1 >= notes)]
    bar = np.searchsorted(sight.lines_at, reach[rows], side="right") - 1
    long = silent[rows] >= bars * sight.bar_length[np.minimum(bar, sight.bars - 1)] - SLACK
    return [Sighting(sight.number(each), sight.number(each)) for each in bar[long].tolist()]
