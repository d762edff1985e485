"""The local ear, on sounds made here from sines and noise, and on clips rendered by the suite."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from libretto.hearing import hear_chord, hear_loop, hear_melody, hear_rhythm
from libretto.hearing.audio import Clip

RATE = 16_000
ONBEATS = list(range(1, 33, 2))
SYNCOPATED = [1, 4, 5, 8, 10, 12, 13, 15, 17, 20, 21, 24, 26, 28, 29, 31]


def pluck(pitch: int, seconds: float, rate: int = RATE) -> NDArray[np.float64]:
    at = np.arange(int(seconds * rate)) / rate
    tone = 440 * 2 ** ((pitch - 69) / 12)
    partials = [
        np.sin(2 * np.pi * n * tone * at) * np.exp(-at * (2 + n)) / n for n in range(1, 9) if n * tone < rate / 2
    ]
    return np.sum(partials, axis=0) * np.minimum(1, at / 0.003)


def line(pitches: list[int], seconds: float = 0.3) -> NDArray[np.float64]:
    sound = np.zeros(int(RATE * (seconds * len(pitches) + 1)))
    for index, pitch in enumerate(pitches):
        note = pluck(pitch, seconds * 1.1)
        sound[int(index * seconds * RATE) :][: len(note)] += note
    return sound


def loop(slots: list[int], eighth: float, lead: float = 0.0) -> Clip:
    rng = np.random.default_rng(1)
    sound = np.zeros(int(RATE * (lead + 32 * eighth + 0.2)))

    def add(slot: int, stroke: NDArray[np.float64]) -> None:
        sound[int((lead + slot * eighth) * RATE) :][: len(stroke)] += stroke

    at = np.arange(int(0.15 * RATE)) / RATE
    for slot in range(32):
        hiss = rng.standard_normal(len(at))
        add(slot, 0.15 * np.diff(hiss, prepend=0.0) * np.exp(-at * 60))
    for index, slot in enumerate(slots):
        kick = np.sin(2 * np.pi * 60 * at) * np.exp(-at * 25)
        snare = (np.sin(2 * np.pi * 200 * at) + 0.3 * rng.standard_normal(len(at))) * np.exp(-at * 30)
        add(slot - 1, 0.8 * (snare if index % 2 else kick))
    return Clip(sound.astype(np.float32), RATE)


@pytest.mark.parametrize("slots", [ONBEATS, SYNCOPATED, [2, *ONBEATS[1:]]])
@pytest.mark.parametrize(("eighth", "lead"), [(0.25, 0.0), (0.25, 0.05), (0.19, 0.3), (0.36, 0.0)])
def test_loops_at_any_tempo_and_start(slots: list[int], eighth: float, lead: float) -> None:
    clip = loop(slots, eighth, lead)
    assert hear_rhythm(clip) == slots
    heard = hear_loop(clip)
    assert heard is not None
    assert heard.pulse.period == pytest.approx(eighth, rel=0.01)


def test_a_line_with_notes_struck_again() -> None:
    tune = [60, 62, 64, 64, 67, 65, 64, 62, 60, 60]
    assert hear_melody(Clip(line(tune).astype(np.float32), RATE)) == tune


def test_a_line_moved_is_heard_moved() -> None:
    tune = [67, 64, 65, 62, 60, 64, 59, 60]
    for step in (-5, 3):
        moved = [pitch + step for pitch in tune]
        assert hear_melody(Clip(line(moved).astype(np.float32), RATE)) == moved


@pytest.mark.parametrize("tones", [(0, 4, 7), (0, 3, 7), (0, 4, 7, 10), (0, 3, 6)])
def test_chords_block_then_broken(tones: tuple[int, ...]) -> None:
    for root in (48, 57):
        pitches = [root + tone for tone in tones]
        block = np.sum([pluck(pitch, 1.4) for pitch in pitches], axis=0)
        sound = np.concatenate([block, line(pitches, 0.5)])
        assert hear_chord(Clip(sound.astype(np.float32), RATE)) == pitches


@pytest.mark.parametrize("pink", [False, True])
def test_chords_in_noise(pink: bool) -> None:
    for tones in ((0, 4, 7), (0, 3, 7)):
        pitches = [52 + tone for tone in tones]
        block = np.sum([pluck(pitch, 1.4) for pitch in pitches], axis=0)
        sound = np.concatenate([block, line(pitches, 0.5)])
        spectrum = np.fft.rfft(np.random.default_rng(4).standard_normal(len(sound)))
        noise = np.fft.irfft(spectrum / np.sqrt(np.arange(1, len(spectrum) + 1)) ** pink, len(sound))
        loud = np.sqrt((sound**2).mean() / (noise**2).mean()) * 10 ** (-15 / 20)
        assert hear_chord(Clip((sound + loud * noise).astype(np.float32), RATE)) == pitches


def test_silence_and_a_moment_are_nothing() -> None:
    for clip in (Clip(np.zeros(RATE, np.float32), RATE), Clip(np.full(1_700, 0.3, np.float32), RATE)):
        for hear in (hear_rhythm, hear_melody, hear_chord):
            assert hear(clip) == []


def test_noise_alone_does_not_break_it() -> None:
    clip = Clip(np.random.default_rng(2).standard_normal(RATE).astype(np.float32), RATE)
    assert all(1 <= slot <= 32 for slot in hear_rhythm(clip))
    assert all(28 <= pitch <= 100 for pitch in [*hear_melody(clip), *hear_chord(clip)])


def test_the_same_clip_is_heard_the_same() -> None:
    clip = Clip(line([Random(3).randint(55, 75) for _ in range(6)]).astype(np.float32), RATE)
    assert hear_melody(clip) == hear_melody(clip)
