"""An old record that crackles under the music: dust at odd times, and a scratch that comes round with every turn."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.house.compose.plan import Plan
from libretto.house.core.dice import dice
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER

__all__ = ["crackled"]

_TURN = 60 / (100 / 3)  # seconds that a long-playing record takes
_GRAIN = QUARTER // 4  # where grains of dust lie
_DUSTY = 0.16  # how many of the places have one
_SOFT, _SOFTER, _SCRATCH = -34, 8, -26  # accents of dust, how much softer some is, and of the scratch
_DRIFTS = 1  # grains by which the scratch comes early or late
_SECONDS = 60


def crackled(plan: Plan, keys: Sequence[int]) -> list[Sketch]:
    """Soft crackle all through, before the first note and after the last: dust on the first of some keys, and the
    scratch of every turn on the second, a little early or late as the record is."""
    end = plan.bars * plan.meter.ticks
    chance = dice(plan.seed, "crackle")
    dust = {
        tick: Sketch(tick, _GRAIN, keys[0], _SOFT - chance.randrange(_SOFTER))
        for tick in range(0, end, _GRAIN)
        if chance.random() < _DUSTY
    }
    turn = round(_TURN * plan.tempo / _SECONDS * QUARTER / _GRAIN)
    first = chance.randrange(turn)
    for grain in range(first, end // _GRAIN - _DRIFTS, turn):
        tick = max(0, grain + chance.randint(-_DRIFTS, _DRIFTS)) * _GRAIN
        dust[tick] = Sketch(tick, _GRAIN, keys[-1], _SCRATCH)
    return sorted(dust.values())
