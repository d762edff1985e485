"""Notes held over bar lines: pads that are not struck again, and tunes that come to the next bar before its time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from libretto.house.charts.chart import Chart
from libretto.house.charts.drifting import drifting
from libretto.house.charts.form import Passage
from libretto.house.charts.habits import habits_of
from libretto.house.charts.letting_go import let_go
from libretto.house.charts.signs import Placed, read_bar
from libretto.house.charts.slowing import FLOATS
from libretto.house.charts.stand import Stand
from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import Sketch
from libretto.house.repertoire.suiting import sustains
from libretto.score import QUARTER, Meter

__all__ = ["tied"]

_MOST = 2  # bars that a pad holds a note
_EARLY = QUARTER // 2  # by how much a tune comes before its time
_PUSHED = (1, 2)  # bars of a phrase of four whose end belongs to the next: the second and the third
_PHRASE = 4  # bars
_LINES = ("second", "third")  # who may sing with the tune


def tied(stand: Stand, part: str, placed: Sequence[Placed], notes: list[Sketch]) -> list[Sketch]:
    """The notes of a part with those that sound over bar lines: what a pad that can be held has in common with the next
    chord, and what comes early in a tune."""
    plan, chart, passages, player, *_ = stand
    if part == "lead":
        return _pushed(plan, chart, passages, notes)
    floats = FLOATS in plan.manners.get(player.name, ())
    if part == "pad":
        notes = drifting(plan, placed, notes)
    if (floats and part in ("pad", "chords")) or (part == "pad" and sustains(player)):
        notes = _held(plan, passages, notes)
    return notes if part == "bass" else let_go(plan, notes)


def _held(plan: Plan, passages: Sequence[Passage], notes: Sequence[Sketch]) -> list[Sketch]:
    """The notes of a pad; what is held for half a bar up to a bar line within a section and struck there again, for as
    long, sounds on, for two bars at most."""
    ticks = plan.meter.ticks
    firsts = {passage.first * ticks for passage in passages}
    made: list[Sketch] = []
    ends: dict[tuple[int, int], int] = {}  # where the notes stand that end at a bar line, by pitch and end
    for note in sorted(notes):
        place = ends.pop((note.pitch, note.onset), None)
        end = note.onset + note.duration
        if place is not None and 2 * note.duration >= ticks and note.onset not in firsts:
            made[place] = made[place]._replace(duration=end - made[place].onset)
            continue
        if end % ticks == 0 and ticks <= 2 * note.duration < 2 * _MOST * ticks:
            ends[note.pitch, end] = len(made)
        made.append(note)
    return made


def _pushed(plan: Plan, chart: Chart, passages: Sequence[Passage], notes: Sequence[Sketch]) -> list[Sketch]:
    """The notes of a tune in a style that pushes, where the chart itself ties none: a note of a beat and more on the
    first beat of a bar comes half a beat early, if something longer or nothing stands before it and nobody sings with
    it; in the second and the third bar of a phrase."""
    lines = _lines_pushed(plan, chart, passages)
    struck: dict[int, list[Sketch]] = defaultdict(list)
    for note in notes:
        struck[note.onset].append(note)
    onsets = sorted(struck)
    for before, here in pairwise(onsets):
        room = here - before >= QUARTER and all(note.onset + note.duration <= here for note in struck[before])
        if here in lines and room and min(note.duration for note in struck[here]) >= QUARTER:
            struck[before] = [_ending(note, here - _EARLY) for note in struck[before]]
            struck[here] = [_earlier(note) for note in struck[here]]
    return sorted(note for at in onsets for note in struck[at])


def _lines_pushed(plan: Plan, chart: Chart, passages: Sequence[Passage]) -> frozenset[int]:
    """The bar lines over which the tune of a piece may be pushed."""
    if "pushes" not in habits_of(plan) or plan.meter != Meter(4, 4) or _ties(chart):
        return frozenset()
    return frozenset(
        (passage.first + number + 1) * plan.meter.ticks
        for passage in passages
        for number in range(passage.bars - 1)
        if number % _PHRASE in _PUSHED and not _sung_together(chart, passage, number + 1)
    )


def _ties(chart: Chart) -> bool:
    """Whether a tune of a chart goes over a bar line as it is written."""
    return any(
        bar.startswith("_") for scene in chart.scenes.values() for bar in scene.parts.get(scene.tune or "lead", ())
    )


def _sung_together(chart: Chart, passage: Passage, number: int) -> bool:
    """Whether another line begins a bar with a note as long as the tune's."""
    first = _first(chart, passage.bar("lead", number))
    return any(_first(chart, passage.bar(part, number)) == first for part in _LINES)


def _first(chart: Chart, bar: str) -> Fraction | None:
    """How long the note is with which a bar begins; None where it begins with a rest."""
    sign = read_bar(bar, chart.units)[0] if bar else None
    return sign.length if sign is not None and sign.head not in ("z", "_") else None


def _ending(note: Sketch, end: int) -> Sketch:
    return note._replace(duration=min(note.duration, end - note.onset))


def _earlier(note: Sketch) -> Sketch:
    return note._replace(onset=note.onset - _EARLY, duration=note.duration + _EARLY)
