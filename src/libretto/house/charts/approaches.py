"""How basses lead into the next root: by half a tone, or from a tone of the chord that lies near."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.house.compose.plan import Plan
from libretto.house.core.line import ladder
from libretto.house.core.tones import ChordSpan

__all__ = ["along", "approach"]

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


def along(rungs: Sequence[int], last: int, head: str, up: str) -> int:
    """So many rungs up or down a ladder from the note before, by a sign (``+2``); ``up`` is the one for upwards."""
    steps = int(head[1:] or 1)
    if head[0] == up:
        onward = [tone for tone in rungs if tone > last]
        return onward[min(steps, len(onward)) - 1] if onward else last
    back = [tone for tone in rungs if tone < last]
    return back[-min(steps, len(back))] if back else last
