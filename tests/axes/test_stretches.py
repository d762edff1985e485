"""Stretches of a piece side by side have the values that each has as a piece of its own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from libretto import Score, parse
from libretto.axes import base_axes, ordered_axes, view_of, view_without
from libretto.axes.counting import entropy, scatter
from libretto.axes.measure import windows
from libretto.score import take_bars

HEAD = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: {}\nVOICES: LEAD, BASS, COMP, KIT[drums]\n"


def made(bars: int, seed: int) -> Score:
    """Notes by chance in three voices that rest at times, with drums."""
    dice = np.random.default_rng(seed)
    lines = []
    for bar in range(1, bars + 1):
        lines.append(f"@{bar} [-]" + (" (grid:12t)" if bar % 5 == 0 else ""))
        slots = 12 if bar % 5 == 0 else 16
        for voice, low, most in (("LEAD", 5, 1), ("BASS", 2, 1), ("COMP", 4, 3)):
            if dice.random() < 0.15:
                continue
            starts = sorted(set(dice.integers(1, slots + 1, 6).tolist()))
            chords = ("+".join(f"{'CDEFGAB'[dice.integers(7)]}{low}" for _ in range(most)) for _ in starts)
            pairs = zip(chords, starts, strict=True)
            lines.append(
                f"{voice}: " + " ".join(f"{chord}@{at}>{dice.integers(1, 5)}^{60 + at}" for chord, at in pairs)
            )
        lines.append("KIT: C2@1>1 D2@5>1 C2@9>1 F#2@11>1")
    return parse(HEAD.format(bars) + "\n".join(lines))


@pytest.mark.parametrize(("bars", "seed"), [(13, 1), (24, 2), (41, 3)])
def test_a_window_is_like_a_piece_of_its_own(bars: int, seed: int) -> None:
    score = made(bars, seed)
    view = view_of(score)
    assert view.groups == len(windows(bars)) + 1
    for number, (first, last) in enumerate(windows(bars), start=1):
        alone = view_of(take_bars(score, first + 1, last))
        for axis in base_axes():
            assert axis(view)[number] == pytest.approx(axis(alone)[0], rel=1e-12, nan_ok=True), axis.name


def test_the_first_stretch_is_the_whole() -> None:
    view = view_of(made(24, 4))
    for axis in ordered_axes():
        if axis.family != "variation":  # which is measured by windows
            assert axis(view)[0] == pytest.approx(axis(view.whole)[0], rel=1e-12, nan_ok=True), axis.name


def test_without_a_block_at_the_end_the_rest_is_left() -> None:
    score = made(20, 5)
    view = view_without(score, [(12, 20)])
    alone = view_of(take_bars(score, 1, 12))
    for axis in ordered_axes():
        if axis.family not in ("form", "variation", "arranging"):
            assert axis(view)[1] == pytest.approx(axis(alone)[0], rel=1e-12, nan_ok=True), axis.name


def test_the_order_of_voices_is_no_matter() -> None:
    score = made(24, 6)
    turned = replace(score, voices=tuple(reversed(score.voices)))
    for axis in ordered_axes():
        assert axis(view_of(score))[0] == pytest.approx(axis(view_of(turned))[0], rel=1e-12, nan_ok=True), axis.name


def test_scatter_is_exact_where_numbers_are_nearly_the_same() -> None:
    values = np.array([10**6] * 999 + [10**6 + 1], dtype=np.float64)
    got = scatter(np.array([1000.0]), np.array([values.sum()]), np.array([(values**2).sum()]))
    assert got[0] == 999.0  # a thousand times the squares less the square of the sum


def test_entropy() -> None:
    rows = np.array([[0.0, 0.0], [5.0, 0.0], [2.0, 2.0], [1.0, 3.0]])
    assert entropy(rows) == pytest.approx([np.nan, 0.0, 1.0, 0.8112781244591328], nan_ok=True)
