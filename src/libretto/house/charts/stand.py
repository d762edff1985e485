"""What a player has on the stand: the signs of a part in their times, from the chart or in a manner asked for."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from libretto.house.charts.alone import BREATHING
from libretto.house.charts.chart import Chart
from libretto.house.charts.form import Passage
from libretto.house.charts.halves import over_changes
from libretto.house.charts.levels import level_at
from libretto.house.charts.manners import Figure
from libretto.house.charts.signs import Placed, Sign, read_bar, sounds
from libretto.house.charts.skills import is_small
from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.score import QUARTER

__all__ = ["USUAL", "Stand", "written"]

USUAL = 78  #: the velocity around which a chart's loudness lies
_STRUCK = ("C", "H")  # signs of chords


class Stand(NamedTuple):
    """What a player has on the stand: the piece, the chart with its sections, and which parts are its own."""

    plan: Plan
    chart: Chart
    passages: Sequence[Passage]
    player: Player
    mine: tuple[str, ...]
    besides: bool = False  # whether another strikes the chords as well

    def is_bright(self, part: str) -> bool:
        """Whether a tune sounds rather high on its instrument: not where its chart says how it lies, nor where a wind
        or a voice is alone."""
        alone = self.chart.lines == 1 and self.player.program in BREATHING
        return part not in self.chart.lies and not alone


def written(stand: Stand, part: str, bars: frozenset[int], figure: Figure | None) -> tuple[list[Placed], list[int]]:
    """The signs of a part in their times, or of a figure in their place, and how loud each is; the last bar is the
    chart's."""
    plan, chart = stand.plan, stand.chart
    ticks = plan.meter.ticks
    chops = part == "chords" and is_small(stand.player) and any(other.role == "bass" for other in plan.players)
    placed: list[Placed] = []
    louder: list[int] = []
    for place, passage in enumerate(stand.passages):
        for number in range(passage.bars):
            text, size, units = passage.bar(part, number), chart.unit, chart.units
            if not text or passage.first + number not in bars:
                continue
            if figure is not None and sounds(text):
                row = figure.last if passage.first + number == plan.bars - 1 else figure.bar(passage, number)
                text, size, units = (row, figure.unit, figure.units) if row else (text, size, units)
            unit = Fraction(QUARTER * 4, size)
            level = level_at(stand.passages, place, number)
            start = (passage.first + number) * ticks
            for sign in _chopped(read_bar(text, units)) if chops else read_bar(text, units):
                begin, end = start + int(sign.start * unit), start + int((sign.start + sign.length) * unit)
                placed.append(_joined(Placed(begin, end, sign), placed[-1:]))
                louder.append(round(level) - USUAL)
    return over_changes(plan, part, placed, louder)


def _joined(item: Placed, before: Sequence[Placed]) -> Placed:
    """A sign after those before it: what goes on from a bar in which somebody else has the part rests."""
    if item.sign.head == "_" and not any(one.end == item.start for one in before):
        return item._replace(sign=item.sign._replace(head="z"))
    return item


def _chopped(signs: Sequence[Sign]) -> Sequence[Sign]:
    """A bar of struck chords without its basses, which a small instrument leaves to who plays the bass."""
    low = [sign.head.strip("b#,'").isdigit() for sign in signs]
    if sum(low) > sum(sign.head in _STRUCK for sign in signs):
        return signs
    return [sign._replace(head="z") if bass else sign for sign, bass in zip(signs, low, strict=True)]
