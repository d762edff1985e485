"""Rhythms as tunes have them: whole bars, the same for the same arguments, of their kind."""

from __future__ import annotations

from itertools import pairwise

import pytest

from libretto.house.tune.pulses import chances, pulses
from libretto.score.time import QUARTER, Meter


@pytest.mark.parametrize("meter", [Meter(4, 4), Meter(3, 4), Meter(6, 8), Meter(9, 8), Meter(2, 2), Meter(5, 4)])
@pytest.mark.parametrize("kind", ["", "reel", "pop"])
def test_a_rhythm_fills_its_bars(meter: Meter, kind: str) -> None:
    told = pulses(16, meter, 1, kind=kind)
    assert told[0][0] == 0
    assert all(onset + length == after for (onset, length), (after, _) in pairwise(told))
    assert sum(told[-1]) == 16 * meter.ticks
    assert told == pulses(16, meter, 1, kind=kind)


def test_seeds_and_kinds_differ() -> None:
    assert len({tuple(pulses(16, Meter(4, 4), seed)) for seed in range(5)}) == 5
    notes = {
        kind: sum(len(pulses(16, Meter(4, 4), seed, kind=kind)) for seed in range(5)) for kind in ("reel", "chorale")
    }
    assert notes["reel"] > 1.3 * notes["chorale"]


def test_phrases_close_on_longer_notes() -> None:
    """A bar that closes a phrase has fewer notes than the others."""
    bar, closing, others = 4 * QUARTER, 0, 0
    for seed in range(20):
        for onset, _ in pulses(16, Meter(4, 4), seed, kind="air"):
            if onset // bar % 4 == 3:
                closing += 1
            else:
                others += 1
    assert closing < others / 3


def test_what_was_never_counted_leans_on_what_was() -> None:
    table = {"a": {"x": 3, "y": 1}, "ab": {"y": 4}}
    assert chances([table], ["a"])["x"] == pytest.approx(0.5)
    shares = chances([table], ["a", "ab", "abc"])
    assert shares["y"] > shares["x"] > 0
    assert chances([], ["a"]) == {}
