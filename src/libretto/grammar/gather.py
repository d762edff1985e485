"""What of a loosely written text belongs to the piece: header fields, voices, bars and their lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from libretto.errors import GrammarError, Problem
from libretto.grammar.lines import FIELDS, VoiceEntry, colon_name, split_voices
from libretto.grammar.mend_lines import (
    BAR,
    COPY,
    FIELD,
    by_bracket,
    clean,
    fold,
    has_tokens,
    is_silence,
    sounds,
    voice_part,
)
from libretto.score.limits import MAX_REPAIRS, MAX_VOICES
from libretto.score.voice import DEFAULT_VELOCITY, is_legal_name, legal_name, unique_name

__all__ = ["Gathering", "Line"]

_SHOWN = 40  # characters of a line that a repair quotes


class Line(NamedTuple):
    """A line and its number in the source."""

    number: int
    text: str


class Gathering:
    """The lines of one text, sorted into header, voices, bars and what is not music."""

    def __init__(self, source: list[str]) -> None:
        self.repairs: list[tuple[int, str]] = []
        self.fields: dict[str, str] = {}
        self.title = ""
        self.voices: list[VoiceEntry] = []
        self.names: set[str] = set()
        self.known: dict[str, str] = {}  # written or folded name -> declared name
        self.colons: set[str] = set()  # names that hold a colon
        self.bars: list[list[Line]] = []  # each bar: its line, then its voices' lines
        self.untold: dict[int, str] = {}  # lines that only describe what a voice plays, by the number of the bar's line
        self._collect(source)

    def note(self, line: int, what: str) -> None:
        """Remember a repair; a GrammarError where there are too many for a piece."""
        if len(self.repairs) >= MAX_REPAIRS:
            raise GrammarError([Problem(line, 1, "", f"at most {MAX_REPAIRS:,} repairs", "is this a piece at all?")])
        self.repairs.append((line, what))

    def _collect(self, source: list[str]) -> None:
        """Sort the lines into header, bars and what is not music."""
        self._voices_line: str | None = None
        lines: list[Line] = []
        self._apart = _after_gaps(source)
        for number, raw in enumerate(source, start=1):
            text = clean(raw).strip()
            if text != raw.strip():
                self.note(number, "control characters or typographic spaces are replaced")
            if not text or text.startswith("%"):
                continue
            if BAR.match(text) or COPY.match(text) or (lines and not text.startswith("```")):
                lines.append(Line(number, text))
            else:
                self._before_the_bars(Line(number, text))
        bodies = [line.text for line in lines if not BAR.match(line.text)]
        self._declare(self._voices_line or "", {voice_part(body) for body in bodies if has_tokens(body)})
        for line in lines:
            self._sort_in(line)
        self._leave_told()

    def _leave_told(self) -> None:
        """What is written below its description was written."""
        for bar in self.bars:
            text = self.untold.get(bar[0].number, "")
            if text and self._has_line(bar, self.declared(self.name_in(text))):
                del self.untold[bar[0].number]

    def _before_the_bars(self, line: Line) -> None:
        """A line that stands before the first bar: voices, title, fields of the header, or no music."""
        field = FIELD.match(line.text)
        name = field[1].upper() if field else ""
        value = line.text[field.end() :].strip("* ") if field else ""
        if name == "VOICES" and self._voices_line is None:
            self._voices_line = value
        elif name == "TITLE":
            self.title = " ".join(value.split())
        elif any(map(FIELD.match, line.text.split("|"))):
            self._header(line)
        else:
            self.note(line.number, f"{line.text[:_SHOWN]!r} is not music and is left out")

    def _header(self, line: Line) -> None:
        for part in line.text.split("|"):
            name, _, value = part.partition(":")
            name = name.strip(" *_#>-").upper()
            if name not in FIELDS or name in self.fields:
                self.note(line.number, f"{part.strip()[:_SHOWN]!r} is left out of the header")
            else:
                self.fields[name] = value.strip(" *_")

    def _declare(self, text: str, used: set[str]) -> None:
        """The voices, by the plain rule or, where that knows more of the names in use, by their brackets."""
        entries = split_voices(text, MAX_VOICES + 1)
        bracketed = [by_bracket(part) for part in re.split(r"(?<=\])\s*+,", text, maxsplit=MAX_VOICES)]
        if all(bracketed) and len(bracketed) != len(entries):
            plain, better = (len(_names(some) & set(map(fold, used))) for some in (entries, bracketed))
            if better > plain or (better == plain and any(isinstance(entry, str) for entry in entries)):
                self.note(1, "voice names hold commas or brackets: split after each [...]")
                entries = [entry for entry in bracketed if entry is not None]
        for entry in entries:
            if isinstance(entry, str):
                entry = by_bracket(entry) or VoiceEntry(entry, None, False, DEFAULT_VELOCITY)
            self.add_voice(entry, 1)

    def add_voice(self, entry: VoiceEntry, line: int) -> str:
        """Declare one more voice; returns its legal name."""
        name = entry.name
        if not is_legal_name(name) or name in self.names:
            name = unique_name(legal_name(name), self.names)
            self.note(line, f"the voice {entry.name!r} is called {name!r}")
        self.voices.append(entry._replace(name=name))
        self.names.add(name)
        for key in filter(None, (entry.name, fold(entry.name))):
            self.known.setdefault(key, name)
        self.colons.update(key for key in (entry.name, fold(entry.name)) if ":" in key)
        return name

    def _sort_in(self, line: Line) -> None:
        """A line after the header: a bar, a voice of the bar, or not music."""
        number, text = line
        bar = BAR.match(text)
        if COPY.match(text):
            self.bars.append([line])
        elif bar:
            self.bars.append([Line(number, f"@{bar[1]} {bar[2]}")])
        elif self.bars and (has_tokens(text) or self._plays(text)):
            self.bars[-1].append(line)
        else:
            self.note(number, f"{text[:_SHOWN]!r} is not music and is left out")
            if self.bars and self._describes(line):
                self.untold.setdefault(self.bars[-1][0].number, text)

    def _describes(self, line: Line) -> bool:
        """Whether a line says in words what a declared voice plays in a bar that has no other line of it."""
        voice = self.declared(self.name_in(line.text)) if ":" in line.text and line.number not in self._apart else None
        if voice is None or is_silence(line.text.partition(":")[2]):
            return False
        return not self._has_line(self.bars[-1], voice)

    def _has_line(self, bar: Sequence[Line], voice: str | None) -> bool:
        return any(self.declared(self.name_in(line.text)) == voice for line in bar[1:])

    def _plays(self, line: str) -> bool:
        """Whether a line is a declared voice's, and not prose about it."""
        name = self.name_in(line)
        return self.declared(name) is not None and sounds(line[line.index(name) + len(name) :].lstrip(" *:|"))

    def name_in(self, line: str) -> str:
        """The name that a voice's line begins with, as written."""
        name = colon_name(line, self.colons)
        if name:
            return name
        return voice_part(line) if ":" in line or has_tokens(line) else ""

    def declared(self, name: str) -> str | None:
        """The declared voice that a written name means."""
        return self.known.get(name) or self.known.get(fold(name))


def _after_gaps(source: Sequence[str]) -> set[int]:
    """The numbers of lines that stand below an empty one."""
    return {number for number, before in enumerate(source, start=2) if not before.strip()}


def _names(entries: Sequence[VoiceEntry | str | None]) -> set[str]:
    """The folded names of the entries that could be read."""
    return {fold(entry.name) for entry in entries if isinstance(entry, VoiceEntry)}
