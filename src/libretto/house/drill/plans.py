"""How many bars: the bars of a model in an order that fills exactly those asked for, and ends as it ends."""

from __future__ import annotations

from collections.abc import Iterator

from libretto.house.drill.sheet import Sheet

__all__ = ["in_bars"]


def in_bars(sheet: Sheet, bars: int) -> Iterator[Sheet]:
    """The sheet over exactly so many bars, a pickup not counted, in each way that might keep what it shows."""
    lead = 1 if sheet.first_bar == 0 else 0
    body, size = list(sheet.bars[lead:]), len(sheet.bars) - lead
    head = list(sheet.bars[:lead])
    seen = set()
    for order in _orders(size, bars):
        key = tuple(order)
        if key not in seen and len(order) == bars:
            seen.add(key)
            yield sheet.with_bars(head + [body[index] for index in order])


def _orders(size: int, bars: int) -> Iterator[list[int]]:
    """Rows of bars: once through, again and again, doubled, led into, cut."""
    whole = list(range(size))
    if bars == size:
        yield whole
        return
    if bars > size:
        times, rest = divmod(bars, size)
        yield whole[:rest] + whole * times
        yield whole * times + whole[size - rest :]
        yield whole * (times - 1) + whole[:rest] + whole
        if bars % size == 0:
            yield [index for index in whole for _ in range(bars // size)]
        extra = bars - size
        for place in range(size):  # a few bars twice, somewhere
            part = whole[max(0, place + 1 - extra) : place + 1]
            filled = (part * (extra // len(part) + 1))[:extra]
            yield whole[: place + 1] + filled + whole[place + 1 :]
        yield [index * size // bars for index in range(bars)]
        return
    for start in range(size - bars, -1, -1):
        yield whole[start : start + bars]
    for start in range(size - bars + 1):
        yield [*whole[start : start + bars - 1], size - 1]
    yield [round(index * (size - 1) / max(1, bars - 1)) for index in range(bars)]
