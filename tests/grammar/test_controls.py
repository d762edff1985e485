"""Controllers in the text: how they are read, how the compact text says them shortly, and that nothing is lost."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import marked_scores

from libretto.errors import GrammarError
from libretto.grammar import check, notate, parse, parse_lenient
from libretto.score import Mark, Score, join, take_bars
from libretto.score.marks import BEND, control_rows
from libretto.score.time import QUARTER, WHOLE

_HEAD = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: {}\nVOICES: LEAD\n"
_SLOT = WHOLE // 16


def _read(*bars: str) -> Score:
    body = "".join(f"@{number} [C]\n" + (f"  LEAD: {bar}\n" if bar else "") for number, bar in enumerate(bars, start=1))
    return parse(_HEAD.format(len(bars)) + body)


def _controls(score: Score, bar: int = 1) -> list[tuple[int, int, int]]:
    """The controls of a bar: ticks from its start, kind, value."""
    start = score.bar_lines[bar - 1]
    rows = score.voices[0].controls.tolist()
    return [(tick - start, kind, value) for tick, kind, value in rows if start <= tick < score.bar_lines[bar]]


def _notes(score: Score, bar: int) -> list[str]:
    start, stop = score.bar_lines[bar - 1 : bar + 1]
    return [note.name for note in score.voices[0].notes if start <= note.onset < stop]


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("cc11@1=90,5=85,80,75", "cc11@1=90,5=85,9=80,13=75"),
        ("cc11@1=90,5=85,80,10=75,70,16=0", "cc11@1=90,5=85,9=80,10=75,11=70,16=0"),
        ("cc7@1=80,1=80,80", "cc7@1=80,1=80,1=80"),
        ("bend@3=-200,3+1/2=-100,0,100", "bend@3=-200,3+1/2=-100,4=0,4+1/2=100"),
        ("bend:768@1=96,5=160,256", "bend@1=96,1+1/12=160,1+1/6=256"),
        ("press:4@2=5,3=6,7", "press@5=5,9=6,13=7"),
        ("cc64:16@3=127,9=0", "cc64@3=127,9=0"),
    ],
)
def test_short_controls_say_what_long_ones_say(short: str, long: str) -> None:
    assert _read(short) == _read(long)
    assert len(_controls(_read(short))) == long.count("=")


def test_the_plain_text_says_every_place() -> None:
    text = notate(_read("cc11@1=90,5=85,80,75 bend:768@1=96,5=160 C4@1>4"))
    assert "LEAD: cc11@1=90,5=85,9=80,13=75 bend@1=96,1+1/12=160 C4@1>4" in text.replace("GRID: 4th", "")


def test_the_compact_text_says_them_shortly() -> None:
    score = _read("cc11@1=90,5=85,9=80,13=75 bend@1=96,1+1/12=160,1+1/6=256,1+5/12=0 C4@1>4 D4@16>1")
    text = notate(score, compact=True)
    assert "LEAD: cc11@1=90,5=85,80,75 bend:192@1=96,2=160,256,6=0 C4@1>4 D4@16>1" in text


def test_notes_and_controls_of_different_bars() -> None:
    score = _read("f@1 cc7@1=100,9=80 C4@1>4'. E4@5>4", "cc1@3=5 G4@1>4", "notes=1+2 controls=2 A4@9>1")
    assert _controls(score, 3) == [(2 * _SLOT, 1, 5)]
    assert _notes(score, 3) == ["D4", "F#4", "A4"]
    start = score.bar_lines[2]
    late = [mark for mark in score.voices[0].marks if mark.tick >= start]
    assert late == [Mark(start, "dynamics", "f"), Mark(start, "staccato", "", QUARTER, 62)]
    assert _read("cc7@1=100 C4@1>4", "controls=1 notes=1") == _read("cc7@1=100 C4@1>4", "=1")


def test_notes_alone_and_controls_alone() -> None:
    score = _read("cc7@1=100 C4@1>4", "notes=1", "controls=1", "notes=3", "controls=2 cc7@1=50")
    assert [_notes(score, bar) for bar in range(1, 6)] == [["C4"], ["C4"], [], [], []]
    assert [[value for _, _, value in _controls(score, bar)] for bar in range(1, 6)] == [[100], [], [100], [], [50]]


def test_controls_keep_their_time_in_another_grid() -> None:
    text = "@1 [C] (grid:12t)\n  LEAD: cc7@2=5,3=6,7 C4@1>1\n@2 [C]\n  LEAD: controls=1 C4@1>4\n"
    score = parse(_HEAD.format(2) + text)
    assert _controls(score, 1) == _controls(score, 2) == [(WHOLE // 12 * place, 7, place + 4) for place in (1, 2, 3)]
    assert [grid.division for grid in score.grids] == [12, 16]


def test_notes_again_beside_other_controls_are_not_written_again() -> None:
    tune = "C4@1>1 E4@3>1 G4@5>1 C5@7>1 B4@9>1 A4@11>1"
    bars = [f"cc7@{bar}=100 {tune}" for bar in range(1, 5)]
    text = notate(_read(*bars), compact=True)
    assert text.count("C5@7>1") == 1
    assert "notes=1" in text
    text = notate(_read(*(f"cc11@1=90,3=85,80,75,70,65 C{octave}@1>1" for octave in (2, 3, 5))), compact=True)
    assert text.count("cc11") == 1
    assert "notes=" in text or "controls=" in text


@given(marked_scores(), st.integers(1, 3))
def test_repeated_bars_with_controls_read_back(score: Score, times: int) -> None:
    whole = score
    for turn in range(times):
        voices = []
        for voice in score.voices:
            rows = voice.controls.tolist() if turn != 1 else []
            voices.append(replace(voice, controls=control_rows([*rows, (0, 7, turn)] if turn else rows)))
        whole = join(whole, take_bars(replace(score, voices=tuple(voices)), score.numbers[0], score.numbers[-1]))
    compact, plain = notate(whole, compact=True), notate(whole)
    assert parse(compact) == parse(plain) == whole
    assert len(compact) <= len(plain)
    assert notate(parse(compact)) == plain


def test_a_fader_takes_a_third() -> None:
    """Played files move their faders by small steps that lie between the slots of their bars."""
    rows = [(tick * 105 * 3, BEND if tick % 2 else 11, tick % 90) for tick in range(400)]
    score = _read(*["C4@1>4"] * 4)
    score = replace(score, voices=(replace(score.voices[0], controls=control_rows(rows)),))
    plain, compact = notate(score), notate(score, compact=True)
    assert parse(plain) == parse(compact) == score
    assert len(compact) * 3 < len(plain)


def test_points_far_behind_the_last_bar_read_back() -> None:
    score = _read("C4@1>4")
    rows = [(10**12 * place, 7, place) for place in range(5)]
    score = replace(score, voices=(replace(score.voices[0], controls=control_rows(rows)),))
    assert parse(notate(score)) == parse(notate(score, compact=True)) == score


def test_a_technique_that_is_called_a_bend_is_no_control() -> None:
    score = _read("C4@1>4")
    marks = (Mark(0, "bend", "3"), Mark(QUARTER, "bend"))
    score = replace(score, voices=(replace(score.voices[0], marks=marks),))
    assert parse(notate(score)) == parse(notate(score, compact=True)) == score


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ("cc7@100", "alone only behind two points"),
        ("cc7@1=100,80", "alone only behind two points"),
        ("cc7@5=1,1=2,3", "place=value"),
        ("cc7:97@1=5", "does not divide"),
        ("cc7:0@1=5", "does not divide"),
        ("cc128@1=5", "cc0 to cc127"),
        ("cc7@1=128", "0 to 127"),
        ("bend@1=9000", "-8192 to 8191"),
        ("cc7@1=1,2=2,x", "place=value"),
        ("cc7@1=1,999999999=2,3,4", "place=value"),
        ("notes=1", "comes first"),
        ("controls=1", "comes first"),
    ],
)
def test_what_is_no_control_is_explained(wrong: str, word: str) -> None:
    problems = check(f"{_HEAD.format(2)}@1 [C]\n  LEAD: C4@1>1\n@2 [C]\n  LEAD: C4@9>1 {wrong}\n")
    assert [problem.found for problem in problems if word in f"{problem.expected} {problem.hint}"] == [wrong]
    assert problems[0].line == 6


@pytest.mark.parametrize("first", ["=1 =1", "=1 controls=1", "notes=1 notes=1", "controls=1 =1", "controls=1+2"])
def test_one_repeat_or_one_of_each(first: str) -> None:
    assert check(f"{_HEAD.format(2)}@1 [C]\n  LEAD: cc7@1=5 C4@1>1\n@2 [C]\n  LEAD: {first}\n")


def test_controls_of_a_longer_bar_do_not_fit() -> None:
    with pytest.raises(GrammarError, match="a place within the bar"):
        parse(f"{_HEAD.format(3)}@1 [C]\n  LEAD: cc7@16=5\n@2 [C] (bar:1/4)\n  LEAD: controls=1\n@3 [C]\n")


def test_the_lenient_reading_keeps_lines_of_controls() -> None:
    bars = "@1 [C]\n  LEAD: c4@1>4\n@2 [C]\n  LEAD: CC7@1=100,5=90,80,\n@3 [C]\n  LEAD: Controls=2, C4@1>1\n"
    reading = parse_lenient(_HEAD.format(3) + bars)
    assert reading.score == _read("C4@1>4", "cc7@1=100,5=90,80", "controls=2 C4@1>1")
    assert {repair.line for repair in reading.repairs} == {4, 6, 8}


def test_controls_and_marks_move_with_the_notes() -> None:
    counted = parse_lenient(
        f"{_HEAD.format(1)}@1 [C]\n  LEAD: cc7@0=1,4=2,3 bend:96@0=5 mf@4 C4@0>4 E4@4>4'. G4@11>5\n"
    )
    assert counted.score == _read("cc7@1=1,5=2,3 bend:96@1=5 mf@5 C4@1>4 E4@5>4'. G4@12>5")
    between = parse_lenient(
        f"{_HEAD.format(1)}@1 [C]\n  LEAD: cc7@3=1,4+1/4=2 bend:96@7=5 ped@5>8 C4@1.5>1 E4@5>4'.'~2\n"
    )
    bar = "cc7@5=1,7+1/2=2 bend:96@7=5 ped@9>16 C4@2>2 E4@9>8'.'~4"
    assert between.score == parse(f"{_HEAD.format(1)}@1 [C] (grid:32)\n  LEAD: {bar}\n")
