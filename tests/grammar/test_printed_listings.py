"""The three listings of the published grammar are read as they are printed.

They are excerpts: dots stand for bars that are left out. Only these lines and the numbers of bars are changed here,
which are counted from 1; every line of music is read as it stands, and its notes are counted by a pattern of our own.
"""

from __future__ import annotations

import re
from pathlib import Path

from libretto.grammar import parse

_LINE = re.compile(r"(?:KEY:|VOICES:|@\d+ \[|[A-Z][\w ]*?\s?: ?[A-G][#b]*\d)")
_TOKEN = re.compile(r"((?:[A-G][#b]*-?\d\+?)+)@\d+>\d+")


def listings(text: str) -> list[str]:
    """The lines of every listing: from a line of its head to the last line of music before the next."""
    pieces: list[list[str]] = []
    for line in text[text.index("We illustrate the Libretto grammar") :].splitlines():
        if line.startswith("KEY:"):
            pieces.append([])
        if pieces and _LINE.match(line):
            pieces[-1].append(line)
    return ["\n".join(piece) for piece in pieces]


def whole(listing: str) -> str:
    """An excerpt as a piece: as many bars as are printed, counted from 1."""
    bars = re.findall(r"^@\d+", listing, re.MULTILINE)
    numbers = iter(range(1, len(bars) + 1))
    counted = re.sub(r"^@\d+", lambda _: f"@{next(numbers)}", listing, flags=re.MULTILINE)
    return re.sub(r"BARS: \d+", f"BARS: {len(bars)}", counted) + "\n"


def test_the_printed_listings_are_read_note_for_note(shared: Path) -> None:
    text = next((shared / "seeds").glob("001_*.txt")).read_text(encoding="utf-8")
    printed = listings(text)
    assert len(printed) == 3
    for listing in printed:
        score = parse(whole(listing))
        notes = sum(chord.count("+") + 1 for chord in _TOKEN.findall(listing))
        assert notes > 40
        assert len(score.table) == notes
        assert score.bars == len(re.findall(r"^@", listing, re.MULTILINE))
        names = re.search(r"^VOICES: (.*)$", listing, re.MULTILINE)
        assert names
        assert [voice.name for voice in score.voices] == [name.strip() for name in names[1].split(",")]
