"""Lists of bars as people write them: ``3, 7, 11-12``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from libretto.errors import ScoreError
from libretto.score.model import Score

__all__ = ["bar_spans", "spans_of_bars", "spans_text"]

_SPAN = re.compile(r"\s*(\d{1,6})\s*(?:-\s*(\d{1,6})\s*)?\Z", re.ASCII)
_SHOWN, _MOST = 40, 200  # characters that an error repeats, and stretches of one list


def bar_spans(score: Score, bars: str | None) -> tuple[tuple[int, int], ...]:
    """The stretches of bars that a list means, in order and joined; the whole piece where it says nothing.

    >>> bar_spans(Score.build([], bars=12), "11-12, 3, 4, 7")
    ((3, 4), (7, 7), (11, 12))
    """
    if bars is None or not bars.strip():
        return ((score.numbers[0], score.numbers[-1]),)
    parts = bars.split(",")
    if len(parts) > _MOST:
        raise ScoreError(f"a list of bars has at most {_MOST} entries, not {len(parts):,}")
    numbers: set[int] = set()
    for part in parts:
        read = _SPAN.match(part)
        if read is None:
            raise ScoreError(f"{bars[:_SHOWN]!r} are no bars; say 9-16, or 9 for one bar, or 3, 7, 11-12")
        first, last = int(read[1]), int(read[2] or read[1])
        if first > last:
            raise ScoreError(f"bars {first}-{last} run backwards; say the first bar first")
        score.index_of(first)
        score.index_of(last)
        numbers.update(range(first, last + 1))
    return spans_of_bars(numbers)


def spans_of_bars(numbers: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """Bar numbers as stretches, in order.

    >>> spans_of_bars([7, 3, 4])
    ((3, 4), (7, 7))
    """
    spans: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if spans and spans[-1][1] == number - 1:
            spans[-1] = (spans[-1][0], number)
        else:
            spans.append((number, number))
    return tuple(spans)


def spans_text(spans: Sequence[tuple[int, int]]) -> str:
    """Stretches of bars as a list that ``bar_spans`` reads.

    >>> spans_text([(3, 4), (7, 7)])
    '3-4,7'
    """
    return ",".join(f"{first}" if first == last else f"{first}-{last}" for first, last in spans)
