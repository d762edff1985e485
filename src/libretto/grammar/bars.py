"""Bar lines: numbers, chords, copies of earlier bars, and the changes that begin there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from libretto.errors import ScoreError
from libretto.grammar.bar_signs import BarSign, read_bar_sign
from libretto.grammar.controls import control_kind
from libretto.grammar.header import Header, nearest, parse_tempo
from libretto.grammar.lines import EXTRAS, BarLine, parse_bar_line, parse_grid
from libretto.grammar.problems import Problems
from libretto.grammar.tokens import parse_length, parse_place
from libretto.score.chords import is_chord
from libretto.score.keys import Key
from libretto.score.limits import MAX_BARS, MAX_EXTRAS, MAX_LABELS
from libretto.score.marks import PIECE_MARKS, Mark
from libretto.score.time import Grid, Meter
from libretto.score.voice import legal_name

__all__ = ["BarReader", "Bars", "Cell", "is_label", "joined"]


class Cell(NamedTuple):
    """What a voice plays in a bar: rows, ticks in a slot, the line that says so, marks timed from the bar."""

    voice: int
    rows: bytes
    slot: int
    line: int
    marks: tuple[Mark, ...] = ()

    @property
    def has_controls(self) -> bool:
        """Whether it holds controls, and nothing else."""
        return bool(self.marks) and control_kind(self.marks[0].kind) is not None


def joined(cells: Iterable[Cell]) -> list[Cell]:
    """Cells of one voice with neighbours made one where both are bare notes: what is copied often stays one thing."""
    whole: list[Cell] = []
    for (_, bare), run in groupby(cells, key=lambda cell: (cell.slot, not cell.marks)):
        some = list(run)
        whole += [some[0]._replace(rows=b"".join(c.rows for c in some))] if bare and len(some) > 1 else some
    return whole


_LONGEST_LABEL = 40  # no chord has a longer name


def is_label(text: str) -> bool:
    """Whether a text may stand alone between the brackets of a bar line."""
    return len(text) <= _LONGEST_LABEL and is_chord(text)


@dataclass
class Bars:
    """What is known of the bars so far, what is played in them, and the changes that begin in them."""

    numbers: list[int] = field(default_factory=list)  # as written
    lines: list[int] = field(default_factory=lambda: [0])
    grids: list[Grid] = field(default_factory=list)
    chords: list[tuple[str, ...]] = field(default_factory=list)
    cells: list[list[Cell]] = field(default_factory=list)
    meters: dict[int, Meter] = field(default_factory=dict)
    keys: dict[int, Key] = field(default_factory=dict)
    tempos: dict[int, int] = field(default_factory=dict)
    sections: dict[int, str] = field(default_factory=dict)
    marks: list[BarSign] = field(default_factory=list)
    places: dict[int, int] = field(default_factory=dict)  # number as written -> the first bar of that number
    labels: int = 0  # how many chord labels there are
    _keys: dict[int, Key] = field(default_factory=dict)  # those in force where bars start, once asked for
    _played: dict[int, dict[tuple[int, bool], list[Cell]]] = field(default_factory=dict)  # cells, once asked for

    @property
    def first(self) -> int:
        """The number of the first bar: 0 where there is a pickup."""
        return 0 if self.numbers[:1] == [0] else 1

    def index(self, number: int) -> int | None:
        """The bar of that number; None where it is not written."""
        usual = number - self.first
        if 0 <= usual < len(self.numbers) and self.numbers[usual] == number:
            return usual
        return self.places.get(number)

    def cells_of(self, bar: int, voice: int, controls: bool) -> list[Cell]:
        """What a voice plays in a bar that is read to its end: its controls, or all else."""
        if bar not in self._played:
            played = self._played[bar] = dict[tuple[int, bool], list[Cell]]()
            for cell in self.cells[bar]:
                played.setdefault((cell.voice, cell.has_controls), []).append(cell)
        return self._played[bar].get((voice, controls), [])

    def key_in(self, bar: int) -> Key:
        """The key in force where a bar starts, once its line is read."""
        if bar not in self._keys:
            start = self.lines[bar]
            self._keys[bar] = self.keys[next(tick for tick in reversed(self.keys) if tick <= start)]
        return self._keys[bar]

    def order_keys(self, start: int) -> None:
        """Put the keys that begin at that tick or later into the order of time; those before are in it."""
        later = []
        while next(reversed(self.keys)) > start:
            later.append(self.keys.popitem())
        self.keys.update(sorted(later))


class BarReader:
    """Opens the bars of one text, one bar line after another."""

    def __init__(self, header: Header, problems: Problems) -> None:
        self.header, self.problems = header, problems
        self.bars = Bars()
        self.sources: dict[int, int] = {}  # bars that copy another until their voices are known
        self.meter = header.meter  # the one that holds
        self._labels: dict[str, tuple[str, ...]] = {}

    def open(self, line: str) -> range:
        """Read a bar line; returns the bars that the lines below it belong to."""
        problems, bars = self.problems, self.bars
        expected = bars.numbers[-1] + 1 if bars.numbers else 1
        read = parse_bar_line(line)
        if read is None:
            number = re.match(r"@(\d{1,6})", line, re.ASCII)
            first = int(number[1]) if number else expected
            problems.bar = first
            problems.add(line, "a bar line such as @9 [Gm7] or @17-24 = @9-16", _bar_hint(line))
            read = BarLine(first, first, None, None, ())
        problems.bar = read.first
        if read.first != expected and (bars.numbers or read.first != 0):
            hint = "bars follow one another from 1 (or 0 for a pickup)"
            problems.add(f"@{read.first}", f"@{expected}", hint)
        start, count = len(bars.grids), read.last - read.first + 1
        if start + count > MAX_BARS:
            problems.stop(line, f"at most {MAX_BARS:,} bars")
            return range(0)
        if not start:
            self._begin()
        self._open(read, range(start, start + count))
        return range(start, start + count)

    def _begin(self) -> None:
        """What the header says holds from the first tick."""
        header = self.header
        self.meter = header.meter
        self.bars.meters[0], self.bars.keys[0], self.bars.tempos[0] = header.meter, header.key, header.micros

    def _open(self, read: BarLine, opened: range) -> None:
        bars = self.bars
        chords = self._chords(read.chords) if read.chords is not None else None
        source = self._source(read)
        for offset, bar in enumerate(opened):
            bars.numbers.append(read.first + offset)
            bars.places.setdefault(read.first + offset, bar)
            bars.cells.append([])
            if source is not None:
                self.sources[bar] = source + offset
            bars.grids.append(self.header.grid if source is None else bars.grids[source + offset])
            bars.chords.append(chords or (("-",) if source is None else bars.chords[source + offset]))
            bars.labels += len(bars.chords[-1])
            length = self._extras(read.extras, bar) if offset == 0 and read.extras else self.meter.ticks
            bars.lines.append(bars.lines[-1] + length)
        if bars.labels > MAX_LABELS:
            self.problems.stop("", f"at most {MAX_LABELS:,} chord labels")

    def _source(self, read: BarLine) -> int | None:
        """The first of the bars that are copied."""
        if read.copies is None:
            return None
        source = self.bars.index(read.copies[0])
        if source is None:
            start = self.problems.line.find("=")
            self.problems.add(f"@{read.copies[0]}", "a bar that was written before this one", start=start)
        return source

    def _chords(self, text: str) -> tuple[str, ...]:
        known = self._labels.get(text)
        if known is not None:
            return known
        if text.count("|") >= MAX_LABELS:
            self.problems.stop("[", f"at most {MAX_LABELS:,} chord labels")
            return ("-",)
        labels = tuple(label.strip() for label in text.split("|"))
        wrong = {label for label in set(labels) if not is_label(label)}
        if not wrong:
            self._labels[text] = labels
            return labels
        start = self.problems.line.find("[") + 1
        for part, label in zip(text.split("|"), labels, strict=True):
            if label in wrong:
                expected = "a chord label such as Gm7, F#m7b5, C/E or -"
                self.problems.add(label, expected, _chord_hint(label), start=start)
                if self.problems.full:
                    break
            start += len(part) + 1
        return labels

    def _extras(self, extras: tuple[tuple[str, str], ...], bar: int) -> int:
        """Apply what follows the chords; returns the bar's length."""
        length, seen = 0, set[tuple[str, int]]()
        if len(extras) > MAX_EXTRAS:
            self.problems.stop(f"({extras[0][0]}:", f"at most {MAX_EXTRAS:,} changes and marks at one bar line")
            return self.meter.ticks
        for name, value in sorted(extras, key=_order):
            if self.problems.full:
                break
            said = f"({name}:{value})"
            if name in PIECE_MARKS:
                self._sign(name, value, bar, length or self.meter.ticks)
                continue
            if name not in EXTRAS:
                near = nearest(name, EXTRAS)
                self._misplaced(said, value, f"one of {', '.join(EXTRAS)}", f"write ({near}:...)" if near else "")
                continue
            try:
                if name == "bar":
                    length, place = parse_length(value), 0
                else:
                    place = self._apply(name, value, bar, length or self.meter.ticks)
                if (name, place) in seen:
                    raise ScoreError(f"there is more than one {name} at that place")
                seen.add((name, place))
            except ScoreError as error:
                self._misplaced(said, value, f"one {name} that can be read", str(error))
        self.bars.order_keys(self.bars.lines[bar])
        return length or self.meter.ticks

    def _sign(self, kind: str, value: str, bar: int, length: int) -> None:
        """Add a mark of the piece."""
        try:
            sign = read_bar_sign(kind, value, bar, self.bars.grids[bar])
            if sign.at >= length:
                raise ScoreError("that place lies after the end of the bar")
            self.bars.marks.append(sign)
        except ScoreError as error:
            said = f"({kind}:{value})" if value else f"({kind})"
            self._misplaced(said, value, f"a {kind} that can be read", str(error))

    def _misplaced(self, said: str, value: str, expected: str, hint: str) -> None:
        line = self.problems.line
        self.problems.add(said if said in line or value not in line else value, expected, hint)

    def _apply(self, name: str, value: str, bar: int, length: int) -> int:
        """Apply one extra; returns its place in the bar."""
        bars, start = self.bars, self.bars.lines[bar]
        if name == "grid":
            bars.grids[bar] = parse_grid(value)
        elif name == "meter":
            self.meter = bars.meters[start] = Meter.parse(value)
        elif name == "section":
            bars.sections[start] = _section(value)
        else:
            words, place = parse_place(value, bars.grids[bar])
            if place >= length:
                raise ScoreError("that place lies after the end of the bar")
            if name == "key":
                bars.keys[start + place] = Key.parse(words)
            else:
                bars.tempos[start + place] = parse_tempo(words)
            return place
        return 0


def _order(extra: tuple[str, str]) -> int:
    """Grid and meter come first, since the others are read by them; marks come last."""
    return EXTRAS.index(extra[0]) if extra[0] in EXTRAS else len(EXTRAS)


def _section(value: str) -> str:
    name = " ".join(value.split())
    if not name or name != legal_name(name, label=True):
        raise ScoreError("a section has a plain name of at most 80 characters, without @, | and brackets")
    return name


def _bar_hint(line: str) -> str:
    if "=" in line:
        return "a copy needs as many bars as it replaces: @17-24 = @9-16"
    if re.match(r"@\d{1,6}-", line, re.ASCII):
        return "several bars at once only as a copy: @17-24 = @9-16"
    if "[" not in line:
        return "the chord is missing: write [-] for none"
    if "(" in line:
        return "changes are written (tempo:140), one pair of parentheses each"
    return "" if "]" in line else "the bracket is not closed"


def _chord_hint(label: str) -> str:
    for end in range(min(len(label), _LONGEST_LABEL) - 1, 0, -1):
        if is_chord(label[:end]):
            return f"the nearest is {label[:end]}"
    return "write - for no chord"
