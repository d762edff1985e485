"""Notes that differ between two pieces, by their places; and the proof of what stayed."""

from __future__ import annotations

import itertools
from dataclasses import replace

from hypothesis import given
from strategies import scores

from libretto.score import QUARTER, Mark, Note, Score, Voice, played
from libretto.score.changed import changed_notes, stayed
from libretto.score.played import ways_played


def line(*names: str) -> Score:
    notes = [Note.named(name, index * QUARTER, QUARTER) for index, name in enumerate(names)]
    return Score.build([Voice.of("Lead", notes)])


@given(scores())
def test_a_piece_differs_from_itself_in_nothing(score: Score) -> None:
    assert changed_notes(score, replace(score, title="Other")) == ([], [])
    proof = stayed(score, score)
    assert (proof.notes, proof.voices, proof.bars) == (len(score.table), (), ())


def test_the_notes_that_differ_are_named_on_both_sides() -> None:
    one, other = line("C4", "D4", "E4", "F4"), line("C4", "Eb4", "E4", "F4", "G4")
    assert changed_notes(one, other) == ([1], [1, 4])
    proof = stayed(one, other)
    assert (proof.notes, proof.of, proof.bars) == (3, 4, (1, 2))
    assert "3 of 4 notes stayed; changes in Lead, bars 1-2" in proof.line


def test_bars_that_were_put_in_are_traced() -> None:
    before = line(*["C4", "D4", "E4", "F4", "G4", "A4", "B4", "C5"])
    after = line(*["C4", "D4", "E4", "F4", "D5", "D5", "D5", "D5", "G4", "A4", "B4", "C5"])
    assert changed_notes(before, after) == ([], [4, 5, 6, 7])


def test_a_renamed_voice_is_the_same_voice() -> None:
    before = line("C4", "D4")
    after = replace(before, voices=(replace(before.voices[0], name="Tune"),))
    assert changed_notes(before, after) == ([], [])


def test_the_proof_is_of_what_stayed() -> None:
    before = line("C4", "D4", "E4")
    assert stayed(before, line("C4", "D4", "F4")).digest == stayed(before, line("C4", "D4", "G4")).digest
    assert stayed(before, line("C4", "D4", "F4")).digest != stayed(before, line("C4", "A4", "E4")).digest


@given(scores())
def test_the_way_of_play_lasts_as_long_as_what_is_played(score: Score) -> None:
    ways = ways_played(score)
    assert ways[0][0] == 0
    assert abs(ways[-1][1] - played(score).seconds) < 1e-6
    assert sum(last - first for *_, first, last in ways) == played(score).ticks
    assert all(abs(one[1] - other[0]) < 1e-9 for one, other in itertools.pairwise(ways))


def test_repeats_are_gone_through_twice() -> None:
    piece = replace(line(*["C4"] * 8), marks=(Mark(0, "repeat-start"), Mark(0, "repeat-end")))
    assert [way[2:] for way in ways_played(piece)] == [(0, 4 * QUARTER), (0, 8 * QUARTER)]
