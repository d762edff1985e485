"""Read the text grammar: text -> Score, with every problem of a text found in one pass.

Reading is strict: an unknown token is a problem, never a rest. Shorthand is expanded as it is met, so the
Score never knows of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from libretto.errors import GrammarError, Problem
from libretto.grammar.assemble import assemble
from libretto.grammar.at_once import read_at_once
from libretto.grammar.bars import BarReader, Cell, joined
from libretto.grammar.columns import Columns, columns_of_cells
from libretto.grammar.controls import control_kind, explain_control, is_control, too_far
from libretto.grammar.header import Header, nearest
from libretto.grammar.lines import FIELDS, colon_name
from libretto.grammar.problems import Problems
from libretto.grammar.shorthand import Reference, references_of, shift_rows, shift_signs
from libretto.grammar.signs import Said, said_by
from libretto.grammar.tokens import ROW_BYTES, explain_token, rows_of
from libretto.score.limits import MAX_MARKED, MAX_NOTES, MAX_SIGNS
from libretto.score.marks import Mark
from libretto.score.model import Score
from libretto.score.time import Grid

__all__ = ["check", "digest", "parse", "parse_all"]

_SHORT = 2_000  # letters; a shorter text takes less time line by line
_TEXTS, _LETTERS = 16, 1_000_000  # that are read together, at most
_MOST_GUESSES = 50  # unknown names for which the nearest is looked for
_MOST_BYTES = MAX_NOTES * ROW_BYTES
_ANY = Grid(1, False)  # the coarsest grid: whatever is a whole number of ticks on some grid is one on this


def parse(text: str) -> Score:
    """Read a text into a Score, or raise a GrammarError that holds all its problems.

    >>> score = parse('''KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: 1
    ... VOICES: LEAD
    ... @1 [C]
    ...   LEAD: C4@1>4 E4@5>4 G4@9>8''')
    >>> [note.name for note in score.voice("LEAD").notes]
    ['C4', 'E4', 'G4']
    """
    score = _by_line(text) if len(text) < _SHORT else parse_all([text])[0]
    if isinstance(score, GrammarError):
        raise score
    return score


def parse_all(texts: Sequence[str]) -> list[Score | GrammarError]:
    """Each text as ``parse`` reads it, or the error that it raises; many take much less time than one by one."""
    at_once: list[Score | None] = []
    for batch in _batches(texts):
        at_once += read_at_once(batch)
    return [_by_line(text) if score is None else score for text, score in zip(texts, at_once, strict=True)]


def _batches(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Those texts in lots that are neither too many nor too long."""
    start = letters = 0
    for place, text in enumerate(texts):
        if place > start and (place - start == _TEXTS or letters + len(text) > _LETTERS):
            yield texts[start:place]
            start, letters = place, 0
        letters += len(text)
    if start < len(texts):
        yield texts[start:]


def _by_line(text: str) -> Score | GrammarError:
    reader = _Reader(text)
    return reader.read() or GrammarError(reader.problems.sorted())


def check(text: str) -> list[Problem]:
    """Every problem of a text, in order; an empty list means that ``parse`` reads it."""
    if len(text) >= _SHORT and read_at_once([text])[0] is not None:
        return []
    reader = _Reader(text)
    reader.read()
    return reader.problems.sorted()


def digest(text: str | Score) -> str:
    """The fingerprint of a piece: the same for every way of writing the same music."""
    return (parse(text) if isinstance(text, str) else text).digest


