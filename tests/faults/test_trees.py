"""Trees that are walked all at once, and one question after another; evidence of some notes, and of all."""

from __future__ import annotations

import numpy as np
import pytest
from loop_song import song

from libretto.faults import trees
from libretto.faults.evidence import Seen
from libretto.faults.lines import times_of
from libretto.faults.trees import Grove, Groves, grove_from, grove_to_dict


def _one_after_another(grove: Grove, row: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    leaves = []
    for column, limit, leaf in zip(grove.column, grove.limit, grove.leaf, strict=True):
        node = 0
        while node < len(column):
            node = 2 * node + 1 + int(row[column[node]] > limit[node])
        leaves.append(leaf[node - len(column)])
    return float(grove.start + np.array(leaves).sum())


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_every_tree_is_walked_down_to_its_leaf(depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "_AT_ONCE", 7)  # several lots
    rng = np.random.default_rng(depth)
    inner = 2**depth - 1
    limit = np.round(rng.standard_normal((9, inner)), 2)
    limit[rng.random(limit.shape) < 0.2] = np.inf  # nodes that ask nothing
    grove = Grove(rng.integers(0, 5, (9, inner)), limit, np.round(rng.standard_normal((9, inner + 1)), 2), 0.25)
    rows = rng.standard_normal((20, 5))
    rows[3] = grove.limit[0, 0]  # what is at the limit goes left
    said = [_one_after_another(grove, row) for row in rows]
    assert grove(rows).tolist() == said
    assert grove(rows[::2]).tolist() == said[::2]
    assert np.allclose(grove_from(grove_to_dict(grove))(rows), said)


def test_groves_that_are_asked_together_say_what_each_says_alone() -> None:
    rng = np.random.default_rng(3)

    def grown(trees: int) -> Grove:
        column = rng.integers(0, 4, (trees, 7))
        return Grove(column, rng.integers(0, 3, column.shape) / 2, rng.standard_normal((trees, 8)), float(trees))

    groves, rows = [grown(trees) for trees in (5, 1, 0, 130)], rng.integers(0, 4, (61, 4)) / 2
    rows[7] = np.nan
    told = Groves(groves)(rows)
    assert [row.tolist() for row in told] == [grove(rows).tolist() for grove in groves]
    assert told[2].tolist() == [0.0] * 61
    assert told[0].tolist() == [_one_after_another(groves[0], row) for row in rows]


def test_numbers_are_counted_among_all() -> None:
    codes = np.array([5, -1, 5, 7, 5, -1])
    assert times_of(codes, np.arange(6)).tolist() == [3, 2, 3, 1, 3, 2]
    assert times_of(codes, np.array([3, 0])).tolist() == [1, 3]


def test_some_notes_have_the_evidence_that_they_have_among_all() -> None:
    piece = song()
    every, some = Seen(piece), Seen(piece)
    which = np.arange(every.count) % 5 == 2
    rows = np.concatenate((every.notes_seen.rows, every.context.rows), axis=1)
    # products of matrices in single precision may round otherwise where they have fewer rows
    assert np.allclose(some.some(which).rows, rows[which], rtol=0, atol=1e-6)
    assert "context" not in some.__dict__
