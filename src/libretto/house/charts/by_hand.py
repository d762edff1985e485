"""Small percussion: what who has one kind of drums for hands plays of its own, bar by bar.

What a chart writes for those drums is played; where it writes none a kit's strokes would only be copied on them, so a
shaker goes to and fro, congas have their tumbao and bongos their martillo, from the table ``by_hand.toml``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from libretto.house.charts.form import Passage
from libretto.house.charts.levels import level_at
from libretto.house.charts.stand import USUAL
from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import ACCENTS, Sketch, hits, on_own_drums
from libretto.score import Meter

__all__ = ["Figure", "Groove", "Hand", "hand_kinds", "kind_of", "struck_by_hand"]

_QUIET, _FULL = 0.42, 0.68  # energies below and above which sections are quiet and full
_ANY_SPEED = (0.0, 1000.0)
_EVEN = 0.5  # where the second of two eighths stands that are not swung
_BREAK = "break"  # sections in which everybody plays what is written
_ACCENT = ACCENTS["X"]
_PHRASE = 4  # bars of a section that has a turn at its end, at least
_SHORTER = ("12/8", "3/4", "4/4")  # meters whose bars others are cut from: three eighths to a beat, threes, any others

Groove = Mapping[str, str]


@dataclass(frozen=True, eq=False)
class Figure:
    """How one kind of drums is played in a meter: bars for quiet, usual and full sections, and one that leads on."""

    meter: Meter
    tempo: tuple[float, float]
    bars: Mapping[str, tuple[Groove, ...]] = field(repr=False)
    turn: Groove = field(repr=False)


@dataclass(frozen=True, eq=False)
class Hand:
    """One kind of small drums: its keys, whether it is played as one drum, whether it never rests, and its figures."""

    keys: frozenset[int]
    single: bool
    steady: bool
    figures: tuple[Figure, ...] = field(repr=False)


@cache
def hand_kinds() -> tuple[Hand, ...]:
    """The kinds of small drums that have figures of their own."""
    said = tomllib.loads(files("libretto.house").joinpath("charts", "by_hand.toml").read_text("utf-8"))
    return tuple(
        Hand(frozenset(kind["keys"]), "single" in kind, "steady" in kind, tuple(map(_figure, kind["bars"])))
        for kind in said["kind"]
    )


def _figure(said: Mapping[str, Any]) -> Figure:
    low, high = said.get("tempo", _ANY_SPEED)
    bars = {level: tuple(said[level]) for level in ("low", "mid", "high")}
    return Figure(Meter.parse(said["meter"]), (float(low), float(high)), bars, said["turn"])


def kind_of(keys: Sequence[int]) -> Hand | None:
    """The kind of small drums that somebody's keys are, the narrowest first; None of a kit and of other drums."""
    return next((kind for kind in hand_kinds() if keys and kind.keys.issuperset(keys)), None)


