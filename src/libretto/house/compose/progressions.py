"""Progressions in a style's own words: a new way from the first bar of one to its close, by moves the style makes.

Every bar of a style's progressions is a word, and what follows it somewhere in the style may follow it here. The first
and the last bar stay, so that a phrase begins and closes as it was meant to.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import pairwise
from random import Random

__all__ = ["moves_of", "rewalked"]

Moves = Mapping[str, Mapping[str, int]]
_SHORTEST, _LONGEST = 4, 10


def moves_of(progressions: Iterable[str]) -> dict[str, Counter[str]]:
    """How often each bar is followed by each other bar, over all progressions."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for progression in progressions:
        for bar, after in pairwise(progression.split()):
            found[bar][after] += 1
    return dict(found)


def rewalked(progression: str, moves: Moves, source: Random) -> str:
    """Another progression of the same length with the same first and last bar; the same one where there is no other."""
    bars = progression.split()
    size = len(bars)
    if not _SHORTEST <= size <= _LONGEST:
        return progression
    reach = _reach(bars[-1], moves, size)
    walk = [bars[0]]
    for place in range(1, size - 1):
        choices = {
            bar: count
            for bar, count in moves.get(walk[-1], {}).items()
            if bar in reach[size - 1 - place] and not (bar == walk[-1] and len(walk) > 1 and walk[-2] == bar)
        }
        if not choices:
            return progression
        names = sorted(choices)
        walk.append(source.choices(names, [choices[name] for name in names])[0])
    return " ".join([*walk, bars[-1]])


def _reach(last: str, moves: Moves, size: int) -> list[set[str]]:
    """For every number of steps the bars from which the last one can be reached in exactly so many."""
    reach = [{last}]
    for _ in range(size):
        reach.append({bar for bar, after in moves.items() if set(after) & reach[-1]})
    return reach
