"""Sounds that are no music (waves, birds, rain): they come in with a section and fade; nobody plays chords on them."""

from __future__ import annotations

from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.sketch import Sketch
from libretto.score.pitch import pitch_class_of

__all__ = ["write_effect"]

_EVERY, _LASTS, _SOFTER = 8, 4, -18


def write_effect(plan: Plan, player: Player) -> list[Sketch]:
    """One long soft sound where a section begins, and again every eight bars of a long one."""
    ticks = plan.meter.ticks
    tonic = pitch_class_of(plan.key.tonic)
    pitch = min(range(player.low, player.high + 1), key=lambda each: ((each - tonic) % 12 != 0, abs(each - 60)))
    notes = []
    for section in plan.sections:
        for bar in range(section.first, section.end, _EVERY):
            lasts = min(_LASTS, section.end - bar)
            notes.append(Sketch(bar * ticks, lasts * ticks, pitch, _SOFTER))
    return notes
