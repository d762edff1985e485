"""Read the text grammar: text -> Score, with every problem of a text found in one pass.

Reading is strict: an unknown token is a problem, never a rest. Shorthand is expanded as it is met, so the
Score never knows of it.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TypeVar

from libretto.errors import GrammarError, Problem, ScoreError
from libretto.grammar.assemble import Bars, Cells, assemble
from libretto.grammar.lines import (
    EXTRAS,
    FIELDS,
    BarLine,
    VoiceEntry,
    parse_bar_line,
    parse_grid,
    split_voices,
)
from libretto.grammar.place import parse_length, parse_place
from libretto.grammar.shorthand import parse_reference, shift_rows
from libretto.grammar.tokens import explain_token, rows_of
from libretto.score.chords import is_chord
from libretto.score.keys import Key
from libretto.score.model import MAX_BARS, MAX_VOICES, Score
from libretto.score.time import Grid, Meter, micros_of_bpm

__all__ = ["MAX_CHARACTERS", "check", "digest", "parse"]

MAX_CHARACTERS = 64_000_000
_MAX_PROBLEMS = 1_000
T = TypeVar("T")


def parse(text: str) -> Score:
    """Read a text into a Score, or raise a GrammarError that holds all its problems.

    >>> score = parse('''KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: 1
    ... VOICES: LEAD
    ... @1 [C]
    ...   LEAD: C4@1>4 E4@5>4 G4@9>8''')
    >>> [note.name for note in score.voice("LEAD").notes]
    ['C4', 'E4', 'G4']
    """
    reader = _Reader()
    score = reader.read(text)
    if score is None:
        raise GrammarError(reader.problems)
    return score


def check(text: str) -> list[Problem]:
    """Every problem of a text, in order; an empty list means that ``parse`` reads it."""
    reader = _Reader()
    reader.read(text)
    return sorted(reader.problems, key=lambda problem: (problem.line, problem.column))


def digest(text: str | Score) -> str:
    """The fingerprint of a piece: the same for every way of writing the same music."""
    return (parse(text) if isinstance(text, str) else text).digest


class _Reader:
    """One reading of one text; collects problems instead of stopping at the first."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.title = ""
        self.fields: dict[str, str] = {}
        self.voices: list[VoiceEntry] = []
        self.index: dict[str, int] = {}
        self.colons: list[str] = []
        self.bars = Bars()
        self.cells = Cells()
        self.chord_cache: dict[str, tuple[str, ...]] = {}
        self.meter, self.key, self.grid = Meter(4, 4), Key(0), Grid(16)
        self.line_number, self.line = 0, ""
        self.open: range | None = None  # the bars that voice lines now belong to
        self.pending: dict[int, int] = {}  # bars being copied: target -> source
        self.said: set[int] = set()  # voices with a line in the open bar

    def problem(self, found: str, expected: str, hint: str = "", voice: str | None = None) -> None:
        """Note a problem at the place where ``found`` stands in the current line."""
        if len(self.problems) < _MAX_PROBLEMS:
            column = max(0, self.line.find(found)) + 1
            bar = self.open.start + self.bars.first if self.open is not None else None
            self.problems.append(Problem(self.line_number, column, found, expected, hint, bar, voice))

    def read(self, text: str) -> Score | None:
        """The Score, or None where there are problems."""
        if len(text) > MAX_CHARACTERS:
            self.problem(f"{len(text):,} characters", f"at most {MAX_CHARACTERS:,} characters")
            return None
        voice_line = self._voice_line
        for self.line_number, self.line in enumerate(text.split("\n"), start=1):
            stripped = self.line.strip()
            if not stripped or stripped[0] == "%":
                continue
            if stripped[0] == "@":
                self._bar_line(stripped)
            elif self.open is None:
                self._header_line(stripped)
            else:
                voice_line(stripped)
        self._close_bar()
        self._finish()
        if self.problems:
            return None
        return assemble(self.title, self.voices, self.bars, self.cells, self._late_note)

    def _late_note(self, line: int, bar: int, voice: int, slot: int, slots: int) -> None:
        """Called for a note that starts after the end of its bar."""
        self.line_number, self.line = line, f"@{slot}>"
        number = bar + self.bars.first
        expected = f"an onset slot within the bar (1-{slots})"
        self.problems.append(Problem(line, 1, f"@{slot}", expected, "", number, self.voices[voice].name))

    # header

    def _header_line(self, line: str) -> None:
        word, colon, rest = line.partition(":")
        if word == "TITLE" and colon:
            self.title = " ".join(rest.split())
            return
        if word == "VOICES" and colon:
            self._voices(rest)
            return
        for part in line.split("|"):
            name, colon, value = part.partition(":")
            name = name.strip()
            if not colon or name not in FIELDS:
                near = get_close_matches(name.upper(), (*FIELDS, "TITLE", "VOICES"), 1)
                self.problem(
                    part.strip(), "a header field: KEY, METER, TEMPO, GRID or BARS", f"write {near[0]}:" if near else ""
                )
            elif name in self.fields:
                self.problem(part.strip(), f"{name} only once")
            else:
                self.fields[name] = value.strip()
                self._field(name, value.strip())

    def _field(self, name: str, value: str) -> None:
        try:
            if name == "KEY":
                self.key = Key.parse(value)
                self.bars.keys.append((0, self.key))
            elif name == "METER":
                self.meter = Meter.parse(value)
                self.bars.meters.append((0, self.meter))
            elif name == "TEMPO":
                self.bars.tempos.append((0, _micros(value)))
            elif name == "GRID":
                self.grid = parse_grid(value)
            elif not (value.isascii() and value.isdigit() and len(value) < 7):
                raise ScoreError("the number of bars")
        except ScoreError as error:
            examples = {"KEY": "G minor", "METER": "4/4", "TEMPO": "102", "GRID": "16th", "BARS": "96"}
            self.problem(value or f"{name}:", f"a value such as {examples[name]}", str(error))

    def _voices(self, text: str) -> None:
        if self.voices:
            self.problem("VOICES", "VOICES only once")
            return
        for entry in split_voices(text)[: MAX_VOICES + 1]:
            if isinstance(entry, str):
                self.problem(entry, "a voice such as BASS, BASS[prog=33] or DRUMS[drums]")
            elif entry.name in self.index:
                self.problem(entry.name, "a name that no other voice has", f"write {entry.name} #2")
            else:
                self.index[entry.name] = len(self.voices)
                self.voices.append(entry)
        if len(self.voices) > MAX_VOICES:
            self.problem("VOICES", f"at most {MAX_VOICES:,} voices")
        self.colons = sorted((name for name in self.index if ":" in name), key=len, reverse=True)

    # bars

    def _bar_line(self, line: str) -> None:
        self._close_bar()
        read = parse_bar_line(line)
        if read is None:
            self.problem(line, "a bar line such as @9 [Gm7] or @17-24 = @9-16", _bar_hint(line))
            self.open = self.open or range(0, 0)
            return
        if not self.bars.grids and self.open is None:
            self.bars.first = 0 if read.first == 0 else 1
        expected = len(self.bars.grids) + self.bars.first
        if read.first != expected:
            self.problem(f"@{read.first}", f"@{expected}", "bars follow one another from 1 (or 0 for a pickup)")
        count = read.last - read.first + 1
        if len(self.bars.grids) + count > MAX_BARS:
            self.problem(line, f"at most {MAX_BARS:,} bars")
            return
        start = len(self.bars.grids)
        self.open = range(start, start + count)
        self._open_bars(read)

    def _open_bars(self, read: BarLine) -> None:
        bars, said = self.bars, dict[str, str]()
        for name, value in read.extras:
            if name not in EXTRAS:
                near = get_close_matches(name, EXTRAS, 1)
                self.problem(
                    f"({name}:{value})", f"one of {', '.join(EXTRAS)}", f"write ({near[0]}:...)" if near else ""
                )
            elif name in said and name not in ("tempo", "key"):
                self.problem(f"({name}:{value})", f"one {name} for a bar")
            said[name] = value
        chords = self._chords(read.chords) if read.chords is not None else None
        assert self.open is not None
        source = self._source(read)
        for offset, bar in enumerate(self.open):
            grid = bars.grids[source + offset] if source is not None else self.grid
            bars.grids.append(grid)
            bars.chords.append(chords or (bars.chords[source + offset] if source is not None else ("-",)))
            length = self.meter.ticks
            if offset == 0:
                length = self._extras(read.extras, bar)
            bars.lines.append(bars.lines[-1] + length)
            if source is not None:
                self.pending[bar] = source + offset

    def _source(self, read: BarLine) -> int | None:
        if read.copies is None:
            return None
        source = read.copies[0] - self.bars.first
        if not 0 <= source < len(self.bars.grids):
            self.problem(f"@{read.copies[0]}", "a bar that was written before this one")
            return None
        return source

    def _extras(self, extras: tuple[tuple[str, str], ...], bar: int) -> int:
        """Apply a bar line's extras; returns the bar's length."""
        bars, start = self.bars, self.bars.lines[-1]
        length: int | None = None
        for name, value in sorted(extras, key=lambda extra: EXTRAS.index(extra[0]) if extra[0] in EXTRAS else 9):
            try:
                if name == "grid":
                    bars.grids[bar] = parse_grid(value)
                elif name == "meter":
                    self.meter = Meter.parse(value)
                    _add(bars.meters, start, self.meter)
                elif name == "bar":
                    length = parse_length(value)
                elif name == "key":
                    words, at = parse_place(value, bars.grids[bar])
                    self.key = Key.parse(words)
                    _add(bars.keys, start + at, self.key)
                elif name == "tempo":
                    words, at = parse_place(value, bars.grids[bar])
                    _add(bars.tempos, start + at, _micros(words))
                elif name == "section":
                    if not value or "@" in value or "|" in value or "[" in value or "]" in value:
                        raise ScoreError("a section has a plain name")
                    bars.sections.append((start, " ".join(value.split())))
            except ScoreError as error:
                self.problem(value, f"a {name} that can be read", str(error))
        return length if length is not None else self.meter.ticks

    def _chords(self, text: str) -> tuple[str, ...]:
        cached = self.chord_cache.get(text)
        if cached is not None:
            return cached
        labels = tuple(label.strip() for label in text.split("|"))
        for label in labels:
            if not is_chord(label):
                self.problem(label or f"[{text}]", "a chord label such as Gm7, F#m7b5, C/E or -", _chord_hint(label))
        self.chord_cache[text] = labels
        return labels

    # voices

    def _split_name(self, line: str) -> tuple[str, str]:
        for name in self.colons:
            if line.startswith(name) and line[len(name) :].lstrip().startswith(":"):
                return name, line[len(name) :].lstrip()[1:]
        name, _, body = line.partition(":")
        return name.rstrip(), body

    def _voice_line(self, line: str) -> None:
        name, body = self._split_name(line)
        voice = self.index.get(name)
        if voice is None:
            near = get_close_matches(name, self.index, 1)
            known = ", ".join(list(self.index)[:12]) or "none"
            self.problem(name, f"a voice that VOICES declares ({known})", f"did you mean {near[0]}?" if near else "")
            return
        if voice in self.said:
            self.problem(name, "one line for a voice in a bar", voice=name)
            return
        self.said.add(voice)
        tokens = body.split()
        try:
            chunk = b"".join(map(rows_of.__getitem__, tokens))
        except KeyError:
            self._irregular(name, voice, tokens)
            return
        if not tokens:
            self.problem(line, "tokens after the colon, or no line at all", voice=name)
        self._put(voice, chunk)

    def _put(self, voice: int, chunk: bytes) -> None:
        for bar in self.open or ():
            self.cells.put(bar, voice, chunk, self.bars.grids[bar].slot, self.line_number)

    def _irregular(self, name: str, voice: int, tokens: list[str]) -> None:
        """A line with shorthand, or with something wrong in it."""
        if tokens == ["-"]:
            return
        reference = parse_reference(tokens[0])
        good = []
        for token in tokens[1:] if reference else tokens:
            try:
                good.append(rows_of[token])
            except KeyError:
                expected, hint = explain_token(token)
                self.problem(token, expected, hint, voice=name)
        self._put(voice, b"".join(good))
        if reference is None:
            return
        source = reference.bar - self.bars.first
        if not (self.open and 0 <= source < self.open.start):
            self.problem(tokens[0], "a bar that was written before this one", voice=name)
            return
        for bar in self.open:
            for chunk, slot, line in self.cells.get(source, voice):
                moved = shift_rows(chunk, reference.shift, reference.diatonic, self.key)
                if moved is None:
                    self.problem(tokens[0], "a transposition within C-1 to G9", voice=name)
                else:
                    self.cells.put(bar, voice, moved, slot, line)

    def _close_bar(self) -> None:
        """Copy what the shorthand copies, except the voices that were written anew."""
        for bar, source in self.pending.items():
            for voice, chunk, slot, line in self.cells.of_bar(source):
                if voice not in self.said:
                    self.cells.put(bar, voice, chunk, slot, line)
        self.pending.clear()
        self.said.clear()

    def _finish(self) -> None:
        self.open = None
        for name in FIELDS:
            if name not in self.fields:
                self.line = ""
                self.problem(
                    "", f"a header with {name}:", "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: 8"
                )
        said = self.fields.get("BARS", "")
        written = len(self.bars.grids) - (1 - self.bars.first)
        if not self.bars.grids:
            self.problem("", "at least one bar: @1 [C]")
        elif said.isdigit() and int(said) != written:
            self.line_number = self.line_number or 1
            self.problem(f"BARS: {said}", f"BARS: {written}", f"{written} bars are written")


def _add(changes: list[tuple[int, T]], tick: int, value: T) -> None:
    """Add a change; one at the same tick replaces what was there."""
    if changes and changes[-1][0] == tick:
        changes.pop()
    changes.append((tick, value))


def _micros(text: str) -> int:
    if text == "?":
        return micros_of_bpm(120)  # published texts write ? where the source had no tempo
    try:
        bpm = float(text) if text.replace(".", "", 1).isdigit() and text.isascii() and len(text) < 24 else 0.0
    except ValueError:
        bpm = 0.0
    if not bpm > 0:
        raise ScoreError(f"{text!r} is not a tempo in quarter notes a minute")
    return micros_of_bpm(bpm)


def _bar_hint(line: str) -> str:
    if "[" not in line:
        return "the chord is missing: write [-] for none"
    return "a copy needs as many bars as it replaces" if "=" in line else ""


def _chord_hint(label: str) -> str:
    for end in range(len(label) - 1, 0, -1):
        if is_chord(label[:end]):
            return f"the nearest is {label[:end]}"
    return "write - for no chord"
