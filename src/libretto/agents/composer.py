"""Composers by name: whoever drafts and revises. ``house`` needs nothing; any client makes a model composer."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from libretto.errors import LibrettoError
from libretto.house.drafting import House
from libretto.models.client import clients
from libretto.models.ledger import Budget, Ledger
from libretto.registry import Registry
from libretto.tasks import Draft, Round, Task

__all__ = ["Composer", "Keeps", "Scripted", "Setup", "Stopped", "composer", "composers", "model_composers"]


class Composer(Protocol):
    """Whoever writes: a first draft of a task, and a better one from what was said of those before."""

    name: str

    def draft(self, task: Task) -> Draft:
        """A first draft."""

    def revise(self, task: Task, rounds: Sequence[Round]) -> Draft:
        """A better draft, by what the rounds so far were told."""


@runtime_checkable
class Keeps(Protocol):
    """A composer that keeps what it does in the folder of the run."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """What the run must be resumed with beside the composer's name."""

    def keep_in(self, folder: str | os.PathLike[str]) -> None:
        """Keep it there; what is there already is not done again."""


class Stopped(LibrettoError):
    """A composer cannot go on: a budget is spent or a model is gone; ``draft`` is what it has so far, if anything."""

    def __init__(self, reason: str, draft: Draft | None = None) -> None:
        self.draft = draft
        super().__init__(reason)


@dataclass(frozen=True)
class Setup:
    """How a composer is to work: its seed, the model named after its colon, and for models what they may spend.

    ``replay`` is the folder of a run whose recorded replies are given again; ``heard`` is told what a model writes as
    it arrives, and what it is for. ``prompts`` is a folder of a user's own prompts for the roles of the team.
    """

    seed: int = 0
    model: str = ""
    budget: Budget = field(default_factory=Budget)
    replay: str = ""
    base_url: str = ""
    team: str = ""
    prompts: str = ""
    notation: str = "grammar"
    heard: Callable[[str, str], None] = field(default=lambda purpose, text: None, repr=False)


_ROOMS = [f"libretto.{room}" for room in ("models", "agents.model", "agents.scripted", "agents.teams")]  # who registers

Maker = Callable[[Setup], Composer]
#: What makes a composer from a setup, by the part of its name before a colon.
composers: Registry[Maker] = Registry("composer", "libretto.composers", _ROOMS)

ModelMaker = Callable[[Ledger, str, Setup], Composer]
#: What makes a composer of a model behind a ledger, by how many work at it: ``single`` or ``team``.
model_composers: Registry[ModelMaker] = Registry("way to compose with a model", rooms=_ROOMS)


def composer(name: str = "house", seed: int = 0, setup: Setup | None = None) -> Composer:
    """The composer of that name: ``house``, or ``client:model`` for a language model behind one of the clients.

    With ``setup.replay`` no client is needed: the recorded replies of that run are given again.
    """
    if seed < 0:
        raise LibrettoError(f"seed: {seed} is less than 0")
    kind, colon, rest = name.partition(":")
    made = replace(setup or Setup(), seed=seed, model=rest)
    if made.replay and not Path(made.replay).is_dir():
        raise LibrettoError(f"{made.replay} is no folder of a run: there is nothing to replay")
    if kind in composers:
        return composers[kind](made)
    if kind not in clients and not (made.replay and (colon or kind)):
        known = ", ".join([*composers, *clients])
        raise LibrettoError(f"there is no composer {name!r}; there are {known}")
    client = None if made.replay else clients[kind](rest, seed, made.base_url)
    ledger = Ledger(client, budget=made.budget, replay=made.replay or None, heard=made.heard)
    return model_composers["team" if made.team else "single"](ledger, name, made)


@composers.register("house")
def _house(setup: Setup) -> Composer:
    if setup.model:
        raise LibrettoError(f"the house composer takes no model, not {setup.model!r}")
    return House(setup.seed, time.perf_counter)


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