class _Reader:
    """One reading of one text."""

    def __init__(self, text: str) -> None:
        self.problems = Problems(text)
        self.header = Header(self.problems)
        self.bar_reader = BarReader(self.header, self.problems)
        self.bars = self.bar_reader.bars
        self.open: list[tuple[list[Cell], Grid]] | None = None  # what the bars being read play, and their grids
        self.start = self.line = 0  # the first of those bars, and the line that opened them
        self.said: set[int] = set()  # voices with a line in them
        self.size = self.signs = 0  # bytes of rows so far, and marks
        self.marked = self.idle = 0  # words that were looked at for marks, and repeats that brought nothing
        self.read_before: dict[str, bytes] = {}  # what voices play, as written and read: music repeats

    def read(self) -> Score | None:
        """The Score, or None where there are problems."""
        cells = None if self.problems.full else self._read_by_line()
        if cells is None:
            return None
        self._finish()
        if self.problems.full or (self.problems.found and not self.header.is_timed):
            return None
        return assemble(self.header, self.bars, cells, self.problems)

    def _read_by_line(self) -> Columns | None:
        """Read line by line."""
        self._read_lines(0, len(self.problems.lines))
        if self.problems.full:
            return None
        self._close()
        return columns_of_cells(self.bars.cells)

    def _read_lines(self, start: int, stop: int) -> None:
        problems, voice_line = self.problems, self._voice_line
        for number in range(start, stop):
            problems.number = number + 1
            stripped = problems.lines[number].strip()
            if not stripped or stripped[0] == "%":
                continue
            if stripped[0] == "@":
                self._bar_line(stripped)
            elif self.open is None:
                self.header.read(stripped)
            else:
                voice_line(stripped)
            if problems.full:
                return

    def _finish(self) -> None:
        bars = self.bars
        if not bars.grids:
            self.problems.add("", "at least one bar: @1 [C]")
        self.header.finish(len(bars.grids) - (1 - bars.first) if bars.grids else 0)

    def _bar_line(self, line: str) -> None:
        self._close()
        opened = self.bar_reader.open(line)
        self.open = [(self.bars.cells[bar], self.bars.grids[bar]) for bar in opened]
        self.start, self.line = opened.start, self.problems.number

    def _close(self) -> None:
        """Copy what the shorthand copies, except the voices that were written anew."""
        for bar, source in self.bar_reader.sources.items():
            copied = [c._replace(line=self.line) for c in self.bars.cells[source] if c.voice not in self.said]
            self.bars.cells[bar] += copied
            if not all(self._count(len(cell.rows), len(cell.marks)) for cell in copied):
                break
        self.bar_reader.sources.clear()
        self.said.clear()

    def _count(self, size: int, signs: int = 0) -> bool:
        """Whether there is room for so many more bytes of rows and marks; copies of copies soon outgrow any memory."""
        self.size += size
        self.signs += signs
        if self.size > _MOST_BYTES:
            self.problems.stop("", f"at most {MAX_NOTES:,} notes")
        elif self.signs > MAX_SIGNS:
            self.problems.stop("", f"at most {MAX_SIGNS:,} marks and controls")
        return not self.problems.full

    # voices

    def _voice_line(self, line: str) -> None:
        name, _, body = line.partition(":")
        name = name.rstrip()
        if self.header.colons and (longer := colon_name(line, self.header.colons)):
            name, body = longer, line[len(longer) :].lstrip()[1:]
        voice = self.header.index.get(name)
        if voice is None:
            self._unknown(name, line)
            return
        if voice in self.said:
            self.problems.add(name, "one line for a voice in a bar", "put all its tokens on one line", name)
            return
        self.said.add(voice)
        chunk = self.read_before.get(body)
        if chunk is None:
            tokens = body.split()
            try:
                chunk = b"".join(map(rows_of.__getitem__, tokens))
            except KeyError:
                self._irregular(name, voice, body)
                return
            if not tokens:
                self.problems.add(line, "tokens after the colon, or no line at all", f"{name}: - is silence", name)
            else:
                self.read_before[body] = chunk
        self._put(voice, chunk)

    def _unknown(self, name: str, line: str) -> None:
        known = ", ".join(list(self.header.index)[:12]) or "none"
        near = nearest(name, tuple(self.header.index)) if len(self.problems.found) < _MOST_GUESSES else ""
        hint = f"did you mean {near}?" if near else "declare it in VOICES:"
        if ":" not in line:
            hint = "a voice's line is its name, a colon and tokens"
        elif name in FIELDS:
            hint = "the header comes before the first bar; later changes are written (key:...) on the bar line"
        self.problems.add(name, f"a voice that VOICES declares ({known})", hint)

    def _put(self, voice: int, chunk: bytes) -> None:
        number = self.problems.number
        for cells, grid in self.open or ():
            cells.append(Cell(voice, chunk, grid.slot, number))
            self.size += len(chunk)
        if self.size > _MOST_BYTES:
            self._count(0)

    def _irregular(self, name: str, voice: int, body: str) -> None:
        """A line with shorthand, or with something wrong in it."""
        if body.strip() == "-":
            return
        references = references_of(body.split(maxsplit=2))
        start = len(self.problems.line.rstrip()) - len(body.rstrip())
        grid = self.open[0][1] if self.open else _ANY
        words: list[str] = []
        read: list[Said | None] = []
        points = 0
        for word in islice(re.finditer(r"\S+", body), len(references), None):
            words.append(word[0])
            self.marked += 1
            if self.marked > MAX_MARKED:
                self.problems.stop("", f"at most {MAX_MARKED:,} words on lines that hold marks")
                return
            control = is_control(word[0])
            points += word[0].count(",") if control else 0  # looked at before they are read
            if self.signs + points > MAX_SIGNS:
                self._count(0, points)
                return
            read.append(said := said_by(word[0], grid))
            sure = said is not None and not (control and too_far(said[1], grid))
            if not sure and said_by(word[0], _ANY) is None:
                expected, hint = explain_control(word[0]) or explain_token(word[0])
                self.problems.add(word[0], expected, hint, name, start + word.start())
                if self.problems.full:
                    return
        if words:
            self._put_marked(voice, words, grid, read)
        for reference, token in zip(references, body.split(maxsplit=2), strict=False):
            self._repeat(name, voice, reference, token)

    def _put_marked(self, voice: int, words: list[str], read_on: Grid, read: Sequence[Said | None]) -> None:
        """Add what tokens of all kinds say; what each says in slots depends on the grid of the bar."""
        for cells, grid in self.open or ():
            if grid != read_on:
                read_on, read = grid, [said_by(word, grid) for word in words]
            rows: list[bytes] = []
            marks: list[Mark] = []
            controls: list[Mark] = []
            for chunk, behind in (said or (b"", []) for said in read):
                if not chunk and behind and control_kind(behind[0].kind) is not None:
                    controls += behind
                else:
                    rows.append(chunk)
                    marks += behind
            if not self._count(sum(map(len, rows)), len(marks) + len(controls)):
                return
            line = self.problems.number
            if rows or marks:
                cells.append(Cell(voice, b"".join(rows), grid.slot, line, tuple(marks)))
            if controls:
                cells.append(Cell(voice, b"", grid.slot, line, tuple(controls)))

    def _repeat(self, name: str, voice: int, reference: Reference, token: str) -> None:
        """Take a voice's notes from an earlier bar."""
        source = self.bars.index(reference.bar)
        if source is None or source >= self.start:
            self.problems.add(token, "a bar that was written before this one", voice=name)
            return
        taken = [cell for part in reference.parts for cell in joined(self.bars.cells_of(source, voice, part))]
        self.idle += not taken
        if self.idle > MAX_MARKED:
            self.problems.stop(token, f"at most {MAX_MARKED:,} repeats of silence")
        for offset, (cells, _) in enumerate(self.open or () if taken else ()):
            key = self.bars.key_in(self.start + offset)
            for cell in taken:
                moved = shift_rows(cell.rows, reference.shift, reference.diatonic, key)
                if moved is None:
                    self.problems.add(token, "a transposition within C-1 to G9", voice=name)
                    return
                marks = shift_signs(cell.marks, cell.rows, moved)
                cells.append(Cell(voice, moved, cell.slot, self.problems.number, marks))
                if not self._count(len(moved), len(marks)):
                    return
