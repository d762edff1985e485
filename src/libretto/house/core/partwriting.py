"""Small rules of writing parts: where a bass goes, how chords are voiced, which places to keep."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from random import Random

from libretto.house.fill.beside import Beside
from libretto.house.fill.reading import Harmony

__all__ = ["bass_note", "spaced", "voiced"]

_LOWEST, _HIGHEST = 28, 50


def spaced(places: Iterable[int], least: int, most: int) -> list[int]:
    """So many places at most, in order, none nearer to the one before than ``least``; those named first come first."""
    kept: list[int] = []
    for place in places:
        if len(kept) < most and all(abs(place - other) >= least for other in kept):
            kept.append(place)
    return sorted(kept)


def _nearest(tone: int, pitch: int, low: int, high: int) -> int:
    """The pitch of a class within a register that lies nearest to another."""
    fitting = [each for each in range(low, high + 1) if each % 12 == tone % 12]
    return min(fitting, key=lambda each: (abs(each - pitch), each))


def bass_note(
    chord: Harmony, following: Harmony, strong: bool, last: int, beside: Beside, bar: int, rng: Random
) -> int:
    """The next note of a bass: the root where a chord begins, a step into the next root before it changes."""
    assert chord is not None
    root = _nearest(chord[0], (last + 38) // 2, _LOWEST, _HIGHEST)
    if strong:
        return root
    if following is not None and following[0] != chord[0] and rng.random() < 0.4:
        target = _nearest(following[0], root, _LOWEST, _HIGHEST)
        home = beside.reading.home(bar)
        steps = [each for each in (target - 1, target - 2, target + 1, target + 2) if each % 12 in home]
        if steps:
            return max(_LOWEST, min(steps, key=lambda each: abs(each - last)))
    fifth = next((tone for tone in sorted(chord[1]) if (tone - chord[0]) % 12 in (6, 7, 8)), chord[0])
    choice = rng.random()
    if choice < 0.6:
        return root
    return (
        _nearest(fifth, root, _LOWEST, _HIGHEST) if choice < 0.85 else _nearest(chord[0], root + 12, _LOWEST, _HIGHEST)
    )


def voiced(chord: Harmony, before: Sequence[int], middle: int, size: int) -> list[int]:
    """A chord in close position around a pitch, each voice near to where it was."""
    assert chord is not None
    third = [tone for tone in sorted(chord[1]) if (tone - chord[0]) % 12 in (3, 4, 2, 5)][:1]
    seventh = [tone for tone in sorted(chord[1]) if (tone - chord[0]) % 12 in (9, 10, 11)][:1]
    fifth = [tone for tone in sorted(chord[1]) if (tone - chord[0]) % 12 in (6, 7, 8)][:1]
    tones = [*third, *fifth, chord[0], *seventh] if size > 3 or not seventh else [*third, *seventh, chord[0]]
    tones = list(dict.fromkeys(tones))[: max(2, size)]
    choices = [[each for each in range(middle - 9, middle + 10) if each % 12 == tone] for tone in tones]
    best: list[int] = []
    price = 1e9
    for combination in product(*choices):
        row = sorted(combination)
        if len(set(row)) < len(row) or row[-1] - row[0] > 16:
            continue
        was = sorted(before)
        moved = sum(abs(a - b) for a, b in zip(row, was, strict=False)) if was else 0
        cost = moved + 0.6 * abs(sum(row) / len(row) - middle)
        if cost < price:
            best, price = row, cost
    return best or [choices[0][0]]
