"""What a brief leans towards beyond what its mood words say: a chart is written for its mood already."""

from __future__ import annotations

from libretto.contract import Contract
from libretto.contract.character import Leanings, find_moods

__all__ = ["height_of_tune", "leaning_beyond_moods"]

_MOOD = "mood: "
_HEIGHTS = {"high": 1, "low": -1}
_TUNE = "melody"


def leaning_beyond_moods(contract: Contract, name: str) -> float:
    """How much a contract leans (``density``, ``register``) beyond what its mood words lean by themselves: what
    somebody set by hand, or asked for of the whole piece."""
    words = [line[len(_MOOD) :].partition(' ("')[0] for line in contract.heard if line.startswith(_MOOD)]
    moods: Leanings = find_moods(", ".join(words))[1]
    return round(float(getattr(contract, name)) - float(getattr(moods, name)), 2)


def height_of_tune(contract: Contract) -> int:
    """Whether the tune of a piece, or who leads, is told to lie high (1) or low (-1) all through."""
    leaders = {_TUNE, *(part.name for part in contract.parts if part.role == "lead")}
    told = [ask for ask in contract.asks if ask.kind == "register" and not ask.where and ask.who in leaders]
    return _HEIGHTS.get(told[0].what, 0) if told else 0
