"""Small decision trees as plain arrays: what the package keeps of trees that were grown elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.score.packing import packed, unpacked
from libretto.score.table import Floats, Ints

__all__ = ["Grove", "Groves", "grove_from", "grove_to_dict"]

_AT_ONCE = 4000  # rows
_VALUES = 1 << 15  # that are compared at a time: they stay near the processor
_BYTE = 8  # bits
_NO_LIMIT = 1e30


@dataclass(frozen=True, eq=False)
class Grove:
    """Decision trees of one depth as plain arrays: which evidence each node asks for, the limit, the values of the
    leaves, and what is there without any. What they say is a sum over small questions.

    A tree of depth d asks d questions: node i is followed by 2i+1 where the evidence is at most the limit, else by
    2i+2; the value of the leaf that is reached is added. A node that asks nothing has no limit (infinite), so that
    everything goes left.
    """

    column: NDArray[np.int64]
    limit: Floats
    leaf: Floats
    start: float = 0.0

    @cached_property
    def _alone(self) -> Groves:
        return Groves([self])

    def __call__(self, rows: Floats) -> Floats:
        """What the trees say of every row, added up."""
        return np.asarray(self._alone(rows)[0])


class Groves:
    """Several groves of one depth that are asked of the same rows: every different question is asked once.

    All questions are asked, of eight rows in a byte; which of them count is worked out with those bits, from the root
    down, for all trees. That is quicker than following each row through each tree.
    """

    def __init__(self, groves: Sequence[Grove]) -> None:
        self._starts = [grove.start for grove in groves]
        self._ends = np.cumsum([len(grove.column) for grove in groves]).tolist()
        column, limit, leaf = (
            np.concatenate([getattr(grove, part) for grove in groves]) for part in ("column", "limit", "leaf")
        )
        self._leaf, self._levels = leaf.ravel(), leaf.shape[1].bit_length() - 1
        self._first_leaf: Ints = np.arange(len(leaf)) * leaf.shape[1]
        asked, above = column.T.ravel(), limit.T.ravel()  # the roots of all trees, then what follows these to the left
        order = np.lexsort((above, asked))
        new = np.append(True, (np.diff(asked[order]) != 0) | (above[order][1:] != above[order][:-1]))[: len(order)]
        self._asked, self._limit = asked[order][new], above[order][new, None]
        self._which: Ints = np.empty(len(order), dtype=np.int64)
        self._which[order] = np.cumsum(new) - 1

    def __call__(self, rows: Floats) -> Floats:
        """What the trees of each grove (rows) say of every row (columns), added up."""
        told = np.repeat(np.array(self._starts)[:, None], len(rows), axis=1)
        for first in range(0, len(rows) if len(self._leaf) else 0, _AT_ONCE):
            values = self._leaf.take(self._leaves(rows[first : first + _AT_ONCE]))
            for row, start, end in zip(told, [0, *self._ends], self._ends, strict=False):
                row[first : first + len(values)] += values[:, start:end].sum(axis=1)
        return told

    def _leaves(self, rows: Floats) -> Ints:
        """The leaf that each row reaches in each tree, counted through all trees."""
        evidence, many = np.ascontiguousarray(rows.T), len(rows)
        answers = np.empty((len(self._asked), -(-many // _BYTE)), dtype=np.uint8)
        step = max(1, _VALUES // many)
        for first in range(0, len(answers), step):
            some = slice(first, first + step)
            answers[some] = np.packbits(evidence.take(self._asked[some], axis=0) > self._limit[some], axis=1)
        nodes = answers.take(self._which, axis=0).reshape(-1, len(self._first_leaf), answers.shape[1])
        leaf = np.zeros((len(self._first_leaf), many), dtype=np.uint16)
        went_right: list[NDArray[np.uint8]] = []
        for level in range(self._levels):
            able = nodes[2**level - 1 : 2 ** (level + 1) - 1]
            for right in went_right:  # each leaves half of the nodes of a level
                left, other = np.split(able, 2)
                able = left ^ (right & (left ^ other))
            went_right.append(able[0])
            leaf += leaf
            leaf += np.unpackbits(able[0], axis=1, count=many)
        return np.asarray(np.ascontiguousarray(leaf.T) + self._first_leaf)


def grove_to_dict(grove: Grove) -> dict[str, Any]:
    """A grove as plain numbers, five digits a limit and four a leaf; a node that asks nothing has column -1."""
    asks = grove.limit < _NO_LIMIT
    return {
        "start": float(f"{grove.start:.5g}"),
        "column": packed(np.where(asks, grove.column, -1).astype(np.float64)),
        "limit": packed(_digits(np.where(asks, grove.limit, 0), 5)),
        "leaf": packed(_digits(grove.leaf, 3)),
    }


def _digits(table: Floats, digits: int) -> Floats:
    return np.array([float(f"{x:.{digits}g}") for x in table.ravel().tolist()]).reshape(table.shape)


def grove_from(data: dict[str, Any]) -> Grove:
    """A grove from plain numbers."""
    column = unpacked(data["column"]).astype(np.int64)
    limit = np.where(column < 0, np.inf, unpacked(data["limit"]))
    return Grove(np.maximum(column, 0), limit, unpacked(data["leaf"]), float(data["start"]))
