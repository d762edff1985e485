"""Tempos that onsets lie on are found, and fitted so finely that whole numbers can be told."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.hearing.pulses import TRIED, pulses_of


@pytest.mark.parametrize("bpm", [97.0, 120.0, 143.0])
def test_an_uneven_pulse_is_known_to_a_tenth_of_a_quarter_a_minute(bpm: float) -> None:
    dice = np.random.default_rng(1)
    times = np.cumsum(dice.choice([0.5, 0.5, 1.0, 0.25], 60)) * 60 / bpm
    pulses = pulses_of(times[times < 20] + dice.normal(0, 0.008, (times < 20).sum()))
    tempos = 60 / pulses.quarters
    assert np.abs(tempos - bpm).min() < 0.1
    assert pulses.errors[np.abs(tempos - bpm).argmin()] < 1e-3


def test_tempos_go_from_fast_to_slow_and_are_not_too_many() -> None:
    pulses = pulses_of(np.linspace(0.0, 9.75, 40))
    assert len(pulses.quarters) == len(pulses.errors) <= TRIED
    assert (np.diff(pulses.quarters) > -0.01).all()


def test_two_onsets_at_once_do_no_harm() -> None:
    pulses = pulses_of(np.array([0.0, 0.0, 0.0, 0.0]))
    assert np.isfinite(pulses.quarters).all()
    assert np.isfinite(pulses.errors).all()
