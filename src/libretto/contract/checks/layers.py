"""Layers of a kit: kick, hats and claps that come in one after the other, and whether they do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.asks import Ask
from libretto.contract.checks.where import said, voices_of, within
from libretto.contract.stretches import bars_of_place
from libretto.score.model import Score

__all__ = ["LAYERS", "entries", "kit_of", "layered", "order_of", "strokes_of"]

#: What an ask for layers begins with.
LAYERS = "layers: "
_ORDER = ("kick", "hats", "claps")
_KEYS = {"kick": (35, 36), "hats": (42, 44, 46, 49, 51, 52, 53, 54, 55, 57, 59, 69, 70, 82)}


def order_of(what: str) -> tuple[str, ...]:
    """The layers that an ask names, in order; the usual ones where it names no others.

    >>> order_of("layers: kick, claps")
    ('kick', 'claps', 'hats')
    """
    told = [name for name in what.removeprefix(LAYERS).split(", ") if name in _ORDER]
    return tuple(dict.fromkeys((*told, *_ORDER)))


def entries(score: Score) -> tuple[int, ...]:
    """The bars, by number, in which the layers come in."""
    return tuple(bars_of_place(f"entry {number} of {len(_ORDER)}", score)[0][0] for number in range(1, len(_ORDER) + 1))


def kit_of(ask: Ask, score: Score) -> list[int]:
    """Who has the layers, by index."""
    drummers = [index for index, voice in enumerate(score.voices) if voice.drums and len(voice.array)]
    return [index for index in voices_of(ask.who, score) if index in drummers] or drummers


def strokes_of(notes: NDArray[Any], layer: str) -> NDArray[np.bool_]:
    """Which strokes belong to a layer; claps, snares and all the rest are one."""
    if layer in _KEYS:
        return np.isin(notes["pitch"], _KEYS[layer])
    return ~np.isin(notes["pitch"], [key for keys in _KEYS.values() for key in keys])


def layered(ask: Ask, score: Score) -> tuple[bool, str, tuple[tuple[int, int], ...]]:
    """Whether the layers come in one after the other, and are heard from there on."""
    kit, order, bars = kit_of(ask, score), order_of(ask.what), entries(score)
    whole = ((score.numbers[0], score.numbers[-1]),)
    if not kit:
        return False, "nobody drums", whole
    for place, name in enumerate(order):
        early = _struck(score, kit, name, (whole[0][0], bars[place] - 1))
        following = bars[place + 1] - 1 if place + 1 < len(bars) else whole[0][1]
        if early:
            return False, f"the {name} is there before bar {bars[place]}", whole
        if not _struck(score, kit, name, (bars[place], following)):
            return False, f"no {name} in {said(((bars[place], following),))}", whole
    return True, ", ".join(f"{name} from bar {bar}" for name, bar in zip(order, bars, strict=True)), whole


def _struck(score: Score, kit: Sequence[int], layer: str, span: tuple[int, int]) -> bool:
    """Whether a layer sounds in some bars."""
    if span[1] < span[0]:
        return False
    return any(strokes_of(within(score.voices[index].array, (span,), score), layer).any() for index in kit)
