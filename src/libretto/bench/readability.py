"""What relative time costs a reader and an editor: ABC beside the grammar, on five little tunes of our own.

Conventions: as many tunes, notes and bars as the published experiment had. An edit doubles the length of one note in
the text itself; both texts are then read again, and the *other* notes whose start is no longer the same are counted.
Characters are those of the body: without title, header and voice declarations, chord labels included in both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache

from libretto.bench.fidelity import readability
from libretto.formats import formats
from libretto.formats.abc.text import factor_of, tokens_of
from libretto.grammar import notate, parse
from libretto.score import QUARTER, Key, Meter, Note, Score, Voice

__all__ = ["ReadingCost", "abc_edits", "body_of_abc", "body_of_text", "own_tunes", "reading_cost", "text_edits"]

#: Key, meter, and the melody bar by bar: a pitch and its length in eighths.
_TUNES = (
    (
        "C major",
        "4/4",
        "E4 2 G4 2 A4 3 G4 1 | E4 2 D4 2 C4 4 | D4 2 E4 2 F4 3 E4 1 | D4 2 E4 2 G4 4 | "
        "A4 2 C5 2 B4 3 A4 1 | G4 2 E4 2 D4 4 | F4 2 A4 2 G4 3 D4 1 | E4 2 D4 2 C4 4",
    ),
    ("G major", "3/4", "B4 2 A4 2 G4 2 | D5 3 C5 1 B4 2 | C5 2 B4 1 A4 1 F#4 2 | G4 2 D4 2 G4 2"),
    (
        "D minor",
        "6/8",
        "D4 1 F4 1 A4 1 D5 3 | C5 2 A4 1 F4 1 G4 1 A4 1 | Bb4 2 A4 1 G4 2 E4 1 | F4 1 E4 1 C#4 1 D4 3",
    ),
    (
        "A minor",
        "4/4",
        "A4 3 B4 1 C5 2 E5 2 | D5 4 C5 2 B4 2 | G4 3 A4 1 B4 2 D5 1 C5 1 | C5 6 E4 2 | "
        "F4 3 G4 1 A4 2 C5 1 D5 1 | B4 4 A4 2 G#4 2 | E4 1 F#4 1 G#4 2 B4 4 | A4 8",
    ),
    ("F major", "2/4", "C5 1 A4 1 F4 2 | G4 1 Bb4 1 D5 2 | C5 1 Bb4 1 G4 1 E4 1 | A4 1 G4 1 F4 2"),
)
_LENGTH = re.compile(r"(?<=>)\d+")
_MUSIC = re.compile(r"(?![A-Za-z]:|%|\s*$)")  # a line that is neither a field nor a remark


@dataclass(frozen=True)
class ReadingCost:
    """What some tunes cost: additions that recover starts in ABC, starts that edits move, characters of the bodies."""

    tunes: int
    notes: int
    bars: int
    additions_running: int
    additions_scratch: int
    moved_abc: int
    moved_text: int
    characters_abc: int
    characters_text: int
    characters_compact: int

    def to_dict(self) -> dict[str, int]:
        """The costs as plain data."""
        return asdict(self)


@lru_cache(maxsize=1)
def own_tunes() -> tuple[Score, ...]:
    """The five tunes."""
    return tuple(_tune(*written) for written in _TUNES)


def _tune(key: str, meter: str, melody: str) -> Score:
    notes, at = [], 0
    for bar in melody.split("|"):
        words = bar.split()
        for name, eighths in zip(words[::2], words[1::2], strict=True):
            length = int(eighths) * QUARTER // 2
            notes.append(Note.named(name, at, length))
            at += length
    bars = melody.count("|") + 1
    return Score.build(
        [Voice.of("TUNE", notes)], bars=bars, meters=((0, Meter.parse(meter)),), keys=((0, Key.parse(key)),)
    )


def reading_cost(scores: Sequence[Score]) -> ReadingCost:
    """Read and edit every tune in both notations, and count."""
    additions = [readability(score) for score in scores]
    abc = [formats["abc"].encode(score).decode() for score in scores]
    texts = [notate(score) for score in scores]
    return ReadingCost(
        len(scores),
        sum(len(score.table) for score in scores),
        sum(score.bars for score in scores),
        sum(row["additions_running"] for row in additions),
        sum(row["additions_scratch"] for row in additions),
        sum(_moved(score, abc_edits(text)) for score, text in zip(scores, abc, strict=True)),
        sum(_moved(score, text_edits(text)) for score, text in zip(scores, texts, strict=True)),
        sum(len(body_of_abc(text)) for text in abc),
        sum(len(body_of_text(text)) for text in texts),
        sum(len(body_of_text(notate(score, compact=True))) for score in scores),
    )


def _moved(score: Score, edits: Iterable[Score]) -> int:
    """How many starts differ from the tune's, over all edits."""
    before = score.table["onset"].tolist()
    return sum(a != b for edit in edits for a, b in zip(before, edit.table["onset"].tolist(), strict=True))


def abc_edits(text: str) -> Iterator[Score]:
    """The tune as read after each edit: one note of the ABC text at a time gets twice its length."""
    lines = text.splitlines(keepends=True)
    for index, line in enumerate(lines):
        for kind, token in tokens_of(line) if _MUSIC.match(line) else ():
            if kind == "note":
                over, under = factor_of(token["length"])
                start, stop = token.span("length")
                longer = f"{2 * over}/{under}" if under > 1 else f"{2 * over}"
                edited = [*lines[:index], line[:start] + longer + line[stop:], *lines[index + 1 :]]
                yield formats["abc"].decode("".join(edited).encode())


def text_edits(text: str) -> Iterator[Score]:
    """The tune as read after each edit: one note of the grammar's text at a time gets twice its length."""
    for length in _LENGTH.finditer(text):
        yield parse(f"{text[: length.start()]}{2 * int(length[0])}{text[length.end() :]}")


def body_of_abc(text: str) -> str:
    """The music lines of an ABC tune."""
    return "".join(line for line in text.splitlines(keepends=True) if _MUSIC.match(line))


def body_of_text(text: str) -> str:
    """The bars of a text, without its header."""
    return text[text.index("@") :]
