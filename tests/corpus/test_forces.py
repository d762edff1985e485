"""Pieces are told apart by forces and length, and real pieces of every kind are cut out of songs."""

from __future__ import annotations

import pytest

from libretto.corpus.forces import LENGTHS, SIZES, Cell, Forces, cell_of, excerpt, forces_of, playing, sounding_bars
from libretto.score import QUARTER, Note, Score, Voice

BAR = 4 * QUARTER


def voice(name: str, pitch: int, bars: range, *, drums: bool = False, every: int = 1) -> Voice:
    """A note on every beat of some bars, up and down a third."""
    notes = [
        Note(bar * BAR + beat * QUARTER, QUARTER, height, 80, (height * 7 + 5) % 12 - 5)
        for bar in bars[::every]
        for beat in range(4)
        for height in (pitch + (beat + bar) % 4,)
    ]
    return Voice.of(name, notes, program=None if drums else 0, drums=drums)


def song(count: int, bars: int = 80, *, drums: bool = True) -> Score:
    voices = [voice(f"V{index}", 36 + 7 * index, range(bars)) for index in range(count)]
    return Score.build([*voices, *([voice("Kit", 36, range(bars), drums=True)] if drums else [])], bars=bars)


@pytest.mark.parametrize(
    ("count", "size"), [(1, "solo"), (2, "duo"), (3, "trio"), (4, "quartet"), (5, "band"), (9, "band")]
)
def test_forces_count_the_pitched_voices(count: int, size: str) -> None:
    assert forces_of(song(count)) == Forces(size, percussion=True)
    assert forces_of(song(count, drums=False)) == Forces(size, percussion=False)


def test_a_visitor_is_no_player() -> None:
    piece = Score.build([voice("A", 60, range(40)), voice("B", 48, range(4))], bars=40)
    assert forces_of(piece) == Forces("solo")
    assert [player.name for player in playing(piece)] == ["A"]


def test_a_held_note_sounds_in_every_bar_it_rings_in() -> None:
    held = Voice.of("A", [Note(0, 2 * BAR, 60, 80, 0), Note(3 * BAR, BAR, 60, 80, 0)])
    assert sounding_bars(Score.build([held], bars=5)).tolist() == [[True, True, False, True, False]]


def test_silence_and_percussion_alone_have_a_cell() -> None:
    assert cell_of(Score.build([], bars=4)) == Cell(Forces("solo"), "phrase")
    assert cell_of(Score.build([voice("Kit", 36, range(9), drums=True)], bars=9)) == Cell(Forces("solo", True), "short")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("percussion", [False, True])
def test_an_excerpt_is_of_its_cell_and_the_same_every_time(size: str, length: str, percussion: bool) -> None:
    piece = song(7)
    cut = excerpt(piece, size, length, 3, percussion=percussion)
    assert cut is not None
    assert cell_of(cut) == Cell(Forces(size, percussion), length)
    assert cut == excerpt(piece, size, length, 3, percussion=percussion)
    theirs = {player.name: player.array for player in piece.voices}
    for player in cut.voices:
        assert set(player.array["pitch"].tolist()) <= set(theirs[player.name]["pitch"].tolist())


def test_a_song_gives_no_excerpt_that_it_does_not_hold() -> None:
    assert excerpt(song(3), "quartet", "short") is None
    assert excerpt(song(3, bars=40), "trio", "whole") is None
    assert excerpt(song(3, drums=False), "trio", "short", percussion=True) is None
    assert excerpt(Score.build([], bars=20), "solo", "short") is None


def test_other_seeds_give_other_excerpts() -> None:
    piece = song(6)
    assert len({cut.digest for seed in range(8) if (cut := excerpt(piece, "duo", "short", seed))}) > 3


def test_doubled_parts_are_not_taken_together() -> None:
    piece = Score.build([voice("A", 60, range(80)), voice("A8", 72, range(80)), voice("B", 40, range(80))], bars=80)
    for seed in range(6):
        cut = excerpt(piece, "duo", "short", seed)
        assert cut is None or {player.name for player in cut.voices} != {"A", "A8"}


@pytest.mark.parametrize("key", ["solo phrase", "band+ whole"])
def test_a_cell_is_one_word(key: str) -> None:
    assert Cell.of_key(key).key == key
