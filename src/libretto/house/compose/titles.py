"""Titles: what a piece is called where its brief does not say."""

from __future__ import annotations

from libretto.contract import Contract
from libretto.house.core.style import Style
from libretto.score import Key

__all__ = ["TAKES", "title_of"]

#: Seeds of further takes of one piece lie so far apart; all of them have one title.
TAKES = 1_000_003
_FEW = 3  # players that a title names


def title_of(contract: Contract, style: Style, key: Key, seed: int) -> str:
    """The title that was asked for; else what the piece is, for whom, and the how-manyeth of its kind it is.

    >>> from libretto.house.core.style import load_style
    >>> title_of(Contract(dedication="Mia"), load_style("lullaby"), Key.parse("F major"), 0)
    'Lullaby for Mia'
    >>> title_of(Contract(), load_style("waltz"), Key.parse("D minor"), 3)
    'Waltz No. 4 in D minor'
    >>> title_of(Contract.from_brief("something for flute and harp"), load_style("classical"), Key.parse("D major"), 0)
    'Piece for flute and harp in D major'
    """
    if contract.title:
        return contract.title
    number = seed % TAKES
    kind = style.title if contract.style or contract.genre or not contract.parts else "Piece"
    name = f"{kind} No. {number + 1}" if number else kind
    if contract.dedication:
        return f"{name} for {contract.dedication}"
    players = [part.name.lower() for part in contract.parts] if kind == "Piece" else []
    if 1 <= len(players) <= _FEW:
        *others, last = players
        name += f" for {', '.join(others)}{' and ' if others else ''}{last}"
    return f"{name} in {key}"
