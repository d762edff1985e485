"""Marks, controls and repeats in the text: they come back as they were, and what is wrong is said."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from strategies import marked_scores

from libretto.errors import GrammarError
from libretto.grammar import check, notate, parse, parse_lenient
from libretto.score import Mark, Note, Score, Voice, diff, join, take_bars, transpose
from libretto.score.marks import BEND, SUSTAIN
from libretto.score.time import QUARTER

_HEAD = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: {}\nVOICES: LEAD\n"


def _bar(body: str, extras: str = "") -> Score:
    return parse(f"{_HEAD.format(1)}@1 [C]{extras}\n  LEAD: {body}\n")


@given(marked_scores())
def test_every_mark_comes_back(score: Score) -> None:
    assert parse(notate(score)) == score
    assert parse(notate(score, compact=True)) == score


@given(marked_scores())
def test_a_piece_cut_in_two_and_joined_is_the_piece(score: Score) -> None:
    if score.bars < 2 or any(mark.kind == "ending" for mark in score.marks):
        return
    first, last = score.numbers[0], score.numbers[-1]
    late = any((voice.controls["tick"] >= score.ticks).any() for voice in score.voices)
    halves = join(take_bars(score, first, first), take_bars(score, first + 1, last))
    if not late:
        assert [voice.marks for voice in halves.voices] == [voice.marks for voice in score.voices]
        assert halves.marks == score.marks


@given(marked_scores())
def test_a_mark_that_is_gone_is_a_difference(score: Score) -> None:
    bare = replace(score, voices=tuple(voice.with_marks(()) for voice in score.voices), marks=())
    assert diff(score, bare).is_empty == (bare == score)


def test_short_ways_to_say_it() -> None:
    score = _bar(
        """mf@1 cresc@1>8 C4@1>4'.'>"A-" E4@5>4'("-ma-" G4@9>8')'ferm"2:go~on" "dolce"@9 cc64@1=127,9=0 bend@3=-5"""
    )
    voice = score.voices[0]
    at = {(mark.kind, mark.value): mark for mark in voice.marks}
    assert at["staccato", ""] == Mark(0, "staccato", "", QUARTER, 60)
    assert at["lyric", "2:go on"].pitch == 67
    assert at["crescendo", ""].length == 2 * QUARTER
    assert {("dynamics", "mf"), ("words", "dolce"), ("slur-start", ""), ("slur-stop", ""), ("fermata", "")} <= at.keys()
    assert voice.controls.tolist() == [(0, SUSTAIN, 127), (QUARTER // 2, BEND, -5), (2 * QUARTER, SUSTAIN, 0)]


def test_marks_of_chords() -> None:
    """What a chord shares stands on all its notes, what belongs to one note on the lowest, or it has its own token."""
    score = _bar("C4+E4@1>4'arp'/2'. G4@1>4'3")
    assert sorted((mark.pitch, mark.kind) for mark in score.voices[0].marks) == [
        *((60, "arpeggiate"), (60, "staccato"), (60, "staff")),
        *((64, "arpeggiate"), (64, "staff"), (67, "fingering")),
    ]
    assert parse(notate(score)) == score


def test_repeats_take_marks_along() -> None:
    text = f"{_HEAD.format(3)}@1 [C]\n  LEAD: f@1 C4@1>4'. E4@5>4'(\n@2 = @1\n@3 [C]\n  LEAD: =1+2\n"
    score = parse(text)
    kinds = [(mark.tick // (4 * QUARTER), mark.kind, mark.pitch) for mark in score.voices[0].marks]
    assert {(1, "staccato", 60), (2, "staccato", 62), (2, "slur-start", 66)} <= set(kinds)
    assert sum(kind == "dynamics" for _, kind, _ in kinds) == 3


def test_a_plain_text_looks_as_ever() -> None:
    score = Score.build([Voice.of("LEAD", [Note(0, QUARTER, 60)])], bars=1)
    assert not set(notate(score)) & set("'\"")


def test_transposed_marks_stay_on_their_notes() -> None:
    up = transpose(_bar("C4@1>4'."), 3)
    assert [mark.pitch for mark in up.voices[0].marks] == [63]


@pytest.mark.parametrize(
    "body",
    [
        "C4@1>4'stacato",
        "C4@1>4'",
        'C4@1>4"',
        "C4@1>4'~0+1/0",
        "cc200@1=5",
        "cc7@1=300",
        "mff@1",
        "mf@0",
        "bend@1=9000",
        "H4@1>4'.",
    ],
)
def test_what_is_no_mark_is_a_problem(body: str) -> None:
    problems = check(f"{_HEAD.format(1)}@1 [C]\n  LEAD: C4@9>1 {body}\n")
    assert [problem.found for problem in problems] == [body]
    assert problems[0].line == 4


def test_a_mark_after_the_end_of_its_bar_is_a_problem() -> None:
    assert check(f"{_HEAD.format(2)}@1 [C]\n  LEAD: mf@17\n@2 [C]\n")


@pytest.mark.parametrize("extra", ["(chorus)", "(segno:x)", "(:|0)", "(ending:x)", "(ending:)", "(words:x@99)"])
def test_what_is_no_mark_of_the_piece_is_a_problem(extra: str) -> None:
    with pytest.raises(GrammarError):
        _bar("C4@1>4", f" {extra}")


def test_repeat_signs() -> None:
    text = f"{_HEAD.format(3)}@1 [C] (|:)\n@2 [C] (ending:1) (:|3)\n@3 [C] (ending:2)\n"
    score = parse(text)
    bar = 4 * QUARTER
    assert set(score.marks) == {
        Mark(0, "repeat-start"),
        Mark(bar, "ending", "1", bar),
        Mark(bar, "repeat-end", "3"),
        Mark(2 * bar, "ending", "2", bar),
    }
    assert notate(score).replace("GRID: 4th", "GRID: 16th").splitlines()[2:] == text.splitlines()[2:]


@given(marked_scores())
def test_the_lenient_reading_takes_marks_as_they_are(score: Score) -> None:
    reading = parse_lenient(notate(score))
    assert reading.score == score
    assert not reading.repairs
