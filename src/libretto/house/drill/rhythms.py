"""Rhythms of one bar for drills, by meter and level: beats cut into few plain figures, the last bar a long note."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from libretto.house.drill.meters import beats_of
from libretto.score import Meter

__all__ = ["bar_rhythm", "closing_rhythm"]

Cells = tuple[tuple[tuple[int, ...], float], ...]
# Figures of one beat as parts of it, with how likely they are, by level; compound beats have three pulses.
_SIMPLE: dict[int, Cells] = {
    1: (((1,), 3.0), ((1, 1), 2.0)),
    2: (((1,), 2.0), ((1, 1), 3.0), ((3, 1), 0.6), ((2, 1, 1), 0.4)),
    3: (((1,), 1.0), ((1, 1), 2.5), ((1, 1, 1, 1), 0.8), ((2, 1, 1), 0.8), ((1, 1, 2), 0.6), ((3, 1), 0.8)),
}  # fmt: skip
_COMPOUND: dict[int, Cells] = {
    1: (((1,), 2.5), ((2, 1), 2.0), ((1, 1, 1), 1.0)),
    2: (((1,), 1.5), ((2, 1), 2.0), ((1, 1, 1), 2.0), ((1, 2), 0.4)),
    3: (((1,), 1.0), ((2, 1), 1.5), ((1, 1, 1), 2.5), ((3, 1, 2), 0.6), ((2, 1, 1, 2), 0.5)),
}
_JOIN = {1: 0.35, 2: 0.25, 3: 0.15}


def bar_rhythm(meter: Meter, level: int, rng: Random) -> list[tuple[int, int]]:
    """Onsets and lengths of one bar without rests."""
    found: list[tuple[int, int]] = []
    at, beats = 0, beats_of(meter)
    number = 0
    while number < len(beats):
        size = beats[number]
        joined = len(beats) > 2 and number % 2 == 0 and number + 1 < len(beats) and rng.random() < _JOIN[level]
        if joined:
            size += beats[number + 1]
        compound = beats[number] * 3 % (meter.ticks // meter.beats * 3) == 0 and meter.unit >= 8 and not joined
        three = compound and beats[number] == 3 * (meter.ticks // meter.beats)
        cells = ((1,), 1.0), ((3, 1), 1.0 if level > 1 and not three else 0.0)
        table = cells if joined else (_COMPOUND if three else _SIMPLE)[level]
        cell = rng.choices([each for each, _ in table], [weight for _, weight in table])[0]
        total = sum(cell)
        edge = Fraction(at)
        for part in cell:
            length = Fraction(size * part, total)
            found.append((round(edge), round(edge + length) - round(edge)))
            edge += length
        at += size
        number += 2 if joined else 1
    return found


def closing_rhythm(meter: Meter, level: int, rng: Random, final: bool) -> list[tuple[int, int]]:
    """A bar that comes to rest: a few notes and a long one, or, at the end, one long note."""
    beats = beats_of(meter)
    if final or len(beats) < 3:
        long = meter.ticks if final else meter.ticks - beats[-1] // 2
        return [(0, long)]
    lead = bar_rhythm(Meter(1, 4), 1, rng) if meter.unit == 4 and level > 1 else [(0, beats[0])]
    rest = sum(beats[1:-1])
    return [*lead, (beats[0], rest)]
