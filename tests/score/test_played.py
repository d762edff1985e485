"""The order of play, and a piece written out in it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from strategies import marked_scores

from libretto.grammar import parse
from libretto.score import Mark, Score, played
from libretto.score.marks import REPEAT_MARKS
from libretto.score.played import order_of
from libretto.score.repeats import marks_of_signs, signs_of_marks
from libretto.score.time import QUARTER

_NOTES = ("C4", "D4", "E4", "F4", "G4", "A4", "B4", "C5")


def _piece(*extras: str) -> Score:
    """One whole note a bar, a step higher each time."""
    head = f"KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 4th | BARS: {len(extras)}\nVOICES: LEAD\n"
    bars = (f"@{n} [C] {extra}\n  LEAD: {_NOTES[n - 1]}@1>4\n" for n, extra in enumerate(extras, 1))
    return parse(head + "".join(bars))


@pytest.mark.parametrize(
    ("extras", "order"),
    [
        (("", "", ""), "123"),
        (("(|:)", "(:|)", ""), "12123"),
        (("", "(:|)", ""), "12123"),
        (("(|:)", "(:|3)", ""), "1212123"),
        (("(|:)", "(ending:1) (:|)", "(ending:2)"), "1213"),
        (("", "(fine)", "", "(da-capo)"), "123412"),
        (("", "(segno)", "(fine)", "(dal-segno)"), "123423"),
        (("", "(to-coda)", "(da-capo)", "(coda)"), "123124"),
        (("(|:)", "", "(ending:1) (:|)", "(ending:2)", "(da-capo)"), "1231245124" + "5"),
    ],
)
def test_the_order_of_play(extras: tuple[str, ...], order: str) -> None:
    score = _piece(*extras)
    assert "".join(str(bar + 1) for bar in order_of(score)) == order
    sounding = played(score)
    assert [note.name for note in sounding.voices[0].notes] == [_NOTES[int(bar) - 1] for bar in order]
    assert sounding.bars == len(order)
    assert not sounding.marks


def test_a_note_that_rings_over_a_jump_is_cut_or_tied() -> None:
    head = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 4th | BARS: 3\nVOICES: LEAD\n"
    text = "@1 [C] (|:)\n  LEAD: C4@1>6\n@2 [C] (ending:1) (:|)\n@3 [C] (ending:2)\n  LEAD: C4@1>2{}\n"
    tied = played(parse(head + text.format("'_")))
    assert [(note.onset, note.duration) for note in tied.voices[0].notes] == [
        (0, 6 * QUARTER),
        (8 * QUARTER, 6 * QUARTER),
    ]
    cut = played(parse(head + text.format("")))
    assert [note.duration for note in cut.voices[0].notes] == [6 * QUARTER, 4 * QUARTER, 2 * QUARTER]


def test_what_holds_where_one_jumps_to_holds_again() -> None:
    score = _piece("(section:A)", "(tempo:60) (section:B)", "(da-capo)")
    sounding = played(score)
    bar = 4 * QUARTER
    assert [tick // bar for tick, _ in sounding.tempos] == [0, 1, 3, 4]
    assert [(tick // bar, name) for tick, name in sounding.sections] == [(0, "A"), (1, "B"), (3, "A"), (4, "B")]


@given(marked_scores())
def test_playing_is_safe_and_done_once(score: Score) -> None:
    sounding = played(score)
    assert not any(mark.kind in REPEAT_MARKS for mark in sounding.marks)
    assert played(sounding) is sounding


def test_signs_and_marks_say_the_same() -> None:
    score = _piece("(|:)", "(ending:1,2) (:|3)", "(ending:3)", "(segno)", "(fine) (dal-segno)")
    signs = signs_of_marks(score.marks, score.bar_lines)
    assert tuple(sorted(marks_of_signs(signs, score.bar_lines))) == score.marks


def test_a_repeat_sign_inside_a_bar_is_refused() -> None:
    score = _piece("", "")
    with pytest.raises(Exception, match="bar line"):
        replace(score, marks=(Mark(QUARTER, "repeat-end"),))


def test_a_bar_that_a_repeat_cuts_in_two_is_whole_when_it_is_played() -> None:
    head = "KEY: C major | METER: 3/4 | TEMPO: 120 | GRID: 4th | BARS: 2\nVOICES: LEAD\n"
    text = "@0 [G7] (bar:1/4) (|:)\n  LEAD: G4@1>1\n@1 [C]\n  LEAD: C5@1>3\n@2 [F] (bar:2/4) (:|)\n  LEAD: A4@1>2\n"
    sounding = played(parse(head + text))
    assert [(b - a) // QUARTER for a, b in pairwise(sounding.bar_lines)] == [1, 3, 3, 3, 2]
    assert sounding.chords == (("G7",), ("C",), ("F", "F", "G7"), ("C",), ("F",))
    assert [note.name for note in sounding.voices[0].notes] == ["G4", "C5", "A4", "G4", "C5", "A4"]
