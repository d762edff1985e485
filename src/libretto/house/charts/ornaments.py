"""Ornaments of a chart: trills, grace notes and tremolo, as the marks of a sign ask for them."""

from __future__ import annotations

from libretto.house.charts.habits import habits_of
from libretto.house.compose.plan import Plan
from libretto.house.core.line import ladder
from libretto.house.core.patterns import Sketch
from libretto.house.core.tones import ChordSpan
from libretto.score import QUARTER

__all__ = ["melodic_scale", "ornamented", "step_above", "steps_below"]

_TREMOLO, _TRILL, _GRACE = QUARTER // 4, QUARTER // 8, QUARTER // 8  # ticks
_TRILLED = 4  # pairs of notes of a trill at most
_LOW_SIXTH, _HIGH_SEVENTH = 8, 11  # semitones above a tonic
_BACK, _SOFTER, _LIGHT = 4, 3, 8  # how much softer every other stroke of a tremolo, a trill and a grace note are


def ornamented(plan: Plan, marks: str, strokes: list[Sketch]) -> list[Sketch]:
    """The notes of a sign as its marks want them; the ones that may be held come last."""
    top = strokes[-1]
    if "%" in marks:
        return [
            note._replace(
                onset=note.onset + _TREMOLO * turn, duration=_TREMOLO, accent=note.accent - _BACK * (turn % 2)
            )
            for turn in range(max(1, top.duration // _TREMOLO))
            for note in strokes
        ]
    if "*" in marks and top.duration >= 4 * _TRILL:
        return [*strokes[:-1], *_trill(plan, top)]
    if "^" in marks and top.duration > 2 * _GRACE:
        grace = Sketch(top.onset, _GRACE, _below(plan, top), top.accent - _LIGHT)
        return [grace, *strokes[:-1], top._replace(onset=top.onset + _GRACE, duration=top.duration - _GRACE)]
    return strokes


def _trill(plan: Plan, note: Sketch) -> list[Sketch]:
    """A note shaken with the step above it, beginning there, and then held."""
    above = step_above(plan, note.onset, note.pitch)
    turns = min(_TRILLED, note.duration // (2 * _TRILL) // 2) * 2
    shakes = [
        Sketch(note.onset + _TRILL * turn, _TRILL, above if turn % 2 == 0 else note.pitch, note.accent - _SOFTER)
        for turn in range(turns)
    ]
    return [*shakes, note._replace(onset=note.onset + turns * _TRILL, duration=note.duration - turns * _TRILL)]


def _below(plan: Plan, note: Sketch) -> int:
    """The step below a note, from which a grace note slides into it; half a tone where notes are crushed, and where the
    chord before led to it so."""
    led = (note.pitch - 1) % 12 in plan.chord_at(max(0, note.onset - 1)).chord.classes
    if "crushed" in habits_of(plan) or led:
        return note.pitch - 1
    classes = frozenset(plan.key.classes) | plan.chord_at(note.onset).chord.classes
    return next((tone for tone in (note.pitch - 2, note.pitch - 1) if tone % 12 in classes), note.pitch - 1)


def step_above(plan: Plan, tick: int, pitch: int) -> int:
    """The step of the scale above a note at a time."""
    rungs = ladder(plan.scale_at(plan.chord_at(tick)), pitch + 1, pitch + 4)
    return rungs[0] if rungs else pitch + 2


def melodic_scale(plan: Plan, span: ChordSpan) -> frozenset[int]:
    """The steps of a line over a chord: in minor with the high sixth beside a leading note that the chord brings, so
    that no step is wider than a tone; but for styles that are known by that step."""
    scale = plan.scale_at(span)
    low, lead = ((plan.key.tonic_class + step) % 12 for step in (_LOW_SIXTH, _HIGH_SEVENTH))
    wide = plan.key.is_minor and {low, lead} <= scale and low not in span.chord.classes
    return scale - {low} | {(low + 1) % 12} if wide and "wide_steps" not in habits_of(plan) else scale


def steps_below(scale: frozenset[int], pitch: int, triad: bool) -> list[int]:
    """The third of a scale below a pitch; for a ``triad`` that glides in parallel with it the fifth as well.

    >>> steps_below(frozenset((0, 2, 4, 5, 7, 9, 11)), 67, triad=True)
    [60, 64]
    """
    steps, far = (4, 9) if triad else (2, 5)
    return ladder(scale, pitch - far, pitch - 1)[-steps:][::2]
