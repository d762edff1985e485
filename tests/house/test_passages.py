"""Gaps are filled from the passages that belong there: by form, part by part, and not pasted where nothing returns."""

from __future__ import annotations

import numpy as np

from libretto.house import fill_gap
from libretto.house.core.controls import Controls
from libretto.house.fill.alike import alike
from libretto.house.fill.choosing import chosen_bars
from libretto.house.fill.passages import clues, surroundings, way_through, ways_apart, weights
from libretto.house.fill.reading import Reading
from libretto.score import QUARTER, Note, Score, Voice
from libretto.tasks.fill.gap import emptied

BAR = 4 * QUARTER
PHRASES = {
    "A": ["C4 E4 G4 E4", "A3 C4 E4 C4", "F3 A3 C4 A3", "G3 B3 D4 B3"],
    "B": ["D4 F4 A4 F4", "E4 G4 B4 G4", "A3 C4 E4 C4", "D4 F4 A4 D5"],
    "C": ["B4 A4 G4 F4", "E4 D4 C4 B3", "C4 C4 D4 D4", "E4 E4 C4 C4"],
}


def song(tune: str, bass: str | None = None) -> Score:
    def notes(letters: str, octave: int, length: int) -> list[Note]:
        bars = [bar for letter in letters for bar in PHRASES[letter]]
        return [
            Note.named(name[:-1] + str(int(name[-1]) + octave), at * BAR + beat * QUARTER, length)
            for at, bar in enumerate(bars)
            for beat, name in enumerate(bar.split()[: BAR // length])
        ]

    return Score.build([
        Voice.of("Tune", notes(tune, 1, QUARTER), 73),
        Voice.of("Bass", notes(bass or tune, -1, BAR), 33),
    ])  # fmt: skip


def names(score: Score) -> list[str]:
    return [voice.name for voice in score.voices]


def test_bars_are_alike_as_their_notes_are() -> None:
    piece = song("ABAC")
    table = alike(piece, (4, 7))
    assert table.first == 0
    assert np.allclose(np.diag(table.whole), 1.0)
    assert np.allclose(table.whole, table.whole.T)
    assert table.whole[0, 8] > 1 - 1e-9
    assert table.whole[0, 12] < 0.8
    assert np.allclose(np.diagonal(table.voices, axis1=1, axis2=2), 1.0)


def test_a_passage_that_returns_is_taken_up_by_its_form() -> None:
    piece = song("ABACABACABAC")
    gap = (20, 23)  # the second B
    reading = Reading(emptied(piece, names(piece), gap), gap)
    choice = chosen_bars(reading, [0, 1], None, Controls(), 0)
    assert choice.sure > 0.8
    for way in (choice.whole, *choice.voices.values()):
        assert [bar % 16 for bar in way] == [4, 5, 6, 7]
    made = fill_gap(reading.score, [0, 1], gap, 0)
    assert np.array_equal(made.voices[0].array["pitch"], piece.voices[0].array["pitch"])


def test_a_voice_may_come_from_another_passage_than_the_others() -> None:
    piece = song("ABACABAC" * 2, "AABBAABB" * 2)
    gap = (36, 43)
    reading = Reading(emptied(piece, names(piece), gap), gap)
    choice = chosen_bars(reading, [0, 1], None, Controls(), 0)
    made = fill_gap(reading.score, [0, 1], gap, 0)
    start, end = piece.bar_lines[gap[0]], piece.bar_lines[gap[1] + 1]
    assert set(choice.voices) == {0, 1}
    for old, new in zip(piece.voices, made.voices, strict=True):
        outside = (old.array["onset"] < start) | (old.array["onset"] >= end)
        kept = (new.array["onset"] < start) | (new.array["onset"] >= end)
        assert np.array_equal(old.array[outside], new.array[kept])


def test_the_same_seed_gives_the_same_fill() -> None:
    piece = song("ABCABCAB")
    gap = (8, 15)
    context = emptied(piece, names(piece), gap)
    assert fill_gap(context, [0, 1], gap, 4) == fill_gap(context, [0, 1], gap, 4)


def test_what_hardly_repeats_is_not_pasted() -> None:
    dice = np.random.default_rng(1)
    scale = [60, 62, 64, 65, 67, 69, 71, 72]
    rows = [Note(at * QUARTER, QUARTER, int(pitch), spelling=int(pitch) * 7 % 12 if int(pitch) * 7 % 12 < 7 else -1)
            for at, pitch in enumerate(dice.choice(scale, 4 * 32))]  # fmt: skip
    rows = [row for row in rows if row.spelling * 7 % 12 == row.pitch % 12]
    piece = Score.build([Voice.of("Tune", rows, 73)], bars=32)
    gap = (12, 19)
    made = fill_gap(emptied(piece, ["Tune"], gap), [0], gap, 0)
    inside = made.table[(made.table["bar"] >= 12) & (made.table["bar"] <= 19)]
    assert len(inside) > 8
    for start in (*range(5), *range(20, 25)):
        window = piece.table[(piece.table["bar"] >= start) & (piece.table["bar"] <= start + 7)]
        theirs = {(int(r["bar"]) - start, int(r["position"]), int(r["pitch"])) for r in window}
        mine = {(int(r["bar"]) - 12, int(r["position"]), int(r["pitch"])) for r in inside}
        assert len(mine & theirs) < 0.9 * len(mine)


def test_ways_go_on_unless_a_jump_is_worth_it() -> None:
    good = np.zeros((4, 10))
    good[:, 3] = 0.1
    assert way_through(good, 1.0) in ([3, 4, 5, 6], [2, 3, 4, 5], [1, 2, 3, 4], [0, 1, 2, 3])
    assert way_through(good, 0.0) == [3, 3, 3, 3]
    good[0, 3] = np.nan
    assert way_through(good, 0.0)[0] != 3


def test_clues_are_as_many_as_there_are_weights() -> None:
    table = np.eye(40)
    shifts = np.arange(-20, 20)
    around = surroundings(table, (16, 23), shifts)
    assert not np.isnan(around).any()
    assert clues(around, shifts, 0, 8).shape[1] == len(weights().whole)
    assert clues(around, shifts, 0, 8, around).shape[1] == len(weights().voice)
    assert clues(around, shifts, 0, 1).shape[1] == len(weights().whole)


def test_a_way_jumps_where_a_phrase_begins() -> None:
    good = np.full((8, 40), 0.1)
    for row, column in enumerate((5, 6, 20, 21, 22, 23, 24, 25)):
        good[row, column] = 1.0
    assert way_through(good, 0.1) == [5, 6, 20, 21, 22, 23, 24, 25]
    assert way_through(good, 0.1, 4) == [18, 19, 20, 21, 22, 23, 24, 25]


def test_ways_apart_take_up_phrases_of_which_none_goes_on() -> None:
    good = np.full((8, 40), 0.1)
    for row in range(8):
        good[row, 10 + row], good[row, 25 + row] = 1.0, 0.9
    assert way_through(good, 0.1, 4) == list(range(10, 18))
    assert ways_apart(good, 4) == [10, 11, 12, 13, 29, 30, 31, 32]
