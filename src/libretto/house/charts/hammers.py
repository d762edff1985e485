"""Two hammers: who plays a santur or a dulcimer alone strikes its low strings below its own tune."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.house.charts.habits import is_hammered
from libretto.house.compose.band import EFFECT, Player
from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER

__all__ = ["with_low_strings"]

_LIVELY, _FULL = 0.45, 0.6  # energies from which low strings have the second strong beat, and octaves of the tune
_STRUCK = QUARTER  # ticks of a stroke, whose string rings on
_BELOW, _SOFTER, _OCTAVE = 5, 4, 12  # semitones below the tune at least; how much softer they are


def with_low_strings(plan: Plan, player: Player, notes: Sequence[Sketch]) -> list[Sketch]:
    """What somebody plays; on hammered strings, where nobody else has tones, with a low string on the first beat of
    every bar (the tonic, where it is a tone of the chord, else the root), on every strong one of livelier bars, and in
    full bars the octave below what the tune strikes there."""
    others = [one for one in plan.players if not one.drums and one.role != EFFECT and one != player]
    if others or not is_hammered(player.name) or not notes:
        return list(notes)
    made = list(notes)
    for bar in sorted({note.onset // plan.meter.ticks for note in notes}):
        made += _low_strokes(plan, player, bar, notes)
    seen = {(note.onset, note.pitch): note for note in sorted(made, reverse=True)}
    return sorted(seen.values())


def _low_strokes(plan: Plan, player: Player, bar: int, notes: Sequence[Sketch]) -> list[Sketch]:
    """The low strings of one bar, which ring on by themselves."""
    start, ticks, energy = bar * plan.meter.ticks, plan.meter.ticks, plan.energy_at(bar)
    mine = [note for note in notes if start <= note.onset < start + ticks]
    halves = energy >= _LIVELY and bar < plan.bars - 1 and plan.meter.beats % 2 == 0
    step = ticks // 2 if halves else ticks
    made = []
    for onset in range(start, start + ticks, step):
        struck = [note for note in mine if note.onset == onset] if energy >= _FULL else []
        stroke = _octave(player, struck) or _low_string(plan, player, onset, mine)
        made += [stroke] if stroke is not None else []
    return made


def _octave(player: Player, struck: Sequence[Sketch]) -> Sketch | None:
    """The octave below the lowest of some notes that are struck together, where there is a string for it."""
    lowest = min(struck, key=lambda note: note.pitch, default=None)
    if lowest is None or lowest.pitch - _OCTAVE < player.bottom:
        return None
    return lowest._replace(pitch=lowest.pitch - _OCTAVE, duration=_STRUCK)


def _low_string(plan: Plan, player: Player, onset: int, mine: Sequence[Sketch]) -> Sketch | None:
    """A stroke on the highest string well below the tune of a bar that has the tonic, where that is a tone of the
    chord, else the root."""
    chord, tonic = plan.chord_at(onset).chord, plan.key.tonic_class
    tone = tonic if tonic in chord.classes else chord.root_class
    top = min(note.pitch for note in mine) - _BELOW
    pitch = next((one for one in range(top, player.bottom - 1, -1) if one % 12 == tone), None)
    loud = min(note.accent for note in mine) - _SOFTER
    return Sketch(onset, _STRUCK, pitch, loud) if pitch is not None else None
