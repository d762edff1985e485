"""Many rewards at once, in as many processes as there are cores; the same numbers in the same order as one by one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from types import TracebackType

from libretto.contract import Contract
from libretto.reward.weighing import Reward, Terms, reward_of
from libretto.score import Score

__all__ = ["RewardPool", "rewards_of"]

_Row = tuple[str | Score, tuple[Contract | None] | None]  # a piece, and the contract that is its own
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

    def __call__(
        self, pieces: Iterable[str | Score], contracts: Sequence[Contract | None] | None = None
    ) -> list[Reward]:
        """The rewards of some pieces, in their order; where contracts are given, each by its own."""
        rows: list[_Row] = [(piece, None) for piece in pieces]
        if contracts is not None:
            rows = [(piece, (own,)) for (piece, _), own in zip(rows, contracts, strict=True)]
        if self.jobs == 1 or (self._pool is None and len(rows) < _WORTH * 2):
            return [_reward(row, self.terms) for row in rows]
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


def _one(row: _Row) -> Reward:
    return _reward(row, _TERMS[0] if _TERMS else Terms())


def _reward(row: _Row, terms: Terms) -> Reward:
    piece, own = row
    return reward_of(piece, terms if own is None else replace(terms, contract=own[0]))


def rewards_of(pieces: Sequence[str | Score], terms: Terms | None = None, *, jobs: int = 1) -> list[Reward]:
    """The rewards of some texts or Scores, in their order; ``jobs`` processes, 0 for one each core."""
    with RewardPool(terms, jobs) as pool:
        return pool(pieces)
