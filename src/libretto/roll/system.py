"""One system of a roll: its grid, what stands over it, and its notes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from libretto.notation.values import in_threes
from libretto.roll.draw import box, fitted, letters, line, number, text_width
from libretto.roll.plan import Ink, Plan, System
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
_SHADES = ((48, 0.42), (72, 0.6), (96, 0.8), (128, 1.0))  # velocities below, and how opaque they are


class Mark(NamedTuple):
    """A span of bars, by their numbers, that something is said about."""

    first: int
    last: int
    label: str


def draw_system(
    score: Score,
    plan: Plan,
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


def _field(score: Score, plan: Plan, system: System) -> str:
    """Rows, beats, bars, and the names of octaves and drums."""
    left, right = system.x, plan.x(system, system.end)
    top, bottom = plan.field_top(system), plan.field_top(system) + plan.field_height
    out, rows, octaves = [], "", ""
    for pitch in range(plan.low, plan.high + 1):
        y = plan.y(system, pitch)
        if pitch % 12 in _BLACK and plan.row >= 3:
            rows += f"M{number(left)} {number(y)}h{number(right - left)}v{number(plan.row)}h{number(left - right)}z"
        if pitch % 12 == 0:
            octaves += f"M{number(left)} {number(y + plan.row)}H{number(right)}"
            out.append(letters(left - 5, y + plan.row / 2 + 3.2, f"C{pitch // 12 - 1}", "soft", "end"))
    for key in plan.keys:
        y = plan.lane_y(system, key)
        octaves += f"M{number(left)} {number(y + plan.lane)}H{number(right)}"
        name = fitted(DRUM_KEYS.get(key, f"key {key}"), _LANE_NAME, 8)
        out.append(letters(left - 5, y + plan.lane - 1.4, name, "soft", "end", "small"))
    bars = beats = ""
    down = f"V{number(bottom)}"
    for bar in range(system.first, system.stop + 1):
        bars += f"M{number(plan.x(system, plan.lines[bar]))} {number(top)}{down}"
        if bar < system.stop:
            beat = _beat(_meter(score, plan.lines[bar]))
            if beat * plan.scale >= _NARROWEST_BEAT:
                for tick in range(plan.lines[bar] + beat, plan.lines[bar + 1], beat):
                    beats += f"M{number(plan.x(system, tick))} {number(top)}{down}"
    return line(rows, "band") + line(beats, "beat") + line(octaves, "key") + line(bars, "bar") + "".join(out)


def _meter(score: Score, tick: int) -> Meter:
    return next(meter for at, meter in reversed(score.meters) if at <= tick)


def _beat(meter: Meter) -> int:
    unit = meter.ticks // meter.beats
    return 3 * unit if in_threes(meter) else max(unit, QUARTER // 2)


def _notes(plan: Plan, system: System, ink: Ink) -> str:
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
            width, y, height = min(5.0, max(2.2, QUARTER / 5 * plan.scale)), plan.lane_y(system, pitch) + 1.3, 5.4
        else:
            width = max(1.4, (end - onset) * plan.scale - _GAP)
            y, height = plan.y(system, pitch) + plan.row * 0.06, max(1.5, plan.row * 0.88)
        shape = f"M{number(x)} {number(y)}h{number(width)}v{number(height)}h{number(-width)}z"
        paths.setdefault(shade, []).append(shape)
    return "".join(_shaded(ink.kind, shade, "".join(shapes)) for shade, shapes in sorted(paths.items()))


def _shaded(kind: str, shade: float, path: str) -> str:
    opaque = f' opacity="{shade:g}"' if shade < 1 else ""
    return f'<path class="{kind}"{opaque} d="{path}"/>'


def _numbers(plan: Plan, system: System, first: int) -> str:
    """Bar numbers, as many as there is room for."""
    bars = system.stop - system.first
    room = (system.end - system.start) * plan.scale / max(1, bars)
    step = next((step for step in _STEPS if step * room >= _ROOM_FOR_NUMBER), _STEPS[-1])
    y = plan.field_top(system) - 3
    shown = (bar for bar in range(system.first, system.stop) if (bar - system.first) % step == 0)
    return "".join(letters(plan.x(system, plan.lines[bar]) + 1, y, str(bar + first), "soft", "small") for bar in shown)


def _sections(score: Score, plan: Plan, system: System) -> str:
    """Names of sections in tags, and an edge down the system where one begins."""
    found = [(tick, name) for tick, name in score.sections if system.start <= tick < system.end]
    out = []
    bottom = number(plan.field_top(system) + plan.field_height)
    for (tick, name), (following, _) in pairwise([*found, (system.end, "")]):
        x = plan.x(system, tick)
        shown = fitted(name, max(26.0, plan.x(system, following) - x) - 10)
        if shown:
            out.append(box(x, system.y + 1, text_width(shown) + 8, 13, "tag", 2.5))
            out.append(letters(x + 4, system.y + 11, shown, "bold"))
        out.append(line(f"M{number(x)} {number(system.y + 1)}V{bottom}", "edge"))
    return "".join(out)


def _chords(score: Score, plan: Plan, system: System) -> str:
    """Chord labels where they change, those left out that would run into the one before."""
    out = []
    free, held = -1.0, NO_CHORD
    for bar in range(system.first, system.stop):
        start, length = plan.lines[bar], plan.lines[bar + 1] - plan.lines[bar]
        labels = score.chords[bar]
        for part, label in enumerate(labels):
            x = plan.x(system, start + length * part / len(labels))
            if label != held and label != NO_CHORD and x >= free:
                out.append(letters(x + 1, plan.field_top(system) - 14, label))
                free = x + text_width(label) + 5
                held = label
            elif label == NO_CHORD:
                held = label
    return "".join(out)


def _marks(score: Score, plan: Plan, system: System, marks: Sequence[Mark]) -> str:
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
        middle = right - 7 - 13 * sum(other.last == mark.last for other in marks[: index - 1])
        out.append(f'<circle class="badge" cx="{number(middle)}" cy="{number(top - 6.5)}" r="6"/>')
        out.append(letters(middle, top - 3.4, str(index), "onbadge", "small"))
    return "".join(out)
