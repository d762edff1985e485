"""Asks as they are meant, where the words alone say something else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from libretto.contract.asks import Ask

__all__ = ["of_chords", "until_joined"]

_CHORDS, _TUNE = "chords", "melody"
_CHORDS_FIRST = re.compile(r"(?:[\w-]+,? ){1,3}(?:chords|harmonies|pads)\b(?=.*\bmelod)", re.I)


def until_joined(ask: Ask, asks: Sequence[Ask]) -> Ask:
    """A dialogue of two that ends where they go on together: ``they trade phrases, then play in thirds``."""
    if ask.what != "call and response" or ask.where:
        return ask
    for other in asks:
        pair = {other.who, other.what.partition(" in ")[0]}
        if other.kind == "doubling" and other.where.startswith("from ") and pair == set(ask.who.split(" + ")):
            return replace(ask, where=f"until {other.where.removeprefix('from ')}")
    return ask


def of_chords(ask: Ask) -> Ask:
    """A way to play chords that stand beside a tune, said of those: ``long sustained chords and a melodic line``."""
    mistaken = (ask.kind, ask.who) == ("manner", _TUNE) and _CHORDS_FIRST.match(ask.words)
    return replace(ask, who=_CHORDS) if mistaken else ask
