"""One system of a roll: its grid, what stands over it, and its notes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from libretto.roll.draw import SMALL, box, fitted, letters, line, number, text_width
from libretto.roll.plan import Ink, RollPlan, System
from libretto.score import QUARTER, Meter, Score
from libretto.score.chords import NO_CHORD
from libretto.score.general_midi import DRUM_KEYS

__all__ = ["Mark", "draw_system"]

_BLACK = frozenset({1, 3, 6, 8, 10})
_NARROWEST_BEAT = 6.0
_STEPS = (1, 2, 4, 8, 16, 32, 64)
_ROOM_FOR_NUMBER = 26.0
_LANE_NAME = 60.0
_GAP = 0.7  # between a note and the next of its pitch
# Everything below is in the units of the drawing, which are about a third of a millimetre.
_LOWEST_BAND = 3  # rows lower than this have no bands for black keys
_NAME_GAP, _BASELINE, _LANE_BASELINE = 5, 3.2, 1.4  # names beside rows and lanes
_NARROWEST_NOTE, _LOWEST_NOTE, _NOTE_AIR, _NOTE_HEIGHT = 1.4, 1.5, 0.06, 0.88  # the last two as parts of a row
_STROKE = QUARTER / 5  # ticks that a stroke of a drum seems to last
_WIDEST_STROKE, _NARROWEST_STROKE, _STROKE_AIR, _STROKE_HEIGHT = 5.0, 2.2, 1.3, 5.4
_NUMBER_RISE, _CHORD_RISE, _CHORD_GAP = 3, 14, 5  # how far numbers and chords stand above the field
_NARROWEST_TAG, _TAG_AIR, _TAG_PADDING, _TAG_HEIGHT, _TAG_CORNER, _TAG_BASELINE = 26.0, 10, 4, 13, 2.5, 11
_BADGE_INSET, _BADGE_STEP, _BADGE_RISE, _BADGE_BASELINE = 7, 13, 6.5, 3.4
_SHADES = ((48, 0.42), (72, 0.6), (96, 0.8), (128, 1.0))  # velocities below, and how opaque they are


class Mark(NamedTuple):
    """A span of bars, by their numbers, that something is said about."""

    first: int
    last: int
    label: str


def draw_system(
    score: Score,
    plan: RollPlan,
    system: System,
    inks: Sequence[Ink],
    marks: Sequence[Mark] = (),
    chords: bool = True,
    later: int = 0,
) -> str:
    """A system as SVG: grid below, notes above it, words over both; ``later`` is added to the bar numbers."""
    parts = [_field(score, plan, system), _marks(score, plan, system, marks)]
    parts += [_notes(plan, system, ink) for ink in inks]
    parts += [_numbers(plan, system, score.first_bar + later), _sections(score, plan, system)]
    if chords:
        parts.append(_chords(score, plan, system))
    return "".join(parts)


def _field(score: Score, plan: RollPlan, system: System) -> str:
    """Rows, beats, bars, and the names of octaves and drums."""
    rows, octaves, names = _rows(plan, system)
    bars, beats = _lines(score, plan, system)
    return line(rows, "band") + line(beats, "beat") + line(octaves, "key") + line(bars, "bar") + names


def _rows(plan: RollPlan, system: System) -> tuple[str, str, str]:
    """Paths of the black keys' rows and of the lines under octaves and drum lanes, and the names of both."""
    left, right = system.x, plan.x(system, system.end)
    names, rows, octaves = [], "", ""
    for pitch in range(plan.low, plan.high + 1):
        y = plan.y(system, pitch)
        if pitch % 12 in _BLACK and plan.row >= _LOWEST_BAND:
            rows += f"M{number(left)} {number(y)}h{number(right - left)}v{number(plan.row)}h{number(left - right)}z"
        if pitch % 12 == 0:
            octaves += f"M{number(left)} {number(y + plan.row)}H{number(right)}"
            middle = y + plan.row / 2 + _BASELINE
            names.append(letters(left - _NAME_GAP, middle, f"C{pitch // 12 - 1}", "soft", "end"))
    for key in plan.keys:
        y = plan.lane_y(system, key)
        octaves += f"M{number(left)} {number(y + plan.lane)}H{number(right)}"
        name = fitted(DRUM_KEYS.get(key, f"key {key}"), _LANE_NAME, SMALL)
        names.append(letters(left - _NAME_GAP, y + plan.lane - _LANE_BASELINE, name, "soft", "end", "small"))
    return rows, octaves, "".join(names)


def _lines(score: Score, plan: RollPlan, system: System) -> tuple[str, str]:
    """Paths of the bar lines, and of the lines of beats where there is room."""
    bars = beats = ""
    top, down = plan.field_top(system), f"V{number(plan.field_top(system) + plan.field_height)}"
    for bar in range(system.first, system.stop + 1):
        bars += f"M{number(plan.x(system, plan.lines[bar]))} {number(top)}{down}"
        if bar < system.stop:
            beat = _beat(score.meter_at(plan.lines[bar]))
            if beat * plan.scale >= _NARROWEST_BEAT:
                for tick in range(plan.lines[bar] + beat, plan.lines[bar + 1], beat):
                    beats += f"M{number(plan.x(system, tick))} {number(top)}{down}"
    return bars, beats


