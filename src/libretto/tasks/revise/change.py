"""Kinds of change: what each does, how it is checked that it was done, and what it may touch.

To add one is to decorate a function that does it, and to give it words in ``changes.toml``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from libretto.edits.sections import Origin
from libretto.registry import Registry
from libretto.score import Score
from libretto.tasks.revise.wish import Wish

__all__ = ["Change", "Check", "Placed", "change", "changes", "reframe"]

Do = Callable[[Score, Wish], Score]
#: Whether a wish is granted in a new version of a piece with the same bars, and what was heard, in words.
Check = Callable[[Score, Score, Wish], tuple[bool, str]]
Reframe = Callable[[Score, Wish], tuple[Score, Origin]]
#: Whether bars came, went or moved as a wish says, by which old bar each new one is.
Placed = Callable[[Score, Origin, Wish], tuple[bool, str]]


@dataclass(frozen=True)
class Change:
    """One kind of change: how it is done, how it is checked, what it may touch besides notes in its voices and bars.

    ``touches`` holds of ``notes`` (in its voices and bars), ``keys``, ``tempos``, ``chords``, ``programs``, ``title``,
    ``new`` (a voice comes) and ``gone`` (voices go). ``reframe`` is there where bars come, go or move, and
    ``placed`` says whether they did.
    """

    name: str
    check: Check | None
    touches: frozenset[str]
    do: Do | None = None
    reframe: Reframe | None = None
    placed: Placed | None = None


#: Every kind of change, by name.
changes: Registry[Change] = Registry("kind of change")


def change(name: str, check: Check, *touches: str) -> Callable[[Do], Do]:
    """Register a function as the way in which a kind of change is done."""

    def add(do: Do) -> Do:
        changes.register(name)(Change(name, check, frozenset(touches), do))
        return do

    return add


def reframe(name: str, placed: Placed) -> Callable[[Reframe], Reframe]:
    """Register a function as the way in which bars come, go or move."""

    def add(do: Reframe) -> Reframe:
        changes.register(name)(Change(name, None, frozenset(), None, do, placed))
        return do

    return add