def struck_by_hand(
    plan: Plan,
    passages: Sequence[Passage],
    kind: Hand,
    keys: tuple[int, ...],
    written: Sequence[Sketch],
    bars: frozenset[int],
) -> list[Sketch]:
    """What is ``written`` for one kind of drums, on the ``keys`` that somebody has of it; its own figures in those of
    some ``bars`` in which nothing is. A bar in which all break off is left where they do, the last one struck once."""
    ticks = plan.meter.ticks
    heard: dict[int, list[Sketch]] = {}
    for note in written:
        heard.setdefault(note.onset // ticks, []).append(note)
    made: list[Sketch] = []
    for place, passage in enumerate(passages):
        for number in range(passage.bars):
            bar = passage.first + number
            there = heard.get(bar, [])
            own = [note for note in there if note.pitch in kind.keys]
            if bar not in bars or _is_enough(plan, kind, own, bar):
                made += own
            elif bar == plan.bars - 1 or passage.scene.kind == _BREAK:
                made += _with_the_others(there, keys[0], once=bar == plan.bars - 1)
            else:
                level = round(level_at(passages, place, number)) - USUAL
                end = _end_of(there, heard.get(bar - 1, []), bar * ticks, ticks)
                made += [note for note in _played(plan, kind, passage, number, level) if note.onset < end]
    return _on_keys(made, kind, keys)


def _is_enough(plan: Plan, kind: Hand, own: Sequence[Sketch], bar: int) -> bool:
    """Whether what a chart has for one kind of drums in a bar is all: a stroke a beat of who never rests."""
    sparse = kind.steady and len({note.onset for note in own}) * plan.meter.beat < plan.meter.ticks
    return bool(own) and (bar == plan.bars - 1 or not sparse)


def _on_keys(notes: list[Sketch], kind: Hand, keys: tuple[int, ...]) -> list[Sketch]:
    """Strokes on the keys that somebody has; all on the first of them where the kind is one drum."""
    if not kind.single:
        return on_own_drums(notes, keys)
    best: dict[int, Sketch] = {}
    for note in notes:
        if note.onset not in best or best[note.onset].accent < note.accent:
            best[note.onset] = note._replace(pitch=keys[0])
    return sorted(best.values())


def _with_the_others(there: Sequence[Sketch], key: int, *, once: bool) -> list[Sketch]:
    """A stroke with the first of what others strike, or with every accent of theirs."""
    onsets = sorted({note.onset for note in there})
    loud = max((note.accent for note in there), default=0)
    struck = onsets[:1] if once else [one.onset for one in there if one.accent > loud - _ACCENT]
    return [Sketch(onset, there[0].duration, key, loud) for onset in dict.fromkeys(struck)]


def _end_of(there: Sequence[Sketch], before: Sequence[Sketch], start: int, ticks: int) -> int:
    """Where a bar ends: after the last stroke of those who break off in its first half, as they did not before."""
    last = max((note.onset for note in there), default=start + ticks - 1)
    went_on = any(note.onset - (start - ticks) >= ticks // 2 for note in before)
    return last + 1 if went_on and last - start < ticks // 2 else start + ticks


def _played(plan: Plan, kind: Hand, passage: Passage, number: int, louder: int) -> list[Sketch]:
    """A bar of the figure for the meter, the speed and how full the section is."""
    figure = _figure_for(plan, kind)
    energy = passage.scene.energy
    rows = figure.bars["low" if energy < _QUIET else "high" if energy > _FULL else "mid"]
    turns = number == passage.bars - 1 and passage.bars >= _PHRASE and energy >= _QUIET
    groove = figure.turn if turns else rows[number % len(rows)]
    start, ticks = (passage.first + number) * plan.meter.ticks, plan.meter.ticks
    made: list[Sketch] = []
    for drum, pattern in groove.items():
        slot = figure.meter.ticks // len(pattern)
        signs = _cut(pattern, ticks // slot, number, whole=turns)
        made += hits(drum, [(start + at * slot, sign) for at, sign in enumerate(signs) if sign != "."], louder=louder)
    return made


def _figure_for(plan: Plan, kind: Hand) -> Figure:
    """The figure of a kind of drums for a piece: in its meter, or in the one that its bars are cut from; where eighths
    are swung one in eighths."""
    names = [str(figure.meter) for figure in kind.figures]
    meter = str(plan.meter)
    if meter not in names:
        threes = plan.meter.ticks % Meter.parse("3/4").ticks == 0
        meter = _SHORTER[0] if plan.meter.is_compound else _SHORTER[1] if threes else _SHORTER[2]
    swung = plan.swing > _EVEN and not plan.swung_sixteenths and not plan.meter.is_compound
    fit = [figure for figure in kind.figures if str(figure.meter) == meter]
    return next((one for one in fit if not swung and one.tempo[0] <= plan.tempo < one.tempo[1]), fit[-1])


def _cut(pattern: str, slots: int, number: int, *, whole: bool) -> str:
    """A bar of so many slots: a shorter one is each part of the pattern in turn (its end, where that leads on), a
    longer one goes round."""
    if slots >= len(pattern):
        return (pattern * (slots // len(pattern) + 1))[:slots]
    if len(pattern) % slots:
        return pattern[:slots]
    start = len(pattern) - slots if whole else number * slots % len(pattern)
    return pattern[start : start + slots]
