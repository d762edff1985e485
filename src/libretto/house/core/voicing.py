"""Voicings: chords as notes that lead into each other, out of the mud, within reach of who plays them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from libretto.house.compose.plan import Harmony

__all__ = ["essential", "voice"]

_MUD = 52  # E3: below it thirds and seconds are kept open
Pitches = tuple[int, ...]


def essential(tones: Sequence[int], size: int, rootless: bool = False) -> tuple[int, ...]:
    """The tones of a chord that matter most, so many of them: third, seventh, root, extensions, fifth."""
    have = set(tones)
    order = [3, 4, 10, 11, 0, 5, 2, 9, 6, 8, 1, 7]
    if 10 not in have and 11 not in have:
        order = [0, 3, 4, 5, 7, 6, 8, 9, 2, 10, 11, 1]
    if rootless and len(have) > 3:
        order = [each for each in order if each != 0] + [0]
    chosen = [each for each in order if each in have][: max(1, size)]
    return tuple(sorted(chosen))


def voice(
    harmony: Harmony, low: int, high: int, size: int, kind: str = "close", before: Pitches | None = None
) -> Pitches:
    """The notes of a chord within a register: of all ways to place them, the one that moves least and sounds clear."""
    if kind == "power":
        return _power(harmony, low, high, size)
    if kind == "guitar":
        return _guitar(harmony, low, high, size)
    if kind == "octave":
        bottom = low + (harmony.root - low) % 12
        return (bottom, bottom + 12) if size > 1 and bottom + 12 <= high else (bottom,)
    if kind == "rooted":
        return _rooted(harmony, low, high, size, before)
    tones = essential(
        harmony.tones, 2 if kind == "shell" and size <= 3 else size, rootless=kind in ("rootless", "shell")
    )
    classes = tuple(sorted((harmony.root + tone) % 12 for tone in tones))
    ways = _ways(classes, low, high, kind) or _ways(classes, low, high, "close")  # closed where there is no room
    if not ways:
        bottom = low + (harmony.root - low) % 12
        return (bottom if bottom <= high else bottom - 12,)
    middle = (low + high) / 2
    return min(ways, key=lambda way: (_cost(way, middle, before), way))


@lru_cache(maxsize=4096)
def _ways(classes: tuple[int, ...], low: int, high: int, kind: str) -> tuple[Pitches, ...]:
    """Every close position within a register, and its opened forms."""
    found = []
    for bottom in range(low, high + 1):
        if bottom % 12 not in classes:
            continue
        stack = [bottom]
        at = classes.index(bottom % 12)
        for step in range(1, len(classes)):
            wanted = classes[(at + step) % len(classes)]
            stack.append(stack[-1] + ((wanted - stack[-1]) % 12 or 12))
        close = tuple(stack)
        if close[-1] <= high and (kind not in ("open", "spread") or len(close) < 3):
            found.append(close)
        if len(close) >= 3:
            opened = tuple(sorted((*close[:-2], close[-2] - 12, close[-1])))
            if kind in ("open", "spread", "rootless") and opened[0] >= low and opened[-1] <= high:
                found.append(opened)
            raised = tuple(sorted((close[0], close[1] + 12, *close[2:])))
            if kind == "spread" and raised[-1] <= high:
                found.append(raised)
    return tuple(dict.fromkeys(found))


def _cost(way: Pitches, middle: float, before: Pitches | None) -> float:
    cost = 0.15 * abs(sum(way) / len(way) - middle)
    for one, other in pairwise(way):
        if one < _MUD and other - one < 5:
            cost += 6.0
        if other - one < 2:
            cost += 2.5
    if before:
        cost += sum(min(abs(each - old) for old in before) for each in way)
        cost += 1.5 * abs(way[-1] - before[-1])
    return cost


def _rooted(harmony: Harmony, low: int, high: int, size: int, before: Pitches | None) -> Pitches:
    """For who has no bass below: the chord's bass at the bottom, the rest above it, wide where it lies low."""
    bottom = low + (harmony.bass - low) % 12
    above = {(harmony.root + tone) % 12 for tone in essential(harmony.tones, max(3, size))} - {harmony.bass}
    ways: list[Pitches] = []
    for root in (bottom, bottom + 12) if bottom < _MUD - 4 else (bottom,):
        close = tuple(sorted(root + (tone - root) % 12 for tone in above))
        for way in (close, tuple(sorted((*close[1:], *(each + 12 for each in close[:1]))))):
            whole = tuple(each for each in (root, *way) if each <= max(high, bottom + 10))[: max(2, size)]
            if len(whole) > min(2, len(above)):
                ways.append(whole)
    middle = (low + high) / 2
    return min(ways or [(bottom,)], key=lambda way: (_cost(way, middle, before), way))


def _power(harmony: Harmony, low: int, high: int, size: int) -> Pitches:
    bottom = low + (harmony.bass - low) % 12
    while bottom + 12 > high and bottom - 12 >= low:
        bottom -= 12
    fifth = 6 if 6 in harmony.tones and 7 not in harmony.tones else 7
    notes = (bottom, bottom + fifth, bottom + 12)[: max(2, min(3, size))]
    return tuple(each for each in notes if each <= high)


def _guitar(harmony: Harmony, low: int, high: int, size: int) -> Pitches:
    """A strummed shape: the bass low on the strings, then chord tones upwards with room between them."""
    bottom = max(low, 40) + (harmony.bass - max(low, 40)) % 12
    notes = [bottom]
    tones = {(harmony.root + tone) % 12 for tone in essential(harmony.tones, 4)}
    at = bottom + (5 if bottom < _MUD else 3)
    top = min(high, 76)
    while len(notes) < max(3, min(6, size)) and at <= top:
        if at % 12 in tones and at - notes[-1] >= 3:
            notes.append(at)
        at += 1
    third = next((tone for tone in (3, 4, 5, 2) if tone in harmony.tones), None)
    if third is not None and not any((each - harmony.root) % 12 == third for each in notes):
        places = [each for each in range(bottom + 3, top + 1) if (each - harmony.root) % 12 == third]
        if places:
            notes = sorted({*notes[: max(1, size - 1)], min(places, key=lambda each: (each < _MUD, each))})
    return tuple(notes)
