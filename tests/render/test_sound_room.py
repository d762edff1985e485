"""What is done to sound without a synthesiser: the room and the sampling rate."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.score import QUARTER, Note, Score, Voice
from libretto.sound import RATES, Performance
from libretto.sound.encode import add_room, resampled, room_for

RATE = 48_000
PIANO, GUITAR, BASS, STRINGS = 0, 24, 33, 48


def test_the_room_is_a_convolution_whatever_the_block() -> None:
    every = 3 * RATE // 2  # longer than this room rings; some clicks ring over the end of a block
    click = np.zeros((14 * every, 2), dtype=np.float32)
    click[::every] = 1.0
    add_room(click, RATE, 0.5)
    first = click[:every].copy()
    first[0] -= 1.0
    assert (first**2).sum(axis=0) == pytest.approx(2 * [10 ** ((-25 + 6.5) / 10)], rel=0.6)
    for start in range(every, len(click), every):
        again = click[start : start + every].copy()
        again[0] -= 1.0
        assert np.abs(again - first).max() < 1e-4
    early, late = np.abs(first[: RATE // 4]).max(), np.abs(first[RATE : RATE + RATE // 4]).max()
    assert 0 < late < early / 20
    assert np.corrcoef(first[:RATE].T)[0, 1] < 0.5, "left and right answer differently"


def test_the_room_leaves_the_bass_alone_and_suits_the_voices() -> None:
    low = np.sin(2 * np.pi * 60 * np.arange(2 * RATE) / RATE).astype(np.float32)
    sound = np.stack([low, low], axis=1)
    add_room(sound, RATE, 0.8)
    assert np.abs(sound[RATE:, 0] - low[RATE:]).max() < 0.1

    def room(program: int) -> float:
        return room_for(Performance.exact(Score.build([Voice.of("PART", [Note.named("C4", 0, QUARTER)], program)])))

    assert room(BASS) < room(GUITAR) < room(PIANO) < room(STRINGS) <= 1


@pytest.mark.parametrize("rate", [rate for rate in RATES if rate != RATE])
def test_resampling_keeps_tones_and_lets_no_others_in(rate: int) -> None:
    time_points = np.arange(RATE) / RATE
    tone = np.sin(2 * np.pi * 1_000 * time_points).astype(np.float32)
    high = np.sin(2 * np.pi * 23_500 * time_points).astype(np.float32)
    out = resampled(np.stack([tone, high], axis=1), RATE, rate)
    assert len(out) == rate
    expected = np.sin(2 * np.pi * 1_000 * np.arange(rate) / rate)
    inner = slice(rate // 100, -rate // 100)
    assert np.abs(out[inner, 0] - expected[inner]).max() < 1e-3
    assert np.abs(out[inner, 1]).max() < 1e-3