def _beat(meter: Meter) -> int:
    """The distance of the lines between bars: a beat; short units stand closer than eighths only in groups of three."""
    return meter.beat if meter.is_compound else max(meter.pulse, QUARTER // 2)


def _notes(plan: RollPlan, system: System, ink: Ink) -> str:
    """The notes of one ink that sound in the system, a path for each shade."""
    notes = ink.notes
    ends = notes["onset"] + notes["duration"]
    inside = (notes["onset"] < system.end) & (ends > system.start)
    if ink.drums:
        inside &= notes["onset"] >= system.start
    paths: dict[float, list[str]] = {}
    for onset, end, pitch, velocity in zip(
        np.maximum(notes["onset"][inside], system.start).tolist(),
        np.minimum(ends[inside], system.end).tolist(),
        notes["pitch"][inside].tolist(),
        notes["velocity"][inside].tolist(),
        strict=True,
    ):
        shade = next(opaque for below, opaque in _SHADES if velocity < below) if ink.shaded else 1.0
        x = plan.x(system, onset)
        if ink.drums:
            width = min(_WIDEST_STROKE, max(_NARROWEST_STROKE, _STROKE * plan.scale))
            y, height = plan.lane_y(system, pitch) + _STROKE_AIR, _STROKE_HEIGHT
        else:
            width = max(_NARROWEST_NOTE, (end - onset) * plan.scale - _GAP)
            y, height = plan.y(system, pitch) + plan.row * _NOTE_AIR, max(_LOWEST_NOTE, plan.row * _NOTE_HEIGHT)
        shape = f"M{number(x)} {number(y)}h{number(width)}v{number(height)}h{number(-width)}z"
        paths.setdefault(shade, []).append(shape)
    return "".join(_shaded(ink.kind, shade, "".join(shapes)) for shade, shapes in sorted(paths.items()))


def _shaded(kind: str, shade: float, path: str) -> str:
    opaque = f' opacity="{shade:g}"' if shade < 1 else ""
    return f'<path class="{kind}"{opaque} d="{path}"/>'


def _numbers(plan: RollPlan, system: System, first: int) -> str:
    """Bar numbers, as many as there is room for."""
    bars = system.stop - system.first
    room = (system.end - system.start) * plan.scale / max(1, bars)
    step = next((step for step in _STEPS if step * room >= _ROOM_FOR_NUMBER), _STEPS[-1])
    y = plan.field_top(system) - _NUMBER_RISE
    shown = (bar for bar in range(system.first, system.stop) if (bar - system.first) % step == 0)
    return "".join(letters(plan.x(system, plan.lines[bar]) + 1, y, str(bar + first), "soft", "small") for bar in shown)


def _sections(score: Score, plan: RollPlan, system: System) -> str:
    """Names of sections in tags, and an edge down the system where one begins."""
    begun = [(tick, name) for tick, name in score.sections if system.start <= tick < system.end]
    out = []
    bottom = number(plan.field_top(system) + plan.field_height)
    for (tick, name), (following, _) in pairwise([*begun, (system.end, "")]):
        x = plan.x(system, tick)
        shown = fitted(name, max(_NARROWEST_TAG, plan.x(system, following) - x) - _TAG_AIR)
        if shown:
            out.append(box(x, system.y + 1, text_width(shown) + 2 * _TAG_PADDING, _TAG_HEIGHT, "tag", _TAG_CORNER))
            out.append(letters(x + _TAG_PADDING, system.y + _TAG_BASELINE, shown, "bold"))
        out.append(line(f"M{number(x)} {number(system.y + 1)}V{bottom}", "edge"))
    return "".join(out)


def _chords(score: Score, plan: RollPlan, system: System) -> str:
    """Chord labels where they change, those left out that would run into the one before."""
    out = []
    free, held = -1.0, NO_CHORD
    for bar in range(system.first, system.stop):
        start, length = plan.lines[bar], plan.lines[bar + 1] - plan.lines[bar]
        labels = score.chords[bar]
        for part, label in enumerate(labels):
            x = plan.x(system, start + length * part / len(labels))
            if label != held and label != NO_CHORD and x >= free:
                out.append(letters(x + 1, plan.field_top(system) - _CHORD_RISE, label))
                free = x + text_width(label) + _CHORD_GAP
                held = label
            elif label == NO_CHORD:
                held = label
    return "".join(out)


def _marks(score: Score, plan: RollPlan, system: System, marks: Sequence[Mark]) -> str:
    """Bands over the bars that something is said about, with the number under which it is said."""
    out = []
    numbers = range(score.first_bar + system.first, score.first_bar + system.stop)
    for index, mark in enumerate(marks, 1):
        first, last = max(mark.first, numbers[0]), min(mark.last, numbers[-1])
        if first > last:
            continue
        left = plan.x(system, plan.lines[first - score.first_bar])
        right = plan.x(system, plan.lines[last - score.first_bar + 1])
        top = plan.field_top(system)
        out.append(box(left, top, right - left, plan.field_height, "find"))
        middle = right - _BADGE_INSET - _BADGE_STEP * sum(other.last == mark.last for other in marks[: index - 1])
        out.append(f'<circle class="badge" cx="{number(middle)}" cy="{number(top - _BADGE_RISE)}" r="6"/>')
        out.append(letters(middle, top - _BADGE_BASELINE, str(index), "onbadge", "small"))
    return "".join(out)
