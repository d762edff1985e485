"""All bar lines of a text at once.

Most say nothing but chords and at most a grid, and many the same, so that what these say is remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from libretto.errors import ScoreError
from libretto.grammar.bars import BarReader, Bars, is_label
from libretto.grammar.header import Header
from libretto.grammar.lines import parse_bar_line, parse_grid
from libretto.grammar.problems import Problems
from libretto.score.limits import MAX_BARS, MAX_LABELS
from libretto.score.time import Grid

__all__ = ["bars_of_lines", "plain_bar"]

_LONGEST = 80  # signs of a bar line that is worth remembering


def bars_of_lines(lines: Sequence[str], header: Header) -> Bars | None:
    """The bars that those lines open one after another; None where one copies others, or something is wrong."""
    scratch = Problems("")
    reader = BarReader(header, scratch)
    bars, expected, length = reader.bars, -1, 0
    if len(lines) > MAX_BARS:
        return None
    for line in lines:
        number, _, rest = line.partition(" ")
        plain = plain_bar(rest)
        if plain is None or number != f"@{expected}":
            reader.open(line.rstrip())
            if scratch.found or reader.sources:
                return None
            expected, length = bars.numbers[-1], reader.meter.ticks
        else:
            bars.numbers.append(expected)
            bars.chords.append(plain[0])
            bars.grids.append(plain[1] or header.grid)
            bars.lines.append(bars.lines[-1] + length)
        expected += 1
    return bars if sum(map(len, bars.chords)) <= MAX_LABELS else None


def plain_bar(text: str) -> tuple[tuple[str, ...], Grid | None] | None:
    """The chords and the grid, if any, that stand behind the number of a bar; None where there is more, or a problem.

    >>> plain_bar("[Gm7 | C7] (grid:12t)")
    (('Gm7', 'C7'), Grid(division=12, triplet=True))
    >>> plain_bar("[Gm7] (tempo:140)") is None
    True
    """
    return _plain_bar(text) if len(text) <= _LONGEST else None


@lru_cache(maxsize=4096)
def _plain_bar(text: str) -> tuple[tuple[str, ...], Grid | None] | None:
    read = parse_bar_line(f"@1 {text}".rstrip())
    if read is None or read.copies or read.chords is None or [name for name, _ in read.extras] not in ([], ["grid"]):
        return None
    labels = tuple(label.strip() for label in read.chords.split("|"))
    try:
        grid = parse_grid(read.extras[0][1]) if read.extras else None
    except ScoreError:
        return None
    return (labels, grid) if all(map(is_label, labels)) else None
