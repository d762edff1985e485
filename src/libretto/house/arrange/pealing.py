"""Peals: church bells ring out where glad music is full, one below the other, and toll where it is not."""

from __future__ import annotations

from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.line import ladder
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER

__all__ = ["pealed", "peals"]

_BELLS = 14
_BRISK, _FULL = 84, 0.5  # quarters a minute, and energy of a section, from which on they peal
_BAR = 4  # quarters
_LOW, _HIGH = 55, 72  # pitches between which a peal lies: G3 and C5
_RINGS = 2 * QUARTER
_ACCENT, _LIGHTER = 2, 4  # of the first of a peal, and how much softer the others are
# Beats of the bars of two phrases on which one rings, and how far below the highest tone of the chord.
_CHANGES = (
    ((0, 0), (1, 1), (2, 2), (3, 3)), ((0, 3),), ((0, 0), (2, 2)), ((0, 3), (2, 1)),
    ((0, 1), (2, 0)), ((0, 2),), ((0, 2), (1, 1), (2, 0), (3, 1)), ((0, 3),),
)  # fmt: skip


def peals(plan: Plan, player: Player) -> bool:
    """Whether somebody has big bells that ring out in a piece: glad, brisk and in four, with sections that are full."""
    glad = not plan.key.is_minor and plan.tempo >= _BRISK
    full = any(passage.scene.energy >= _FULL for passage in plan.passages)
    return player.program == _BELLS and glad and full and plan.meter.ticks == _BAR * QUARTER


def pealed(plan: Plan, tolled: list[Sketch]) -> list[Sketch]:
    """What bells do all through: peals over the chords in full sections, and what is ``tolled`` in the others and in
    the last bar."""
    ticks = plan.meter.ticks
    full = [passage for passage in plan.passages if passage.scene.energy >= _FULL]
    bars = {passage.first + bar: bar for passage in full for bar in range(passage.bars)}
    bars.pop(plan.bars - 1, None)
    made = []
    for note in tolled:
        bar = note.onset // ticks
        if bar not in bars:
            end = min([number for number in bars if number > bar], default=plan.bars) * ticks
            made.append(note._replace(duration=min(note.duration, end - note.onset)))
    for bar, number in bars.items():
        for place, (beat, below) in enumerate(_CHANGES[number % len(_CHANGES)]):
            onset = bar * ticks + beat * QUARTER
            rungs = ladder(plan.chord_at(onset).chord.classes, _LOW, _HIGH)
            pitch = rungs[max(0, len(rungs) - 1 - below)]
            made.append(Sketch(onset, _RINGS, pitch, _ACCENT - _LIGHTER * bool(place)))
    if not any(note.onset >= (plan.bars - 1) * ticks for note in made):
        home = ladder({plan.key.tonic_class}, _LOW, _HIGH)[-1]
        made.append(Sketch((plan.bars - 1) * ticks, ticks, home, _ACCENT))
    return sorted(made)
