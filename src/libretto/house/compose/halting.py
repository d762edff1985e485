"""A piece that is called hesitant as a whole begins so, where one plays alone."""

from __future__ import annotations

from dataclasses import replace

from libretto.contract import Contract
from libretto.contract.asks import Ask
from libretto.house.charts.calling import words_said

__all__ = ["HESITANT", "with_hesitation"]

#: What an ask says of a beginning that hesitates, and the word by which charts are known that begin so as written.
HESITANT = "hesitant"
_WORDS = frozenset(
    (HESITANT, "hesitating", "hesitantly", "halting", "haltingly", "faltering", "stammering", "tentative")
)


def with_hesitation(contract: Contract, players: int) -> Contract:
    """A contract that asks for a beginning that hesitates, where one plays (as told by how many ``players`` there are)
    what a brief calls hesitant, and no more is said of that."""
    told = any((ask.kind, ask.what) == ("texture", HESITANT) for ask in contract.asks)
    if told or players != 1 or not words_said(contract) & _WORDS:
        return contract
    return replace(contract, asks=(*contract.asks, Ask("texture", HESITANT, "", "start")))
