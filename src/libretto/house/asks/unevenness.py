"""Irregular rhythms: who keeps the rhythm leans on groups of twos and threes that change from bar to bar."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from libretto.contract.asks import Ask
from libretto.contract.checks.unevenness import is_scattered, keepers, starts_in, unit_of
from libretto.contract.checks.where import Spans, bar_mask, tune_of, within
from libretto.house.asks.notes import Row, put, rows_of
from libretto.score import Score, Voice

__all__ = ["made_irregular"]

_KICKS, _SNARES = (35, 36), (37, 38, 39, 40)  # keys of a kit
_TOMS = (41, 43, 45, 47, 48, 50)  # with which fills are played
_GHOST = 44  # velocity below which a stroke is none that counts
_ACCENT, _BESIDE = 10, 0.78  # velocities by which an accent is louder, and the share that other strokes keep
_FEWEST = 2  # strokes of a bar that has a rhythm
_CHORDAL = 1.8  # notes at once of who strikes chords, on average

Group = tuple[int, int]  # where a group begins, and how long it is


def made_irregular(ask: Ask, score: Score, spans: Spans) -> Score:
    """The piece with those who keep its rhythm leaning on groups that shift; fills and the last bar stay so."""
    if is_scattered(score, spans):
        return score
    made, tune = score, tune_of(score, spans)
    for index in keepers(ask, score, spans):
        made = _shifted(made, score.voices[index], spans, line=index == tune and not score.voices[index].drums)
    return made


def _shifted(score: Score, voice: Voice, spans: Spans, *, line: bool) -> Score:
    """The piece with one voice in groups that shift; a ``line`` keeps its notes and only leans on them."""
    inside, rows, spots = bar_mask(spans, score), [], []
    every = rows_of(within(voice.array, spans, score))
    chordal = len(every) >= _CHORDAL * len({row.onset for row in every})
    for bar in range(score.bars - 1):
        start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
        mine = [row for row in every if start <= row.onset < end]
        if not inside[bar] or len({row.onset for row in mine}) < _FEWEST:
            continue
        groups = starts_in(score, bar)
        if voice.drums:
            changed = _beaten(mine, groups)
        elif line or (not chordal and len(mine) > len(groups) + 1):
            changed = _leaning(mine, groups, unit_of(score, bar))
        else:
            changed = _struck(mine, groups, unit_of(score, bar))
        rows += changed
        spots.append((bar + score.first_bar,) * 2)
    return put(score, voice.name, spots, rows) if spots else score


def _beaten(rows: Sequence[Row], groups: Sequence[Group]) -> list[Row]:
    """Strokes with the first of every group loud: kick and snare of a kit on them alone, the snare on the last; hands
    strike there what they strike anyway."""
    snares, kicks = _firm(rows, _SNARES), _firm(rows, _KICKS)
    if snares and _firm(rows, _TOMS):
        return list(rows)
    firsts = [start for start, _ in groups]
    rest = [_weighed(row, row.onset in firsts) for row in rows if row not in (*kicks, *snares)]
    if not kicks and not snares:
        return [*rest, *_filled(rows, firsts)]
    made = [_loudest(kicks or snares)._replace(onset=start) for start in firsts[:-1]]
    return [*rest, *made, _loudest(snares or kicks)._replace(onset=firsts[-1])]


def _firm(rows: Sequence[Row], keys: Collection[int]) -> list[Row]:
    """The strokes on some keys that are no ghosts."""
    return [row for row in rows if row.pitch in keys and row.velocity > _GHOST]


def _loudest(rows: Sequence[Row]) -> Row:
    """The loudest of some strokes."""
    return max(rows, key=lambda row: row.velocity)


def _filled(rows: Sequence[Row], firsts: Sequence[int]) -> list[Row]:
    """Loud strokes where groups begin without any: what is struck nearest to them."""
    bare = [start for start in firsts if all(row.onset != start for row in rows)]
    near = [min(rows, key=lambda row: (abs(row.onset - start), -row.velocity)) for start in bare]
    loud = min(127, _loudest(rows).velocity + _ACCENT)
    return [row._replace(onset=start, velocity=loud) for row, start in zip(near, bare, strict=True)]


def _weighed(row: Row, accent: bool) -> Row:
    """A stroke that is louder, or softer, as its place asks for."""
    loud = min(127, row.velocity + _ACCENT) if accent else max(1, round(row.velocity * _BESIDE))
    return row._replace(velocity=loud)


def _struck(rows: Sequence[Row], groups: Sequence[Group], unit: int) -> list[Row]:
    """Chords, or a bass, struck once a group: each what sounds in its middle, about as long as before."""
    onsets = sorted({row.onset for row in rows})
    usual = max(unit, round(float(np.median([row.duration for row in rows])) / unit) * unit)
    made = []
    for start, length in groups:
        middle = start + length // 2
        at = max((onset for onset in onsets if onset <= middle), default=onsets[0])
        chord = [row for row in rows if row.onset == at]
        made += [row._replace(onset=start, duration=min(length, usual)) for row in chord]
    return made


def _leaning(rows: Sequence[Row], groups: Sequence[Group], unit: int) -> list[Row]:
    """A line that leans on the first note of every group: one that comes a unit late begins there."""
    firsts = [start for start, _ in groups]
    onsets = sorted({row.onset for row in rows})
    early = {}
    for start in firsts:
        free = start not in onsets and start + unit in onsets
        if free and start + unit not in firsts:
            early[start + unit] = start
    made = []
    for row in rows:
        to = early.get(row.onset, row.onset)
        before = next((place for place in early.values() if row.onset < place < row.end), row.end)
        length = min(row.end, before) - to if to == row.onset else row.end - to
        made.append(_weighed(row._replace(onset=to, duration=max(1, length)), to in firsts))
    level = np.mean([row.velocity for row in rows]) - np.mean([row.velocity for row in made])
    return [row._replace(velocity=max(1, min(127, row.velocity + round(float(level))))) for row in made]
