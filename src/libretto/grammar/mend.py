"""Rewrite a loosely written text into strict grammar, noting every change."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from libretto.errors import Problem, ScoreError
from libretto.grammar.lines import FIELDS, VoiceEntry, parse_grid, split_voices
from libretto.grammar.mend_lines import (
    BAR,
    COPY,
    EXTRA,
    FIELD,
    REST,
    bar_count,
    by_bracket,
    clean,
    entry_text,
    extra,
    fold,
    has_tokens,
    loose_tokens,
    nearest_chord,
    plain,
    sounds,
    tidy_token,
    voice_part,
)
from libretto.score.chords import is_chord
from libretto.score.model import DEFAULT_VELOCITY, MAX_VOICES, is_legal_name, legal_name
from libretto.score.time import WHOLE, Grid, Meter

__all__ = ["Mender"]

_DEFAULTS = {"KEY": "C major", "METER": "4/4", "TEMPO": "120", "GRID": "16th"}


class _Line(NamedTuple):
    """A line and its number in the source."""

    number: int
    text: str


class Mender:
    """One mending of one text."""

    def __init__(self, text: str) -> None:
        self.source = text.split("\n")
        self.repairs: list[tuple[int, str]] = []
        self.origin: list[int] = []  # for each line of the result, its line in the source
        self.fields: dict[str, str] = {}
        self.title = ""
        self.voices: list[VoiceEntry] = []
        self.names: set[str] = set()
        self.known: dict[str, str] = {}  # written or folded name -> declared name
        self.colons: list[str] = []  # names that hold a colon, longest first
        self.bars: list[list[_Line]] = []  # each bar: its line, then its voices' lines
        self.shift = 0  # 1 where slots are counted from 0

    def note(self, line: int, what: str) -> None:
        """Remember a repair."""
        self.repairs.append((line, what))

    def mend(self) -> str:
        """The strict text."""
        self._collect()
        self._mend_header()
        self.shift = int(self._counts_from_zero())
        if self.shift:
            self.note(1, "slots are counted from 0: each onset is one more")
        body = [line for bar in self.bars for line in self._mend_bar(bar)]
        self._own_up(body)
        head = [_Line(1, f"TITLE: {self.title}")] if self.title else []
        head.append(_Line(1, " | ".join(f"{name}: {self.fields[name]}" for name in FIELDS)))
        head.append(_Line(1, "VOICES: " + ", ".join(map(entry_text, self.voices))))
        self.origin = [line.number for line in head + body]
        return "\n".join(line.text for line in head + body) + "\n"

    def _own_up(self, body: list[_Line]) -> None:
        """Whatever line has changed is listed, if only as decoration."""
        listed = {number for number, _ in self.repairs}
        for number, text in body:
            if number not in listed and plain(text) != plain(self.source[number - 1]):
                self.note(number, f"{self.source[number - 1].strip()[:40]!r} is read as {text[:40]!r}")
        self.repairs.sort(key=lambda repair: repair[0])

    def relocate(self, problems: Sequence[Problem]) -> list[Problem]:
        """Problems of the mended text, at their lines of the source."""
        last = len(self.origin)
        return [replace(p, line=self.origin[p.line - 1]) if 0 < p.line <= last else p for p in problems]

    # what belongs to the piece

    def _collect(self) -> None:
        """Sort the lines into header, bars and what is not music."""
        voices: str | None = None
        lines: list[_Line] = []
        for number, raw in enumerate(self.source, start=1):
            line = clean(raw)
            if line.strip() != raw.strip():
                self.note(number, "control characters or typographic spaces are replaced")
            line = line.strip()
            field = FIELD.match(line)
            if not line or line.startswith("%"):
                continue
            if BAR.match(line) or COPY.match(line) or (lines and not line.startswith("```")):
                lines.append(_Line(number, line))
            elif not field:
                self.note(number, f"{line[:40]!r} is not music and is left out")
            elif field[1].upper() == "VOICES" and voices is None:
                voices = line[field.end() :].strip("* ")
            elif field[1].upper() == "TITLE":
                self.title = " ".join(line[field.end() :].strip("* ").split())
            else:
                self._header(_Line(number, line))
        self._declare(voices or "", {voice_part(found.text) for found in lines if has_tokens(found.text)})
        for found in lines:
            self._sort_in(found)

    def _header(self, line: _Line) -> None:
        for part in line.text.split("|"):
            name, _, value = part.partition(":")
            name = name.strip(" *_#>-").upper()
            if name not in FIELDS or name in self.fields:
                self.note(line.number, f"{part.strip()[:40]!r} is left out of the header")
            else:
                self.fields[name] = value.strip(" *_")

    def _declare(self, text: str, used: set[str]) -> None:
        """The voices, by the plain rule or, where names hold commas, by their brackets."""
        entries = split_voices(text, MAX_VOICES + 1)
        names = {entry.name for entry in entries if isinstance(entry, VoiceEntry)}
        if text and (any(isinstance(entry, str) for entry in entries) or not used <= names | {""}):
            bracketed = [by_bracket(part) for part in re.split(r"(?<=\])\s*+,", text)]
            if all(entry is not None for entry in bracketed):
                self.note(1, "voice names hold commas or brackets: split after each [...]")
                entries = [entry for entry in bracketed if entry is not None]
        for entry in entries:
            if isinstance(entry, str):
                entry = by_bracket(entry) or VoiceEntry(entry, None, False, DEFAULT_VELOCITY)
            self._add_voice(entry, 1)

    def _add_voice(self, entry: VoiceEntry, line: int) -> str:
        name = entry.name
        if not is_legal_name(name) or name in self.names:
            name = base = legal_name(name)
            number = 2
            while name in self.names:
                name, number = f"{base} #{number}", number + 1
            self.note(line, f"the voice {entry.name!r} is called {name!r}")
        self.voices.append(entry._replace(name=name))
        self.names.add(name)
        for key in filter(None, (entry.name, fold(entry.name))):
            self.known.setdefault(key, name)
        self.colons = sorted((name for name in self.known if ":" in name), key=len, reverse=True)
        return name

    def _sort_in(self, line: _Line) -> None:
        """A line after the header: a bar, a voice of the bar, or not music."""
        number, text = line
        bar = BAR.match(text)
        if COPY.match(text):
            self.bars.append([line])
        elif bar:
            self.bars.append([_Line(number, f"@{bar[1]} {bar[2]}")])
        elif self.bars and (has_tokens(text) or self._plays(text)):
            self.bars[-1].append(line)
        else:
            self.note(number, f"{text[:40]!r} is not music and is left out")

    def _plays(self, line: str) -> bool:
        """Whether a line is a declared voice's, and not prose about it."""
        name = self._name(line)
        return self._declared(name) is not None and sounds(line[line.index(name) + len(name) :].lstrip(" *:|"))

    def _name(self, line: str) -> str:
        for name in self.colons:
            if line.startswith(name) and line[len(name) :].lstrip()[:1] == ":":
                return name
        return voice_part(line) if ":" in line or has_tokens(line) else ""

    def _declared(self, name: str) -> str | None:
        return self.known.get(name) or self.known.get(fold(name))

    def _mend_header(self) -> None:
        count = sum(bar_count(bar[0].text) for bar in self.bars)
        first = BAR.match(self.bars[0][0].text) if self.bars else None
        if first and int(first[1]) == 0:
            count -= 1
        for name, default in _DEFAULTS.items():
            value = self.fields.get(name)
            if value is None or (value == "?" and name != "TEMPO"):
                self.note(1, f"{name} is missing: {default}")
                self.fields[name] = default
        said = self.fields.get("BARS")
        if said != str(count):
            self.note(1, f"BARS is {said or 'missing'}: {count} are written")
            self.fields["BARS"] = str(count)

    # bars and tokens

    def _onsets(self) -> Iterator[tuple[Fraction, Fraction | None]]:
        """Every onset that can be read, and how many slots its bar has."""
        meter = self.fields["METER"]
        for bar in self.bars:
            meter = extra(bar[0].text, "meter") or meter
            try:
                length = Meter.parse(meter).ticks
                slots: Fraction | None = Fraction(length, self._grid(bar[0].text).slot)
            except ScoreError:
                slots = None
            for line in bar[1:]:
                for found in loose_tokens(line.text):
                    yield Fraction(found["onset"]), slots

    def _counts_from_zero(self) -> bool:
        """Whether some onset is 0 and no onset would leave its bar if all were one more."""
        if not any("@0" in line.text for bar in self.bars for line in bar[1:]):
            return False
        zero = False
        for onset, slots in self._onsets():
            zero |= onset < 1
            if slots is not None and onset >= slots:
                return False
        return zero

    def _grid(self, line: str) -> Grid:
        return parse_grid(extra(line, "grid") or self.fields.get("GRID", "16th"))

    def _mend_bar(self, bar: list[_Line]) -> list[_Line]:
        finer = self._finer(bar)
        head, *more = self._mend_bar_line(bar[0], finer)
        voices: dict[str, tuple[int, list[str]]] = {}
        for line in (*more, *bar[1:]):
            name, tokens = self._mend_voice_line(line, finer)
            if name in voices and tokens:
                self.note(line.number, f"a second line of {name} is joined to its first")
                voices[name][1].extend(tokens)
            elif tokens:
                voices[name] = line.number, tokens
        return [head, *(_Line(at, f"{name}: {' '.join(words)}".lstrip(": ")) for name, (at, words) in voices.items())]

    def _finer(self, bar: list[_Line]) -> int:
        """By how much a bar's grid must be divided so that slots between slots become slots; 1 where it cannot."""
        parts = {1}
        for line in bar[1:]:
            for found in loose_tokens(line.text):
                values = (found["onset"], found["length"])
                parts |= {Fraction(value).limit_denominator(12).denominator for value in values if "." in value}
        finer = lcm(*parts)
        try:
            fits = WHOLE % (self._grid(bar[0].text).division * finer) == 0
        except ScoreError:
            fits = False
        return finer if fits and not COPY.match(bar[0].text) else 1

    def _mend_bar_line(self, line: _Line, finer: int) -> list[_Line]:
        """The bar line, and perhaps a voice's line that stood behind it."""
        number, text = line
        found = BAR.match(text)
        if COPY.match(text) or not found:
            return [line]
        bar, rest = found[1], found[2]
        chords = re.match(r"\s*+\[([^\]]*+)\]", rest)
        labels, tail = (chords[1], rest[chords.end() :]) if chords else ("", rest)
        if not chords:
            word = re.match(r"\s*+([^\s()]++)", rest)
            if word and is_chord(word[1][:40]):
                labels, tail = word[1], rest[word.end() :]
            self.note(number, f"the chord of bar {bar} is written [{labels or '-'}]")
        extras = EXTRA.findall(tail)
        if finer > 1:
            division = self._grid(text).division * finer
            extras = [f"(grid:{Grid.of(division)})", *(e for e in extras if not re.match(r"\(\s*grid", e))]
            self.note(number, f"bar {bar} has notes between slots: its grid is {division}")
        head = f"@{bar} [{' | '.join(self._label(number, label) for label in labels.split('|'))}]"
        left = EXTRA.sub(" ", tail).strip(" *_:|-")
        if left and not has_tokens(left):
            self.note(number, f"{left[:40]!r} is not music and is left out")
        elif left:
            self.note(number, "the notes behind the bar line have a line of their own")
        return [_Line(number, " ".join([head, *extras])), *([_Line(number, left)] if has_tokens(left) else [])]

    def _label(self, number: int, label: str) -> str:
        label = label.strip()
        best = nearest_chord(label.replace("♯", "#").replace("♭", "b"))
        if best != label:
            self.note(number, f"the chord {label[:40]!r} is read as {best}")
        return best

    def _mend_voice_line(self, line: _Line, finer: int) -> tuple[str, list[str]]:
        """The declared name, and the tokens; a name that nobody can know stays as it is."""
        number, text = line
        name = self._name(text)
        body = text[text.index(name) + len(name) :].lstrip(" *:|") if name else text
        declared = self._declared(name)
        if declared is None and name and len(self.voices) <= MAX_VOICES:
            drums = "drum" in name.lower()
            declared = self._add_voice(VoiceEntry(name, None, drums, DEFAULT_VELOCITY), number)
            self.note(number, f"the voice {name!r} was not declared and is added{' as percussion' if drums else ''}")
        elif declared not in (None, name):
            self.note(number, f"the voice {name} is {declared}")
        words = body.replace("|", " ").split()
        if not words:
            self.note(number, f"the line of {name} is empty and is left out")
        if words == ["-"]:
            return declared or name, words
        return declared or name, [token for word in words if (token := self._token(number, word, finer))]

    def _token(self, number: int, token: str, finer: int) -> str:
        if REST.match(token):
            self.note(number, f"{token!r} is not a note and is left out")
            return ""
        mended = tidy_token(token, self.shift, finer)
        if mended.partition("@")[0] != token.partition("@")[0] or token[-1] in ",;.":
            self.note(number, f"{token!r} is read as {mended}")
        return mended
