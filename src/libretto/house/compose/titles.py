"""Titles: what a piece is called where its brief does not say."""

from __future__ import annotations

from libretto.contract import Contract
from libretto.house.core.style import Style
from libretto.score import Key

__all__ = ["TAKES", "title_of"]

#: Seeds of further takes of one piece lie so far apart; all of them have one title.
TAKES = 1_000_003


def title_of(contract: Contract, style: Style, key: Key, seed: int) -> str:
    """The title that was asked for; else what the piece is, for whom, and the how-manyeth of its kind it is.

    >>> from libretto.house.core.style import load_style
    >>> title_of(Contract(dedication="Mia"), load_style("lullaby"), Key.parse("F major"), 0)
    'Lullaby for Mia'
    >>> title_of(Contract(), load_style("waltz"), Key.parse("D minor"), 3)
    'Waltz No. 4 in D minor'
    """
    if contract.title:
        return contract.title
    number = seed % TAKES
    name = f"{style.title} No. {number + 1}" if number else style.title
    return f"{name} for {contract.dedication}" if contract.dedication else f"{name} in {key}"
