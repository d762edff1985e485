"""The drums of a kit that come in by bars, as an ask tells them: which keys they have, and whether they do."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.checks.where import said, within
from libretto.score.model import Score

__all__ = ["LAYERS", "STROKES", "by_bars", "comes_in", "keys_of"]

#: What an ask for layers begins with.
LAYERS = "layers: "
#: The drums of a kit by name, and their keys in General MIDI.
STROKES: Mapping[str, tuple[int, ...]] = {
    "kick": (35, 36),
    "open hat": (46,),
    "hats": (42, 44),
    "snare": (38, 40, 37),
    "claps": (39,),
    "toms": (45, 41, 43, 47, 48, 50),
    "ride": (51, 53, 59),
    "crash": (49, 52, 55, 57),
    "cowbell": (56,),
    "shaker": (70, 69, 82),
    "tambourine": (54,),
}
_TOLD = re.compile(rf"({'|'.join(STROKES)}) (\d{{1,3}})")
_HATS = "open hat"  # which hats have besides, where it has no entry of its own


def by_bars(what: str) -> tuple[tuple[str, int], ...]:
    """The drums that an ask names with their bars, in order; none where it tells no bars.

    >>> by_bars("layers: kick 1, hats 5"), by_bars("layers: kick, hats")
    ((('kick', 1), ('hats', 5)), ())
    """
    told = [_TOLD.fullmatch(one) for one in what.removeprefix(LAYERS).split(", ")]
    return tuple((one[1], int(one[2])) for one in told if one) if all(told) else ()


def keys_of(layers: Sequence[tuple[str, int]], place: int) -> tuple[int, ...]:
    """The keys of one of some drums, its own first; the last to come brings all that are nobody's."""
    name = layers[place][0]
    names = [other for other, _ in layers]
    own = STROKES[name] + (STROKES[_HATS] if name == "hats" and _HATS not in names else ())
    if place < len(layers) - 1:
        return own
    taken = {key for other in range(len(layers) - 1) for key in keys_of(layers, other)}
    return own + tuple(key for key in range(128) if key not in taken and key not in own)


def comes_in(
    layers: Sequence[tuple[str, int]], score: Score, kit: Sequence[int]
) -> tuple[bool, str, tuple[tuple[int, int], ...]]:
    """Whether the drums come in, each in its bar and not before."""
    low, high = score.numbers[0], score.numbers[-1]
    for place, (name, bar) in enumerate(layers):
        later = min((other for _, other in layers if other > bar), default=high + 1)
        if bar > high:
            return False, f"there is no bar {bar}", ()
        if _struck(score, kit, keys_of(layers, place), (low, bar - 1)):
            return False, f"the {name} is there before bar {bar}", ((low, bar - 1),)
        if not _struck(score, kit, STROKES[name], (bar, min(high, later - 1))):
            return False, f"no {name} in {said(((bar, min(high, later - 1)),))}", ((bar, min(high, later - 1)),)
    return True, ", ".join(f"{name} from bar {bar}" for name, bar in layers), ((low, high),)


def _struck(score: Score, kit: Sequence[int], keys: Sequence[int], span: tuple[int, int]) -> bool:
    """Whether any of some keys is struck in some bars."""
    if span[1] < span[0]:
        return False
    return any(_of(within(score.voices[index].array, (span,), score), keys).any() for index in kit)


def _of(notes: NDArray[Any], keys: Sequence[int]) -> NDArray[np.bool_]:
    return np.isin(notes["pitch"], keys)
