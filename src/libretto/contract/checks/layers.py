"""Layers of a kit: kick, hats and claps that come in one after the other, and whether they do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.asks import Ask
from libretto.contract.checks.strokes import LAYERS, by_bars, comes_in
from libretto.contract.checks.where import Spans, said, voices_of, within
from libretto.contract.stretches import bars_of_place
from libretto.score.model import Score

__all__ = ["LAYERS", "WITHOUT", "entries", "kit_of", "layered", "missing", "order_of", "strokes_of"]

#: What an ask begins with for a place in which one layer rests.
WITHOUT = "without "
_ORDER = ("kick", "hats", "claps")
_LATE = 2  # bars of silence before a kit, or after it
_KEYS = {"kick": (35, 36), "hats": (42, 44, 46, 49, 51, 52, 53, 54, 55, 57, 59, 69, 70, 82)}


def order_of(what: str) -> tuple[str, ...]:
    """The layers that an ask names, in order; the usual ones where it names no others.

    >>> order_of("layers: kick, claps")
    ('kick', 'claps', 'hats')
    """
    told = [name for name in what.removeprefix(LAYERS).split(", ") if name in _ORDER]
    return tuple(dict.fromkeys((*told, *_ORDER)))


def entries(score: Score, kit: Sequence[int]) -> tuple[int, ...]:
    """The bars, by number, in which the layers of a kit come in; where it is silent at first, in what is left."""
    places = (f"entry {number} of {len(_ORDER)}" for number in range(1, len(_ORDER) + 1))
    bars = [bars_of_place(place, score)[0][0] for place in places]
    struck = [int(onset) for index in kit for onset in score.voices[index].array["onset"]]
    first, last = score.numbers[0], score.numbers[-1]
    begin = score.bar_at(min(struck)) + score.first_bar if struck else first
    end = score.bar_at(max(struck)) + score.first_bar if struck else last
    if begin - first < _LATE and last - end < _LATE:
        return tuple(bars)
    return tuple(begin + (bar - first) * (end - begin + 1) // (last - first + 1) for bar in bars)


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
    kit, order = kit_of(ask, score), order_of(ask.what)
    bars = entries(score, kit)
    whole = ((score.numbers[0], score.numbers[-1]),)
    if not kit:
        return False, "nobody drums", whole
    if told := by_bars(ask.what):
        return comes_in(told, score, kit)
    for place, name in enumerate(order):
        early = _struck(score, kit, name, (whole[0][0], bars[place] - 1))
        following = bars[place + 1] - 1 if place + 1 < len(bars) else whole[0][1]
        if early:
            return False, f"the {name} is there before bar {bars[place]}", whole
        if not _struck(score, kit, name, (bars[place], following)):
            return False, f"no {name} in {said(((bars[place], following),))}", whole
    return True, ", ".join(f"{name} from bar {bar}" for name, bar in zip(order, bars, strict=True)), whole


def missing(ask: Ask, score: Score, spans: Spans) -> tuple[bool, str, Spans]:
    """Whether a layer of the kit rests in some bars."""
    layer = ask.what.removeprefix(WITHOUT)
    heard = [span for span in spans if _struck(score, kit_of(ask, score), layer, span)]
    return not heard, f"{'no' if not heard else 'a'} {layer} in {said(tuple(heard) or spans)}", spans


def _struck(score: Score, kit: Sequence[int], layer: str, span: tuple[int, int]) -> bool:
    """Whether a layer sounds in some bars."""
    if span[1] < span[0]:
        return False
    return any(strokes_of(within(score.voices[index].array, (span,), score), layer).any() for index in kit)
