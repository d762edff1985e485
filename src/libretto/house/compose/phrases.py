"""Phrases: how a section's tune is laid out in units, which of them return, and the rhythm of each.

A unit is a bar or a few of a tune. ``idea`` units share one rhythm and one contour and are recognized when they come
back; ``answer``, ``spin`` (fragments of the idea) and ``close`` units lead on and home. The plan of a letter is the
same wherever the letter returns; from the second time on, what is not the idea varies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from libretto.house.compose.form import Section
from libretto.house.compose.plan import Plan
from libretto.house.core.dice import dice
from libretto.house.core.patterns import Stroke, fit, onsets, strokes

__all__ = ["Unit", "units_of"]

_SENTENCE = (("idea", 2), ("idea", 2), ("spin", 1), ("spin", 1), ("close", 2))
_PERIOD = (("idea", 2), ("answer", 2), ("idea", 2), ("close", 2))
_REPEATED = (("idea", 2), ("idea", 2), ("idea", 2), ("close", 2))
_HALF = (("idea", 2), ("close", 2))
_BLUES = (("idea", 2), ("rest", 2), ("idea", 2), ("rest", 2), ("answer", 2), ("close", 2))
_CALLS = (("idea", 2), ("rest", 2), ("idea", 2), ("close", 2))
_DEFAULT_CELLS = ("x-x-x---x-------", "x---x-x-x---x---", "..x-x-x-x-------", "x-----x-x-------", "x--x--x-x-x-x---")
_CLOSES = ("x-x-x-----------", "x---x-----------", "x-----------....", "x-x-x---........")


@dataclass(frozen=True)
class Unit:
    """A stretch of a tune: its first bar, its kind, where its rhythm falls (ticks from the start of the piece), and how
    it ends: ``open``, ``closed`` or not at all."""

    bar: int
    bars: int
    kind: str
    rhythm: tuple[Stroke, ...]
    ends: str = ""
    last_of_phrase: bool = False


def units_of(plan: Plan, section: Section, solo: bool = False) -> list[Unit]:
    """The units of a section's tune."""
    layout = _layout(plan, section, solo)
    if len(plan.players) == 1 and plan.players[0].polyphony < 3:  # who plays all alone gives the answer too
        layout = [("answer" if kind == "rest" else kind, bars) for kind, bars in layout]
    made: list[Unit] = []
    bar = section.first
    count = len(layout)
    for number, (kind, bars) in enumerate(layout):
        following = layout[number + 1][0] if number + 1 < count else ""
        ends = "closed" if kind == "close" and number == count - 1 else "open" if kind in ("close", "answer") else ""
        rhythm = _rhythm(plan, section, kind, bar, bars, number, solo)
        closing = kind in ("close", "answer") or following == "rest"
        made.append(Unit(bar, bars, kind, rhythm, ends, closing))
        bar += bars
    return made


def _layout(plan: Plan, section: Section, solo: bool) -> list[tuple[str, int]]:
    """Units that fill a section: phrases of eight, of four, and what is left."""
    wanted = plan.style.setting("melody", "phrases", ["sentence", "period", "repeated"])
    shapes = {"sentence": _SENTENCE, "period": _PERIOD, "repeated": _REPEATED, "calls": _CALLS}
    chosen = shapes[wanted[dice(plan.seed, "phrase", section.letter).randrange(len(wanted))]]
    layout: list[tuple[str, int]] = []
    left = section.bars
    while left:
        if section.bars % 12 in (0, 4) and plan.style.setting("melody", "blues", False) and left >= 12:
            layout += (
                _BLUES if not solo else (("spin", 2), ("spin", 2), ("spin", 2), ("spin", 2), ("spin", 2), ("close", 2))
            )
            left -= 12
        elif left >= 8:
            layout += chosen
            left -= 8
        elif left >= 4:
            layout += _HALF
            left -= 4
        else:
            layout.append(("close", left))
            left = 0
    filled = plan.bare or all(player.role in ("lead", "counter") for player in plan.players)  # nobody plays on
    return [("answer" if kind == "rest" and filled else kind, bars) for kind, bars in layout]


def _rhythm(
    plan: Plan, section: Section, kind: str, bar: int, bars: int, number: int, solo: bool
) -> tuple[Stroke, ...]:
    """Where the notes of a unit fall."""
    if kind == "rest":
        return ()
    rhythm: list[Stroke] = []
    for place in range(bars):
        pattern = _cell(plan, section, kind, place, bars, number, solo)
        start = (bar + place) * plan.meter.ticks
        rhythm += [stroke._replace(start=stroke.start + start) for stroke in strokes(pattern, plan.meter)]
    return tuple(rhythm)


def _cell(plan: Plan, section: Section, kind: str, place: int, bars: int, number: int, solo: bool) -> str:
    """The rhythm of one bar, by what the unit is for."""
    style, seed = plan.style, plan.seed
    again = min(section.before, 2) if plan.controls.variation > -0.5 else 0
    if kind == "close" and place == bars - 1:
        closes = style.setting("melody", "closes", _CLOSES)
        chosen = closes[dice(seed, "close", section.letter, number, again).randrange(len(closes))]
    else:
        name = "solo" if solo and "solo" in style.data["melody"] else "cells"
        cells = _ranked(style.setting("melody", name, _DEFAULT_CELLS), plan, section)
        if kind == "idea":
            names: tuple[object, ...] = ("idea", section.letter, place)
        elif kind == "spin" and not solo:
            names = ("idea", section.letter, 0)
        else:
            names = (kind, section.letter, number, place, again)
        if solo:
            names = ("solo", section.first, number, place)
        chosen = cells[min(len(cells) - 1, int(len(cells) * dice(seed, *names).random() ** 1.1))]
    return fit(chosen, style.meter, plan.meter)


def _ranked(cells: Sequence[str], plan: Plan, section: Section) -> list[str]:
    """The cells that suit how busy and how off the beat the tune should be: about half of them."""
    wish = plan.controls.density + plan.density + (section.energy - 0.55) * 0.8
    shift = plan.controls.offbeats
    ordered = sorted(cells, key=lambda cell: (onsets(cell) / max(1, len(cell)), cell))
    keep = max(3, round(len(ordered) * 0.6))
    start = round((len(ordered) - keep) * min(1.0, max(0.0, 0.5 + wish * 0.7)))
    chosen = ordered[start : start + keep]
    if shift:
        chosen = sorted(chosen, key=lambda cell: -shift * _offbeats(cell))[
            : max(2, round(keep * (1 - 0.5 * abs(shift))))
        ]
    return chosen


def _offbeats(cell: str) -> float:
    """Which part of a cell's notes starts off the beat."""
    text = cell.replace(" ", "").replace("|", "")
    beat = 4 if len(text) % 4 == 0 else 3
    starts = [index for index, sign in enumerate(text) if sign not in ".-"]
    return sum(1 for index in starts if index % beat) / max(1, len(starts))
