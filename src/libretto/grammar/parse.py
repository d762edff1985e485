"""Read the text grammar: text -> Score, with every problem of a text found in one pass.

Reading is strict: an unknown token is a problem, never a rest. Shorthand is expanded as it is met, so the
Score never knows of it.
"""

from __future__ import annotations

import re

from libretto.errors import GrammarError, Problem
from libretto.grammar.assemble import assemble
from libretto.grammar.bars import BarReader, Cell
from libretto.grammar.header import Header, nearest
from libretto.grammar.lines import FIELDS
from libretto.grammar.problems import Problems
from libretto.grammar.shorthand import Reference, parse_reference, shift_rows
from libretto.grammar.tokens import ROW_BYTES, explain_token, rows_of
from libretto.score.model import Score
from libretto.score.validate import MAX_NOTES

__all__ = ["MAX_CHARACTERS", "check", "digest", "parse"]

MAX_CHARACTERS = 64_000_000
_MOST_GUESSES = 50  # unknown names for which the nearest is looked for
_MOST_BYTES = MAX_NOTES * ROW_BYTES


def parse(text: str) -> Score:
    """Read a text into a Score, or raise a GrammarError that holds all its problems.

    >>> score = parse('''KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: 1
    ... VOICES: LEAD
    ... @1 [C]
    ...   LEAD: C4@1>4 E4@5>4 G4@9>8''')
    >>> [note.name for note in score.voice("LEAD").notes]
    ['C4', 'E4', 'G4']
    """
    reader = _Reader(text)
    score = reader.read()
    if score is None:
        raise GrammarError(reader.problems.sorted())
    return score


def check(text: str) -> list[Problem]:
    """Every problem of a text, in order; an empty list means that ``parse`` reads it."""
    reader = _Reader(text)
    reader.read()
    return reader.problems.sorted()


def digest(text: str | Score) -> str:
    """The fingerprint of a piece: the same for every way of writing the same music."""
    return (parse(text) if isinstance(text, str) else text).digest


