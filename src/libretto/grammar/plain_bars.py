"""All bar lines of a text at once.

Most say nothing but chords and at most a grid, and many the same, so that what these say is remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from libretto.errors import ScoreError
from libretto.grammar.bars import BarReader, Bars, is_label
from libretto.grammar.header import Header
from libretto.grammar.lines import parse_bar_line, parse_grid
from libretto.grammar.problems import Problems
from libretto.score.limits import MAX_BARS, MAX_LABELS
from libretto.score.time import Grid

__all__ = ["bars_of_lines", "plain_bar"]

_Plain = tuple[tuple[str, ...], Grid | None]  # the chords and the grid of a bar

_LONGEST = 80  # signs of a bar line that is worth remembering


def bars_of_lines(lines: Sequence[str], header: Header) -> Bars | None:
    """The bars that those lines open one after another; None where one copies others, or something is wrong."""
    scratch = Problems("")
    reader = BarReader(header, scratch)
    if len(lines) > MAX_BARS:
        return None
    parted = [line.partition(" ") for line in lines]
    plain = [plain_bar(rest) for _, _, rest in parted]
    for place, stop in pairwise([*_unusual([number for number, _, _ in parted], plain), len(lines)]):
        reader.open(lines[place].rstrip())
        if scratch.found or reader.sources:
            return None
        _open_plain(reader, [said for said in plain[place + 1 : stop] if said is not None])
    return reader.bars if sum(map(len, reader.bars.chords)) <= MAX_LABELS else None


def _unusual(numbers: Sequence[str], plain: Sequence[_Plain | None]) -> list[int]:
    """The first line, and those that say more than chords and grid or are not numbered as usual."""
    first = 0 if numbers[:1] == ["@0"] else 1
    wanted = list(_numbers(len(numbers) + 1)[first : first + len(numbers)])
    if numbers == wanted and None not in plain:
        return [0][: len(numbers)]
    rows = zip(plain, numbers, wanted, strict=True)
    other = {place for place, (said, number, usual) in enumerate(rows) if said is None or number != usual}
    return sorted({0, *other})[: len(numbers)]


def _open_plain(reader: BarReader, run: Sequence[_Plain]) -> None:
    """Open bars of which only chords and grids are said."""
    bars, usual = reader.bars, reader.header.grid
    number, last, length = bars.numbers[-1] + 1, bars.lines[-1], reader.meter.ticks
    bars.numbers += range(number, number + len(run))
    bars.chords += [chords for chords, _ in run]
    bars.grids += [grid or usual for _, grid in run]
    bars.lines += range(last + length, last + length * len(run) + 1, length)


def _numbers(count: int) -> tuple[str, ...]:
    """At least that many numbers of bars from 0 on, as they are written."""
    return _written_numbers(1 << count.bit_length())


@lru_cache(maxsize=16)
def _written_numbers(count: int) -> tuple[str, ...]:
    return tuple(f"@{number}" for number in range(count))


def plain_bar(text: str) -> _Plain | None:
    """The chords and the grid, if any, that stand behind the number of a bar; None where there is more, or a problem.

    >>> plain_bar("[Gm7 | C7] (grid:12t)")
    (('Gm7', 'C7'), Grid(division=12, triplet=True))
    >>> plain_bar("[Gm7] (tempo:140)") is None
    True
    """
    return _plain_bar(text) if len(text) <= _LONGEST else None


@lru_cache(maxsize=4096)
def _plain_bar(text: str) -> _Plain | None:
    read = parse_bar_line(f"@1 {text}".rstrip())
    if read is None or read.copies or read.chords is None or [name for name, _ in read.extras] not in ([], ["grid"]):
        return None
    labels = tuple(label.strip() for label in read.chords.split("|"))
    try:
        grid = parse_grid(read.extras[0][1]) if read.extras else None
    except ScoreError:
        return None
    return (labels, grid) if all(map(is_label, labels)) else None
