"""Music of our own for tests of the reward."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from libretto import Score, compose, parse, played

NIGHT_BUS = (Path(__file__).parents[2] / "examples" / "night_bus.libretto").read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def night_bus() -> Score:
    return played(parse(NIGHT_BUS))


@lru_cache(maxsize=1)
def waltz() -> Score:
    return played(compose("A waltz for accordion and violin in A minor, 32 bars", rounds=1).score)
