"""Who plays on which channel, where each voice sits, and that no key is struck while it is held."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from libretto.score import QUARTER, Note, Score, Voice
from libretto.sound import Performance
from libretto.sound.mix import program_of, seats
from libretto.sound.perform import PLAYED, keyed, passes
from libretto.sound.synth import DRUM_CHANNEL

ONE_LAYER = np.ones(128, dtype=np.int64)
TIMES = st.integers(0, 400).map(lambda blocks: blocks / 750)
PLAYED_NOTES = st.lists(
    st.tuples(TIMES, st.integers(1, 300), st.integers(60, 62), st.integers(1, 127)), min_size=1, max_size=14
)


def voice(name: str, program: int | None = 0, count: int = 4, drums: bool = False, at_once: int = 1) -> Voice:
    notes = [
        Note(i * QUARTER, QUARTER, 40 + key, 80, ((40 + key) * 7 + 3) % 12 - 3)
        for i in range(count)
        for key in range(at_once)
    ]
    return Voice.of(name, notes, program, drums)


@given(PLAYED_NOTES)
def test_a_key_is_down_exactly_when_a_note_of_it_is_held(raw: list[tuple[float, int, int, int]]) -> None:
    notes = np.array(
        [(start, start + length / 750, pitch, velocity, 0) for start, length, pitch, velocity in raw], PLAYED
    )
    found = keyed(notes)
    for key in (60, 61, 62):
        mine = found[found["pitch"] == key]
        assert (mine["start"][1:] >= mine["stop"][:-1]).all()
        assert (np.diff(mine["start"]) > 0).all()
        down = np.zeros(800, dtype=bool)
        for note in mine:
            down[note["start"] : note["stop"]] = True
        meant = np.zeros(800, dtype=bool)
        for start, length, pitch, _ in raw:
            if pitch == key:
                meant[round(start * 750) : round(start * 750) + length] = True
        assert (down == meant).all()
        for start in mine["start"]:
            struck = [v for s, _, p, v in raw if p == key and round(s * 750) == start]
            assert mine["velocity"][mine["start"] == start] == max(struck)


def test_drum_strokes_are_held_for_a_while() -> None:
    notes = np.array([(0.0, 0.001, 36, 80, 0), (1.0, 1.001, 36, 80, 0)], PLAYED)
    assert (keyed(notes, drums=True)["stop"] - keyed(notes)["start"] > 100).all()
    assert not len(keyed(notes[:0]))


@pytest.mark.parametrize("count", [1, 15, 16, 40])
def test_every_voice_has_a_channel_of_its_own(count: int) -> None:
    score = Score.build([voice(f"V{i}") for i in range(count)] + [voice("DRUMS", drums=True)])
    plan = passes(Performance.exact(score), [ONE_LAYER] * (count + 1), [None] * count + [0])
    assert len(plan) == -(-count // 15)
    for strips in plan:
        channels = [strip.channel for strip in strips]
        assert len(set(channels)) == len(channels)
        assert all((strip.channel == DRUM_CHANNEL) == (strip.voice == count) for strip in strips)
    assert sum(len(strip.notes) for strips in plan for strip in strips) == len(score.table)


def test_kits_of_one_kind_share_the_drum_channel_and_others_do_not() -> None:
    score = Score.build([voice(name, program, drums=True) for name, program in (("A", 0), ("B", 0), ("C", 16))])
    plan = passes(Performance.exact(score), [ONE_LAYER] * 3, [0, 0, 16])
    assert [[strip.voice for strip in strips] for strips in plan] == [[0, 1], [2]]


def test_what_is_too_thick_for_one_pass_is_played_in_several() -> None:
    score = Score.build([voice("ORGAN", 16, at_once=80), voice("FLUTE", 73)])
    plan = passes(Performance.exact(score), [2 * ONE_LAYER, ONE_LAYER], [None, None])
    assert len(plan) > 2
    assert sum(len(strip.notes) for strips in plan for strip in strips) == len(score.table)
    for strips in plan:
        assert sum(len(strip.notes) // 4 * (2 if strip.voice == 0 else 1) for strip in strips) <= 64


def test_families_have_their_places() -> None:
    names = (("BASS", 33), ("KEYS", 0), ("GUITAR", 25), ("GUITAR 2", 25), ("LEAD", 65), ("PAD", 89))
    bass, keys, guitar, other, lead, pad, drums = seats([voice(*each) for each in names] + [voice("KIT", drums=True)])
    assert bass.pan == drums.pan == 0
    assert keys.pan < 0 < guitar.pan
    assert other.pan == -guitar.pan
    assert bass.reverb < lead.reverb < pad.reverb
    assert pad.level < keys.level < lead.level


def test_a_lone_voice_is_in_the_middle_and_many_stay_on_the_stage() -> None:
    assert seats([voice("KEYS", 0), voice("KIT", drums=True)])[0].pan == 0
    many = seats([voice(f"V{i}", 25) for i in range(20)])
    assert max(abs(seat.pan) for seat in many) <= 0.75
    assert abs(np.mean([seat.pan for seat in many[:8]])) < 0.1


def test_a_voice_without_a_program_plays_what_its_name_says() -> None:
    assert program_of(voice("1st Violin", None)) == 40
    assert program_of(voice("Drums", None, drums=True)) == 0
    assert program_of(voice("Drums", 25, drums=True)) == 25
