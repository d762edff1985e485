"""Moments are told by kind, what comes again after a bar is counted, and signs mean the same at every tempo."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.hearing.moments import CLASSES, Lags, is_kit, moments_of
from libretto.hearing.notes import HeardNote
from libretto.hearing.signs import METERS, PARTS, barred, of_tempo


def struck(bars: int, quarter: float = 0.5) -> list[HeardNote]:
    """Kick, snare, kick, snare, with hats on eighths."""
    keys = [[36, 42], [42], [38, 42], [42]] * 2 * bars
    return [
        HeardNote(slot * quarter / 2, slot * quarter / 2 + 0.1, key, 1.0)
        for slot, row in enumerate(keys)
        for key in row
    ]


def row(notes: list[HeardNote], name: str) -> list[float]:
    return [float(value) for value in moments_of(notes).classes[CLASSES.index(name)]]


def test_notes_that_begin_together_are_one_moment() -> None:
    notes = [HeardNote(0.0, 1.0, 60, 1.0), HeardNote(0.02, 1.0, 64, 1.0), HeardNote(0.5, 1.0, 67, 1.0)]
    assert moments_of(notes).times.tolist() == [0.0, 0.5]


def test_strokes_are_a_kit_whose_snares_are_told() -> None:
    assert is_kit(struck(1))
    assert not is_kit([HeardNote(0.0, 1.0, 60, 1.0)])
    assert row(struck(1), "back") == [0, 0, 1, 0] * 2
    assert row(struck(1), "low") == [1, 0, 0, 0] * 2


def test_long_low_full_and_changing_moments_are_told() -> None:
    chords = [(0.0, (48, 64, 67)), (2.0, (43, 62, 71)), (4.0, (48, 64, 67))]
    notes = [HeardNote(at, at + 2, pitch, 1.0) for at, pitches in chords for pitch in pitches]
    notes += [HeardNote(at / 2, at / 2 + 0.5, 72, 0.4) for at in range(1, 12) if at % 4]
    for name in ("full", "low", "change"):
        assert row(notes, name)[4] == 1, name
    assert row(notes, "loud")[1] == 0


def test_nothing_is_loud_where_all_are_alike() -> None:
    assert not any(row(struck(1), "loud"))


def test_a_bar_comes_again_after_its_length() -> None:
    notes = [HeardNote(at / 2, at / 2 + 0.4, 60 + at % 3, 1.0) for at in range(24)]
    lags = Lags.of(notes, moments_of(notes))
    assert lags.at(1.5)[1] > 5 * lags.at(1.0)[1]
    assert lags.at(99.0) == [0.0] * len(lags.rows)


@pytest.mark.parametrize("meter", METERS)
def test_signs_of_the_same_bars_are_the_same_at_twice_the_tempo(meter: str) -> None:
    likely = np.full((len(CLASSES), METERS[meter] * PARTS), 1 / (METERS[meter] * PARTS))
    rows = []
    for quarter in (0.5, 0.25):
        notes = struck(4, quarter)
        moments = moments_of(notes)
        lags = Lags.of(notes, moments)
        rows.append((of_tempo(moments, lags, quarter), barred(moments, lags, quarter, meter, likely).signs))
    (slow, slow_bar), (fast, fast_bar) = rows
    assert len(slow_bar) == len(fast_bar)
    assert slow[0] == pytest.approx(fast[0] - 1)  # the tempo itself
    assert slow[1:32] == pytest.approx(fast[1:32], abs=1e-6)  # density and note values
