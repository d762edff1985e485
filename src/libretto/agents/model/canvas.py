"""A piece in writing: what stands, which bars and voices are to be written, and what was accepted of the replies.

Bars are taken one by one: those that can be read where they stand are kept, whatever became of the others. A canvas
over a given piece writes into it by patches, so that everything outside its bars and voices stays identical. Models
read a given piece on the paper grid; notes that they leave where they read them stay as they were played.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from libretto.agents.model.desk import problem_line
from libretto.agents.model.plan import PiecePlan
from libretto.agents.model.reading import BarText, ReadReply, spans_in_words
from libretto.errors import Problem, ScoreError
from libretto.grammar import check, notate, parse
from libretto.grammar.lines import parse_bar_line
from libretto.grammar.writing import bar_extras
from libretto.score import Patch, Score, make_patch, replace_bars, take_bars, untouched, without_controls
from libretto.score.paper import on_paper
from libretto.score.restoring import restored, with_late_notes

__all__ = ["Canvas", "blocks_of"]

_BARS = re.compile(r"BARS: \d+\s*\Z")
_HELD = re.compile(r"\(\s*+(?:meter|bar|key|tempo|section)\s*+:[^()]*+\)")
_LENGTHS = re.compile(r"\((?:meter|bar|key):[^()@]*+\)")
_NO_CHORD = "-"
_REFERENCE = re.compile(r"(?<=: =)(\d{1,6})|(?<== @)(\d{1,6})", re.ASCII)
_MOST_TOLD, _SHOWN = 12, 60  # problems of one reply; characters that one quotes
_MOST_LEFT_OUT = 7  # bars that a piece may lack before its last number is taken for a mistake


@dataclass
class Canvas:
    """Bars ``first`` to ``last`` of a piece, to be written for the voices ``writes``.

    ``head`` are the header's lines, ``before`` the lines of all bars that stand before. ``chords`` and ``extras`` are
    what a bar line says where a reply does not. ``base`` is the piece that is written into, where there is one.
    """

    head: tuple[str, ...]
    first: int
    last: int
    writes: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    chords: Mapping[int, str] = field(default_factory=dict)
    extras: Mapping[int, str] = field(default_factory=dict)
    base: Score | None = None
    labels: bool = True
    bars: dict[int, BarText] = field(default_factory=dict)
    repairs: list[str] = field(default_factory=list)

    @classmethod
    def over(cls, base: Score, first: int, last: int, voices: Sequence[str], *, labels: bool = True) -> Canvas:
        """A canvas over some bars and voices of a piece; ``labels`` says whether chord labels may change too."""
        lines = notate(without_controls(on_paper(base))).split("\n")
        start = _first_bar(lines)
        stop = next((index for index, line in enumerate(lines) if line.startswith(f"@{first} ")), len(lines))
        numbers = range(first, last + 1)
        written = bar_extras(base)
        extras = {number: " ".join(_LENGTHS.findall(written[base.index_of(number)])) for number in numbers}
        chords = {number: " | ".join(base.chords[base.index_of(number)]) for number in numbers}
        head, before = tuple(lines[:start]), tuple(lines[start:stop])
        return cls(head, first, last, tuple(voices), before, chords, extras, base, labels)

    @classmethod
    def after(cls, base: Score, last: int, chords: Mapping[int, str], extras: Mapping[int, str]) -> Canvas:
        """A canvas that continues an unfinished piece up to a bar."""
        lines = notate(without_controls(base)).rstrip("\n").split("\n")
        start = _first_bar(lines)
        names = tuple(voice.name for voice in base.voices)
        return cls(
            tuple(lines[:start]), base.numbers[-1] + 1, last, names, tuple(lines[start:]), chords, extras
        )  # fmt: skip

    @classmethod
    def of(cls, read: ReadReply, bars: int = 0) -> Canvas:
        """A canvas for a piece that came with its own header; of so many bars, or of those that were written."""
        numbers = [bar.number for bar in read.bars]
        pickup = numbers[0] == 0 and not (bars and numbers == list(range(bars)))
        first = 0 if pickup else 1
        return cls(read.head, first, bars or min(max(numbers), first + len(numbers) + _MOST_LEFT_OUT))

    @classmethod
    def of_plan(cls, plan: PiecePlan) -> Canvas:
        """A canvas for the piece of a plan, before its first note."""
        names = tuple(voice.name for voice in plan.voices)
        return cls(plan.head, 1, plan.bars, names, (), plan.chord_of, plan.extras)

    # taking bars

    def missing(self, first: int | None = None, last: int | None = None) -> list[int]:
        """The bars that are still to be written."""
        low, high = self.first if first is None else first, self.last if last is None else last
        return [number for number in range(low, high + 1) if number not in self.bars]

    def take(self, read: ReadReply, wanted: Iterable[int]) -> list[str]:
        """Accept what a reply holds of the bars that are wanted; what is wrong with the rest, in words."""
        asked = sorted(set(wanted))
        troubles: list[str] = []
        broken: set[int] = set()
        for bar in self._numbered(read, asked, troubles):
            if bar.untold:
                troubles.append(f"bar {bar.number}: {bar.untold[:_SHOWN]!r} has no notes; write out what is played")
                broken.add(bar.number)
            else:
                self.bars[bar.number] = self._own(bar)
        broken |= self._weeded(asked, troubles)
        missing = [number for number in asked if number not in self.bars and number not in broken]
        if missing and len(missing) < len(asked):
            troubles.append(f"bars {spans_in_words(missing)} are missing")
        elif missing and not troubles:
            troubles.append(
                "there are no bars in your answer: write them as in the primer, each under its line @number"
            )
        return troubles[:_MOST_TOLD]

    def _weeded(self, asked: Sequence[int], troubles: list[str]) -> set[int]:
        """Leave out bars until what stands can be read; which ones, and what was wrong with them is told."""
        broken: set[int] = set()
        while problems := self.problems():
            wrong = {problem.bar for problem in problems if problem.bar is not None and problem.bar in self.bars}
            wrong = wrong or set(asked) & set(self.bars) or set(self.bars)  # the header, or the piece as a whole
            troubles += [problem_line(problem) for problem in problems]
            for number in wrong:
                del self.bars[number]
            broken |= wrong
        return broken

    def _numbered(self, read: ReadReply, asked: Sequence[int], troubles: list[str]) -> list[BarText]:
        """The bars of a reply that were asked for, under the numbers they were asked by."""
        written = self._once(read)
        numbers = sorted(written)
        if not numbers or not asked:
            return []
        from_one = _is_run(numbers) and numbers[0] in (0, 1)
        if from_one and _is_shifted(numbers, asked):
            self.repairs.append(f"bars {numbers[0]}-{numbers[-1]} are numbered {asked[0]}-{asked[-1]}")
            return [_moved(written[number], asked[0] - numbers[0], numbers[0]) for number in numbers]
        inside = [number for number in numbers if number in set(asked)]
        if not inside or (from_one and numbers[0] < asked[0] and numbers[-1] < asked[-1]):
            troubles.append(
                f"bars {spans_in_words(numbers)} were written; number the bars as they were asked for, "
                f"{spans_in_words(asked)}"
            )
            return []
        if len(inside) < len(numbers):
            others = spans_in_words(set(numbers) - set(inside))
            self.repairs.append(f"bars {others} were not asked for and are left out")
        return [written[number] for number in inside]

    def _once(self, read: ReadReply) -> dict[int, BarText]:
        """The bars of a reply by number: of those written twice in a fence the first, in several fences the last."""
        written: dict[int, BarText] = {}
        twice = []
        for bar in read.bars:
            known = written.get(bar.number)
            if known is not None and known.block == bar.block:
                twice.append(bar.number)
                continue
            written[bar.number] = bar
        if twice:
            self.repairs.append(f"bars {spans_in_words(twice)} are written twice; the first are kept")
        return written

    def _own(self, bar: BarText) -> BarText:
        """A bar with the lines of the voices that are written here, and what its bar line must say."""
        lines = []
        others = {voice.name for voice in self.base.voices} - set(self.writes) if self.base is not None else set()
        for line in bar.lines:
            name = line.rpartition(": ")[0]
            if name in others:
                self.repairs.append(f"bar {bar.number}: {name} is not to be written and is left out")
            else:
                lines.append(line)
        return replace(bar, head=self._head_of(bar), lines=tuple(lines))

    def _head_of(self, bar: BarText) -> str:
        """What the bar line says after its number: chords where it has none, and what holds in the given piece."""
        head, extras = bar.head, self.extras.get(bar.number, "")
        if self.base is not None:
            head = f"{_HELD.sub('', head).strip()} {extras}".strip()
        unread = parse_bar_line(f"@{bar.number} {head}".strip()) is None
        chords = self.chords.get(bar.number, _NO_CHORD)
        silent = f"[{_NO_CHORD}]"
        if head.startswith(silent) and chords != _NO_CHORD and not head.startswith(f"{silent} ="):
            head = f"[{chords}]{head.removeprefix(silent)}"
        elif unread and not head.startswith("["):
            head = f"[{chords}] {head}".strip()
        if self.base is None and "(section:" not in head and "(section:" in extras:
            head = f"{head} {extras}"
        return head

    # what stands

    @property
    def reached(self) -> int:
        """The last bar that is written; the one before the first where none is."""
        return max(self.bars, default=self.first - 1)

    def text(self, last: int | None = None) -> str:
        """Everything up to a bar in the grammar; bars that are not written are empty."""
        end = self.reached if last is None else last
        head = [_BARS.sub(f"BARS: {end}", line) if "BARS:" in line else line for line in self.head]
        return "\n".join([*head, *self.before, *(self.bar(number) for number in range(self.first, end + 1))]) + "\n"

    def bar(self, number: int) -> str:
        """One bar in the grammar."""
        if number in self.bars:
            return self.bars[number].text
        return f"@{number} [{self.chords.get(number, _NO_CHORD)}] {self.extras.get(number, '')}".rstrip()

    def problems(self) -> list[Problem]:
        """What is wrong with what stands."""
        return check(self.text()) if self.bars else []

    @property
    def score(self) -> Score:
        """The piece up to the last bar that is written, or the given piece with what was written put into it."""
        if self.base is None:
            return parse(self.text())
        piece, _ = self.patched()
        return piece

    def patched(self) -> tuple[Score, list[Patch]]:
        """The given piece with the bars that were written, and the patches that did it; nothing else is touched."""
        if self.base is None:
            raise ScoreError("there is no given piece to patch; this canvas is a piece of its own")
        made = self.base
        patches: list[Patch] = []
        if not self.bars:
            return made, patches
        whole = parse(self.text())
        for first, last in _runs(self.bars):
            part = take_bars(whole, first, last)
            patch = make_patch(made, part, self.writes, first, last, chords=self.labels)
            after = replace_bars(made, patch)
            if not untouched(made, after, patch):
                raise ScoreError(f"the patch of bars {first}-{last} would touch other music")
            made, patches = after, [*patches, patch]
            start, end = made.bar_lines[made.index_of(first)], made.bar_lines[made.index_of(last) + 1]
            made = with_late_notes(self.base, made, self.writes, start, end)
        return restored(self.base, made), patches


def blocks_of(piece: Score) -> tuple[list[str], dict[int, list[str]]]:
    """The lines of a piece's header as it is notated, and the lines of every bar by its number."""
    lines = notate(without_controls(on_paper(piece))).rstrip("\n").split("\n")
    start = _first_bar(lines)
    blocks: dict[int, list[str]] = {}
    block: list[str] = []
    for line in lines[start:]:
        if line.startswith("@"):
            block = blocks.setdefault(int(line[1:].split(" ", 1)[0]), [])
        block.append(line)
    return lines[:start], blocks


def _first_bar(lines: Sequence[str]) -> int:
    """Where the first bar line stands."""
    return next(index for index, line in enumerate(lines) if line.startswith("@"))


def _moved(bar: BarText, shift: int, least: int) -> BarText:
    """A bar under another number, with what it repeats of the same reply."""

    def later(reference: re.Match[str]) -> str:
        number = int(reference[0])
        return str(number + shift) if least <= number < bar.number else reference[0]

    lines = tuple(_REFERENCE.sub(later, line) for line in bar.lines)
    return replace(bar, number=bar.number + shift, head=_REFERENCE.sub(later, bar.head), lines=lines)


def _is_run(numbers: Sequence[int]) -> bool:
    """Whether numbers follow one another without a gap."""
    return list(numbers) == list(range(numbers[0], numbers[0] + len(numbers)))


def _is_shifted(numbers: Sequence[int], asked: Sequence[int]) -> bool:
    """Whether as many bars as were asked for are numbered from elsewhere."""
    return numbers[0] != asked[0] and len(numbers) == len(asked) and _is_run(asked)


def _runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][1] == number - 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return runs
