"""Composers by name: whoever drafts and revises. ``house`` needs nothing; ``scripted`` plays back what it is given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from libretto.errors import LibrettoError
from libretto.house.drafting import House
from libretto.registry import Registry
from libretto.tasks import Draft, Round, Task

__all__ = ["Composer", "Scripted", "composer", "composers"]


class Composer(Protocol):
    """Whoever writes: a first draft of a task, and a better one from what was said of those before."""

    name: str

    def draft(self, task: Task) -> Draft:
        """A first draft."""

    def revise(self, task: Task, rounds: Sequence[Round]) -> Draft:
        """A better draft, by what the rounds so far were told."""


Maker = Callable[[int, str], Composer]
#: What makes a composer, by the part of its name before a colon; it takes the seed and the part after it.
composers: Registry[Maker] = Registry("composer")


def composer(name: str = "house", seed: int = 0) -> Composer:
    """The composer of that name: ``house``, or ``kind:model`` for kinds that take a model."""
    kind, _, rest = name.partition(":")
    if kind not in composers:
        raise LibrettoError(f"there is no composer {name!r}; there are {', '.join(composers)}")
    return composers[kind](seed, rest)


@composers.register("house")
def _house(seed: int, model: str) -> Composer:
    if model:
        raise LibrettoError(f"the house composer takes no model, not {model!r}")
    return House(seed)


class Scripted:
    """A composer that hands in given texts, one a round: for tests, and for playing a run again."""

    name = "scripted"

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = list(texts)

    def draft(self, task: Task) -> Draft:
        """The first text."""
        return Draft(self.texts[0])

    def revise(self, task: Task, rounds: Sequence[Round]) -> Draft:
        """The next text; the last one again where there are no more."""
        return Draft(self.texts[min(len(rounds), len(self.texts) - 1)])
