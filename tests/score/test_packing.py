"""Tables of numbers come back to the last bit, in whichever way they are kept; what is none is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from libretto.score.packing import packed, unpacked

SHORT = st.builds(lambda whole, places: whole / 10**places, st.integers(-(10**6), 10**6), st.integers(0, 12))
NUMBERS = st.one_of(SHORT, st.just(float("nan")), st.floats(width=64))


@given(arrays(np.float64, array_shapes(min_dims=1, max_dims=2, min_side=0, max_side=6), elements=NUMBERS))
def test_what_is_kept_comes_back(table: np.ndarray) -> None:
    again = unpacked(json.loads(json.dumps(packed(table))))
    assert np.array_equal(again.reshape(table.shape), table, equal_nan=True)


@given(arrays(np.float64, (5, 3), elements=SHORT))
def test_short_numbers_are_kept_short(table: np.ndarray) -> None:
    data = packed(table)
    assert isinstance(data, dict)
    assert packed(unpacked(data)) == data


def test_lists_are_read_as_well() -> None:
    assert np.array_equal(unpacked([[1, None], [0.5, 2]]), [[1, np.nan], [0.5, 2]], equal_nan=True)
    assert isinstance(packed(np.array([[1e-30]])), list)


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "O"},
        {"whole": "a"},
        {"whole": "AAAA"},
        {"places": "AA=="},
        {"places": "fn5+"},
        {"places": 1000},
        {"places": None},
        {"shape": [7]},
        {"shape": 3},
    ],
)
def test_what_is_no_table_is_refused(change: dict[str, object]) -> None:
    good = packed(np.array([0.1, 0.25, 3.0]))
    assert isinstance(good, dict)
    assert unpacked(good).tolist() == [0.1, 0.25, 3.0]
    with pytest.raises((ValueError, TypeError, LookupError)):
        unpacked({**good, **change})
    empty: tuple[object, ...] = (None, "text", 3, {})
    for nothing in empty:
        with pytest.raises((ValueError, TypeError, LookupError)):
            unpacked(nothing)
