"""Lines as numbers: how a voice moves, what it does with the chords, how it breathes, whether it has an idea.

Every number is taken from each line by itself, then told of the lead, of all lines together (longer lines count more)
and of the line that is furthest from the rest.
"""

from __future__ import annotations

import numpy as np

from libretto.merit.heard import STRONG, Heard, Line, going_with, mean_of, share
from libretto.score.table import Floats, Ints, distinct, middle, percentile

__all__ = ["entropy_of", "line_numbers", "melody_of", "told"]

_STEP, _LEAP, _WIDE, _OCTAVE = 2, 5, 8, 12  # semitones
_LATE = 0.5  # of a piece: a peak that comes after its middle
_RUN = 3  # intervals that make an idea
_RADIX = 64  # more than any interval, folded to two octaves and a half either way
_TINY = 1e-9
_LOW, _HIGH = 5, 95  # percentiles that are a line's range


def entropy_of(values: Ints) -> float:
    """How evenly values are spread, in bits."""
    if not len(values):
        return float("nan")
    part = np.unique(values, return_counts=True)[1] / len(values)
    return float(-(part * np.log2(part)).sum())


def told(heard: Heard, tables: list[dict[str, float]], prefix: str = "") -> dict[str, float]:
    """Numbers of every line as numbers of the piece: the lead's, the mean's, the extremes'."""
    numbers: dict[str, float] = {}
    if not tables or heard.lead is None:
        return numbers
    weight = np.array([len(line) for line in heard.lines], dtype=np.float64)
    lead = next(place for place, line in enumerate(heard.lines) if line is heard.lead)
    for name in tables[0]:
        values = np.array([table[name] for table in tables])
        known = ~np.isnan(values)
        numbers[f"{prefix}lead_{name}"] = float(values[lead])
        if known.any():
            numbers[f"{prefix}all_{name}"] = float((values[known] * weight[known]).sum() / weight[known].sum())
            numbers[f"{prefix}least_{name}"] = float(values[known].min())
            numbers[f"{prefix}most_{name}"] = float(values[known].max())
    return numbers


def melody_of(heard: Heard) -> dict[str, float]:
    """Every number about lines."""
    numbers = told(heard, [line_numbers(heard, line) for line in heard.lines])
    if heard.lead is not None:
        numbers |= _shape(heard, heard.lead)
    return numbers


def line_numbers(heard: Heard, line: Line) -> dict[str, float]:
    """What one line does."""
    size = np.abs(line.steps)
    leaps = size[:-1] >= _LEAP
    back = (np.sign(line.steps[1:]) == -np.sign(line.steps[:-1])) & (size[1:] <= _STEP) & (size[1:] > 0)
    strength = heard.strength_of(line.bar, line.onset - np.asarray(heard.score.bar_lines)[line.bar])
    strong = strength >= STRONG
    moves = line.steps[size > 0]
    turns = np.sign(moves[1:]) != np.sign(moves[:-1])
    beat = heard.beat[line.bar].astype(np.float64)
    return {
        "steps": mean_of((size > 0) & (size <= _STEP)),
        "repeats": mean_of(size == 0),
        "leaps": mean_of(size >= _LEAP),
        "wide_leaps": mean_of(size >= _WIDE),
        "octaves": mean_of(size >= _OCTAVE),
        "recovered": share(leaps & back, leaps),
        "width": mean_of(np.minimum(size, 2 * _OCTAVE)),
        "turns": mean_of(turns),
        "wobble": mean_of((line.pitch[2:] == line.pitch[:-2]) & (size[1:] > 0) & (size[1:] <= _STEP + 1)),
        "roots": mean_of(line.root),
        "strong_roots": mean_of(line.root[strong]),
        "weak_roots": mean_of(line.root[~strong]),
        "in_chord": mean_of(line.in_chord),
        "strong_in_chord": mean_of(line.in_chord[strong]),
        "resolved": _resolved(line),
        "in_key": mean_of(heard.in_key[line.pitch % _OCTAVE]),
        "classes": float(len(distinct(line.pitch % _OCTAVE))),
        "interval_entropy": entropy_of(np.clip(line.steps, -_OCTAVE, _OCTAVE)),
        "pitch_entropy": entropy_of(line.pitch),
        "range": percentile(line.pitch, _HIGH) - percentile(line.pitch, _LOW),
        "ideas": _ideas(line.steps),
        "rests": mean_of(line.gap > beat[:-1] / 2),
        "long_before_rest": _lengthening(line, beat),
        "overlap": mean_of(line.gap < -beat[:-1] / 4),
        "held": float(np.log2(middle(line.duration / beat) + _TINY)),
        "strong_long": going_with(np.log2(np.maximum(line.duration, 1).astype(np.float64)), strength),
    }


def _resolved(line: Line) -> float:
    """Of the notes outside their chord, how many move on by step."""
    outside = ~line.in_chord[:-1]
    size = np.abs(line.steps)
    return share(outside & (size > 0) & (size <= _STEP), outside)


def _ideas(steps: Ints) -> float:
    """How much of a line is made of turns of four notes that come again."""
    if len(steps) < 2 * _RUN:
        return float("nan")
    folded = np.clip(steps, -_RADIX // 2, _RADIX // 2 - 1) + _RADIX // 2
    runs = sum(folded[place : len(folded) - _RUN + 1 + place] * _RADIX**place for place in range(_RUN))
    _, where, many = np.unique(runs, return_inverse=True, return_counts=True)
    return float((many[where] > 1).mean())


def _lengthening(line: Line, beat: Floats) -> float:
    """How much longer notes before a rest are than the others, in octaves of length."""
    last = line.gap > beat[:-1] / 2
    length = np.log2(np.maximum(line.duration[:-1], 1) / beat[:-1])
    return mean_of(length[last]) - mean_of(length[~last])


def _shape(heard: Heard, line: Line) -> dict[str, float]:
    """The lead's shape over the piece: where its peak is, how often it comes, how phrases rise and fall."""
    top = line.pitch == line.pitch.max()
    place = line.bar[top] / max(heard.bars - 1, 1)
    rank = np.argsort(np.argsort(line.pitch, kind="stable"), kind="stable") / max(len(line) - 1, 1)
    return {
        "peak_share": mean_of(top),
        "peak_late": float(place[-1] >= _LATE),
        "peak_place": float(place.mean()),
        "near_peak": mean_of(line.pitch >= line.pitch.max() - _STEP),
        "contour_next": going_with(rank[1:], rank[:-1]),
        "contour_two": going_with(rank[2:], rank[:-2]),
    }
