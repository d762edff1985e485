"""How basses lead into the next root: by half a tone, or from a tone of the chord that lies near."""

from __future__ import annotations

from libretto.house.compose.plan import Plan
from libretto.house.core.line import ladder
from libretto.house.core.tones import ChordSpan

__all__ = ["approach"]

_NEAR = 5  # semitones from which a plain bass leads into a root


def approach(plan: Plan, span: ChordSpan, goal: int, last: int, low: int, *, chromatic: bool) -> int:
    """The last note before a root: half a tone or a step beside it, never below the instrument; a plain bass goes there
    from a tone of its chord."""
    if not chromatic and (near := _leaning(span, goal, last)) is not None:
        return near
    above = goal + 1 if (goal + 1) % 12 in plan.scale else goal + 2
    below = goal - 1 if chromatic or (goal - 1) % 12 in plan.scale else goal - 2
    ways = [below, above] if below >= low else [above]
    return min(ways, key=lambda tone: (tone == last, abs(tone - last)))


def _leaning(span: ChordSpan, goal: int, last: int) -> int | None:
    """The tone of a chord over which a plain bass goes to the next root; None where there is none so near."""
    tones = [tone for tone in ladder(span.chord.classes, goal - _NEAR, goal + _NEAR) if tone != goal]
    return min(tones, key=lambda tone: (abs(tone - goal) + abs(tone - last), abs(tone - goal), tone), default=None)
