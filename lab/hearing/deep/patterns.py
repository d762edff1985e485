"""Patterns of drums drawn by lot, the way drummers usually play: kicks, snares, metal that keeps the time, fills."""

from __future__ import annotations

from random import Random

__all__ = ["drawn"]

_CYMBALS, _TOMS, _OTHERS = (
    (49, 51, 52, 53, 55, 57, 59),
    (41, 43, 45, 47, 48, 50),
    (54, 56, 60, 62, 69, 70, 80),
)
_BARS = 4
_PLAIN = 0.08  # of the patterns have one drum alone

#: Seconds or quarters, key, and how loud, 0 to 1.
Stroke = tuple[float, int, float]


def drawn(dice: Random) -> list[Stroke]:
    """A few bars of strokes at a tempo by lot."""
    quarter = 60 / dice.uniform(66, 180)
    return [(at * quarter, key, loud) for at, key, loud in _bars(dice)]


def _bars(dice: Random) -> list[Stroke]:
    """A few bars of strokes, in quarters."""
    strokes: list[Stroke] = []
    kicks = {0: 0.95, 8: 0.7} | {place: dice.choice((0.0, 0.1, 0.3)) for place in (2, 3, 5, 6, 7, 10, 11, 14)}
    plain = dice.random()
    snares = {4: 0.95, 12: 0.95} | {place: dice.choice((0.0, 0.0, 0.15)) for place in (2, 7, 9, 10, 14, 15)}
    step, metal = dice.choice((1, 2, 2, 4)), dice.choice((42, 42, 42, 42, 42, 44, 46, 46, 51, 53, 0, 0))
    extra = dice.choice((*(0,) * 14, *_OTHERS))
    kick, snare = dice.choice((35, 36, 36)), dice.choice((38, 38, 40, 37, 39))
    if plain < _PLAIN:  # one drum alone
        kicks, snares, metal, extra = dice.choice(((kicks, {}, 0, 0), ({}, snares, 0, 0), ({}, {}, metal, 0)))
    for bar in range(_BARS):
        for place in range(16):
            at = (bar * 16 + place) / 4
            if dice.random() < kicks.get(place, 0.0):
                strokes.append((at, kick, dice.uniform(0.6, 1)))
            if dice.random() < snares.get(place, 0.0):
                strokes.append((at, snare, dice.uniform(0.7, 1) if place in (4, 12) else dice.uniform(0.25, 0.8)))
            if metal and place % step == 0 and dice.random() < 0.93:
                key = 46 if metal == 42 and dice.random() < 0.08 else metal
                strokes.append((at, key, dice.uniform(0.35, 1)))
            if extra and dice.random() < 0.2:
                strokes.append((at, extra, dice.uniform(0.4, 0.9)))
            if bar == _BARS - 1 and place >= 8 and dice.random() < 0.25:
                strokes.append((at, dice.choice(_TOMS), dice.uniform(0.6, 1)))
        if dice.random() < 0.3:
            strokes.append((bar * 4.0, dice.choice(_CYMBALS), dice.uniform(0.5, 1)))
    return strokes
