"""Bars that do not fill their meter: where they stand, how long they are, and how long they should be.

A pickup is no fault, nor the short last bar that makes it whole, nor a bar in two halves round a repeat: short bars
that follow one another in the order of play and fill one bar together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from libretto.score.model import Score
from libretto.score.played import order_of
from libretto.score.time import QUARTER

__all__ = ["OddBar", "excused_bars", "odd_bars"]

_QUARTERS = 4  # in a whole note


@dataclass(frozen=True, slots=True)
class OddBar:
    """A bar that does not fill its meter, by number; lengths are ticks, ``unit`` is the meter's lower figure.

    ``voices`` are those that are so long, where others are not."""

    bar: int
    length: int
    wanted: int
    unit: int
    voices: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The fault for a person.

        >>> OddBar(2, 5 * QUARTER, 4 * QUARTER, 4).text
        'bar 2 has 5 beats and the meter 4/4 wants 4'
        """
        beat = QUARTER * _QUARTERS // self.unit
        has, wants = Fraction(self.length, beat), Fraction(self.wanted, beat)
        name = "beat" if has == 1 else "beats"
        where = f" ({', '.join(self.voices)})" if self.voices else ""
        return f"bar {self.bar}{where} has {has} {name} and the meter {wants}/{self.unit} wants {wants}"


def odd_bars(score: Score) -> tuple[OddBar, ...]:
    """Every bar that is longer or shorter than its meter without an excuse, in the order of the page."""
    lines = score.bar_lines
    lengths = [end - start for start, end in pairwise(lines)]
    meters = [score.meter_at(tick) for tick in lines[:-1]]
    wanted = [meter.ticks for meter in meters]
    if lengths == wanted:
        return ()
    order = order_of(score)
    fine = excused_bars([lengths[index] for index in order], [wanted[index] for index in order])
    excused = {index for place, index in enumerate(order) if place in fine}
    return tuple(
        OddBar(index + score.first_bar, lengths[index], wanted[index], meters[index].unit)
        for index in range(score.bars)
        if lengths[index] != wanted[index] and index not in excused
    )


def excused_bars(lengths: Sequence[int], wanted: Sequence[int]) -> set[int]:
    """Which bars, in the order of play, are short for a reason."""
    last, fine = len(lengths) - 1, set()
    pickup = lengths[0] if lengths[0] < wanted[0] else 0
    if pickup:
        fine.add(0)
    if pickup and lengths[last] + pickup == wanted[last]:
        fine.add(last)
    place = 0
    while place <= last:
        stop, total = place, 0
        while stop <= last and lengths[stop] < wanted[stop] and total < wanted[place]:
            total += lengths[stop]
            stop += 1
        if stop - place > 1 and total == wanted[place]:
            fine.update(range(place, stop))
        place = max(stop, place + 1)
    return fine
