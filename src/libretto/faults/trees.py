"""Small decision trees as plain arrays: what the package keeps of trees that were grown elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.score.packing import packed, unpacked
from libretto.score.table import Floats, Ints

__all__ = ["Grove", "grove_from", "grove_to_dict"]

_AT_ONCE = 4000  # rows
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
    def _levels(self) -> list[tuple[Ints, Floats]]:
        """Question by question what the nodes of all trees ask for and their limits, tree by tree, left to right."""
        nodes = [slice(2**depth - 1, 2 ** (depth + 1) - 1) for depth in range(self.leaf.shape[1].bit_length() - 1)]
        return [(self.column[:, these].ravel(), self.limit[:, these].ravel()) for these in nodes]

    def __call__(self, rows: Floats) -> Floats:
        """What the trees say of every row, added up."""
        total, leaf, trees = np.full(len(rows), self.start), self.leaf.ravel(), len(self.column)
        for first in range(0, len(rows) if trees else 0, _AT_ONCE):
            some = np.ascontiguousarray(rows[first : first + _AT_ONCE])
            row, flat = some.shape[1] * np.arange(len(some))[:, None], some.ravel()
            (asked, limit), *deeper = self._levels
            node = 2 * np.arange(trees) + (some.take(asked, axis=1) > limit)  # of the next level, through all trees
            for asked, limit in deeper:
                value = flat.take(asked.take(node) + row)
                right = value > limit.take(node)
                node += node
                node += right
            total[first : first + len(some)] += leaf.take(node).sum(axis=1)
        return total


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
