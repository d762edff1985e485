"""Medians and percentiles are what numpy says, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.score.table import distinct, middle, percentile


def test_like_numpy() -> None:
    dice = np.random.default_rng(1)
    for count in (1, 2, 3, 4, 7, 50, 101):
        for values in (dice.normal(size=count), dice.integers(0, 128, count)):
            assert float(middle(values)) == float(np.median(values))
            assert (distinct(values) == np.unique(values)).all()
            for percent in (0, 2, 5, 33.3, 50, 90, 98, 100):
                assert percentile(values, percent) == float(np.percentile(values, percent))
    table = dice.normal(size=(5, 6, 3))
    assert (middle(table, axis=1) == np.median(table, axis=1)).all()


def test_where_there_is_nothing_to_say() -> None:
    assert np.isnan(middle(np.zeros(0)))
    assert np.isnan(middle(np.array([1.0, np.nan, 2.0])))
    with pytest.raises(IndexError):
        percentile(np.zeros(0), 50)
