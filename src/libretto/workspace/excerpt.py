"""Some bars of a piece as text, and text for some bars put into a piece; everything else provably stays.

A text for bars is written as in the grammar, without a header: bar lines with the numbers they have in the piece, and a
line for each voice. Bars may be left out between others: those stay. What a bar line leaves out stays as it is: its
chords, its grid, its changes. The voices that have a line are written; where such a voice has none in a bar of the
text, it is silent there. Earlier bars can be repeated (``=9``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from libretto.errors import GrammarError, LibrettoError, Problem, ScoreError
from libretto.grammar import parse
from libretto.grammar.lines import BarLine, grid_text, parse_bar_line
from libretto.grammar.writing import bar_extras, bodies, header, usual_grid
from libretto.score import Score, make_patch, outside_digest, replace_bars, untouched, without_controls
from libretto.score.bar_lists import bar_spans, spans_of_bars, spans_text
from libretto.score.model import in_force
from libretto.score.scope import Scope, digest_outside
from libretto.score.time import bpm_text
from libretto.score.voice import DEFAULT_VELOCITY

__all__ = ["Written", "bars_text", "in_force_line", "range_of", "voices_of", "write_bars"]

_NUMBER = re.compile(r"@(\d{1,6})(?:-(\d{1,6}))?(?=\s|\Z|\(|\[|=)", re.ASCII)
_SPAN = re.compile(r"\s*(\d{1,6})\s*(?:-\s*(\d{1,6})\s*)?\Z", re.ASCII)
_SHOWN_BARS, _SHOWN_NAME, _SHOWN_NAMES = 40, 60, 400  # characters of what was said that an error repeats
_BARS = re.compile(r"\| BARS: \d+\Z")
_FIELD = re.compile(r"(TITLE|KEY|METER|TEMPO|GRID|BARS|VOICES)\s*:")


@dataclass(frozen=True)
class Written:
    """What came of a write: the piece, which bars and voices were written, and the proof that nothing else was.

    ``outside`` is the digest of everything else, the same before and after; empty where the whole piece was replaced.
    ``spans`` are the stretches of bars that were written, from ``first`` to ``last``.
    """

    score: Score
    first: int
    last: int
    voices: tuple[str, ...]
    chords: bool
    outside: str
    spans: tuple[tuple[int, int], ...] = ()


def range_of(score: Score, bars: str | None) -> tuple[int, int]:
    """The first and last bar meant by ``9-16`` or ``9``; all of them by nothing."""
    if not bars or not bars.strip():
        return score.numbers[0], score.numbers[-1]
    span = _SPAN.match(bars)
    if span is None:
        raise LibrettoError(f"{bars[:_SHOWN_BARS]!r} are no bars; say 9-16, or 9 for one bar")
    first = int(span[1])
    last = int(span[2]) if span[2] else first
    if first > last:
        raise LibrettoError(f"bars {first}-{last} run backwards; say the first bar first")
    score.index_of(first)
    score.index_of(last)
    return first, last


def voices_of(score: Score, names: Sequence[str] | None) -> tuple[str, ...]:
    """The voices meant by names in any case, in the piece's order; all where none are named."""
    every = [voice.name for voice in score.voices]
    if not names:
        return tuple(every)
    wanted = {name.strip().casefold(): name for name in names}
    known = {name.casefold() for name in every}
    for folded, name in wanted.items():
        if folded not in known:
            raise ScoreError(
                f"there is no voice {name[:_SHOWN_NAME]!r}; the voices are {', '.join(every)[:_SHOWN_NAMES] or 'none'}"
            )
    return tuple(name for name in every if name.casefold() in wanted)


def in_force_line(score: Score, bar: int) -> str:
    """What holds where a bar begins: key, meter, tempo and the grid that bar lines leave out.

    >>> in_force_line(parse("KEY: C major | METER: 3/4 | TEMPO: 90 | GRID: 8th | BARS: 1\\nVOICES: A\\n@1 [C]"), 1)
    'C major, 3/4, 90 BPM, grid 8th'
    """
    start = score.bar_lines[score.index_of(bar)]
    tempo = bpm_text(in_force(score.tempos, start))
    return f"{score.key_at(start)}, {score.meter_at(start)}, {tempo} BPM, grid {grid_text(usual_grid(score))}"


def bars_text(score: Score, first: int, last: int, voices: Sequence[str] | None = None) -> str:
    """Those bars as text, with the numbers they have in the piece; ``write_bars`` takes it back unchanged."""
    low, high = score.index_of(first), score.index_of(last)
    chosen = voices_of(score, voices)
    lines = []
    for lead, cells in _blocks(without_controls(score))[low : high + 1]:
        lines.append(lead)
        lines += [f"  {name}: {body}" for name, body in cells if name in chosen]
    return "\n".join(lines) + "\n"


