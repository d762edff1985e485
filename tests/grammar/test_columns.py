"""Texts read all at once and line by line: the same piece, and the same problems."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from libretto import GrammarError, Score, parse
from libretto.grammar import check
from libretto.grammar.columns import Columns

HEAD = (
    "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: {}\nVOICES: LEAD, BASS[prog=33,vel=90], KIT[drums]\n"
)
PLAIN = HEAD.format(3) + (
    "@1 [C | G7] (grid:12t)\n  LEAD: C4+E4@1>3 G4@4>3^99 C4+E4@1>3\n  BASS : C2@1>12\n\n"
    "@2 [-]\nKIT: C2@1>1 D2@5>1\n  BASS : C2@1>12\nLEAD: B3@9>2 A3@1>2\n"
    "@3 [Am] (tempo:90@5) (section:End)\nLEAD: E4@16>8\n"
)
READER = sys.modules["libretto.grammar.parse"]


def read_at_once(text: str) -> Columns | None:
    cells: Columns | None = READER._Reader(text)._read_at_once()
    return cells


def same(one: Score, other: Score) -> bool:
    return one == other and one.table.tobytes() == other.table.tobytes() and one.grids == other.grids


def test_what_is_plain_is_read_at_once_and_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_at_once(PLAIN) is not None
    at_once = parse(PLAIN)
    monkeypatch.setattr(READER._Reader, "_read_at_once", lambda reader: None)
    assert same(parse(PLAIN), at_once)
    assert [note.name for note in at_once.voice("LEAD").notes] == ["C4", "C4", "E4", "E4", "G4", "A3", "B3", "E4"]
    assert at_once.voice("BASS").notes[0].velocity == 90


def test_the_published_songs_are_the_same(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [path.read_text() for path in sorted((shared / "corpus" / "paper314").glob("*.txt"))[::16]]
    at_once = [parse(text) for text in texts]
    assert all(read_at_once(text) is not None for text in texts)
    monkeypatch.setattr(READER._Reader, "_read_at_once", lambda reader: None)
    assert all(same(parse(text), score) for text, score in zip(texts, at_once, strict=True))


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
    assert read_at_once(HEAD.format(3) + bars) is None
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
def test_problems_are_the_same(bars: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = HEAD.format(1) + bars
    at_once = check(text)
    with pytest.raises(GrammarError):
        parse(text)
    monkeypatch.setattr(READER._Reader, "_read_at_once", lambda reader: None)
    assert check(text) == at_once != []
