"""Loudness in time: gradual and sudden changes, single accents, layers of loud and soft.

Conventions: loudness is the velocity of each onset's loudest note, in one voice at a time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.detectors.rhythm_cells import SLACK
from libretto.knowledge.line import LOOSE, VoiceLine, runs
from libretto.knowledge.sight import Sight, Sighting, shared
from libretto.score.table import Floats, Ints
from libretto.score.time import QUARTER

__all__ = [
    "Loudness",
    "agogic",
    "bass_ghosts",
    "fade",
    "ghost_notes",
    "hairpin",
    "level_steps",
    "loudness",
    "rising",
    "single_accents",
]

_SMALLEST_JUMP = 6  # that is never too large a part of a gradual change
_RISING = 0.4  # of the steps of a gradual change that really rise
_NEAR_LEVEL = 16  # how far the notes round an accent may lie apart
_FEWEST_NOTES = 5  # of a line with accents by length
_MOST_GHOSTS = 0.6  # of a bass's notes

_JUMP = 0.45  # the largest part of a gradual change that one step may take
_WAVER = 2  # how far a gradual change may fall back on its way


class Loudness(NamedTuple):
    """The highest notes of a line, and how loud each onset is."""

    line: VoiceLine
    level: Ints


@shared
def loudness(sight: Sight, where: str) -> list[Loudness]:
    """The top line of each chosen voice with the loudness of its onsets."""
    return [
        Loudness(line.top, np.maximum.reduceat(line.velocity, line.starts)) for line in sight.chosen(where) if len(line)
    ]


def _runs(level: Ints, notes: int, change: int) -> list[tuple[int, int]]:
    """First and last rows of gradual rises: never back by more than a waver, no step too large, all in all enough."""
    step = np.diff(level)
    breaks = np.flatnonzero(step < -_WAVER) + 1
    edges = np.concatenate(([0], breaks, [len(level)]))
    rises = []
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
        if ways.max() <= max(_JUMP * rise, _SMALLEST_JUMP) and (ways > 0).mean() >= _RISING:
            rises.append((first + low, first + high))
    return rises


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
    sightings = []
    for line, level in loudness(sight, where):
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
            sightings.append(sight.at(line.bar[first], line.bar[last], line.voice))
    return sightings


@detectors.register("level_steps")
def level_steps(
    sight: Sight, direction: str = "both", change: int = 22, notes: int = 4, spread: int = 14, where: str = "any"
) -> list[Sighting]:
    """Loudness jumps from one level to another, the notes before and after each staying near their own level."""
    sightings = []
    for line, level in loudness(sight, where):
        if len(level) < 2 * notes:
            continue
        block = np.lib.stride_tricks.sliding_window_view(level, notes)
        high, low = block.max(axis=1), block.min(axis=1)
        flat = high - low <= spread
        both = flat[:-notes] & flat[notes:]
        up = both & (low[notes:] - high[:-notes] >= change)
        down = both & (low[:-notes] - high[notes:] >= change)
        mine = {"up": up, "down": down, "both": up | down}[direction]
        sightings += [sight.at(bar, bar, line.voice) for bar in line.bar[np.flatnonzero(mine) + notes].tolist()]
    return sightings


@detectors.register("single_accents")
def single_accents(sight: Sight, more: int = 25, reach: int = 2, where: str = "any") -> list[Sighting]:
    """A single note stands out above the notes around it (``reach`` on either side), which are near one level."""
    sightings = []
    for line, level in loudness(sight, where):
        if len(level) < 2 * reach + 1:
            continue
        block = np.lib.stride_tricks.sliding_window_view(level, 2 * reach + 1)
        others = np.delete(block, reach, axis=1)
        good = (block[:, reach] - others.max(axis=1) >= more) & (np.ptp(others, axis=1) <= _NEAR_LEVEL)
        sightings += [sight.at(bar, bar, line.voice) for bar in line.bar[np.flatnonzero(good) + reach].tolist()]
    return sightings


@detectors.register("ghost_notes")
def ghost_notes(sight: Sight, soft: int = 50, gap: int = 28, bars: int = 2, where: str = "any") -> list[Sighting]:
    """Very soft short notes stand between clearly louder ones, two or more in a bar, bar after bar."""
    sightings = []
    for line, level in loudness(sight, where):
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
        sightings += sight.spans(shown, line.voice, least=bars)
    return sightings


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
    return [sight.at(played[first], played[-1])]


@detectors.register("agogic_accent")
def agogic(sight: Sight, longer: float = 2.9, level: int = 8, where: str = "melody") -> list[Sighting]:
    """Weight by length alone: a note on an inner beat, ``longer`` times its neighbors, and no louder than they are."""
    sightings = []
    for line, loud in loudness(sight, where):
        if len(loud) < _FEWEST_NOTES:
            continue
        late = np.minimum(line.position % line.beat, -line.position % line.beat)
        middle, before, after = line.duration[1:-1], line.duration[:-2], line.duration[2:]
        good = (middle >= longer * np.maximum(before, after)) & (late <= SLACK)[1:-1]
        good &= np.abs(loud[1:-1] - (loud[:-2] + loud[2:]) / 2) <= level
        good &= line.position[1:-1] > 0
        sightings += [sight.at(b, b, line.voice) for b in line.bar[1:-1][good].tolist()]
    return sightings


@detectors.register("bass_ghosts")
def bass_ghosts(sight: Sight, where: str = "bass", soft: float = 0.75, ratio: float = 0.15) -> list[Sighting]:
    """Very short bass notes off the beat, much softer than the rest of the line, in a good part of its bars."""
    sightings = []
    for line in sight.chosen(where):
        low = line.low
        if not len(low):
            continue
        quiet = (low.velocity <= soft * np.median(low.velocity)) & (low.duration <= QUARTER // 4 + LOOSE // 2)
        ghost = quiet & (sight.places(low.bar, low.position) < 0)
        bars = np.unique(low.bar[ghost])
        if len(bars) >= max(2, ratio * len(np.unique(low.bar))) and ghost.mean() < _MOST_GHOSTS:
            sightings += sight.spans(bars, line.voice)
    return sightings


@detectors.register("rising")
def rising(sight: Sight, what: str = "loudness", bars: int = 4, by: float = 12) -> list[Sighting]:
    """So many bars in a row, each at least as loud (or as busy) as the one before, and the last far more so."""
    onset_bar = np.concatenate((sight.notes.bar, sight.drums.bar))
    number = np.bincount(onset_bar, minlength=sight.bars)
    if what == "loudness":
        velocity = np.concatenate((sight.notes.velocity, sight.drums.velocity))
        value: Floats = np.bincount(onset_bar, velocity, minlength=sight.bars) / np.maximum(number, 1)
    else:
        value = number.astype(np.float64)
    up = (np.diff(value) >= 0) & (number[:-1] > 0) & (number[1:] > 0)
    return [
        sight.at(first, last + 1)
        for first, last in runs(np.asarray(up), bars - 1)
        if value[last + 1] - value[first] >= by
    ]
