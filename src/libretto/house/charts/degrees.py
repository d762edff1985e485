"""Degrees of a key as pitches, counted from the tonic of a hand: as the key has them, as a chart alters them, and as
the chord that sounds does."""

from __future__ import annotations

from libretto.house.compose.plan import Plan
from libretto.house.core.tones import ChordSpan, short_way

__all__ = ["degree_of", "degree_over", "degree_said"]

_LOWERED = (3, 8, 10)  # semitones above the tonic of degrees that are low already
_LOW_SEVENTH = 10


def degree_of(plan: Plan, base: int, degree: int) -> int:
    """The pitch of a degree of the key, counted from a tonic, which is 1."""
    own = plan.scale if len(plan.steps) == len(plan.key.classes) else plan.key.classes
    steps = sorted((tone - plan.key.tonic_class) % 12 for tone in own)
    octave, place = divmod(degree - 1, len(steps))
    return base + 12 * octave + steps[place]


def degree_over(plan: Plan, base: int, degree: int, span: ChordSpan) -> int:
    """The pitch of a degree of the key over a chord: as that alters it, so that no F lies beside the F sharp of D7."""
    pitch = degree_of(plan, base, degree)
    return pitch + short_way(plan.altered_at(span).get(pitch % 12, pitch) - pitch)


def degree_said(plan: Plan, base: int, said: str, span: ChordSpan) -> int:
    """A degree as a chart says it: a flat 3, 6 or 7 is the minor one; without a sign it is as the chord has it, and a 7
    leads where that does."""
    if said[0] not in "b#":
        pitch = degree_over(plan, base, int(said), span)
        return pitch + ((pitch - base) % 12 == _LOW_SEVENTH and (pitch + 1) % 12 in span.chord.classes)
    pitch = degree_of(plan, base, int(said[1:]))
    low = said[0] == "b" and (pitch - base) % 12 in _LOWERED
    return pitch if low else pitch + (1 if said[0] == "#" else -1)
