"""Many rewards at once, in as many processes as there are cores; the same numbers in the same order as one by one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from types import TracebackType

from libretto.reward.weighing import Reward, Terms, reward_of
from libretto.score import Score

__all__ = ["RewardPool", "rewards_of"]

_WORTH = 8  # pieces for each process, fewer of which are sooner done here
_CHUNKS = 4  # chunks that each process gets, so that none waits long for another


class RewardPool:
    """Processes that stay at hand between batches: for trainers, which ask again and again.

    >>> with RewardPool(jobs=1) as pool:
    ...     [reward.value for reward in pool(["no music"])]
    [-1.0]
    """

    def __init__(self, terms: Terms | None = None, jobs: int = 0) -> None:
        self.terms = terms or Terms()
        self.jobs = jobs if jobs > 0 else os.cpu_count() or 1
        self._pool: ProcessPoolExecutor | None = None

    def __call__(self, pieces: Iterable[str | Score]) -> list[Reward]:
        """The rewards of some pieces, in their order."""
        rows = list(pieces)
        if self.jobs == 1 or (self._pool is None and len(rows) < _WORTH * 2):
            return [reward_of(piece, self.terms) for piece in rows]
        if self._pool is None:
            # A trainer holds threads and an accelerator: a fresh process is safe where a fork is not.
            self._pool = ProcessPoolExecutor(self.jobs, get_context("spawn"), _begin, (self.terms,))
        size = max(1, len(rows) // (self.jobs * _CHUNKS))
        return list(self._pool.map(_one, rows, chunksize=size))

    def close(self) -> None:
        """Let the processes go."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def __enter__(self) -> RewardPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


_TERMS: list[Terms] = []  # those of this process


def _begin(terms: Terms) -> None:
    _TERMS[:] = [terms]


def _one(piece: str | Score) -> Reward:
    return reward_of(piece, _TERMS[0] if _TERMS else None)


def rewards_of(pieces: Sequence[str | Score], terms: Terms | None = None, *, jobs: int = 1) -> list[Reward]:
    """The rewards of some texts or Scores, in their order; ``jobs`` processes, 0 for one each core."""
    with RewardPool(terms, jobs) as pool:
        return pool(pieces)
