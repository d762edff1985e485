"""The ears for drums, tempo, bars, chords in a row and lines, on sounds made here and on clips of the suite."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from libretto.hearing.audio import Clip
from libretto.hearing.changes import read_harmony
from libretto.hearing.counting import read_beats
from libretto.hearing.drumming import read_drums
from libretto.hearing.melody import hear_melody, read_melody
from libretto.hearing.rhythm import read_tempo
from libretto.listen.kinds import kinds

RATE = 16_000


def tone(pitch: float, seconds: float) -> NDArray[np.float64]:
    at = np.arange(int(seconds * RATE)) / RATE
    hertz = 440 * 2 ** ((pitch - 69) / 12)
    parts = [np.sin(2 * np.pi * n * hertz * at) * np.exp(-at * (1 + n)) / n for n in range(1, 8) if n * hertz < 7_000]
    return np.sum(parts, axis=0) * np.minimum(1, at / 0.003)


def laid(notes: list[tuple[float, NDArray[np.float64]]], seconds: float) -> Clip:
    sound = np.zeros(int(seconds * RATE))
    for start, note in notes:
        at = int(start * RATE)
        sound[at : at + len(note)] += note[: max(0, len(sound) - at)]
    return Clip((sound / np.abs(sound).max()).astype(np.float32), RATE)


def drum(kind: str, rng: np.random.Generator) -> NDArray[np.float64]:
    at = np.arange(int(0.15 * RATE)) / RATE
    hiss = rng.standard_normal(len(at))
    if kind == "kick":
        return np.sin(2 * np.pi * 60 * at) * np.exp(-at * 25)
    if kind == "snare":
        return 0.8 * (np.sin(2 * np.pi * 190 * at) + 0.6 * hiss) * np.exp(-at * 30)
    return 0.12 * np.diff(hiss, prepend=0.0) * np.exp(-at * 60)


def drums(strokes: dict[str, list[int]], eighth: float, slots: int) -> Clip:
    rng = np.random.default_rng(0)
    notes = [((slot - 1) * eighth, drum(kind, rng)) for kind, own in strokes.items() for slot in own]
    return laid(notes, slots * eighth + 0.3)


@pytest.mark.parametrize(("slots", "eighth"), [(32, 0.22), (24, 0.27)])
def test_every_stroke_of_a_pattern_is_heard_on_its_drum(slots: int, eighth: float) -> None:
    bar = slots // 4
    kick = [bar * n + 1 for n in range(4)] + [4]
    snare = [bar * n + 5 for n in range(4)]
    hats = [slot for slot in range(1, slots + 1) if slot != 7]
    heard = read_drums(drums({"kick": kick, "snare": snare, "hat": hats}, eighth, slots))
    wanted = {100 + s for s in kick} | {200 + s for s in snare} | {300 + s for s in hats}
    assert set(heard.values) == wanted
    assert 0 < heard.clear <= 1


@pytest.mark.parametrize("bpm", [72, 97, 133, 180])
def test_a_tempo_is_heard_to_the_beat(bpm: int) -> None:
    clip = drums({"kick": [1, 9, 17, 25], "snare": [5, 13, 22, 29], "hat": list(range(1, 33))}, 30 / bpm, 32)
    assert abs(read_tempo(clip).values[0] - bpm) <= 1


@pytest.mark.parametrize("beats", [3, 4, 5])
@pytest.mark.parametrize("lead", [0.0, 0.31])
def test_bars_are_counted_whatever_comes_before_them(beats: int, lead: float) -> None:
    notes = []
    for place in range(6 * beats):
        at = lead + 0.42 * place
        pitches = [43] if place % beats == 0 else [60, 64, 67]
        notes += [(at, (1.0 if len(pitches) == 1 else 0.3) * tone(pitch, 0.3)) for pitch in pitches]
    heard = read_beats(laid(notes, lead + 0.42 * 6 * beats + 0.3)).values
    assert kinds["meter"].solve(heard).answer == {3: "A", 4: "B", 5: "C"}[beats]
    assert heard[0] == 1


def test_chords_are_heard_in_order_and_their_key_with_them() -> None:
    chords = [0, 21, 14, 7] * 2 + [3, 12, 17, 10] * 2  # C: I vi ii V, then E flat: I vi ii V
    notes = []
    for place, chord in enumerate(chords):
        root, third = chord % 12, 3 if chord >= 12 else 4
        for pitch in (36 + root, 60 + root, 60 + root + third, 60 + root + 7):
            notes.append((0.8 * place, tone(pitch, 0.78)))
    heard = read_harmony(laid(notes, 0.8 * len(chords) + 0.2)).values
    assert list(heard) == chords
    assert kinds["key_modulation"].solve(heard).answer == "yes"
    assert kinds["key_modulation"].solve(heard[:8]).answer == "no"


def test_an_echo_is_no_note_and_a_note_struck_again_is() -> None:
    tune = [60, 64, 64, 67, 65, 62]
    notes = [(0.4 * place, tone(pitch, 0.36)) for place, pitch in enumerate(tune)]
    echoed = notes + [(start + 0.46, 0.25 * note) for start, note in notes]
    assert hear_melody(laid(notes, 3.5)) == tune
    assert hear_melody(laid(echoed, 3.5)) == tune


def test_other_ears_hear_the_same_of_what_is_clear_and_silence_says_nothing() -> None:
    clear = read_melody(laid([(0.4 * place, tone(pitch, 0.36)) for place, pitch in enumerate([60, 62, 64, 65])], 2.0))
    assert clear.values == (60, 62, 64, 65)
    assert all(other == clear.values for other in clear.others)
    silence = Clip(np.zeros(RATE, dtype=np.float32), RATE)
    for read in (read_beats, read_drums, read_harmony, read_melody, read_tempo):
        assert read(silence).values == ()


@pytest.mark.parametrize("read", [read_beats, read_drums, read_harmony, read_melody, read_tempo])
def test_noise_alone_breaks_nothing(read: object) -> None:
    noise = np.random.default_rng(Random(1).randrange(100)).standard_normal(RATE).astype(np.float32) / 4
    assert isinstance(read(Clip(noise, RATE)).values, tuple)  # type: ignore[operator]
