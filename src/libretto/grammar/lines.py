"""The lines of a text that are not notes: header fields, the voice list, bar lines and their extras."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

from libretto.errors import ScoreError
from libretto.score.marks import PIECE_MARKS
from libretto.score.pitch import HIGHEST
from libretto.score.time import WHOLE, Grid
from libretto.score.voice import DEFAULT_VELOCITY, is_legal_name

__all__ = [
    "EXTRAS",
    "FIELDS",
    "BarLine",
    "VoiceEntry",
    "colon_name",
    "grid_text",
    "parse_bar_line",
    "parse_grid",
    "split_voices",
]

FIELDS = ("KEY", "METER", "TEMPO", "GRID", "BARS")
EXTRAS = ("grid", "meter", "bar", "key", "tempo", "section")
# Quantifiers that never give back (*+) keep the time linear on any text.
_BAR = re.compile(
    r"@(?P<first>\d{1,6})(?:-(?P<last>\d{1,6}))?"
    r"(?:\s*+\[(?P<chords>[^\]]*+)\])?"
    r"(?:\s*+=\s*+@(?P<from>\d{1,6})(?:-(?P<to>\d{1,6}))?)?"
    r"(?P<extras>(?:\s*+\([^()]*+\))*+)\s*+\Z",
    re.ASCII,
)
_EXTRA = re.compile(r"\(\s*+(?:(\|:|:\|)\s*+(\d*+)|([a-z-]++)\s*+(:?)([^()]*+))\s*+\)")
_LONGEST_NAME = 400  # characters before the colon behind a name that itself holds one
_REPEATS = {"|:": "repeat-start", ":|": "repeat-end"}
_GRID = re.compile(r"(\d{1,6})(t|st|nd|rd|th)?(?:\s*+\(adaptive\))?\Z", re.ASCII)
_ATTRIBUTE = re.compile(r"(?:(?:prog|vel)=\d{1,3}|drums)\Z", re.ASCII)


class BarLine(NamedTuple):
    """A bar line as written: numbers, chord text, the bars it copies, and its extras in order."""

    first: int
    last: int
    chords: str | None
    copies: tuple[int, int] | None
    extras: tuple[tuple[str, str], ...]


class VoiceEntry(NamedTuple):
    """One declared voice; ``velocity`` is what its unmarked notes are played with."""

    name: str
    program: int | None
    drums: bool
    velocity: int


def parse_bar_line(text: str) -> BarLine | None:
    """Read ``@9 [Gm7] (grid:12t)`` or ``@17-24 = @9-16``; None where it is neither."""
    written = _BAR.match(text)
    if not written:
        return None
    first = int(written["first"])
    last = int(written["last"] or first)
    copies = None
    if written["from"]:
        copies = int(written["from"]), int(written["to"] or written["from"])
        if copies[1] - copies[0] != last - first:
            return None
    elif last != first:
        return None
    if last < first or not (written["chords"] is not None or copies):
        return None
    text = written["extras"]
    extras = tuple(filter(None, (_extra(*parts) for parts in _EXTRA.findall(text)))) if text else ()
    if text and len(extras) != text.count("("):
        return None
    return BarLine(first, last, written["chords"], copies, extras)


def _extra(repeat: str, times: str, name: str, colon: str, value: str) -> tuple[str, str] | None:
    """Name and value of what stands in one pair of parentheses; only marks may stand there without a value."""
    if repeat:
        return _REPEATS[repeat], times
    return (name, value.strip()) if colon or (name in PIECE_MARKS and not value.strip()) else None


def parse_grid(text: str) -> Grid:
    """Read ``16th``, ``12t``, ``24``; anything that is not a grid is a ScoreError."""
    read = _GRID.match(text.strip())
    if not read:
        raise ScoreError(f"{text.strip()!r} is not a grid such as 16th or 12t")
    division = int(read[1])
    if division < 1 or WHOLE % division:
        raise ScoreError(f"a grid of {division} does not divide the whole note exactly")
    return Grid(division, read[2] == "t")


def grid_text(grid: Grid) -> str:
    """A grid as the header writes it: ``16th``, ``12t``."""
    if grid.triplet:
        return str(grid)
    last = {1: "st", 2: "nd", 3: "rd"}.get(grid.division % 10, "th")
    return f"{grid.division}{'th' if grid.division % 100 in (11, 12, 13) else last}"


def colon_name(line: str, names: Collection[str]) -> str:
    """The longest of those names, each with a colon in it, that a line begins with before another colon; or nothing."""
    stop = len(line) if names else 0
    while (stop := line.rfind(":", 0, min(stop, _LONGEST_NAME))) > 0:
        if (name := line[:stop].rstrip()) in names:
            return name
    return ""


def split_voices(text: str, most: int | None = None) -> list[VoiceEntry | str]:
    """The declared voices in order, ``most`` at most; an entry that cannot be read stands as its text."""
    if not text.strip():
        return []
    # A comma separates unless the next bracket after it closes one.
    parted = re.sub(r"([^\[\]]++)(\]?)", lambda run: run[0] if run[2] else run[0].replace(",", "\n"), text)
    return [_entry(part.strip()) for part in parted.split("\n", most or -1)[:most]]


@lru_cache(maxsize=4096)
def _entry(text: str) -> VoiceEntry | str:
    name, bracket, attributes = text.partition("[")
    name = name.rstrip()
    if not is_legal_name(name) or (bracket and not attributes.endswith("]")):
        return text
    said: dict[str, int] = {}
    for word in attributes[:-1].replace(",", " ").split():
        kind, _, number = word.partition("=")
        if not _ATTRIBUTE.match(word) or kind in said:
            return text
        said[kind] = int(number or 0)
    program, velocity = said.get("prog"), said.get("vel", DEFAULT_VELOCITY)
    if (program is not None and program > HIGHEST) or not 1 <= velocity <= HIGHEST:
        return text
    return VoiceEntry(name, program, "drums" in said, velocity)
