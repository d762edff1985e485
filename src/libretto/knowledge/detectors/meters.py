"""Meters as they are heard: the bars of one, how they are grouped, where they change, and cycles that cross them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.detectors.rhythm_cells import SLACK, bars_in, lengths, parts, settled
from libretto.knowledge.line import Bools, Ints
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import QUARTER

__all__ = ["bass_and_chord", "grouped", "isorhythm", "meter_changes", "pickup"]


@detectors.register("grouped_bars")
def grouped(
    sight: Sight, meters: Sequence[str], groups: Sequence[float], bars: int = 2, stress: int = 4, where: str = "any"
) -> list[Sighting]:
    """Bars of a meter whose groups (in quarters) all begin with a struck note, stressed against the notes between."""
    starts = np.cumsum([0.0, *groups])[:-1] * QUARTER
    allowed, found = bars_in(sight, meters), []
    allowed &= np.abs(sight.bar_length - sum(groups) * QUARTER) <= SLACK
    if not allowed.any():
        return []
    for line in parts(sight, where):
        at_start = (np.abs(line.position[:, None] - starts) <= SLACK).any(axis=1)
        struck = np.bincount(line.bar[at_start], minlength=sight.bars) >= len(starts)
        ends = np.append(line.onset[1:], line.onset[-1:] + line.duration[-1:])
        inside = (starts > line.position[:, None] + SLACK) & (
            starts < (ends - line.onset + line.position)[:, None] - SLACK
        )
        crossed = np.bincount(line.bar, inside.any(axis=1), minlength=sight.bars) > 0
        least = np.full(sight.bars, 999.0)
        np.minimum.at(least, line.bar[at_start], line.velocity[at_start])
        other = _mean(line.velocity, line.bar, ~at_start, sight.bars)
        between = np.bincount(line.bar[~at_start], minlength=sight.bars)
        stressed = (least < 999) & (least >= other + stress) & (between > 0)
        good = allowed & struck & ~crossed & stressed
        found += [s for s in sight.spans(good, line.voice) if s.last - s.first + 1 >= bars]
    return found


def _mean(values: np.ndarray, bar: np.ndarray, mine: Bools, bars: int) -> np.ndarray:
    """The mean of some values in each bar; 0 where there are none."""
    total = np.bincount(bar[mine], values[mine], minlength=bars)
    return np.asarray(total / np.maximum(np.bincount(bar[mine], minlength=bars), 1))


@detectors.register("meter_changes")
def meter_changes(sight: Sight, least_changes: int = 1, most: int = 99, stay: int = 1) -> list[Sighting]:
    """The length of the bar changes so often, each meter staying ``stay`` bars, with most downbeats struck."""
    length = sight.bar_length[1:] if sight.score.first_bar == 0 else sight.bar_length
    shift = sight.bars - len(length)
    edges = np.flatnonzero(np.diff(length)) + 1
    if not least_changes <= len(edges) <= most:
        return []
    runs = np.diff(np.concatenate(([0], edges, [len(length)])))
    notes = sight.notes
    down = np.unique(notes.bar[notes.position <= SLACK])
    struck = np.isin(np.arange(shift, sight.bars), down).mean()
    if runs.min() < stay or struck < 0.6:
        return []
    return sight.spans(edges + shift)


@detectors.register("bass_and_chord")
def bass_and_chord(
    sight: Sight,
    meters: Sequence[str],
    low: Sequence[float] = (0,),
    high: Sequence[float] = (1, 2),
    bars: int = 3,
    apart: int = 3,
) -> list[Sighting]:
    """A low note on some beats is answered by higher notes on the others, in one voice, bar after bar."""
    allowed, found = bars_in(sight, meters), []
    if not allowed.any():
        return []
    for line in sight.lines:
        under, over = settled(line, lowest=True), settled(line)
        good, floor, ceiling = allowed.copy(), np.full(sight.bars, 0.0), np.full(sight.bars, 999.0)
        for place in low:
            at = np.abs(under.position - place * QUARTER) <= SLACK
            good &= np.bincount(under.bar[at], minlength=sight.bars) > 0
            np.maximum.at(floor, over.bar[at], over.pitch[at])
        for place in high:
            at = np.abs(under.position - place * QUARTER) <= SLACK
            good &= np.bincount(under.bar[at], minlength=sight.bars) > 0
            np.minimum.at(ceiling, under.bar[at], under.pitch[at])
        few = np.bincount(under.bar, minlength=sight.bars) <= len(low) + len(high)
        good &= few & (ceiling - floor >= apart)
        found += [s for s in sight.spans(good, line.voice) if s.last - s.first + 1 >= bars]
    return found


@detectors.register("pickup")
def pickup(sight: Sight, most: float = 0.5, least_phrases: int = 2) -> list[Sighting]:
    """The music begins before its first full bar, and later phrases begin with such an upbeat too."""
    found = []
    for line in parts(sight, "melody"):
        silent = line.onset[1:] - (line.onset + line.duration)[:-1]
        begins = np.append(0, np.flatnonzero(silent >= QUARTER // 2 - SLACK) + 1)
        length = sight.bar_length[line.bar[begins]]
        left = length - line.position[begins]
        short_bar = (line.bar[begins] == 0) & (sight.score.first_bar == 0)
        up = short_bar | ((left <= most * length + SLACK) & (left > SLACK))
        beat_one = sight.lines_at[np.minimum(line.bar[begins] + 1, sight.bars)]
        following = np.minimum(np.searchsorted(line.onset, beat_one - SLACK), len(line) - 1)
        down = np.abs(line.onset[following] - beat_one) <= SLACK
        up &= down
        if up[0] and up.sum() >= least_phrases and up.mean() >= 0.5:
            found += sight.spans(line.bar[begins[up]], line.voice, join=0)
    return found


@detectors.register("isorhythm")
def isorhythm(sight: Sight, least_notes: int = 12, where: str = "any") -> list[Sighting]:
    """One voice repeats a series of lengths and a series of pitches, and the two series have different sizes."""
    found = []
    for line in parts(sight, where):
        gaps, pitch = lengths(line)[:-1], line.pitch[:-1]
        if len(gaps) < least_notes or len(np.unique(gaps)) < 2 or len(np.unique(pitch)) < 3:
            continue
        size = min(len(gaps), 64)
        gaps, pitch = gaps[:size], pitch[:size]
        rhythm, tune = _period(gaps, SLACK), _period(pitch, 0)
        if rhythm and tune and rhythm % tune and tune % rhythm and min(rhythm, tune) >= 3:
            found.append(Sighting(sight.number(int(line.bar[0])), sight.number(int(line.bar[size])), line.voice))
    return found


def _period(values: Ints, slack: int) -> int:
    """The smallest shift that maps a series on itself, with at least two full rounds; 0 for none."""
    half = len(values) // 2 + 1
    likely = np.flatnonzero(np.abs(values[2:half] - values[0]) <= slack) + 2
    for shift in likely.tolist():
        if (np.abs(values[shift:] - values[:-shift]) <= slack).all():
            return int(shift)
    return 0
