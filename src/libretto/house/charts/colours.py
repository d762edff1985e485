"""Colours of chords: how players of jazz and its kin voice a seventh chord where somebody else has its root."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.house.compose.plan import Plan
from libretto.house.core.tones import ChordSpan
from libretto.house.core.voicing import Pitches

__all__ = ["with_ninth"]

_NINTH = 2  # semitones above the root
_CLEAR = (52, 71)  # E3 to B4: where four notes close together are heard apart
_THIRDS, _FIFTHS, _SEVENTHS = (3, 4, 5), (6, 7, 8), (10, 11)


def with_ninth(plan: Plan, span: ChordSpan, low: int, high: int, before: Sequence[int] | None) -> Pitches | None:
    """A seventh chord without its root, as pianists stack it: third, fifth, seventh and ninth, or the upper two below
    the others, whichever is nearer to the chord ``before``; None where it is no seventh chord or the scale has no such
    ninth."""
    tones = [next((tone for tone in kind if tone in span.tones), None) for kind in (_THIRDS, _FIFTHS, _SEVENTHS)]
    if None in tones or (span.root + _NINTH) % 12 not in plan.scale_at(span):
        return None
    third, fifth, seventh = (int(tone or 0) for tone in tones)
    low = max(low, _CLEAR[0])
    usual, high = (low + high) / 2, max(high, _CLEAR[1])
    stacks = ((third, fifth, seventh, _NINTH + 12), (seventh, _NINTH + 12, third + 12, fifth + 12))
    ways = [
        tuple(span.root + tone + 12 * octave for tone in stack)
        for stack in stacks
        for octave in range(2, 7)
        if low <= span.root + stack[0] + 12 * octave and span.root + stack[-1] + 12 * octave <= high
    ]
    middle = sum(before) / len(before) if before else usual
    return min(ways, key=lambda way: (abs(sum(way) / len(way) - middle), way), default=None)
