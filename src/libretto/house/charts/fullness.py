"""How full an accompaniment is played: without strokes between the beats, or with what is held struck again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER

__all__ = ["as_full"]

_SOME, _MUCH, _BARE = 0.2, 0.3, 0.75  # how much fuller or thinner is audible, much, and as bare as can be
_STROKES = {_SOME: 3.0, _MUCH: 2.6, _BARE: 1.2}  # a second, of an accompaniment that is calm enough
_SECONDS = 60  # a minute
_LATE = 0.2  # of its strokes: a part of which more come after a silent beat is syncopated
_AGAIN = -6  # how much softer is what is struck again


def as_full(plan: Plan, notes: Sequence[Sketch]) -> list[Sketch]:
    """The notes of an accompanying part as sparse or as busy as a brief and the knobs want them; the last bar stays."""
    amount, beat = plan.density + plan.controls.density, max(plan.meter.beat, QUARTER)
    last = (plan.bars - 1) * plan.meter.ticks
    if amount <= -_SOME and not _syncopated(plan, notes, beat):
        most = _STROKES[max(step for step in _STROKES if amount <= -step)]
        seconds = plan.meter.ticks / QUARTER * _SECONDS / plan.tempo
        if any(player.drums for player in plan.players):  # they keep the time
            return _on_grid(notes, {}, plan.meter.ticks, beat if amount <= -_MUCH else beat // 2, last)
        return _thinned(plan, notes, round(most * seconds, 2), last)
    if amount >= _SOME:
        shortest = beat if amount >= _MUCH else beat * 2
        return [struck for note in notes for struck in (_halved(note) if _held(plan, note, shortest) else (note,))]
    return list(notes)


def _thinned(plan: Plan, notes: Sequence[Sketch], most: float, last: int) -> list[Sketch]:
    """The notes without strokes between the beats in bars that have more strokes than a calm one: first without the
    quickest, then without all; what is calm as it was written stays."""
    beat = max(plan.meter.beat, QUARTER)
    half = beat // (3 if plan.meter.is_compound else 2)
    struck: dict[int, set[int]] = {}
    for note in notes:
        struck.setdefault(note.onset // plan.meter.ticks, set()).add(note.onset % plan.meter.ticks)
    grids = {}
    for bar, onsets in struck.items():
        fine = len(onsets) <= most
        grids[bar] = 1 if fine else half if sum(onset % half == 0 for onset in onsets) <= most else beat
    return _on_grid(notes, grids, plan.meter.ticks, beat, last)


def _on_grid(notes: Sequence[Sketch], grids: Mapping[int, int], bar: int, usual: int, last: int) -> list[Sketch]:
    """The notes on the grid of their bar, held until its next line; the last bar stays."""
    made = []
    for note in notes:
        grid = grids.get(note.onset // bar, usual) if note.onset < last else 1
        if note.onset % bar % grid == 0:
            made.append(note._replace(duration=max(note.duration, min(grid, last - note.onset))) if grid > 1 else note)
    return made


def _syncopated(plan: Plan, notes: Sequence[Sketch], beat: int) -> bool:
    """Whether a part lives on strokes after beats on which it rests: without them nothing of it is left."""
    onsets = {note.onset for note in notes}
    late = {onset for onset in onsets if (past := onset % plan.meter.ticks % beat) and onset - past not in onsets}
    return len(late) > _LATE * len(onsets)


def _held(plan: Plan, note: Sketch, shortest: int) -> bool:
    """Whether a note that begins on a beat is held so long that it may be struck again, on an eighth."""
    bar, place = divmod(note.onset, plan.meter.ticks)
    even = note.duration // 2 % (QUARTER // 2) == 0 and place % plan.meter.beat == 0
    return even and note.duration >= shortest and bar < plan.bars - 1


def _halved(note: Sketch) -> tuple[Sketch, Sketch]:
    """A note, and the same once more in the middle of it."""
    half = note.duration // 2
    again = Sketch(note.onset + half, note.duration - half, note.pitch, note.accent + _AGAIN)
    return note._replace(duration=half), again
