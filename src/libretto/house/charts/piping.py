"""Pipes: a bag that never rests holds the tonic under the tune, and the tune goes on from note to note."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import Sketch

__all__ = ["PIPES", "piped"]

PIPES = 109  #: the program of bagpipes
_BREATH = 4  # bars that a drone is held before it is set in anew
_UNDER = -14  # how much softer it is than the tune


def piped(plan: Plan, player: Player, notes: Sequence[Sketch]) -> list[Sketch]:
    """What pipes play: a tune without rests inside a phrase of four bars, over a drone from where it begins to the
    end."""
    if not notes:
        return []
    bar, tune = plan.meter.ticks, sorted(notes)
    held = [
        one._replace(duration=after.onset - one.onset) if one.onset < after.onset <= one.onset + bar else one
        for one, after in pairwise(tune)
    ]
    low = player.bottom
    home = low + (plan.key.tonic_class - low) % 12
    first = tune[0].onset // bar
    drone = [
        Sketch(start * bar, (min(start + _BREATH, plan.bars) - start) * bar, home, _UNDER)
        for start in range(first, plan.bars, _BREATH)
    ]
    return [*held, tune[-1], *drone]