def _blocks(score: Score) -> list[tuple[str, list[tuple[str, str]]]]:
    """Every bar: its bar line, and each voice that plays in it with its tokens."""
    names = [voice.name for voice in score.voices]
    cells = bodies(score, [DEFAULT_VELOCITY] * len(names))
    extras = bar_extras(score)
    return [
        (
            f"@{number} [{' | '.join(score.chords[bar])}]{extras[bar]}",
            [(names[voice], body) for voice, body in cells[bar]],
        )
        for bar, number in enumerate(score.numbers)
    ]


def _lines_of(blocks: Sequence[tuple[str, list[tuple[str, str]]]]) -> list[str]:
    """Bars as lines of a text."""
    return [line for lead, cells in blocks for line in (lead, *(f"  {name}: {body}" for name, body in cells))]


def write_bars(score: Score, text: str, bars: str | None = None, voices: Sequence[str] | None = None) -> Written:
    """The piece with a text in some of its bars, or, where the text has a header and no bars are named, that text.

    Every problem of the text is located in the text as it was given.
    """
    lines = text.split("\n")
    first_said = next((line.strip() for line in lines if line.strip() and line.strip()[0] != "%"), "")
    if _FIELD.match(first_said):
        new = parse(text)
        if bars is None:
            whole = (new.numbers[0], new.numbers[-1])
            return Written(new, *whole, tuple(voice.name for voice in new.voices), True, "", (whole,))
        return _patched(score, new, voices_of(score, voices), (range_of(score, bars),))
    return _Fragment(score, lines, bars, voices).written()


def _patched(score: Score, new: Score, voices: tuple[str, ...], spans: tuple[tuple[int, int], ...]) -> Written:
    """The piece with some stretches of bars of a new version, each proved to be all that changed."""
    made, labels = score, False
    for first, last in spans:
        low, count = made.index_of(first), last - first + 1
        begin = 0 if new.bars == count else new.index_of(first)
        chords = new.chords[begin : begin + count] != made.chords[low : low + count]
        patch = make_patch(made, new, voices, first, last, chords=chords)
        before, made, labels = made, replace_bars(made, patch), labels or chords
        if not untouched(before, made, patch):
            raise ScoreError(f"a write of bars {first}-{last} would touch other music; name the bars that it is about")
    first, last = spans[0][0], spans[-1][1]
    if len(spans) == 1:
        outside = outside_digest(made, voices, first, last, chords=labels)
    else:
        outside = digest_outside(made, Scope(voices, spans, labels))
    return Written(made, first, last, voices, labels, outside, spans)


