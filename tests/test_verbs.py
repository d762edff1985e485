"""The plain names that ``libretto`` exports do what they say, from Python, in one call each."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from loop_song import song

import libretto
from libretto import accompany, detect, drill, extend, fill, grade, morph, original, render, revise, spot, transpose
from libretto.renderings import Options

SONG = song()


def test_some_bars_are_written_anew_and_the_rest_stays() -> None:
    run = fill(SONG, 9, 12, ["BASS"], rounds=1)
    assert run.score is not None
    for voice in SONG.voices:
        if voice.name != "BASS":
            assert run.score.voice(voice.name) == voice


def test_voices_in_a_text_are_names_and_never_letters() -> None:
    run = fill(SONG, 9, 12, "bass", rounds=1)
    assert run.task.voices == ("BASS",)
    both = fill(SONG, 9, 12, f"BASS, {SONG.voices[0].name}", rounds=1)
    assert set(both.task.voices) == {"BASS", SONG.voices[0].name}
    for wrong in ("BASS,", [""], "B A"):
        with pytest.raises(libretto.LibrettoError, match="there is no voice"):
            fill(SONG, 9, 12, wrong, rounds=1)


@pytest.mark.parametrize(
    "verb",
    [
        lambda **how: fill(SONG, 9, 12, **how),
        lambda **how: accompany(SONG, "Strings", **how),
        lambda **how: extend(SONG, 4, **how),
        lambda **how: morph("jazz", "metal", 24, **how),
        lambda **how: revise(SONG, "the bass is too busy", **how),
        lambda **how: drill("harmonic minor", "E", bars=8, **how),
    ],
    ids=["fill", "accompany", "extend", "morph", "revise", "drill"],
)
def test_a_keyword_that_nobody_knows_is_refused(verb: Callable[..., object]) -> None:
    with pytest.raises(TypeError, match="no keyword round; beside its own there are composer, rounds, seed, setup"):
        verb(round=1)
    with pytest.raises(libretto.LibrettoError, match="seed: -1 is less than 0"):
        verb(seed=-1)


def test_a_part_is_written_from_the_others() -> None:
    run = accompany(SONG, "Strings", rounds=1)
    assert run.score is not None
    assert len(run.score.voice("Strings").notes)


def test_a_song_goes_on() -> None:
    run = extend(SONG, 4, rounds=1)
    assert run.score is not None
    assert run.score.bars == SONG.bars + 4


def test_a_genre_becomes_another() -> None:
    run = morph("jazz", "metal", 24, rounds=1)
    assert run.score is not None
    assert run.score.bars == 24


def test_words_change_a_piece_or_are_refused() -> None:
    run = revise(SONG, "the bass is too busy", rounds=1)
    assert run.score is not None
    with pytest.raises(libretto.LibrettoError, match="not understood"):
        revise(SONG, "florp the wibble")


def test_a_drill_and_its_own_answer() -> None:
    run = drill("harmonic minor", "E", bars=8, rounds=1)
    assert run.score is not None
    assert grade(run.score, run.score).score == 100
    wrong = grade(transpose(run.score, 1), run.score)
    assert wrong.mistakes or wrong.score <= 100


def test_what_a_piece_is_like() -> None:
    assert isinstance(spot(SONG), list)
    assert all(places for _, places in detect(SONG))
    assert original(SONG).count > 0
    assert render(SONG, "svg", Options(roll=True)).startswith(b"<svg")
