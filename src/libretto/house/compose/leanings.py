"""What a brief leans towards beyond what its mood words say: a chart is written for its mood already."""

from __future__ import annotations

from libretto.contract import Contract
from libretto.contract.character import Leanings, find_moods

__all__ = ["leaning_beyond_moods"]

_MOOD = "mood: "


def leaning_beyond_moods(contract: Contract, name: str) -> float:
    """How much a contract leans (``density``, ``register``) beyond what its mood words lean by themselves: what
    somebody set by hand, or asked for of the whole piece."""
    words = [line[len(_MOOD) :].partition(' ("')[0] for line in contract.heard if line.startswith(_MOOD)]
    moods: Leanings = find_moods(", ".join(words))[1]
    return round(float(getattr(contract, name)) - float(getattr(moods, name)), 2)
