"""A line that carries the chords: where nobody plays them, the tune sounds the root and the third of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from libretto.house.compose.plan import Plan
from libretto.house.core.line import Place
from libretto.house.core.patterns import Stroke
from libretto.score import QUARTER

__all__ = ["carrying", "filled_out"]


def carrying(plan: Plan, rhythm: Sequence[Stroke], places: Sequence[Place]) -> list[Place]:
    """The same places, some of which now ask for the third, and without a bass the root, of every chord."""
    made = list(places)
    by_chord: dict[int, list[int]] = {}
    for index, stroke in enumerate(rhythm):
        by_chord.setdefault(plan.chord_at(stroke.start).start, []).append(index)
    for mine in by_chord.values():
        harmony = plan.chord_at(rhythm[mine[0]].start)
        wanted = [harmony.third] if plan.has_bass else [0, harmony.third]
        free = [index for index in mine if not made[index].favored]
        free.sort(key=lambda index: (-made[index].weight, index))
        for tone, index in zip(wanted[: len(free)], free, strict=False):
            made[index] = replace(made[index], favored=frozenset({(harmony.root + tone) % 12}), pull=8.0)
    return made


def filled_out(plan: Plan, rhythm: Sequence[Stroke]) -> tuple[Stroke, ...]:
    """The rhythm with a long note divided in every bar that would otherwise have too few notes for its chord."""
    needed = 1 if plan.has_bass else 2
    bars: dict[int, list[Stroke]] = {}
    for stroke in rhythm:
        bars.setdefault(stroke.start // plan.meter.ticks, []).append(stroke)
    made: list[Stroke] = []
    for bar, strokes in bars.items():
        wanted = needed * len(plan.chords_of(min(bar, plan.bars - 1)))
        found = list(strokes)
        while len(found) < wanted:
            longest = max(found, key=lambda each: (each.length, -each.start))
            half = longest.length // 2 // (QUARTER // 4) * (QUARTER // 4)
            if half < QUARTER // 2:
                break
            found.remove(longest)
            found += [
                longest._replace(length=half),
                Stroke(longest.start + half, longest.length - half, longest.sign),
            ]
        made += sorted(found)
    return tuple(made)
