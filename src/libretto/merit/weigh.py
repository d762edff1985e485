"""Weigh a piece: one number that orders drafts of one task, and what is weakest and strongest in it.

Conventions: the number is a sum of learnt worths; 0 is what real music has on average. It orders drafts of one task and
says nothing across tasks; it is no mark to reach. Topics are ranked by how they stand beside real music: the worth of
their numbers, by how far real pieces differ there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from libretto.merit.curves import the_curves
from libretto.merit.features import numbers_of
from libretto.merit.habits import the_habits
from libretto.merit.heard import Heard
from libretto.merit.said import form, melody, sound, time
from libretto.merit.topic import Point, Reading, Shown, Topic
from libretto.score import Score

__all__ = ["TOPICS", "Merit", "merit_of", "standing", "topic_of"]

#: Everything that is talked about.
TOPICS: tuple[Topic, ...] = (*form.TOPICS, *melody.TOPICS, *time.TOPICS, *sound.TOPICS)
_WEAKEST, _STRONGEST = 2, 2  # points that are told
_FEWEST_BARS = 8  # a shorter piece has no form to talk about
_DIGITS = 6  # of the number


@dataclass(frozen=True)
class Merit:
    """How good a piece is beside other drafts of its task, its two weakest points, and one or two of its strongest.

    ``value`` orders drafts of one task, larger is better; it is never shown as a target.
    """

    value: float
    weakest: tuple[Point, ...]
    strongest: tuple[Point, ...]


@cache
def topic_of(number: str) -> str:
    """The topic that a number belongs to: the one that names the longest beginning of it."""
    beginnings = _beginnings()
    return next((beginnings[number[:end]] for end in range(len(number), -1, -1) if number[:end] in beginnings), "")


@cache
def _beginnings() -> dict[str, str]:
    """The topic that each beginning of numbers stands for; of several the last by name."""
    return {start: name for name, start in sorted((topic.name, start) for topic in TOPICS for start in topic.numbers)}


def standing(worth: Mapping[str, float]) -> dict[str, float]:
    """What the numbers of every topic are worth together."""
    total = dict.fromkeys((topic.name for topic in TOPICS), 0.0)
    for number, value in worth.items():
        name = topic_of(number)
        if name in total:
            total[name] += value
    return total


def merit_of(score: Score, skip: Collection[str] = ()) -> Merit:
    """Weigh a piece; larger is better among drafts of one task. ``skip`` names subjects of which nothing is to change.

    A piece in which no part plays enough to be heard as a line is worth less than any other. Two weak points are named
    of whatever has a tune; one or two strong ones where they can be shown. Of silence nothing is said.

    >>> from libretto import parse
    >>> head = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 4th | BARS: 1\\nVOICES: A\\n"
    >>> len(merit_of(parse(head + "@1 [C]\\nA: C4@1>1 E4@2>1")).weakest) <= 2
    True
    """
    heard, curves, habits = Heard(score), the_curves(), the_habits()
    worth = curves.worth(numbers_of(heard, habits))
    reading = Reading(heard, worth, habits)
    stands = {name: value / curves.spread.get(name, 1.0) for name, value in standing(worth).items()}
    ranked = sorted(TOPICS, key=lambda topic: stands[topic.name])
    weakest = _shown(reading, [topic.weak for topic in ranked if topic.name not in skip], _WEAKEST)
    if len(weakest) < _WEAKEST and len(score.sounds) and (heard.lead is None or heard.bars < _FEWEST_BARS):
        weakest.append(_little(reading))
    told = {point.subject for point in weakest}
    others = [topic.strong for topic in reversed(ranked) if topic.name not in told]
    value = sum(worth.values()) if heard.lines else curves.floor
    return Merit(round(value, _DIGITS), tuple(weakest), tuple(_shown(reading, others, _STRONGEST)))


def _shown(reading: Reading, ways: Sequence[Shown], many: int) -> list[Point]:
    """The first few points that can be shown."""
    points: list[Point] = []
    for show in ways:
        point = show(reading) if len(points) < many else None
        if point is not None:
            points.append(point)
    return points


def _little(reading: Reading) -> Point:
    """What is to be said of a piece that is hardly begun."""
    bars = range(reading.heard.bars)
    text = "{bars}: too little to have an idea and its answer; state one over two bars, and reply to it in the next two"
    return reading.point("material", bars, None, text)
