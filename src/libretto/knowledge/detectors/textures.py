"""Textures: how many notes sound together, how they are spaced, doubled, held, repeated and alternated.

Conventions: an *onset* is what is struck together; what *sounds* at an onset includes what is still held. A texture
is judged bar by bar and counts where it lasts several bars.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from libretto.knowledge.detectors.contour import phrases
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import Bools, Ints, Line
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import QUARTER

__all__ = [
    "Sounding",
    "alternation",
    "block_chords",
    "doubling",
    "held_chord",
    "lasting",
    "monophony",
    "pedal",
    "rolled",
    "sounding",
    "tremolo",
]

_NEAR, _LONGEST = QUARTER // 8, 48


class Sounding(NamedTuple):
    """What sounds at each onset of a line: its lowest and highest note, and how many notes."""

    low: Ints
    high: Ints
    voices: Ints


def sounding(sight: Sight, line: Line) -> Sounding:
    """What sounds at each onset of a line, held notes included."""
    known = ("sounding", id(line))
    if known not in sight.cache:
        times = line.top.onset
        first = np.repeat(np.arange(len(times)), line.sizes)
        last = np.searchsorted(times, line.onset + np.maximum(line.duration - _NEAR, 1))
        span = np.clip(last - first, 1, _LONGEST)
        row = np.repeat(np.arange(len(line)), span)
        slot = np.repeat(first, span) + np.arange(len(row)) - np.repeat(np.cumsum(span) - span, span)
        order = np.lexsort((line.pitch[row], slot))
        pitch, edge = line.pitch[row][order], np.flatnonzero(np.diff(slot[order], prepend=-1))
        count = np.diff(edge, append=len(order))
        sight.cache[known] = Sounding(pitch[edge], pitch[edge + count - 1], count)
    found: Sounding = sight.cache[known]
    return found


def lasting(sight: Sight, good: Bools, voice: str, bars: int) -> list[Sighting]:
    """Stretches of at least ``bars`` bars in which every bar is good."""
    return [place for place in sight.spans(good, voice) if place.last - place.first + 1 >= bars]


def _count(sight: Sight, bar: Ints, flags: Bools | None = None) -> Ints:
    return np.bincount(bar if flags is None else bar[flags], minlength=sight.bars)


@detectors.register("monophony")
def monophony(sight: Sight, notes: int = 12, times: int = 2) -> list[Sighting]:
    """A piece of one part alone, never two notes at once, that sings in phrases with rests between."""
    if len(sight.lines) != 1 or len(sight.drums):
        return []
    line = sight.lines[0]
    alone = len(line) >= notes and bool((sounding(sight, line).voices == 1).all())
    if not alone or (line.rests * 4 >= QUARTER).sum() < times - 1 or len(phrases(sight, line)) < times:
        return []
    return [Sighting(sight.number(0), sight.number(sight.bars - 1), line.voice)]


@detectors.register("doubling")
def doubling(
    sight: Sight,
    where: str = "any",
    intervals: tuple[int, ...] = (12,),
    portion: float = 0.85,
    bars: int = 2,
    voices: int = 2,
    moves: int = 3,
) -> list[Sighting]:
    """Two lines in parallel: nearly every onset has two notes, one of ``intervals`` apart, and the top keeps moving."""
    found = []
    for line in sight.chosen(where):
        top, apart = line.top, line.top.pitch - line.low.pitch
        good = (line.sizes == voices) & np.isin(apart, intervals)
        moved = np.diff(top.pitch, prepend=top.pitch[:1]) != 0
        all_of, mine = _count(sight, top.bar), _count(sight, top.bar, good)
        fine = (mine >= portion * all_of) & (_count(sight, top.bar, good & moved) >= moves)
        found += lasting(sight, fine, line.voice, bars)
    return found


@detectors.register("block_chords")
def block_chords(
    sight: Sight,
    where: str = "any",
    voices: int = 3,
    narrow: int = 0,
    wide: int = 60,
    lead: float = 0.0,
    same: float = 1.0,
    bars: int = 2,
    chords: int = 2,
) -> list[Sighting]:
    """Blocks of chords: nearly every onset has ``voices`` notes or more that span ``narrow`` to ``wide`` semitones.

    ``lead`` is the share of changes in which the outer notes do not move in parallel, ``same`` the largest share of
    chords struck again unchanged, ``chords`` the onsets that a bar needs.
    """
    found = []
    for line in sight.chosen(where):
        top, low = line.top, line.low
        span = top.pitch - low.pitch
        good = (line.sizes >= voices) & (span >= narrow) & (span <= wide)
        high, deep = np.diff(top.pitch), np.diff(low.pitch)
        still, led = (high == 0) & (deep == 0), np.abs(high - deep) > 1
        struck = good[1:] & good[:-1]
        changed = struck & ~still
        if not changed.any() or still[struck].mean() > same or led[changed].mean() < lead:
            continue
        all_of, mine = _count(sight, top.bar), _count(sight, top.bar, good)
        found += lasting(sight, (mine >= 0.8 * all_of) & (mine >= chords), line.voice, bars)
    return found


@detectors.register("held_chord")
def held_chord(sight: Sight, where: str = "any", moves: int = 3, bars: int = 2) -> list[Sighting]:
    """A melody of single notes over a chord of two notes or more that is struck once and held."""
    found = []
    for line in sight.chosen(where):
        heard, single = sounding(sight, line), line.sizes == 1
        over = single & (heard.voices >= 3) & (line.top.pitch == heard.high)
        good = (_count(sight, line.top.bar, over) >= moves) & (_count(sight, line.top.bar, ~single) <= 2)
        found += lasting(sight, good, line.voice, bars)
    return found


@detectors.register("pedal")
def pedal(
    sight: Sight, where: str = "any", side: str = "low", bars: int = 3, others: int = 4, chords: bool = False
) -> list[Sighting]:
    """One note that sounds through several bars below (or above) all that moves; ``chords`` wants two notes and more
    to move against it together."""
    found = []
    for line in sight.chosen(where):
        heard, bar = sounding(sight, line), line.top.bar
        edge, moving = (heard.low, heard.high) if side == "low" else (heard.high, heard.low)
        heights, often = np.unique(edge, return_counts=True)
        for pitch in heights[often >= 2 * bars].tolist():
            mine = (edge == pitch) & (heard.voices >= (3 if chords else 2))
            share, all_of = _count(sight, bar, mine), _count(sight, bar)
            for place in lasting(sight, (share >= 0.9 * all_of) & (all_of >= 2), line.voice, bars):
                inside = (bar + sight.number(0) >= place.first) & (bar + sight.number(0) <= place.last)
                if len(np.unique(moving[inside] % 12)) >= others and moving[inside].mean() - pitch != 0:
                    found.append(place)
    return found


@detectors.register("rolled")
def rolled(sight: Sight, where: str = "any", notes: int = 3, times: int = 3) -> list[Sighting]:
    """Chords whose notes come one just after another, each higher, and ring together."""
    found = []
    for line in sight.chosen(where):
        heard = sounding(sight, line)
        quick = (line.gaps * 4 <= QUARTER) & (line.moves > 0) & (np.diff(heard.voices) > 0) & (line.sizes[1:] == 1)
        total = np.concatenate(([0], np.cumsum(quick)))
        full = np.flatnonzero(total[notes - 1 :] - total[: -(notes - 1)] == notes - 1)
        full = full[np.diff(full, prepend=-9) > 1]
        if len(full) >= times:
            found += sight.spans(line.top.bar[full], line.voice)
    return found


@detectors.register("tremolo")
def tremolo(sight: Sight, where: str = "any", notes: int = 8, apart: int = 3, widest: int = 24) -> list[Sighting]:
    """Two notes (or two halves of a chord) that alternate quickly and evenly, ``apart`` to ``widest`` semitones."""
    found = []
    for line in sight.chosen(where):
        top = line.top
        size = np.abs(line.moves[1:])
        again = (top.pitch[2:] == top.pitch[:-2]) & (size >= apart) & (size <= widest)
        quick = (line.gaps[1:] * 4 <= QUARTER + _NEAR) & (np.abs(np.diff(line.gaps)) <= _NEAR)
        total = np.concatenate(([0], np.cumsum(again & quick)))
        rows = np.flatnonzero(total[notes - 2 :] - total[: -(notes - 2)] == notes - 2)
        found += sight.spans(top.bar[rows], line.voice)
    return found


@detectors.register("alternation")
def alternation(sight: Sight, where: str = "any", full: int = 3, times: int = 4) -> list[Sighting]:
    """Bars of single notes and bars of full chords by turns, at least ``times`` stretches."""
    found = []
    for line in sight.chosen(where):
        bar, heard = line.top.bar, sounding(sight, line).voices
        all_of = np.maximum(_count(sight, bar), 1)
        thin = (_count(sight, bar, heard == 1) / all_of >= 0.8) & (_count(sight, bar) >= 2)
        thick = (_count(sight, bar, heard >= full) / all_of >= 0.8) & (_count(sight, bar) >= 2)
        kind = np.where(thick, 1, np.where(thin, -1, 0))
        edges = np.flatnonzero(np.diff(kind, prepend=9))
        runs = kind[edges]
        for first in range(len(runs) - times + 1):
            part = runs[first : first + times]
            if (part != 0).all():
                last = edges[first + times] - 1 if first + times < len(edges) else sight.bars - 1
                found.append(Sighting(sight.number(int(edges[first])), sight.number(int(last)), line.voice))
    return found