class _Fragment:
    """A text for some bars of a piece."""

    def __init__(self, score: Score, lines: list[str], bars: str | None, voices: Sequence[str] | None) -> None:
        self.score, self.lines = score, lines
        self.names = sorted((voice.name for voice in score.voices), key=len, reverse=True)
        self.problems: list[Problem] = []
        self.spans = self._spans(bars)
        self.first, self.last = self.spans[0][0], self.spans[-1][1]
        self.copies = False  # whether whole bars are repeated, with every voice
        self.voices = self._voices(voices)

    def written(self) -> Written:
        """The piece with the text in it."""
        blocks = _blocks(self.score)
        count = self.last - self.score.numbers[0] + 1 - (1 - self.score.first_bar)
        lines = [
            _BARS.sub(f"| BARS: {count}", line) if line.startswith("KEY:") else line
            for line in header(self.score, [None] * len(self.names))
        ]
        places = [0] * len(lines)  # for every line of the whole the line of the text that it is, 0 for the piece's own
        own = self.score.numbers[0]
        for number, line in enumerate(self.lines, start=1):
            opening = _NUMBER.match(line.strip())
            if opening is not None:
                kept = _lines_of(blocks[self.score.index_of(own) : self.score.index_of(int(opening[1]))])
                lines += kept
                places += [0] * len(kept)
                own = int(opening[2] or opening[1]) + 1
            lines.append(self._bar_line(line, number, blocks))
            places.append(number)
        if not self.problems:
            try:
                return _patched(self.score, parse("\n".join(lines)), self.voices, self.spans)
            except GrammarError as error:
                self.problems = [self._placed(problem, places) for problem in error.problems]
        raise GrammarError(self.problems)

    def _placed(self, problem: Problem, places: Sequence[int]) -> Problem:
        """A problem where it stands in the text as it was given."""
        line = max(1, places[problem.line - 1] if problem.line <= len(places) else len(self.lines))
        at = self.lines[line - 1].find(problem.found) if problem.found and line <= len(self.lines) else -1
        changed = line <= len(self.lines) and self.lines[line - 1].lstrip()[:1] == "@"
        return replace(problem, line=line, column=max(at, 0) + 1 if changed else problem.column)

    def _spans(self, bars: str | None) -> tuple[tuple[int, int], ...]:
        """The stretches of bars of the text; refused where they are not bars of the piece, or not those named."""
        numbers: list[int] = []
        for index, line in enumerate(self.lines, start=1):
            said = line.strip()
            if not said or said[0] == "%":
                continue
            opening = _NUMBER.match(said)
            if opening is not None:
                first, last = int(opening[1]), int(opening[2] or opening[1])
                if numbers and first <= numbers[-1]:
                    raise _refused(index, said, f"@{numbers[-1] + 1} or later", "bars stand in order", first)
                self._check_known(index, first, last)
                numbers += range(first, last + 1)
            elif not numbers:
                raise _refused(index, said, "a bar line such as @9 [Gm7]", "or a whole text, from KEY: on")
        if not numbers:
            raise _refused(1, "", "at least one bar: @9 [Gm7]")
        spans = spans_of_bars(numbers)
        if bars is not None and bar_spans(self.score, bars) != spans:
            raise LibrettoError(f"the text has bars {spans_text(spans)}, not {bars.strip()[:_SHOWN_BARS]}")
        return spans

    def _check_known(self, index: int, *numbers: int) -> None:
        """Refuse bars that the piece does not have."""
        for number in numbers:
            if number not in self.score.numbers:
                expected = f"one of the bars {self.score.numbers[0]}-{self.score.numbers[-1]}"
                hint = "a longer piece is written as a whole text, from KEY: on"
                raise _refused(index, f"@{number}", expected, hint, number)

    def _voices(self, asked: Sequence[str] | None) -> tuple[str, ...]:
        """The voices that are written; one that has a line but was not asked for is a problem."""
        said: set[str] = set()
        allowed, bar = set(voices_of(self.score, asked)), self.first
        for index, line in enumerate(self.lines, start=1):
            words = line.strip()
            opening = _NUMBER.match(words)
            if opening is not None:
                bar = int(opening[1])
                self.copies |= "=" in words
            elif words and words[0] != "%":
                name = next(
                    (n for n in self.names if words.startswith(n) and words[len(n) :].lstrip()[:1] == ":"), None
                )
                if name is not None and name not in allowed:
                    expected = f"only lines of {', '.join(sorted(allowed))}"
                    self.problems.append(Problem(index, 1, name, expected, "name it among the voices too", bar, name))
                said |= {name} if name is not None else set()
        if asked or self.copies:
            return voices_of(self.score, asked)
        return voices_of(self.score, sorted(said)) if said else ()

    def _bar_line(self, line: str, index: int, blocks: list[tuple[str, list[tuple[str, str]]]]) -> str:
        """A line as the grammar wants it: a bar line with everything it left out."""
        said = line.strip()
        opening = _NUMBER.match(said)
        if opening is None:
            return line
        number = int(opening[1])
        known = parse_bar_line(blocks[self.score.index_of(number)][0])
        if "[" not in said and "=" not in said and not opening[2]:
            chords = " | ".join(self.score.chords[self.score.index_of(number)])
            said = f"{opening[0]} [{chords}]{said[opening.end() :]}"
        read = parse_bar_line(said)
        if read is None or known is None:
            return said
        self._check_changes(read, known, index, number)
        mine = {name for name, _ in read.extras}
        kept = [
            f"({name}:{value})"
            for name, value in known.extras
            if name not in mine and not (name == "grid" and read.copies)
        ]
        return " ".join([said, *kept])

    def _check_changes(self, read: BarLine, known: BarLine, index: int, bar: int) -> None:
        """Meter, key, tempo and sections are the piece's; a text for bars may repeat them, not change them."""
        for name, value in read.extras:
            if name != "grid" and (name, value) not in known.extras:
                hint = "to change it, write the whole text, from KEY: on"
                there = [f"({name}:{held})" for kind, held in known.extras if kind == name]
                expected = " ".join(there) or f"no change of {name} here"
                self.problems.append(Problem(index, 1, f"({name}:{value})", expected, hint, bar))


def _refused(line: int, found: str, expected: str, hint: str = "", bar: int | None = None) -> GrammarError:
    """One problem at the beginning of a line, as what is raised."""
    return GrammarError([Problem(line, 1, found, expected, hint, bar)])
