"""Read what a model answered: its header and its bars in strict grammar, whatever stands around them.

Prose, code fences, decoration, slots counted from 0, loose tokens and repeated lines are repaired, and every repair is
listed. Which bars were asked for is not known here (see ``canvas``). The work is bounded: a reply has a most size, a
line has one, and no step takes more than linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from libretto.grammar.lines import FIELDS
from libretto.grammar.mend import Mender
from libretto.grammar.mend_lines import BAR, COPY, FIELD

__all__ = ["MOST_BARS", "MOST_CHARACTERS", "BarText", "Read", "bounded", "read_reply", "spans_in_words"]

#: So many characters and bars of a reply are read; the rest is left out.
MOST_CHARACTERS, MOST_BARS = 400_000, 1_000
_LONGEST_LINE = 6_000
_MOST_REPAIRS = 40
_FENCE = re.compile(r"\s*+(```|~~~)")
_OPENED = re.compile(r"@(\d{1,6})(?:-(\d{1,6}))?(.*)\Z", re.ASCII | re.DOTALL)
_COPIED = re.compile(r"=\s*+@(\d{1,6})(?:-(\d{1,6}))?", re.ASCII)
_HEADED = (*FIELDS, "VOICES")


@dataclass(frozen=True)
class BarText:
    """One bar as it was answered: its number, the rest of its bar line, its voices' lines, and in which fence."""

    number: int
    head: str
    lines: tuple[str, ...]
    block: int = 0

    @property
    def text(self) -> str:
        """The bar in the grammar."""
        return "\n".join([f"@{self.number} {self.head}".rstrip(), *(f"  {line}" for line in self.lines)])


@dataclass(frozen=True)
class Read:
    """What was read of a reply: header lines, which header fields it said itself, bars as written, and repairs."""

    head: tuple[str, ...]
    said: frozenset[str]
    bars: tuple[BarText, ...]
    repairs: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """Whether it is a piece of its own, with a header."""
        return bool(self.bars) and len(self.said & set(_HEADED)) >= 3


def bounded(text: str) -> tuple[list[str], list[str]]:
    """The lines of a reply within bounds, and what was left out for their sake."""
    repairs = []
    if len(text) > MOST_CHARACTERS:
        repairs.append(f"only the first {MOST_CHARACTERS:,} of {len(text):,} characters are read")
        text = text[:MOST_CHARACTERS]
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if any(len(line) > _LONGEST_LINE for line in lines):
        repairs.append(f"lines are cut after {_LONGEST_LINE:,} characters")
        lines = [line if len(line) <= _LONGEST_LINE else line[:_LONGEST_LINE].rpartition(" ")[0] for line in lines]
    return lines, repairs


def read_reply(text: str, head: Sequence[str] = (), *, cut: bool = False) -> Read:
    """What a reply holds; ``head`` is the header its bars belong under, or the fields to use where it says none.

    The last bar of a reply that was cut off is left out: nobody can know whether it is whole.
    """
    lines, repairs = bounded(text)
    picked, blocks = _fenced(lines, repairs)
    said = frozenset(name for line in picked for name in _fields(line))
    own = len(said & set(_HEADED)) >= 3
    given = [] if own else list(head)
    if own:  # what it leaves out is taken from what is known
        given = [part for line in head for part in _parts(line) if _fields(part) and not set(_fields(part)) & said]
    mender = Mender("\n".join([*given, *picked]))
    mended = mender.mend().split("\n")
    count = len(given)
    repairs += [each for each in _listed(mender.repairs, count) if own or not each.startswith("BARS is")]
    first = next((index for index, line in enumerate(mended) if line.startswith("@")), len(mended))
    block_at = [0] * count + blocks
    bars: list[BarText] = []
    opened = 0  # the first of the bars that the last bar line opened
    for index in range(first, len(mended)):
        line = mended[index]
        if line.startswith("@"):
            if len(bars) >= MOST_BARS:
                repairs.append(f"only the first {MOST_BARS:,} bars are read")
                break
            at, opened = mender.origin[index] - 1, len(bars)
            bars += _opened(line, block_at[at] if at < len(block_at) else 0, MOST_BARS - len(bars))
        elif line:
            kept = _once(line, bars[-1].number, repairs)
            for place in range(opened, len(bars)):
                bars[place] = replace(bars[place], lines=(*bars[place].lines, kept))
    if cut and bars:
        repairs.append(f"the reply was cut off: bar {bars[-1].number} may not be whole and is left out")
        bars = bars[:-1]
    return Read(tuple(mended[:first]), said, tuple(bars), tuple(repairs[:_MOST_REPAIRS]))


def _fields(line: str) -> list[str]:
    return [found[1].upper() for part in _parts(line) if (found := FIELD.match(part))]


def _parts(line: str) -> list[str]:
    """The fields of a header line; the voices' line is one field."""
    found = FIELD.match(line)
    return [line] if found and found[1].upper() in ("VOICES", "TITLE") else line.split("|")


def _fenced(lines: list[str], repairs: list[str]) -> tuple[list[str], list[int]]:
    """The lines inside code fences that hold music, or all lines where none does; and the fence of each."""
    blocks: list[list[str]] = []
    inside = False
    for line in lines:
        if _FENCE.match(line):
            inside = not inside
            if inside:
                blocks.append([])
        elif inside:
            blocks[-1].append(line)
    good = [block for block in blocks if any(_is_music(line) for line in block)]
    plain = [line for line in lines if not _FENCE.match(line)]
    if not any(_is_bar(line) for block in good for line in block):
        return plain, [0] * len(plain)
    if len(plain) != sum(map(len, good)) or len(good) > 1:
        repairs.append("what stands outside the code fences is left out")
    return [line for block in good for line in block], [number for number, block in enumerate(good) for _ in block]


def _is_bar(line: str) -> bool:
    return bool(BAR.match(line) or COPY.match(line))


def _is_music(line: str) -> bool:
    return _is_bar(line) or bool(FIELD.match(line))


def _listed(repairs: Iterable[tuple[int, str]], count: int) -> list[str]:
    """The mender's repairs of the reply's own lines, by their lines in it."""
    return [f"line {number - count}: {what}" if number > count else what for number, what in repairs]


def _opened(line: str, block: int, room: int) -> list[BarText]:
    """The bars that a bar line opens: one, or each of those it copies."""
    found = _OPENED.match(line)
    if not found:
        return []
    first, last, rest = int(found[1]), int(found[2] or found[1]), found[3].strip()
    if last <= first:
        return [BarText(first, rest, (), block)]
    source = _COPIED.search(rest)
    made = []
    for offset in range(min(last - first + 1, room)):
        head = rest
        if source:
            head = f"{rest[: source.start()]}= @{int(source[1]) + offset}{rest[source.end() :] if not offset else ''}"
        made.append(BarText(first + offset, head.strip(), (), block))
    return made


def _once(line: str, number: int, repairs: list[str]) -> str:
    """A voice's line with each of its tokens once."""
    name, colon, body = line.rpartition(": ")
    words = body.split()
    once = list(dict.fromkeys(words))
    if len(once) < len(words):
        repairs.append(f"bar {number}: notes of {name.strip()} that are written twice count once")
    return f"{name}{colon}{' '.join(once)}"


def spans_in_words(numbers: Iterable[int]) -> str:
    """Bars by number as a person writes them.

    >>> spans_in_words([9, 10, 11, 14])
    '9-11, 14'
    """
    spans: list[list[int]] = []
    for number in sorted(set(numbers)):
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)
