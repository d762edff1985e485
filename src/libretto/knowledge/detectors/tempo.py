"""Tempo as the score sets it (ramps, returns, give and take, exact ratios) and as note values write it out; meters as
they are heard: the bars of one, how they are grouped, where they change, and cycles that cross them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.detectors.rhythm_cells import SLACK, bars_in, lengths, parts
from libretto.knowledge.sight import Sight, Sighting
from libretto.score.table import Bools, Floats, Ints
from libretto.score.time import QUARTER, bpm_of_micros

__all__ = ["grouped", "hold", "isorhythm", "meter_changes", "note_value_ramp", "ramp", "rubato", "tempo_modulation"]

_CHANGE = 1e-6  # quarters a minute that count as a change
_FEWEST_NOTES = 8  # under a rubato
_WIDEST = 1.5  # times the largest change: how far rubato goes from its mean
_RATIO, _LENGTH = 0.01, 0.02  # how exact a ratio of tempos, and of lengths, must be
_RETURNED = 0.9  # of the old tempo
_NOTHING = 0.1  # notes: stands for none where bars are compared
_LOUDER_THAN_ALL = 999.0  # stands for the velocity of a bar without such notes
_DOWNBEATS = 0.6  # of the bars whose first beat is struck
_LONGEST_SERIES = 64  # notes

_SAME = 0.03
_RATIOS = (3 / 2, 2 / 3, 4 / 3, 3 / 4, 2.0, 0.5)


def _tempos(sight: Sight) -> tuple[Ints, Floats]:
    """Ticks and quarters a minute of every change that is one and that begins before the last note ends."""
    ticks = np.array([tick for tick, _ in sight.score.tempos], dtype=np.int64)
    speed = np.array([bpm_of_micros(value) for _, value in sight.score.tempos], dtype=np.float64)
    real = np.append(True, np.abs(np.diff(speed)) > _CHANGE) & (ticks < sight.lines_at[-1])
    return ticks[real], speed[real]


def _bar(sight: Sight, tick: int) -> int:
    return sight.number(min(int(np.searchsorted(sight.lines_at, tick, side="right")) - 1, sight.bars - 1))


def _closes(sight: Sight, start: int, end: int) -> bool:
    """Whether a change that begins and ends at these ticks belongs to the end: the last bars, and into the last two."""
    late = min(int(sight.lines_at[-1]) // 2, int(sight.lines_at[max(0, sight.bars - 4)]))
    return start >= late and end >= int(sight.lines_at[max(0, sight.bars - 2)])


@detectors.register("tempo_ramp")
def ramp(
    sight: Sight,
    direction: str = "slower",
    steps: int = 3,
    total: float = 0.12,
    at_end: bool = False,
    back: bool = False,
) -> list[Sighting]:
    """The tempo changes one way in ``steps`` or more steps under notes; ``back``: and then is what it was."""
    ticks, speed = _tempos(sight)
    sightings, first = [], 0
    way = np.diff(speed) if direction == "faster" else -np.diff(speed)
    onsets = sight.notes.onset
    while first < len(way):
        last = first
        while last < len(way) and way[last] > 0:
            last += 1
        if last - first >= steps and abs(speed[last] / speed[first] - 1) >= total:
            end = ticks[last + 1] if last + 1 < len(ticks) else sight.lines_at[-1]
            played = int(((onsets >= ticks[first + 1]) & (onsets < end)).sum()) >= steps
            ended = last == len(speed) - 1 and _closes(sight, int(ticks[first + 1]), int(ticks[last]))
            came_back = last + 1 < len(speed) and abs(speed[last + 1] / speed[first] - 1) <= _SAME
            if played and (ended or not at_end) and (came_back or not back):
                sightings.append(Sighting(_bar(sight, int(ticks[first + 1])), _bar(sight, int(ticks[last]))))
        first = max(last, first + 1)
    return sightings


@detectors.register("rubato")
def rubato(sight: Sight, changes: int = 6, most: float = 0.2, turns: int = 3) -> list[Sighting]:
    """The tempo gives and takes: many small changes both ways round one mean, none of them large."""
    ticks, speed = _tempos(sight)
    if len(speed) <= changes or len(sight.notes) < _FEWEST_NOTES:
        return []
    steps = np.diff(speed) / speed[:-1]
    turned = int((np.diff(np.sign(steps)) != 0).sum())
    dense = len(steps) >= sight.bars / 4
    inside = float(np.abs(speed / np.median(speed) - 1).max()) <= _WIDEST * most
    if np.abs(steps).max() <= most and turned >= turns and dense and inside:
        return [Sighting(_bar(sight, int(ticks[1])), _bar(sight, int(ticks[-1])))]
    return []


@detectors.register("tempo_modulation")
def tempo_modulation(sight: Sight, bars: int = 2) -> list[Sighting]:
    """The tempo jumps by an exact ratio, stays, and lengths heard before go on at the same speed under new names."""
    ticks, speed = _tempos(sight)
    sightings = []
    edges = np.append(ticks, sight.lines_at[-1])
    for index in range(1, len(speed)):
        ratio = speed[index] / speed[index - 1]
        stays = min(edges[index] - edges[index - 1], edges[index + 1] - edges[index])
        if not any(abs(ratio / known - 1) <= _RATIO for known in _RATIOS) or stays < bars * sight.bar_length.min():
            continue
        at = int(edges[index])
        before = _lengths(sight, at - int(sight.bar_length.max()) * 2, at) / speed[index - 1]
        after = _lengths(sight, at, at + int(sight.bar_length.max()) * 2) / speed[index]
        same = (
            (np.abs(before[:, None] / after[None, :] - 1) <= _LENGTH).any(axis=1).mean()
            if len(before) and len(after)
            else 0
        )
        if same >= 0.5:
            sightings.append(Sighting(_bar(sight, at), _bar(sight, at)))
    return sightings


def _lengths(sight: Sight, start: int, end: int) -> Floats:
    """Quarters from onset to onset within a stretch."""
    onsets = np.unique(sight.notes.onset)
    mine = onsets[(onsets >= start) & (onsets <= end)]
    return np.diff(mine) / QUARTER


@detectors.register("tempo_hold")
def hold(sight: Sight, slower: float = 0.65, longest: float = 1.0) -> list[Sighting]:
    """The tempo drops at once for one held note or chord and then returns: a fermata that is played."""
    ticks, speed = _tempos(sight)
    sightings = []
    onsets = np.unique(sight.notes.onset)
    onsets = onsets[np.diff(onsets, prepend=-QUARTER) > SLACK]
    for index in range(1, len(speed)):
        start = int(ticks[index])
        end = int(ticks[index + 1]) if index + 1 < len(ticks) else int(sight.lines_at[-1])
        last = index + 1 == len(ticks)
        few = int(((onsets >= start - SLACK) & (onsets < end - SLACK)).sum()) == 1
        short = end - start <= longest * int(sight.bar_length.max())
        returns = last or speed[index + 1] >= _RETURNED * speed[index - 1]
        if speed[index] <= slower * speed[index - 1] and few and short and returns:
            sightings.append(Sighting(_bar(sight, start), _bar(sight, start)))
    return sightings


@detectors.register("note_value_ramp")
def note_value_ramp(
    sight: Sight, direction: str = "faster", steps: int = 3, factor: float = 1.4, where: str = "any"
) -> list[Sighting]:
    """Bar by bar (or every second bar) a voice moves in evenly shorter (or longer) notes, ``steps`` times in a row."""
    sightings = []
    for line in parts(sight, where):
        count = np.bincount(line.bar, minlength=sight.bars).astype(float)
        change = np.diff(np.maximum(count, _NOTHING))
        ratio = np.maximum(count[1:], _NOTHING) / np.maximum(count[:-1], _NOTHING)
        ratio = ratio if direction == "faster" else 1 / ratio
        gaps = np.abs(lengths(line) - sight.bar_length[line.bar] / np.maximum(count[line.bar], 1)) <= SLACK
        even = np.bincount(line.bar, gaps | np.append(np.diff(line.bar) > 0, True), minlength=sight.bars) == count
        good = (ratio >= factor) & (change != 0) & even[1:] & even[:-1] & (count[1:] > 0) & (count[:-1] > 0)
        for edge in np.flatnonzero(good).tolist():
            if edge + steps <= len(good) and good[edge : edge + steps].all():
                sightings.append(sight.at(edge, edge + steps, line.voice))
    return sightings


@detectors.register("grouped_bars")
def grouped(
    sight: Sight, meters: Sequence[str], groups: Sequence[float], bars: int = 2, stress: int = 4, where: str = "any"
) -> list[Sighting]:
    """Bars of a meter whose groups (in quarters) all begin with a struck note, stressed against the notes between."""
    starts = np.cumsum([0.0, *groups])[:-1] * QUARTER
    allowed, sightings = bars_in(sight, meters), []
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
        least = np.full(sight.bars, _LOUDER_THAN_ALL)
        np.minimum.at(least, line.bar[at_start], line.velocity[at_start])
        other = _mean(line.velocity, line.bar, ~at_start, sight.bars)
        between = np.bincount(line.bar[~at_start], minlength=sight.bars)
        stressed = (least < _LOUDER_THAN_ALL) & (least >= other + stress) & (between > 0)
        good = allowed & struck & ~crossed & stressed
        sightings += sight.spans(good, line.voice, least=bars)
    return sightings


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
    if runs.min() < stay or struck < _DOWNBEATS:
        return []
    return sight.spans(edges + shift)


@detectors.register("isorhythm")
def isorhythm(sight: Sight, least_notes: int = 12, where: str = "any") -> list[Sighting]:
    """One voice repeats a series of lengths and a series of pitches, and the two series have different sizes."""
    sightings = []
    for line in parts(sight, where):
        gaps, pitch = lengths(line)[:-1], line.pitch[:-1]
        if len(gaps) < least_notes or len(np.unique(gaps)) < 2 or len(np.unique(pitch)) < 3:
            continue
        size = min(len(gaps), _LONGEST_SERIES)
        gaps, pitch = gaps[:size], pitch[:size]
        rhythm, tune = _period(gaps, SLACK), _period(pitch, 0)
        if rhythm and tune and rhythm % tune and tune % rhythm and min(rhythm, tune) >= 3:
            sightings.append(sight.at(line.bar[0], line.bar[size], line.voice))
    return sightings


def _period(values: Ints, slack: int) -> int:
    """The smallest shift that maps a series on itself, with at least two full rounds; 0 for none."""
    half = len(values) // 2 + 1
    likely = np.flatnonzero(np.abs(values[2:half] - values[0]) <= slack) + 2
    for shift in likely.tolist():
        if (np.abs(values[shift:] - values[:-shift]) <= slack).all():
            return int(shift)
    return 0
