"""A voice with scoops and vibrato becomes its notes; so does a line in another tuning, and a pitch sung again."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.hearing.audio import Clip
from libretto.hearing.choosing import hear, is_voice, mode_of
from libretto.hearing.partials import hearable
from libretto.hearing.singing import hear_sung, one_at_a_time, tuning_of
from libretto.hearing.tracking import track
from tests.made_sounds import RATE, plucked, voice

TUNE = [(0.1, 0.5, 60), (0.5, 0.9, 62), (0.9, 1.7, 64), (1.7, 2.1, 67), (2.1, 2.9, 65), (3.1, 3.9, 57)]


def close(heard: list[float], due: list[float]) -> bool:
    return len(heard) == len(due) and all(abs(a - b) <= 0.05 for a, b in zip(heard, due, strict=True))


def test_scoops_and_vibrato_belong_to_their_notes() -> None:
    notes = hear_sung(voice(TUNE))
    assert [note.pitch for note in notes] == [pitch for _, _, pitch in TUNE]
    assert close([note.start for note in notes], [start for start, _, _ in TUNE])


def test_a_pitch_that_is_sung_again_is_a_new_note() -> None:
    tune = [(0.1, 0.5, 62), (0.5, 0.9, 62), (0.9, 1.3, 62), (1.3, 2.1, 64)]
    assert [note.pitch for note in hear_sung(voice(tune, scoop=0.0))] == [62, 62, 62, 64]


@pytest.mark.parametrize("cents", [-30, 30])
def test_a_singer_tunes_as_he_likes(cents: int) -> None:
    clip = voice(TUNE)
    moved = np.interp(np.arange(0, len(clip.samples), 2 ** (cents / 1200)), np.arange(len(clip.samples)), clip.samples)
    assert [note.pitch for note in hear_sung(Clip(moved.astype(np.float32), RATE))] == [pitch for _, _, pitch in TUNE]


def test_the_tracker_follows_a_leap_of_an_octave() -> None:
    line = track(hearable(voice([(0.1, 0.6, 50), (0.6, 1.1, 62), (1.1, 1.6, 50)], vibrato=0.0, scoop=0.0)))
    middles = [float(np.median(line.pitch[int(100 * t) - 10 : int(100 * t) + 10])) for t in (0.4, 0.9, 1.4)]
    assert middles == pytest.approx([50, 62, 50], abs=0.2)


def test_noise_has_no_pitch() -> None:
    noise = np.random.default_rng(2).standard_normal(2 * RATE).astype(np.float32) * 0.2
    assert track(hearable(Clip(noise, RATE))).voiced.mean() < 0.3


def test_what_it_is_taken_for_is_heard() -> None:
    assert mode_of(voice(TUNE)) == "mono"
    chords = [(0.6 * n, 0.6 * n + 0.6, pitch) for n in range(5) for pitch in (48, 52 + n % 2, 55, 62)]
    assert mode_of(plucked(chords)) == "poly"
    assert is_voice(track(hearable(voice(TUNE))))
    assert not is_voice(track(hearable(plucked(TUNE))))


def test_a_voice_is_heard_by_our_own_ear() -> None:
    heard = hear(voice(TUNE), "mono")
    assert (heard.mode, heard.by) == ("mono", "local ear")
    assert [note.pitch for note in heard.notes] == [pitch for _, _, pitch in TUNE]


def test_tuning_is_the_middle_of_all_pitches() -> None:
    assert tuning_of(np.array([60.2, 62.25, 64.15])) == pytest.approx(0.2, abs=0.02)
    assert tuning_of(np.array([])) == 0.0


def test_one_note_at_a_time_keeps_the_surest() -> None:
    notes = hear_sung(voice(TUNE))
    double = [note._replace(pitch=note.pitch + 12, strength=0.0) for note in notes]
    assert one_at_a_time([*notes, *double]) == notes
