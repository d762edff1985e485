"""Strict reading: what every construct means, and what is said of everything else."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import scores

from libretto.errors import GrammarError, Problem
from libretto.grammar import check, digest, notate, parse
from libretto.score import WHOLE, Grid, Key, Meter, Score
from libretto.score.validate import MAX_BARS, MAX_VOICES

HEADER = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: {bars}\nVOICES: {voices}\n"


def text(body: str, bars: int | None = None, voices: str = "LEAD, BASS[prog=33], DRUMS[drums]") -> str:
    """A text with the usual header over those bars."""
    written = sum(line.lstrip().startswith("@") for line in body.split("\n"))
    return HEADER.format(bars=written if bars is None else bars, voices=voices) + body


def names(score: Score, voice: str = "LEAD") -> list[str]:
    return [note.name for note in score.voice(voice).notes]


# what is read


def test_the_published_layout_is_read() -> None:
    score = parse(
        "KEY: D minor | METER: 3/4 | TEMPO: 96 | GRID: 16th (adaptive) | BARS: 3\n"
        "VOICES: Upright Bass, GTR\n"
        "@1 [Dm]\n"
        "Upright Bass : D2@1>8 A2@9>4\n"
        "GTR          : F3+A3+D4@5>2 F3+A3+D4@9>2\n"
        "@2 [F | Am]\n"
        "@3 [A7] (grid:12t)\n"
        "GTR          : E4@1>1 F4@2>1 G4@3>1 A4@4>9\n"
    )
    assert str(score.key) == "D minor"
    assert (score.meter, score.bars, score.tempos) == (Meter(3, 4), 3, ((0, 625_000),))
    assert score.chords == (("Dm",), ("F", "Am"), ("A7",))
    assert [str(grid) for grid in score.grids] == ["16", "16", "12t"]
    assert names(score, "GTR")[:3] == ["F3", "A3", "D4"]
    assert score.voice("GTR").notes[7].onset == score.bar_lines[2] + WHOLE // 12


def test_fields_stand_in_any_order_and_on_several_lines() -> None:
    score = parse("BARS: 1 | GRID: 8th\nTEMPO: 90.5 | KEY: F# dorian\n\n% a comment\nMETER: 6/8\nVOICES: A\n@1 [-]\n")
    assert (str(score.key), score.meter, score.grids[0]) == ("F# dorian", Meter(6, 8), Grid(8))


def test_title_comments_blank_lines_and_carriage_returns() -> None:
    plain = "TITLE:  A  little:  thing \n" + text("@1 [C]\n  % here it begins\n\n  LEAD: C4@1>4\n")
    score = parse(plain)
    assert score.title == "A little: thing"
    assert parse(plain.replace("\n", "\r\n")) == score
    assert parse(plain.rstrip("\n")) == score
    assert digest(plain) == score.digest


def test_an_unknown_tempo_is_120() -> None:
    assert parse(text("@1 [C]\n").replace("TEMPO: 120", "TEMPO: ?")).tempos == ((0, 500_000),)


def test_a_pickup_is_bar_0_and_is_not_counted() -> None:
    score = parse(text("@0 [-] (bar:1/4)\nLEAD: G4@1>4\n@1 [C]\nLEAD: C5@1>16\n@2 [C]\n", bars=2))
    assert (score.first_bar, score.bars, score.bar_lines[1]) == (0, 3, WHOLE // 4)


def test_changes_begin_where_they_are_written() -> None:
    score = parse(
        text(
            "@1 [C] (section:Verse  one)\n"
            "@2 [C] (meter:3/4) (key:Eb major@9) (tempo:140@9)\n"
            "@3 [C] (tempo:150@9+1/3) (tempo:60) (bar:5/8) (key:C minor)\n"
            "@4 [C] (grid:24t) (tempo:100@13) (meter:4/4)\n"
        )
    )
    half, third = WHOLE // 2, WHOLE // 48
    two, three, four = score.bar_lines[1:4]
    assert (two, three, four, score.ticks) == (WHOLE, WHOLE * 7 // 4, WHOLE * 19 // 8, WHOLE * 27 // 8)
    assert score.sections == ((0, "Verse one"),)
    assert score.meters == ((0, Meter(4, 4)), (two, Meter(3, 4)), (four, Meter(4, 4)))
    assert [(tick, str(key)) for tick, key in score.keys[1:]] == [(two + half, "Eb major"), (three, "C minor")]
    assert [tick for tick, _ in score.tempos[1:]] == [two + half, three, three + half + third, four + half]


def test_a_change_on_the_first_bar_replaces_the_header() -> None:
    score = parse(text("@1 [C] (meter:3/4) (key:G major) (tempo:60)\n"))
    assert (score.meter, score.key, score.tempos) == (Meter(3, 4), Key.parse("G"), ((0, 1_000_000),))


def test_velocities_and_voice_attributes() -> None:
    score = parse(
        text(
            "@1 [C]\nA: C4@1>1^1 D4@2>1 E4@3>1^127\nB: C2@1>1\n",
            voices="A[vel=99], B[drums, prog=25 vel=33], C[prog=0]",
        )
    )
    assert [note.velocity for note in score.voice("A").notes] == [1, 99, 127]
    b = score.voice("B")
    assert (b.drums, b.program, b.notes[0].velocity) == (True, 25, 33)
    assert (score.voice("C").program, score.voice("A").program) == (0, None)


@pytest.mark.parametrize(
    "name",
    [
        "Lead Synth",
        "a:b",
        "Sequenced by:",
        "BASS #2",
        "Two  spaces",
        "低音",
        "1st Violin (div.)",
        "x|y",
        "KEY",
        "=9",
        "C4@1>2",
    ],
)
def test_names_may_hold_almost_anything(name: str) -> None:
    score = parse(text(f"@1 [C]\n  {name}  : C4@1>4\n@2 [C]\n{name}: =1\n", voices=f"a, {name}[prog=3], z"))
    assert len(score.voice(name).notes) == 2
    assert parse(notate(score)) == score


def test_the_longest_name_with_a_colon_wins() -> None:
    score = parse(text("@1 [C]\na: C4@1>1\na:b: D4@1>1\na:b:c: E4@1>1\n", voices="a:b, a, a:b:c"))
    assert [names(score, name) for name in ("a", "a:b", "a:b:c")] == [["C4"], ["D4"], ["E4"]]


def test_accidentals_are_kept_as_written() -> None:
    score = parse(text("@1 [C]\nLEAD: F#4@1>1 Gb4@2>1 E#4@3>1 Cb5@4>1 B#3@5>1 F##4@6>1 Bbb4@7>1 Fx4@8>1\n"))
    assert names(score) == ["F#4", "Gb4", "E#4", "Cb5", "B#3", "F##4", "Bbb4", "F##4"]
    assert [note.pitch for note in score.voice("LEAD").notes] == [66, 66, 65, 71, 60, 67, 69, 67]


def test_the_range_is_midis() -> None:
    assert [note.pitch for note in parse(text("@1 [C]\nLEAD: C-1@1>1 G9@2>1\n")).voice("LEAD").notes] == [0, 127]


def test_notes_ring_over_the_bar_line_and_past_the_end() -> None:
    score = parse(text("@1 [C]\nLEAD: C4@15>20\n@2 [C]\n"))
    assert score.voice("LEAD").notes[0].duration == WHOLE * 20 // 16
    assert parse(notate(score)) == score


def test_silent_bars_and_silent_voices_exist() -> None:
    score = parse(text("@1 [-]\n@2 [-]\n@3 [C]\nLEAD: C4@1>1\n@4 [-]\n"))
    assert score.bars == 4
    assert [len(voice.notes) for voice in score.voices] == [1, 0, 0]


def test_unisons_are_all_kept() -> None:
    assert names(parse(text("@1 [C]\nLEAD: C4@1>1 C4@1>1 C4+C4@1>2\n"))) == ["C4"] * 4


# what is refused: body under the usual header, then line, column, bar, voice and a word of the message

BROKEN = [
    ("@1 [C]\nLEAD: C4@0>1", 4, 7, 1, "LEAD", "from 1"),
    ("@1 [C]\nLEAD: C4@1>0", 4, 7, 1, "LEAD", "at least 1"),
    ("@1 [C]\nLEAD: C4@1.5>1", 4, 7, 1, "LEAD", "finer"),
    ("@1 [C]\nLEAD: C4@1>1.5", 4, 7, 1, "LEAD", "finer"),
    ("@1 [C]\nLEAD: C4@1>1^0", 4, 7, 1, "LEAD", "velocity"),
    ("@1 [C]\nLEAD: C4@1>1^128", 4, 7, 1, "LEAD", "velocity"),
    ("@1 [C]\nLEAD: C4@1>1^", 4, 7, 1, "LEAD", "velocity"),
    ("@1 [C]\nLEAD: C4@-1>1", 4, 7, 1, "LEAD", "whole onset"),
    ("@1 [C]\nLEAD: C4", 4, 7, 1, "LEAD", "@onset"),
    ("@1 [C]\nLEAD: C4@1", 4, 7, 1, "LEAD", "length is missing"),
    ("@1 [C]\nLEAD: C4@1>2 C4 D4@3>1", 4, 14, 1, "LEAD", "C4@1>1"),
    ("@1 [C]\nLEAD: c4@1>1", 4, 7, 1, "LEAD", "write C4"),
    ("@1 [C]\nLEAD: F♯4@1>1", 4, 7, 1, "LEAD", "write F#4"),
    ("@1 [C]\nLEAD: H4@1>1", 4, 7, 1, "LEAD", "'H4'"),
    ("@1 [C]\nLEAD: C@1>1", 4, 7, 1, "LEAD", "pitch"),
    ("@1 [C]\nLEAD: C4+@1>1", 4, 7, 1, "LEAD", "pitch"),
    ("@1 [C]\nLEAD: G#9@1>1", 4, 7, 1, "LEAD", "C-1 to G9"),
    ("@1 [C]\nLEAD: C###4@1>1", 4, 7, 1, "LEAD", "pitch"),
    ("@1 [C]\nLEAD: r@1>4", 4, 7, 1, "LEAD", "pitch"),
    ("@1 [C]\nLEAD: C4@1>4 rest D4@9>1", 4, 14, 1, "LEAD", "token"),
    ("@1 [C]\nLEAD: C4@1>4 -", 4, 14, 1, "LEAD", "token"),
    ("@1 [C]\nLEAD: C4@1>4,", 4, 7, 1, "LEAD", "whole number of slots"),
    ("@1 [C]\nLEAD: C4@1>9999999999", 4, 7, 1, "LEAD", "whole number of slots"),
    ("@1 [C]\nLEAD: C4@9999999999>1", 4, 7, 1, "LEAD", "whole onset"),
    ("@1 [C]\nLEAD: C4@²>1", 4, 7, 1, "LEAD", "whole onset"),
    ("@1 [C]\nLEAD: C4@17>1", 4, 7, 1, "LEAD", "1-16"),
    ("@1 [C] (grid:12t)\n  LEAD: C4@1>1 C4@13>1", 4, 16, 1, "LEAD", "1-12"),
    ("@1 [C]\nLEAD:", 4, 1, 1, "LEAD", "no line at all"),
    ("@1 [C]\nLEAD: C4@1>1\n  LEAD: D4@2>1", 5, 3, 1, "LEAD", "one line for a voice"),
    ("@1 [C]\nLAED: C4@1>1", 4, 1, 1, None, "did you mean LEAD"),
    ("@1 [C]\nlead: C4@1>1", 4, 1, 1, None, "VOICES declares"),
    ("@1 [C]\nFLUTE: C4@1>1", 4, 1, 1, None, "declare it"),
    ("@1 [C]\nLEAD C4@1>1", 4, 1, 1, None, "a colon"),
    ("@1 [C]\nKEY: D major", 4, 1, 1, None, "before the first bar"),
    ("@1 [C]\nThat is all.", 4, 1, 1, None, "VOICES declares"),
    ("@1\nLEAD: C4@1>1", 3, 1, 1, None, "write [-]"),
    ("@1 C", 3, 1, 1, None, "write [-]"),
    ("@1 [C", 3, 1, 1, None, "not closed"),
    ("@1 [H]", 3, 5, 1, None, "chord label"),
    ("@1 []", 3, 5, 1, None, "chord label"),
    ("@1 [C | 1]", 3, 9, 1, None, "chord label"),
    ("@1 [Cmaj7xyz]", 3, 5, 1, None, "nearest is Cmaj7"),
    ("@1 [C" + "sus4" * 40 + "x]", 3, 5, 1, None, "chord label"),
    ("@1 [C] (grid:0)", 3, 8, 1, None, "divide"),
    ("@1 [C] (grid:17)", 3, 8, 1, None, "divide"),
    ("@1 [C] (grid:16) (grid:8)", 3, 18, 1, None, "more than one grid"),
    ("@1 [C] (meter:3/5)", 3, 8, 1, None, "meter"),
    ("@1 [C] (bar:0/4)", 3, 8, 1, None, "length"),
    ("@1 [C] (bar:1/0)", 3, 8, 1, None, "length"),
    ("@1 [C] (bar:999999999999/1)", 3, 8, 1, None, "length"),
    ("@1 [C] (key:H major)", 3, 8, 1, None, "key"),
    ("@1 [C] (key:)", 3, 8, 1, None, "key"),
    ("@1 [C] (key:D@17)", 3, 8, 1, None, "end of the bar"),
    ("@1 [C] (tempo:fast)", 3, 8, 1, None, "tempo"),
    ("@1 [C] (tempo:0)", 3, 8, 1, None, "tempo"),
    ("@1 [C] (tempo:90@0)", 3, 8, 1, None, "from 1"),
    ("@1 [C] (tempo:90@1+1/11)", 3, 8, 1, None, "ticks"),
    ("@1 [C] (tempo:90@5) (tempo:80@5)", 3, 21, 1, None, "more than one tempo"),
    ("@1 [C] (section:)", 3, 8, 1, None, "plain name"),
    ("@1 [C] (section:%)", 3, 8, 1, None, "plain name"),
    ("@1 [C] (section:" + "x" * 81 + ")", 3, 8, 1, None, "plain name"),
    ("@1 [C] (tmpo:90)", 3, 8, 1, None, "write (tempo"),
    ("@1 [C] (chorus)", 3, 1, 1, None, "(tempo:140)"),
    ("@1 [C] LEAD: C4@1>1", 3, 1, 1, None, "bar line"),
    ("@2 [C]", 3, 1, 2, None, "@1"),
    ("@1 [C]\n@3 [C]", 4, 1, 3, None, "@2"),
    ("@1 [C]\n@1 [C]", 4, 1, 1, None, "@2"),
    ("@one [C]", 3, 1, 1, None, "bar line"),
]


@pytest.mark.parametrize(("body", "line", "column", "bar", "voice", "word"), BROKEN)
def test_what_is_wrong_is_said_where_it_stands(
    body: str, line: int, column: int, bar: int, voice: str | None, word: str
) -> None:
    problems = check(text(body + "\n"))
    assert [(p.line, p.column, p.bar, p.voice) for p in problems] == [(line, column, bar, voice)], problems
    assert word in f"{problems[0].expected} {problems[0].hint}", problems[0]
    with pytest.raises(GrammarError) as error:
        parse(text(body + "\n"))
    assert list(error.value.problems) == problems


GOOD = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: 1"
HEADERS = [
    (GOOD.replace("C major", "H major"), 6, "G minor"),
    (GOOD.replace("KEY: C major", "KEY:"), 1, "G minor"),
    (GOOD.replace("4/4", "4"), 23, "4/4"),
    (GOOD.replace("4/4", "0/4"), 23, "meter"),
    (GOOD.replace("120", "quick"), 36, "102"),
    (GOOD.replace("120", "-5"), 36, "tempo"),
    (GOOD.replace("120", "9" * 30), 36, "tempo"),
    (GOOD.replace("16th", "17th"), 48, "divide"),
    (GOOD.replace("16th", "fine"), 48, "16th"),
    (GOOD.replace("BARS: 1", "BARS: many"), 61, "number of bars"),
    (GOOD.replace("BARS: 1", "BARS: ²"), 61, "number of bars"),
    (GOOD.replace("BARS: 1", "BARS: " + "9" * 5000), 61, "number of bars"),
    (GOOD.replace("BARS: 1", "BARS: 2"), 55, "one bar is written"),
    (GOOD.replace("KEY: C major | ", ""), 1, "KEY:"),
    (GOOD.replace(" | METER: 4/4", ""), 1, "METER:"),
    (GOOD.replace(" | TEMPO: 120", ""), 1, "TEMPO:"),
    (GOOD.replace(" | GRID: 16th", ""), 1, "GRID:"),
    (GOOD.replace(" | BARS: 1", ""), 1, "BARS:"),
    (GOOD + " | KEY: C major", 65, "only once"),
    (GOOD + " | TEMPOO: 3", 65, "write TEMPO:"),
    (GOOD + " |", 64, "header field"),
    ("Here is a piece.\n" + GOOD, 1, "header field"),
    (GOOD + "\nVOICES: BASS, BASS", 15, "BASS #2"),
    (GOOD + "\nVOICES: BASS[prog=128]", 9, "prog=33"),
    (GOOD + "\nVOICES: BASS[prog=1, prog=2]", 9, "prog=33"),
    (GOOD + "\nVOICES: BASS[vel=0]", 9, "prog=33"),
    (GOOD + "\nVOICES: BASS[loud]", 9, "prog=33"),
    (GOOD + "\nVOICES: BASS[", 9, "prog=33"),
    (GOOD + "\nVOICES: A, , B", 10, "a voice"),
    (GOOD + "\nVOICES: A, @B", 12, "a voice"),
    (GOOD + "\nVOICES: A\nVOICES: B", 1, "only once"),
    ("TITLE: a\nTITLE: b\n" + GOOD, 1, "only once"),
]


@pytest.mark.parametrize(("header", "column", "word"), HEADERS)
def test_what_is_wrong_with_a_header(header: str, column: int, word: str) -> None:
    problems = check(header + "\n@1 [C]\n")
    assert [(p.column, p.bar, p.voice) for p in problems] == [(column, None, None)], problems
    assert word in f"{problems[0].expected} {problems[0].hint}", problems[0]


def test_every_problem_is_reported_at_once_and_in_order() -> None:
    problems = check(
        "KEY: X | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: 9\n"
        "VOICES: A, A\n"
        "@1 [H | C | J]\n"
        "A: C4@1>1 x C4@77>1 y\n"
        "@2\n"
        "B: C4@1>1\n"
        "@4 [H | C | J] (tempo:x)\n"
        "A: =8\n"
    )
    assert [(p.line, p.column) for p in problems] == [
        *((1, 6), (1, 49), (2, 12), (3, 5), (3, 13), (4, 11), (4, 13), (4, 21)),
        *((5, 1), (6, 1), (7, 1), (7, 5), (7, 13), (7, 16), (8, 4)),
    ]
    assert [p.bar for p in problems[-6:]] == [2, 4, 4, 4, 4, 4]


def test_where_the_meter_is_unknown_no_note_is_late() -> None:
    assert len(check(text("@1 [C]\nLEAD: C4@17>1\n").replace("METER: 4/4", "METER: 5/x"))) == 1


def test_one_missing_bar_is_one_problem() -> None:
    body = "".join(f"@{bar} [C]\nLEAD: =1\n" for bar in range(2, 30) if bar != 7)
    problems = check(text("@1 [C]\nLEAD: C4@1>1\n" + body))
    assert [p.found for p in problems] == ["@8"]


@given(st.text(alphabet="ABCDEFGabcdefgrRxzZ#b♯♭0123456789@>^+-=.,/ \t", min_size=1))
def test_an_unknown_token_is_never_a_rest(body: str) -> None:
    """Each word of an accepted line is heard, unless the line is a lone dash."""
    words = body.split()
    source = text(f"@1 [C]\nLEAD: {body}\n")
    if not check(source) and words != ["-"]:
        assert len(parse(source).voice("LEAD").notes) == sum(word.count("+") + 1 for word in words)


def test_a_problem_can_be_read() -> None:
    problem = check(text("@1 [C]\nLEAD: c4@1>1\n"))[0]
    assert str(problem) == "line 4, column 7, bar 1, LEAD: found 'c4@1>1', expected a pitch such as F#4; write C4"
    assert Problem(**problem.to_dict()) == problem  # type: ignore[arg-type]


def test_nothing_at_all() -> None:
    for nothing in ("", "\n", "% only this\n", GOOD):
        assert any("at least one bar" in problem.expected for problem in check(nothing))


# limits


@pytest.mark.parametrize(
    "garbage",
    [
        "\x00\xff garbage | " * 700_000,
        "lorem ipsum: dolor | sit\n" * 400_000,
        GOOD + "\nVOICES: A\n@1 [C]\n" + "what: is this\n" * 700_000,
        GOOD + "\nVOICES: " + "A," * 5_000_000,
        GOOD + "\nVOICES: A" + " " * 10_000_000 + "B\n",
        GOOD + "\nVOICES: " + "[" * 10_000_000,
        "@1" + " " * 10_000_000 + "x",
        "@1 [C] " + "(a" * 5_000_000,
        "@1 [C] (a: " + " " * 10_000_000 + "x)",
        "@1 [" + "C" * 10_000_000 + "]",
        "@1 [" + "C|" * 5_000_000 + "]",
        GOOD + "\nVOICES: A\n@1 [C]\nA: " + "C4+" * 3_000_000,
        GOOD + "\nVOICES: A\n@1 [C]\nA: " + "C4@1 " * 2_000_000,
        GOOD + "\nVOICES: A\n@1 [C]\nA: C4@1>" + "9" * 10_000_000,
        "KEY: " + "9" * 10_000_000,
        "|" * 10_000_000,
        "@" * 10_000_000,
        "@1 [C]\n" * 1_400_000,
    ],
    ids=range(18),
)
def test_ten_megabytes_of_garbage_are_refused(garbage: str) -> None:
    with pytest.raises(GrammarError) as error:
        parse(garbage)
    assert len(error.value.problems) <= 1_200
    assert len(str(error.value)) < 2_000


def test_a_piece_has_limits() -> None:
    many = "".join(f"@{bar} [C]\n" for bar in range(1, MAX_BARS + 2))
    with pytest.raises(GrammarError, match="bars"):
        parse(text(many))
    with pytest.raises(GrammarError, match="voices"):
        parse(text("@1 [C]\n", voices=", ".join(f"v{n}" for n in range(MAX_VOICES + 1))))
    with pytest.raises(GrammarError, match="notes"):
        parse(text("@1 [C]\nLEAD: " + "C4+" * 1_200_000 + "C4@1>1\n"))


def test_bars_beyond_any_clock_do_not_mix_voices() -> None:
    body = "".join(f"@{bar} [C] (bar:1700000/1)\nLEAD: C4@1>1\nBASS: C2@1>1\n" for bar in range(1, 200))
    score = parse(text(body))
    assert set(names(score)) == {"C4"}
    assert set(names(score, "BASS")) == {"C2"}


@given(st.text())
def test_only_grammar_errors_escape(anything: str) -> None:
    try:
        parse(anything)
    except GrammarError as error:
        assert error.problems  # noqa: PT017


PIECES = "|[]()@>^+-=:.,%#b0123456789ACGLEDabtd \n\t²♯"


@settings(max_examples=300)
@given(scores(irregular=True, max_notes=4), st.booleans(), st.data())
def test_only_grammar_errors_escape_from_mutated_texts(score: Score, compact: bool, data: st.DataObject) -> None:
    source = notate(score, compact=compact)
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(source)))
        end = min(len(source), start + data.draw(st.integers(0, 3)))
        source = source[:start] + data.draw(st.text(PIECES, max_size=4)) + source[end:]
    problems = check(source)
    assert problems == sorted(problems, key=lambda p: (p.line, p.column))
    if not problems:
        again = parse(source)
        assert parse(notate(again)) == again


# the published music


def test_the_published_songs_are_read(shared: Path) -> None:
    songs = sorted((shared / "corpus" / "paper314").glob("*.txt"))
    assert len(songs) == 314
    for song in songs:
        assert check(song.read_text(encoding="utf-8")) == [], song.name
    for song in songs[::20]:
        score = parse(song.read_text(encoding="utf-8"))
        assert parse(notate(score)) == score
        assert parse(notate(score, compact=True)) == score
