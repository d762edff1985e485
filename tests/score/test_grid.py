"""Grids: exact music stays as it is, played music moves a little, and nothing is lost."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from libretto.score import QUARTER, WHOLE, Grid, Meter
from libretto.score.grid import DIVISIONS, fit, quantize

Ints = NDArray[np.int64]


def _ints(values: Sequence[int]) -> Ints:
    return np.array(values, dtype=np.int64)


def _fit(starts: Sequence[Fraction | float], lengths: Sequence[Fraction | float], bar: int = WHOLE) -> Grid:
    onset = _ints([int(start * QUARTER) for start in starts])
    return fit(_ints([bar]), np.zeros_like(onset), onset, _ints([int(length * QUARTER) for length in lengths]))[0]


THIRD, FIFTH, SEVENTH = Fraction(1, 3), Fraction(1, 5), Fraction(1, 7)


@pytest.mark.parametrize(
    ("starts", "length", "grid"),
    [
        ([0, 1, 2, 3], 1, "4"),
        ([0.5], 0.5, "8"),
        ([0, 1.5, 3], 0.5, "8"),
        ([0, 0.75, 1.5], 0.75, "16"),
        ([0.125], 0.125, "32"),
        ([0, 2 * THIRD], 2 * THIRD, "6t"),
        ([THIRD, 2 * THIRD], THIRD, "12t"),
        ([THIRD, 0.5], Fraction(1, 6), "24t"),
        ([THIRD, 0.25], Fraction(1, 12), "48t"),
        ([FIFTH], FIFTH, "20"),
        ([SEVENTH], SEVENTH, "28"),
    ],
)
def test_the_coarsest_exact_grid(starts: list[Fraction], length: Fraction, grid: str) -> None:
    assert str(_fit(starts, [length] * len(starts))) == grid


def test_a_grid_divides_its_bar() -> None:
    assert _fit([0], [1], Meter(7, 8).ticks).division == 8


def test_silent_bars_take_the_commonest_grid() -> None:
    lengths = _ints([WHOLE, WHOLE, WHOLE, WHOLE // 8])
    grids = fit(lengths, _ints([0, 1]), _ints([QUARTER // 4, QUARTER // 4]), _ints([QUARTER // 4] * 2))
    assert [grid.division for grid in grids] == [16, 16, 16, 16]
    assert [grid.division for grid in fit(lengths[:1], _ints([]), _ints([]), _ints([]))] == [16]


Played = tuple[Ints, Ints, Ints, Ints, Ints]


@st.composite
def played(draw: st.DrawFn, steps: Sequence[int] = (1, 84, 630, 1260, 3360, 8064, 10080, 13440)) -> Played:
    """Bars, and notes on any lattice in them, many of one pitch."""
    bars = draw(
        st.lists(
            st.sampled_from((WHOLE, 3 * QUARTER, 7 * QUARTER // 2, QUARTER // 2, 5 * QUARTER)), min_size=1, max_size=4
        )
    )
    lines = np.concatenate(([0], np.cumsum(_ints(bars))))
    step = st.sampled_from(steps)
    count = draw(st.integers(1, 14))
    near = st.sampled_from((0, 0, 0, 1, -1, 84, -84, 300, -300, 600, -600))
    onset, duration = [], []
    for _ in range(count):
        lattice = draw(step)
        start = draw(st.integers(0, int(lines[-1] - 1) // lattice)) * lattice + draw(near)
        onset.append(min(max(0, start), int(lines[-1]) - 1))
        duration.append(max(0, draw(st.integers(0, 12)) * draw(step) + draw(near)))
    part = draw(st.lists(st.integers(0, 2), min_size=count, max_size=count))
    tolerance = np.full(len(bars), draw(st.sampled_from((1, 160, 645, 5_000))))
    return lines, _ints(onset), _ints(duration), _ints(part), tolerance


def _slots(lines: Ints, onset: Ints, duration: Ints) -> Ints:
    """The slot of the resulting grid for each note; what moved to the end is in one more bar."""
    lines = np.append(lines, lines[-1] + 64 * WHOLE)
    bar = np.searchsorted(lines, onset, side="right") - 1
    grids = fit(np.diff(lines), bar, onset - lines[bar], duration)
    return _ints([grid.slot for grid in grids])[bar]


@settings(max_examples=400)
@given(played())
def test_quantizing_again_changes_nothing(music: Played) -> None:
    lines, onset, duration, *rest = music
    once = quantize(lines, onset, duration, *rest)
    again = quantize(lines, *once, *rest)
    assert np.array_equal(once[0], again[0])
    assert np.array_equal(once[1], again[1])


@settings(max_examples=400)
@given(played())
def test_no_start_moves_by_a_slot(music: Played) -> None:
    lines, onset, duration, *rest = music
    start, length = quantize(lines, onset, duration, *rest)
    assert (np.abs(start - onset) < _slots(lines, start, length)).all()
    assert (length > 0).all()


@settings(max_examples=400)
@given(played())
def test_different_notes_stay_different(music: Played) -> None:
    lines, onset, duration, part, *rest = music
    start, length = quantize(lines, onset, duration, part, *rest)
    before = {(p, a, b) for p, a, b in zip(part.tolist(), onset.tolist(), duration.tolist(), strict=True)}
    after = {(p, a, b) for p, a, b in zip(part.tolist(), start.tolist(), length.tolist(), strict=True)}
    assert len(before) == len(after)


@settings(max_examples=200)
@given(played())
def test_the_first_to_start_is_the_first_to_stop(music: Played) -> None:
    lines, onset, duration, part, *rest = music
    start, length = quantize(lines, onset, duration, part, *rest)
    for which in range(3):
        mine = part == which
        order = np.lexsort((length[mine], start[mine]))
        stops = (start + length)[mine][order]
        assert (np.diff(stops) >= 0).all()


@settings(max_examples=200)
@given(st.sampled_from(DIVISIONS), st.data())
def test_exact_bars_are_left_alone(division: int, data: st.DataObject) -> None:
    slot = WHOLE // division
    starts = sorted(data.draw(st.sets(st.integers(0, division - 1), min_size=1, max_size=12)))
    onset = _ints(starts) * slot
    duration = _ints(data.draw(st.lists(st.integers(1, 9), min_size=len(starts), max_size=len(starts)))) * slot
    part = np.arange(len(onset))
    result = quantize(_ints([0, WHOLE]), onset, duration, part, _ints([645]))
    assert np.array_equal(result[0], onset)
    assert np.array_equal(result[1], duration)


def test_triplet_sixteenths_beside_thirty_seconds_are_left_alone() -> None:
    slot = WHOLE // 96
    onset = _ints([0, 9, 12, 16, 20, 24, 36, 48, 52, 56, 60, 69, 72]) * slot
    duration = np.append(np.diff(onset), 24 * slot)
    start, length = quantize(_ints([0, WHOLE]), onset, duration, np.arange(len(onset)), _ints([645]))
    assert np.array_equal(start, onset)
    assert np.array_equal(length, duration)
    assert str(fit(_ints([WHOLE]), np.zeros_like(start), start, length)[0]) == "96t"


def test_a_note_just_before_the_bar_line_belongs_to_the_next_bar() -> None:
    lines = _ints([0, WHOLE, 2 * WHOLE])
    start, length = quantize(lines, _ints([WHOLE - 300]), _ints([QUARTER]), _ints([0]), _ints([645, 645]))
    assert (start.tolist(), length.tolist()) == ([WHOLE], [QUARTER])


def test_repeated_notes_are_not_joined() -> None:
    onset = _ints([0, 500, 1_000, 1_500])
    start, length = quantize(_ints([0, WHOLE]), onset, _ints([400] * 4), np.zeros(4, np.int64), _ints([645]))
    assert len(set(zip(start.tolist(), length.tolist(), strict=True))) == 4


def test_nothing_to_quantize() -> None:
    empty = _ints([])
    start, length = quantize(_ints([0, WHOLE]), empty, empty, empty, _ints([1]))
    assert not len(start)
    assert not len(length)
