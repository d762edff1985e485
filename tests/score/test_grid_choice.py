"""Grids are chosen for many bars at once; a plain loop over bars, divisions and starts gives the same."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from libretto.score import QUARTER, WHOLE, Meter
from libretto.score import grid as choosing
from libretto.score.bar_runs import Bars, short
from libretto.score.grid import DIVISIONS, _changes, _close_pairs, _tolerant_slots, nearest, quantize
from libretto.score.harmony import Heard, _mass
from libretto.score.unisons import _in_order, rows_by_part

RARE, RARE_STARTS = (20, 28, 40, 56), 3


def _rounded(place: int, slot: int) -> int:
    return (place + slot // 2) // slot * slot


def _plainly(bars: Bars, bar: int, starts: list[tuple[int, int]]) -> int:
    """The first division that takes every start of a bar, of (place, voice and pitch) pairs."""
    lattices = (WHOLE // 64, WHOLE // 48)
    odd = sum(all(abs(at - _rounded(at, lattice)) > bars.rare for lattice in lattices) for at, _ in starts)
    for division in DIVISIONS:
        slot = WHOLE // division
        error = max(abs(_rounded(at, slot) - at) for at, _ in starts)
        fits = error <= bars.tolerance[bar] and bars.length[bar] % slot == 0
        if division in RARE:
            fits = fits and error <= bars.rare and odd >= RARE_STARTS
        apart = len({(_rounded(at, slot), who) for at, who in starts}) == len(set(starts))
        if fits and apart:
            return slot
    return int(bars.finest[bar])


@pytest.mark.parametrize("seed", range(30))
def test_many_bars_choose_as_each_would_alone(seed: int) -> None:
    rng = np.random.default_rng(seed)
    meters = [Meter(int(rng.integers(2, 8)), int(rng.choice((4, 8)))) for _ in range(12)]
    lines = np.cumsum([0, *(meter.ticks for meter in meters)])
    bars = Bars(lines, rng.integers(100, 900, len(meters)), 125)
    grids, jitter = rng.choice((4, 8, 12, 16, 20, 24, 28, 32, 64), len(meters)), int(rng.choice((0, 40, 120, 400)))
    starts: list[tuple[int, int]] = []
    for bar, meter in enumerate(meters):
        slot = WHOLE // int(grids[bar])
        places = rng.integers(0, max(1, meter.ticks // slot), int(rng.integers(0, 30))) * slot
        moved = np.clip(places + rng.integers(-jitter, jitter + 1, len(places)), 0, meter.ticks - 1) + lines[bar]
        starts += [(int(at), int(who)) for at, who in zip(moved, rng.integers(0, 4, len(moved)), strict=True)]
    starts.sort()
    at, who = np.array(starts, dtype=np.int64).reshape(-1, 2).T
    runs = bars.runs(at)
    position = at - runs.spread(lines[runs.bars])
    meeting = _close_pairs(runs.spread(np.arange(len(runs.bars))), position, who, rows_by_part(who))
    chosen = _tolerant_slots(bars, runs, position, meeting)
    assert np.array_equal(chosen, _tolerant_slots(bars, runs, short(position), meeting))
    for bar, slot, first, count in zip(runs.bars, chosen, runs.starts, runs.counts, strict=True):
        mine = [(tick - int(lines[bar]), name) for tick, name in starts[first : first + count]]
        assert slot == _plainly(bars, int(bar), mine)


@pytest.mark.parametrize("seed", range(10))
def test_what_sounds_between_edges_is_what_overlaps_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    edges = np.cumsum([0, *rng.integers(1, 4 * QUARTER, 9)])
    onset = rng.integers(0, int(edges[-1]), 40)
    end, name = onset + rng.integers(1, 6 * QUARTER, 40), rng.integers(0, 35, 40)
    notes = Heard(onset, end, name, name, name)
    mass = _mass(notes, np.searchsorted(edges, onset, side="right") - 1, edges)
    for segment, (low, high) in enumerate(pairwise(edges.tolist())):
        for place in range(35):
            mine = name == place
            overlap = np.minimum(end[mine], high) - np.maximum(onset[mine], low)
            assert mass[segment, place] == np.maximum(overlap, 0).sum()


@pytest.mark.parametrize("seed", range(10))
def test_notes_of_one_pitch_come_in_the_order_of_all_their_columns(seed: int) -> None:
    rng = np.random.default_rng(seed)
    part = rng.integers(0, 5, 60) * (1 << 14 if seed % 2 else 1)  # large numbers are ordered another way
    onset, duration, old, long = (rng.integers(0, 4, 60) for _ in range(4))
    by_time = np.argsort(onset, kind="stable")
    rows = _in_order(by_time[rows_by_part(part[by_time])], part, onset, duration, old, long)
    assert rows.tolist() == np.lexsort((long, old, duration, onset, part)).tolist()


@pytest.mark.parametrize(
    ("values", "fits"), [([], True), ([0, 2**31 - 1], True), ([5, 2**31], False), ([5, 2**40], False), ([5, -1], False)]
)
def test_numbers_are_short_where_they_fit(values: list[int], fits: bool) -> None:
    made = short(np.array(values, dtype=np.int64))
    assert made.tolist() == values
    assert made.dtype == (np.uint32 if fits else np.int64)


def test_rounding_is_that_of_whole_numbers() -> None:
    rng = np.random.default_rng(1)
    slots = np.append(rng.integers(1, WHOLE, 4000), [WHOLE // division for division in DIVISIONS])
    places = rng.integers(-4, 2 ** rng.integers(2, 30, len(slots))) * slots
    for off in (0, 1, -1, slots >> 1, (slots >> 1) + 1, (slots >> 1) - 1, rng.integers(0, slots)):
        values = (places + off).tolist()
        expected = [(value + slot // 2) // slot * slot for value, slot in zip(values, slots.tolist(), strict=True)]
        assert nearest(np.array(values), slots).tolist() == expected


def test_lengths_change_by_what_rounding_does_to_them() -> None:
    rng = np.random.default_rng(2)
    length, slot = rng.integers(0, 3 * WHOLE, 3000), rng.choice((630, 840, 2520, 945), 3000)
    expected = [max(_rounded(a, b), b) / a - 1.0 if a else 0.0 for a, b in zip(length.tolist(), slot, strict=True)]
    assert _changes(length, slot, sounding=False).tolist() == expected
    assert _changes(short(length), slot, sounding=False).tolist() == expected


@pytest.mark.parametrize("seed", range(20))
def test_short_numbers_change_no_grid(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(seed)
    lines = np.cumsum([0, *rng.choice((WHOLE, 3 * QUARTER, 7 * QUARTER // 2), 12)])
    onset = rng.integers(0, lines[-1], 120) // (step := int(rng.choice((1, 630, 3360, 10080)))) * step
    onset = np.maximum(onset + rng.integers(-300, 301, 120) * int(rng.integers(0, 2)), 0)
    duration = rng.integers(0, 9, 120) * step + rng.integers(0, 200, 120) * int(rng.integers(0, 2))
    duration[:: int(rng.integers(2, 90))] += int(rng.choice((0, 1 << 31, 1 << 35)))
    music = (lines, onset, duration, rng.integers(0, 3, 120), np.full(12, 645))
    made = quantize(*music)
    monkeypatch.setattr(choosing, "short", lambda values: values)
    assert [column.tolist() for column in made] == [column.tolist() for column in quantize(*music)]