class _Reader:
    """One reading of one text."""

    def __init__(self, text: str) -> None:
        self.problems = Problems(text.split("\n") if len(text) <= MAX_CHARACTERS else [])
        if len(text) > MAX_CHARACTERS:
            self.problems.stop(f"{len(text):,} characters", f"at most {MAX_CHARACTERS:,} characters")
        self.header = Header(self.problems)
        self.bar_reader = BarReader(self.header, self.problems)
        self.bars = self.bar_reader.bars
        self.open: list[tuple[list[Cell], int]] | None = None  # what the bars being read play, and their slots
        self.start = self.line = 0  # the first of those bars, and the line that opened them
        self.said: set[int] = set()  # voices with a line in them
        self.size = 0  # bytes of rows so far

    def read(self) -> Score | None:
        """The Score, or None where there are problems."""
        problems, voice_line = self.problems, self._voice_line
        for number, line in enumerate(problems.lines, start=1):
            problems.number = number
            stripped = line.strip()
            if not stripped or stripped[0] == "%":
                continue
            if stripped[0] == "@":
                self._bar_line(stripped)
            elif self.open is None:
                self.header.read(stripped)
            else:
                voice_line(stripped)
            if problems.full:
                return None
        self._close()
        self._finish()
        if problems.full or (problems.found and not self.header.is_timed):
            return None
        return assemble(self.header, self.bars, problems)

    def _finish(self) -> None:
        bars = self.bars
        if not bars.grids:
            self.problems.add("", "at least one bar: @1 [C]")
        self.header.finish(len(bars.grids) - (1 - bars.first) if bars.grids else 0)

    def _bar_line(self, line: str) -> None:
        self._close()
        opened = self.bar_reader.open(line)
        self.open = [(self.bars.cells[bar], self.bars.grids[bar].slot) for bar in opened]
        self.start, self.line = opened.start, self.problems.number

    def _close(self) -> None:
        """Copy what the shorthand copies, except the voices that were written anew."""
        for bar, source in self.bar_reader.sources.items():
            copied = [(*cell[:3], self.line) for cell in self.bars.cells[source] if cell[0] not in self.said]
            self.bars.cells[bar] += copied
            if not self._count(sum(len(chunk) for _, chunk, _, _ in copied)):
                break
        self.bar_reader.sources.clear()
        self.said.clear()

    def _count(self, size: int) -> bool:
        """Whether there is room for so many more bytes of rows; copies of copies soon outgrow any memory."""
        self.size += size
        if self.size <= _MOST_BYTES:
            return True
        self.problems.stop("", f"at most {MAX_NOTES:,} notes")
        return False

    # voices

    def _voice_line(self, line: str) -> None:
        name, _, body = line.partition(":")
        name = name.rstrip()
        for longer in self.header.colons:
            rest = line[len(longer) :].lstrip()
            if line.startswith(longer) and rest.startswith(":"):
                name, body = longer, rest[1:]
                break
        voice = self.header.index.get(name)
        if voice is None:
            self._unknown(name, line)
            return
        if voice in self.said:
            self.problems.add(name, "one line for a voice in a bar", "put all its tokens on one line", name)
            return
        self.said.add(voice)
        tokens = body.split()
        try:
            chunk = b"".join(map(rows_of.__getitem__, tokens))
        except KeyError:
            self._irregular(name, voice, body)
            return
        if not tokens:
            self.problems.add(line, "tokens after the colon, or no line at all", f"{name}: - is silence", name)
        self._put(voice, chunk)

    def _unknown(self, name: str, line: str) -> None:
        known = ", ".join(list(self.header.index)[:12]) or "none"
        few = len(self.problems.found) < _MOST_GUESSES
        near = nearest(name, tuple(self.header.index)) if few else ""
        hint = f"did you mean {near}?" if near else "declare it in VOICES:"
        if ":" not in line:
            hint = "a voice's line is its name, a colon and tokens"
        elif name in FIELDS:
            hint = "the header comes before the first bar; later changes are written (key:...) on the bar line"
        self.problems.add(name, f"a voice that VOICES declares ({known})", hint)

    def _put(self, voice: int, chunk: bytes) -> None:
        number = self.problems.number
        for cells, slot in self.open or ():
            cells.append((voice, chunk, slot, number))
            self.size += len(chunk)
        if self.size > _MOST_BYTES:
            self._count(0)

    def _irregular(self, name: str, voice: int, body: str) -> None:
        """A line with shorthand, or with something wrong in it."""
        first = body.split(maxsplit=1)[0]
        if body.strip() == "-":
            return
        reference = parse_reference(first)
        start = len(self.problems.line.rstrip()) - len(body.rstrip())
        good = []
        for word in re.finditer(r"\S+", body.replace(first, " " * len(first), 1) if reference else body):
            try:
                good.append(rows_of[word[0]])
            except KeyError:
                expected, hint = explain_token(word[0])
                self.problems.add(word[0], expected, hint, name, start + word.start())
                if self.problems.full:
                    return
        self._put(voice, b"".join(good))
        if reference:
            self._repeat(name, voice, reference, first)

    def _repeat(self, name: str, voice: int, reference: Reference, token: str) -> None:
        """Take a voice's notes from an earlier bar."""
        source = self.bars.index(reference.bar)
        if source is None or source >= self.start:
            self.problems.add(token, "a bar that was written before this one", voice=name)
            return
        for offset, (cells, _) in enumerate(self.open or ()):
            key = self.bars.key_in(self.start + offset)
            for other, chunk, slot, _ in self.bars.cells[source]:
                if other != voice:
                    continue
                moved = shift_rows(chunk, reference.shift, reference.diatonic, key)
                if moved is None:
                    self.problems.add(token, "a transposition within C-1 to G9", voice=name)
                    return
                cells.append((voice, moved, slot, self.problems.number))
                if not self._count(len(moved)):
                    return
