"""Moments are told by kind, what comes again after a bar is counted, and signs mean the same at every tempo."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.hearing.moments import CLASSES, Lags, is_kit, moments_of
from libretto.hearing.notes import HeardNote
from libretto.hearing.pulses import Pulses
from libretto.hearing.signs import METERS, PARTS, barred, of_all, of_tempos


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
    same = lags.at(np.array([1.5, 1.0, 99.0]))[1]
    assert same[0] > 5 * same[1]
    assert same[2] == 0


@pytest.mark.parametrize("meter", METERS)
def test_signs_of_the_same_bars_are_the_same_at_twice_the_tempo(meter: str) -> None:
    likely = np.full((len(CLASSES), METERS[meter] * PARTS), 1 / (METERS[meter] * PARTS))
    rows = []
    for quarter in (0.5, 0.25):
        notes = struck(4, quarter)
        moments = moments_of(notes)
        lags = Lags.of(notes, moments)
        pulses = Pulses(np.array([quarter]), np.array([0.0]))
        rows.append((of_tempos(notes, moments, lags, pulses)[0], barred(moments, lags, pulses.quarters, meter, likely)))
    (slow, slow_bar), (fast, fast_bar) = rows
    assert slow_bar.signs.shape == fast_bar.signs.shape
    assert slow_bar.firsts[0] * 2 == pytest.approx(fast_bar.firsts[0] * 4, abs=1e-6)
    assert slow[0] == pytest.approx(fast[0] - 1)  # the tempo itself
    assert slow[2:8] == pytest.approx(fast[2:8], abs=1e-6)  # density, and how well the moments lie
    assert slow[16:64] == pytest.approx(fast[16:64], abs=1e-6)  # note values between moments


def test_a_tempo_that_is_a_whole_number_is_told() -> None:
    notes = struck(4)
    moments = moments_of(notes)
    pulses = Pulses(60 / np.array([120.0, 120.5, 60.25]), np.full(3, 1e-4))
    whole = of_tempos(notes, moments, Lags.of(notes, moments), pulses)[:, 9]
    assert whole[0] > 0.9
    assert whole[1:].max() < 0.1


def test_what_is_said_at_any_tempo_is_of_the_notes_alone() -> None:
    notes = struck(4)
    said = of_all(notes, moments_of(notes))
    assert said[0] == 1  # a kit
    assert np.isfinite(said).all()
