"""The lines of a text that are not notes: header fields, the voice list, bar lines and their extras."""

from __future__ import annotations

import re
from typing import NamedTuple

from libretto.errors import ScoreError
from libretto.score.model import is_legal_name
from libretto.score.time import WHOLE, Grid

__all__ = ["EXTRAS", "FIELDS", "BarLine", "VoiceEntry", "grid_text", "parse_bar_line", "parse_grid", "split_voices"]

FIELDS = ("KEY", "METER", "TEMPO", "GRID", "BARS")
EXTRAS = ("grid", "meter", "bar", "key", "tempo", "section")
_BAR = re.compile(
    r"@(?P<first>\d{1,6})(?:-(?P<last>\d{1,6}))?\s*"
    r"(?:\[(?P<chords>[^\]]*)\])?\s*"
    r"(?:=\s*@(?P<from>\d{1,6})(?:-(?P<to>\d{1,6}))?)?\s*"
    r"(?P<extras>(?:\([^()]*\)\s*)*)\Z",
    re.ASCII,
)
_EXTRA = re.compile(r"\(\s*([a-z]+)\s*:\s*([^()]*?)\s*\)")
_GRID = re.compile(r"(\d{1,6})(t|st|nd|rd|th)?(?:\s*\(adaptive\))?\Z", re.ASCII)
_ENTRY = re.compile(r"(?P<name>[^\[\],]+?)\s*(?:\[(?P<attributes>[^\[\]]*)\])?\Z")
_ATTRIBUTE = re.compile(r"(?:(prog)=(\d{1,3})|(vel)=(\d{1,3})|(drums))\Z", re.ASCII)


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
    found = _BAR.match(text)
    if not found:
        return None
    first = int(found["first"])
    last = int(found["last"] or first)
    copies = None
    if found["from"]:
        copies = int(found["from"]), int(found["to"] or found["from"])
        if copies[1] - copies[0] != last - first:
            return None
    elif last != first:
        return None
    if last < first or not (found["chords"] is not None or copies):
        return None
    extras = found["extras"]
    read = tuple(_EXTRA.findall(extras)) if extras else ()
    if extras and len(read) != extras.count("("):
        return None
    return BarLine(first, last, found["chords"], copies, read)


def parse_grid(text: str) -> Grid:
    """Read ``16th``, ``12t``, ``24``; anything that is not a grid is a ScoreError."""
    found = _GRID.match(text.strip())
    if not found:
        raise ScoreError(f"{text.strip()!r} is not a grid such as 16th or 12t")
    division = int(found[1])
    if division < 1 or WHOLE % division:
        raise ScoreError(f"a grid of {division} does not divide the whole note exactly")
    return Grid(division, found[2] == "t")


def grid_text(grid: Grid) -> str:
    """A grid as the header writes it: ``16th``, ``12t``."""
    if grid.triplet:
        return str(grid)
    last = {1: "st", 2: "nd", 3: "rd"}.get(grid.division % 10, "th")
    return f"{grid.division}{'th' if grid.division % 100 in (11, 12, 13) else last}"


def split_voices(text: str) -> list[VoiceEntry | str]:
    """The declared voices in order; an entry that cannot be read stands as its text."""
    if not text.strip():
        return []
    return [_entry(part) for part in re.split(r",(?![^\[\]]*\])", text)]


def _entry(text: str) -> VoiceEntry | str:
    found = _ENTRY.match(text.strip())
    if not found:
        return text.strip()
    program, drums, velocity = None, False, 80
    for word in re.split(r"[,\s]+", (found["attributes"] or "").strip()):
        attribute = _ATTRIBUTE.match(word)
        if not attribute:
            if word:
                return text.strip()
            continue
        if attribute[1]:
            program = int(attribute[2])
        elif attribute[3]:
            velocity = int(attribute[4])
        else:
            drums = True
    if not is_legal_name(found["name"].strip()):
        return text.strip()
    if (program is not None and program > 127) or not 1 <= velocity <= 127:
        return text.strip()
    return VoiceEntry(found["name"].strip(), program, drums, velocity)
