"""The one loop: draft, judge, revise, keep the best; every task with every composer."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from libretto.agents.composer import Composer, Keeps, Setup, Stopped
from libretto.agents.composer import composer as find_composer
from libretto.agents.session import Session
from libretto.contract import Contract
from libretto.errors import LibrettoError
from libretto.models.cost import Cost
from libretto.tasks import Round, Run, Task, compose_task

__all__ = ["MOST_ROUNDS", "compose", "run_task", "tally"]

MOST_ROUNDS = 50
_TALLIES: ContextVar[tuple[list[Cost], ...]] = ContextVar("tallies", default=())


@contextmanager
def tally() -> Iterator[list[Cost]]:
    """Collect what every run inside costs, however deep it lies: for benches that print what was spent."""
    costs: list[Cost] = []
    token = _TALLIES.set((*_TALLIES.get(), costs))
    try:
        yield costs
    finally:
        _TALLIES.reset(token)


def run_task(
    task: Task,
    composer: Composer,
    *,
    rounds: int = 3,
    seed: int = 0,
    folder: str | os.PathLike[str] | None = None,
    improve: bool = False,
    begun: str = "",
    heard: Callable[[Round], None] = lambda round: None,
) -> Run:
    """Run a task with a composer for at most so many rounds; ``heard`` is told of each as it is judged.

    It ends with the first draft that passes; with ``improve`` it goes on and keeps the best of all that pass.

    A folder that holds a part of this very run is taken up where it stopped. A composer that cannot go on (a budget, a
    model that is gone) ends the run with what there is; ``run.stopped`` says why. ``begun`` is a draft that there is
    already: the first round, which the composer did not write.
    """
    if not 1 <= rounds <= MOST_ROUNDS:
        raise LibrettoError(f"rounds: {rounds} is not within 1 and {MOST_ROUNDS}")
    keeper = composer if isinstance(composer, Keeps) else None
    settings = keeper.settings if keeper else None
    session = Session(task, composer.name, seed, folder=folder, settings=settings, begun=begun)
    if keeper is not None and folder is not None:
        keeper.keep_in(folder)
    for known in session.rounds:
        heard(known)
    while len(session.rounds) < rounds and not (session.is_stuck if improve else session.done) and not session.stopped:
        try:
            draft = composer.revise(task, session.rounds) if session.rounds else composer.draft(task)
        except Stopped as stop:
            session.stopped = str(stop)
            if stop.draft is None:
                break
            draft = stop.draft
        heard(session.submit(draft))
    session.finish()
    for costs in _TALLIES.get():
        costs.append(session.run.cost)
    return session.run


def compose(
    brief: str = "",
    composer: str = "house",
    rounds: int = 3,
    seed: int = 0,
    *,
    contract: Contract | None = None,
    genre: str | None = None,
    folder: str | os.PathLike[str] | None = None,
    improve: bool = False,
    heard: Callable[[Round], None] = lambda round: None,
    setup: Setup | None = None,
) -> Run:
    """Compose a brief: the run holds every round, ``run.score`` the best piece.

    >>> run = compose("A slow waltz in D minor for solo piano over 16 bars.", rounds=1)
    >>> run.score.bars, str(run.score.key), str(run.score.meter)
    (16, 'D minor', '3/4')
    """
    task = compose_task(brief, contract=contract, genre=genre)
    composing = find_composer(composer, seed, setup)
    return run_task(task, composing, rounds=rounds, seed=seed, folder=folder, improve=improve, heard=heard)
