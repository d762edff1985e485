"""Drums of a chart: the groove of every bar, and the rolls of drums that have pitches."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from libretto.house.charts.chart import Chart
from libretto.house.charts.form import Passage
from libretto.house.charts.stand import USUAL
from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import ACCENTS, Sketch, hits
from libretto.score import QUARTER

__all__ = ["drummed", "with_rolls"]

_STROKE, _GROWS = QUARTER // 8, 24  # ticks of a stroke of a roll, and how much softer it begins than it ends


def drummed(plan: Plan, chart: Chart, passages: Sequence[Passage], part: str) -> list[Sketch]:
    """What a drummer plays: the groove of every bar."""
    made: list[Sketch] = []
    ticks = plan.meter.ticks
    written = {part for passage in passages for part in passage.scene.parts}
    for passage in passages:
        first, last = passage.scene.levels
        for number in range(passage.bars):
            groove = passage.bar(part, number)
            if part not in written:  # who beats anything else does it as the others do
                groove = passage.bar("percussion" if part == "drums" else "drums", number)
            if not groove:
                continue
            level = round(first + (last - first) * number / max(1, passage.bars - 1)) - USUAL
            start = (passage.first + number) * ticks
            for drum, pattern in chart.grooves[groove].items():
                signs = pattern.replace(" ", "")
                strokes = [
                    (start + ticks * place // len(signs), sign) for place, sign in enumerate(signs) if sign != "."
                ]
                made += hits(drum, strokes, ACCENTS, louder=level)
    return made


def with_rolls(plan: Plan, passages: Sequence[Passage], beats: list[Sketch]) -> list[Sketch]:
    """Strokes with a roll that grows in the second half of the bar before a section that is full and no quieter, on the
    note that follows; on the root of the chord where that has no such note."""
    ticks = plan.meter.ticks
    made = list(beats)
    for before, after in pairwise(passages):
        goal = after.first * ticks
        first = next((note for note in beats if note.onset == goal), None)
        if first is None or after.scene.energy < before.scene.energy:
            continue
        start = goal - ticks // 2
        made = [note for note in made if not start <= note.onset < goal]
        strokes = (goal - start) // _STROKE
        chord = plan.chord_at(start)
        up = (chord.root - first.pitch) % 12
        pitch = first.pitch if first.pitch % 12 in chord.chord.classes else first.pitch + (up if up <= 6 else up - 12)
        made += [
            Sketch(start + turn * _STROKE, _STROKE, pitch, first.accent - _GROWS * (strokes - turn) // strokes)
            for turn in range(strokes)
        ]
    return sorted(made)
