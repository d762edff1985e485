"""Texts read all at once and line by line: the same piece, and the same problems."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from libretto import GrammarError, Score, parse
from libretto.grammar import check, control_lines, notate, parse_all
from libretto.grammar.at_once import read_at_once
from libretto.grammar.scan import ROOM, scan
from libretto.grammar.tokens import rows_of

HEAD = (
    "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: {}\nVOICES: LEAD, BASS[prog=33,vel=90], KIT[drums]\n"
)
PLAIN = HEAD.format(3) + (
    "@1 [C | G7] (grid:12t)\n  LEAD: C4+E4@1>3 G4@4>3^99 C4+E4@1>3\n  BASS : C2@1>12\n\n"
    "@2 [-]\nKIT: C2@1>1 D2@5>1\n  BASS : C2@1>12\nLEAD: B3@9>2 A3@1>2\n"
    "@3 [Am] (tempo:90@5) (section:End)\nLEAD: E4@16>8\n"
)
READER = sys.modules["libretto.grammar.parse"]


def by_line(text: str) -> Score:
    score: Score | GrammarError = READER._by_line(text)
    assert isinstance(score, Score)
    return score


def same(one: Score | GrammarError | None, other: Score) -> bool:
    return (
        isinstance(one, Score)
        and one == other
        and one.table.tobytes() == other.table.tobytes()
        and one.grids == other.grids
        and not one.table.flags.writeable
    )


def test_what_is_plain_is_read_at_once_and_is_the_same() -> None:
    (at_once,) = read_at_once([PLAIN])
    assert at_once is not None
    assert same(at_once, by_line(PLAIN))
    assert [note.name for note in at_once.voice("LEAD").notes] == ["C4", "C4", "E4", "E4", "G4", "A3", "B3", "E4"]
    assert at_once.voice("BASS").notes[0].velocity == 90


@pytest.mark.parametrize(
    "bars",
    [
        "@1 [C]\nLEAD: cc7@1=100,9=80 bend@5+1/2=-200,9=0 C4@1>4 E4@5>4^90\nBASS: cc64@1=127\n@2 [C]\n@3 [C]",
        "@1 [C]\nLEAD: C4@1>4 cc7@1=1 D4@5>1 cc7@1=2\n@2 [C] (grid:12t)\nLEAD: C4@1>4 cc7@1=1 D4@5>1 cc7@1=2\n@3 [C]",
        "@1 [C]\nLEAD: cc11:96@1=90,17=85,80,75 press@1=3\n@2 [C]\n@3 [C]\nLEAD: cc7@99=1",  # behind the last bar
    ],
)
def test_controls_are_read_beside_the_notes(bars: str) -> None:
    text = HEAD.format(3) + bars
    (at_once,) = read_at_once([text])
    assert at_once is not None
    assert same(at_once, by_line(text))
    assert parse(notate(at_once)) == at_once


@pytest.mark.parametrize(
    "said",
    [
        "cc7@17=1", "cc7@1=128", "cc128@1=1", "cc7@0=1", "cc7@1=1,2", "cc7@5=1,3=2,4", "cc7@1=1=2", "cc7:11@1=1",
        "cc7@1+1/7=1", "bend@1=-8193", "press@1", "=1", "controls=1", "mf@1", "cc7@1=1 -", "cc7@999999999=1", "cc7@1=x",
    ],
)  # fmt: skip
def test_whatever_is_no_control_is_read_line_by_line(said: str) -> None:
    text = HEAD.format(2) + f"@1 [C]\nLEAD: C4@1>4\n@2 [C]\nLEAD: cc1@1=1 {said}\n@3 [C]\n"
    assert read_at_once([PLAIN, text])[1] is None


def test_too_many_controls_are_left_to_the_reader_of_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    text = HEAD.format(1) + "@1 [C]\nLEAD: cc1@1=1,2=2,3=3 C4@1>1"
    assert read_at_once([text])[0] is not None
    for limit, most in (("MAX_SIGNS", 2), ("MAX_MARKED", 1)):
        with monkeypatch.context() as bounds:
            bounds.setattr(control_lines, limit, most)
            assert read_at_once([text]) == [None]


def test_the_published_songs_are_the_same(shared: Path) -> None:
    texts = [path.read_text() for path in sorted((shared / "corpus" / "paper314").glob("*.txt"))[::16]]
    for text, together, (alone,) in zip(texts, parse_all(texts), map(read_at_once, zip(texts)), strict=True):
        assert same(together, by_line(text))
        assert same(alone, by_line(text))


def test_odd_texts_are_no_matter_to_their_neighbours() -> None:
    wrong = HEAD.format(1) + "@1 [C]\nLEAD: C4@1>4 C4@@5>4"
    marked = HEAD.format(1) + "@1 [C]\nLEAD: C4@1>4'."
    late = HEAD.format(1) + "@1 [C]\nLEAD: C4@17>1"
    texts = [PLAIN, wrong, PLAIN, marked, "", late, "@1 [C]", PLAIN]
    plain = [score is not None for score in read_at_once(texts)]
    assert plain == [True, False, True, False, False, False, False, True]
    read = parse_all(texts)
    assert [isinstance(score, GrammarError) for score in read] == [
        False, True, False, False, True, True, True, False,
    ]  # fmt: skip
    for text, score in zip(texts, read, strict=True):
        if isinstance(score, GrammarError):
            assert list(score.problems) == check(text)
        else:
            assert same(score, by_line(text))


@pytest.mark.parametrize(
    "tokens",
    [
        "C4@1>2", "C4+E4+G#4@12>7^1", "Bb-1@1>1  F##3@2>3", "Gx3@1>1 Cbb4@1>1", "C#b1@1>4 Bb#-1@2>1",
        "C-0@1>1 Ab-0@1>1 Cb0@2>1 C#b-1@1>1 G#b9@1>1 A9@1>1", "C4@001>2", "G9@999999999>1",
        "C4", "C4@1", "C4@>2", "C4@1>", "@1>2", "C4+@1>2", "+C4@1>2", "C4++E4@1>2", "C4@1+2>3", "C44@1>1", "C@1>1",
        "H4@1>1", "4@1>1", "C4>1@2", "C4@1>2@3", "C4@1>2>3", "C4@1>2^", "C4@1>2^0", "C4@1>2^128", "C4@1>2^3^4",
        "C4^3@1>2", "C4@0>1", "C4@1>0", "C4@1234567890>1", "C4@1>2 ^4", "C4@1>2 -", "=4", "C4 @1>2", "C4@ 1>2",
        "C4@1 >2", "G#9@1>1", "Cb-1@1>1", "C-2@1>1", "C4\x01D4@1>2", "\xe94@1>1", "C4@\u0661>1", "C4\xa0@1>1",
    ],
)  # fmt: skip
def test_tokens_are_scanned_as_they_are_looked_up(tokens: str) -> None:
    lines = ["D4@3>4^77", tokens, "E4@1>1"]
    signs = "".join(f"{line}\n" for line in lines).encode("ascii", "replace") + bytes(ROOM)
    edges = np.cumsum([0, *(len(line) + 1 for line in lines)])
    scanned = scan(np.frombuffer(signs, np.uint8), edges)
    try:
        rows = [rows_of[token] for token in tokens.split()]
    except KeyError:
        assert scanned.odd.tolist() == [False, True, False]
        return
    assert scanned.odd.tolist() == [False, False, False]
    wanted = np.frombuffer(b"".join([rows_of["D4@3>4^77"], *rows, rows_of["E4@1>1"]]), "<i4").reshape(-1, 5)
    assert scanned.rows.T.tolist() == wanted.tolist()
    assert scanned.notes.tolist() == [1, len(wanted) - 2, 1]


@pytest.mark.parametrize(
    "bars",
    [
        "@1 [C]\nLEAD: C4@1>4\n@2 [C]\nLEAD: =1+2\n@3 = @1",  # shorthand
        "@1 [C]\nLEAD: C4@1>4'.\n@2 [C]\nLEAD: mf@1 C4@1>4\n@3 [C]",  # marks
        "@1 [C]\n% a comment\nLEAD: C4@1>4\n@2 [C]\n@3 [C]",
        "@1 [C]\nLEAD: -\n@2 [C]\n@3 [C]",
    ],
)
def test_anything_else_is_read_line_by_line(bars: str) -> None:
    assert read_at_once([HEAD.format(3) + bars]) == [None]
    assert parse(HEAD.format(3) + bars).bars == 3


@pytest.mark.parametrize(
    "bars",
    [
        "@1 [C]\nLEAD: C4@1>4\nLEAD: C4@5>4",  # two lines for a voice
        "@1 [C]\nLEED: C4@1>4",
        "@1 [C]\nLEAD: C4@1>4 H4@5>4",
        "@1 [C]\nLEAD:",
        "@1 [Cmoll]\nLEAD: C4@1>4",
        "@2 [C]\nLEAD: C4@1>4",
        "@1 [C]\nLEAD: C4@17>1 C4@1>4",  # after the end of the bar
        "@1 [C] (grid:11)\nLEAD: C4@1>4",
    ],
)
def test_problems_are_the_same(bars: str) -> None:
    text = HEAD.format(1) + bars
    assert read_at_once([text]) == [None]
    with pytest.raises(GrammarError):
        parse(text)
    (error,) = parse_all([text])
    assert isinstance(error, GrammarError)
    assert list(error.problems) == check(text) != []
