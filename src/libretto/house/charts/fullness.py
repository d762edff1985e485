"""How full an accompaniment is played: without strokes between the beats, or with what is held struck again."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER

__all__ = ["as_full"]

_SOME, _MUCH = 0.2, 0.3  # how much fuller or thinner is audible; and where only beats are left
_LATE = 0.2  # of its strokes: a part of which more come after a silent beat is syncopated
_AGAIN = -6  # how much softer is what is struck again


def as_full(plan: Plan, notes: Sequence[Sketch]) -> list[Sketch]:
    """The notes of an accompanying part as sparse or as busy as a brief and the knobs want them; the last bar stays."""
    amount, beat = plan.density + plan.controls.density, max(plan.meter.beat, QUARTER)
    last = (plan.bars - 1) * plan.meter.ticks
    if amount <= -_SOME and not _syncopated(plan, notes, beat):
        kept = beat if amount <= -_MUCH else beat // 2
        return [
            note if note.onset >= last else note._replace(duration=max(note.duration, min(kept, last - note.onset)))
            for note in notes
            if note.onset % plan.meter.ticks % kept == 0 or note.onset >= last
        ]
    if amount >= _SOME:
        shortest = beat if amount >= _MUCH else beat * 2
        return [struck for note in notes for struck in (_halved(note) if _held(plan, note, shortest) else (note,))]
    return list(notes)


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
