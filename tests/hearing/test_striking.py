"""A pitch struck again while it still sounds, and one that only rings on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from libretto.hearing.audio import Clip
from libretto.hearing.melody import hear_melody
from libretto.hearing.striking import SIGNS, Ringing, chances, strikes_of

RATE = 16_000


def string(pitch: int, seconds: float, seed: int) -> np.ndarray:
    """A plucked note: twelve partials, the high ones fading first, their phases by chance, behind a little noise."""
    numbers = np.random.default_rng(seed)
    at = np.arange(int(seconds * RATE)) / RATE
    hertz = 440 * 2 ** ((pitch - 69) / 12)
    sound = np.zeros(len(at))
    for number in range(1, 13):
        if number * hertz < 0.45 * RATE:
            fading = np.exp(-1.2 * (1 + 0.3 * number) * at)
            sound += fading / number * np.sin(2 * np.pi * number * hertz * at + numbers.uniform(0, 2 * np.pi))
    return (sound + 0.1 * numbers.standard_normal(len(at)) * np.exp(-at / 0.012)) * np.minimum(1, at / 0.003)


def played(notes: Sequence[tuple[float, int]], seed: int = 0) -> Clip:
    """Notes at their seconds, every one ringing on for a second and a half."""
    sound = np.zeros(int((max(start for start, _ in notes) + 1.8) * RATE))
    for place, (start, pitch) in enumerate(notes):
        note = string(pitch, 1.5, 100 * seed + place)
        first = int(start * RATE)
        sound[first : first + len(note)] += note[: len(sound) - first]
    return Clip((0.5 * sound / np.abs(sound).max()).astype(np.float32), RATE)


@pytest.mark.parametrize("seed", range(4))
def test_what_rings_on_is_one_note_and_what_is_struck_again_is_two(seed: int) -> None:
    once = [(0.1, 62), (0.5, 64), (0.9, 67), (1.7, 65)]
    assert hear_melody(played(once, seed)) == [62, 64, 67, 65]
    again = [(0.1, 62), (0.5, 64), (0.9, 67), (1.3, 67), (1.7, 65), (2.1, 65)]
    assert hear_melody(played(again, seed)) == [62, 64, 67, 67, 65, 65]


@pytest.mark.parametrize("seed", range(4))
def test_a_pitch_comes_back_under_another_that_rings(seed: int) -> None:
    line = [(0.1, 60), (0.5, 64), (0.9, 62), (1.3, 64), (1.7, 62), (2.1, 67)]
    assert hear_melody(played(line, seed)) == [pitch for _, pitch in line]


def test_chances_are_chances_and_need_every_sign() -> None:
    sure = chances([[0.0] * len(SIGNS), [5.0] * len(SIGNS), [-50.0] * len(SIGNS)])
    assert ((sure >= 0) & (sure <= 1)).all()
    with pytest.raises(ValueError, match=r"shape|size|broadcast|operands"):
        chances([[0.0] * (len(SIGNS) - 1)])


def test_nothing_is_struck_where_no_note_is() -> None:
    sound = np.zeros(RATE, dtype=np.float32)
    assert not list(strikes_of([], Ringing(sound, np.zeros((101, 73), dtype=np.float32))))
