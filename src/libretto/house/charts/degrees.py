"""Degrees of a key as pitches, counted from the tonic of a hand: as the key has them, as a chart alters them, and as
the chord that sounds does."""

from __future__ import annotations

from libretto.house.charts.habits import habits_of
from libretto.house.compose.plan import Plan
from libretto.house.core.tones import ChordSpan, short_way
from libretto.score import QUARTER

__all__ = ["above_root", "degree_of", "degree_over", "degree_said"]

_LOWERED = (3, 8, 10)  # semitones above the tonic of degrees that are low already
_LOW_SEVENTH = 10
_BLUE = (3, 10)  # semitones above the tonic of what is lowered in a blues
_OWN = {3: (4, 3), 5: (7, 6, 8), 7: (10, 11, 9)}  # semitones above the root that a degree may be, where the chord says
_LOW = {3: (3,), 5: (6,), 7: (9, 10)}  # semitones of degrees that are low already
_THIRD = 3
_QUICK = QUARTER // 4  # how long a blue note is at most that passes


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


def _is_blue(plan: Plan, span: ChordSpan, tone: int) -> bool:
    """Whether a blue note goes over a chord: in styles of the blues, in scales of their own, over a seventh chord, and
    where it is no tone of the key and a chord of the piece has it; elsewhere it rubs against the third that others
    hold."""
    if plan.own_scale or _LOW_SEVENTH in span.tones or "blue" in habits_of(plan):
        return True
    return tone % 12 not in plan.key.classes and any(tone % 12 in other.chord.classes for other in plan.harmony)


def _is_plain(plan: Plan) -> bool:
    """Whether no chord of a piece has any tone that its key has not."""
    return all(span.chord.classes <= set(plan.key.classes) for span in plan.harmony)


def degree_said(plan: Plan, base: int, said: str, span: ChordSpan, length: int = QUARTER) -> int:
    """A degree as a chart says it: a flat 3, 6 or 7 is the minor one, a blue one only where such go, or in passing;
    without a sign it is as the chord has it, and a 7 leads where that does."""
    if said[0] not in "b#":
        pitch = degree_over(plan, base, int(said), span)
        return pitch + ((pitch - base) % 12 == _LOW_SEVENTH and (pitch + 1) % 12 in span.chord.classes)
    pitch = degree_of(plan, base, int(said[1:]))
    low = said[0] == "b" and (pitch - base) % 12 in _LOWERED
    lowered = pitch if low else pitch + (1 if said[0] == "#" else -1)
    blue = said[0] == "b" and (lowered - base) % 12 in _BLUE and length > _QUICK and not plan.key.is_minor
    plain = blue and _is_plain(plan) and not _is_blue(plan, span, lowered)
    return degree_over(plan, base, int(said[1:]), span) if plain else lowered


def above_root(plan: Plan, degree: str, span: ChordSpan) -> int:
    """The pitch class of a degree above the root of a chord, as a number not below the root; a flat third is a blue one
    that not every chord bears."""
    number = int(degree.lstrip("b#"))
    octave, place = divmod(number - 1, 7)
    own = next((tone for tone in _OWN.get(place + 1, ()) if tone in span.tones), None)
    if own is None:
        steps = sorted((tone - span.root) % 12 for tone in plan.scale_at(span))
        own = steps[place] if len(steps) == 7 else (0, 2, 4, 5, 7, 9, 10)[place]
    lowered = degree[0] == "b" and own not in _LOW.get(place + 1, ())
    lowered = lowered and (place + 1 != _THIRD or _is_blue(plan, span, span.root + own - 1))
    return span.root + own + 12 * octave + (degree[0] == "#") - lowered
