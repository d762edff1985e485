"""Repeats and endings: in which order the measures of an ABC tune are played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from libretto.errors import TooLarge
from libretto.formats.abc.measure import Measure
from libretto.score.validate import MAX_BARS

__all__ = ["MAX_ENDING", "Visit", "same_signs", "visits"]

MAX_ENDING = 12  #: the highest numbered ending, and the most passes of a repeat


def same_signs(voices: Sequence[Sequence[Measure]]) -> None:
    """Where all voices have as many measures, a repeat sign in one of them holds for all."""
    if len({len(measures) for measures in voices}) != 1:
        return
    for together in zip(*voices, strict=True):
        opens, closes = any(m.opens for m in together), max(m.closes for m in together)
        endings: frozenset[int] = next((m.endings for m in together if m.endings), frozenset())
        parted = any(m.parted for m in together)
        flags = frozenset[str]().union(*(m.flags for m in together))
        style = next((m.style for m in together if m.style), "")
        for measure in together:
            measure.opens, measure.closes, measure.endings, measure.parted = opens, closes, endings, parted
            measure.flags, measure.style = flags, style


class Visit(NamedTuple):
    """A measure as it is played: its index, which repeat it is in and where that begins, and on which pass."""

    measure: int
    repeat: int
    begin: int
    turn: int


def visits(measures: Sequence[Measure]) -> list[Visit]:
    """The measures in the order in which they sound.

    A repeat without a beginning goes back to the end of the one before, or to the start of the tune.
    """
    walk = _Walk(measures, *_closings(measures))
    order: list[Visit] = []
    while walk.at < len(measures):
        if not walk.enters():
            walk.at = _after_ending(measures, walk.closes, walk.at)
            continue
        order.append(Visit(walk.at, walk.repeat, walk.begin, walk.turn))
        if len(order) > MAX_BARS:
            raise TooLarge(f"with its repeats the ABC tune has more than {MAX_BARS:,} bars")
        walk.go_on()
    # Only second endings: written by mistake, and yet music.
    return order or [Visit(at, 0, 0, 1) for at in range(len(measures))]


@dataclass
class _Walk:
    """Playing from a page: the measure one is at, where its repeat began, and on which pass."""

    measures: Sequence[Measure]
    closes: list[int]
    passes: list[frozenset[int]]
    at: int = 0
    begin: int = 0
    turn: int = 1
    repeat: int = 0
    ended: bool = False  # whether this pass has come to its last ending
    shared: bool = False  # whether the repeat began with the last ending of the one before

    def enters(self) -> bool:
        """Whether the measure is played on this pass; a repeat may begin with it."""
        measure = self.measures[self.at]
        if self.at == self.begin and self.shared:
            return True
        if self.at != self.begin and (measure.opens or (self.ended and measure.section)) and not self._shares():
            self._begin(self.at)
        return self._admits(measure)

    def go_on(self) -> None:
        """Move to the measure that is played after this one."""
        at, measure = self.at, self.measures[self.at]
        if at != self.begin and self._shares():
            self._begin(at, shared=True)
        own = bool(measure.endings) and not (self.shared and at == self.begin)
        self.ended = self.ended or (self.turn > 1 and own)
        if self.closes[at] and self.turn < max(self.closes[at] + 1, *self.passes[at]):
            self.turn, self.at, self.ended = self.turn + 1, self.begin, False
            return
        self.at += 1
        another = self.at < len(self.measures) and bool(self.measures[self.at].endings)
        if self.closes[at] or (self.ended and measure.parted and not another):
            self._begin(self.at)

    def _admits(self, measure: Measure) -> bool:
        """Whether a measure with those endings is played; a later pass without an ending takes the next one written."""
        if not measure.endings or self.turn in measure.endings:
            return True
        return self.turn > 1 and min((n for n in self.passes[self.at] if n >= self.turn), default=0) in measure.endings

    def _shares(self) -> bool:
        """Whether this measure is a later ending of the repeat that is played, and the first of another."""
        measure = self.measures[self.at]
        return measure.opens and _is_later_ending(measure) and self.turn > 1 and self._admits(measure)

    def _begin(self, begin: int, shared: bool = False) -> None:
        self.begin, self.turn, self.ended, self.shared = begin, 1, False, shared
        self.repeat += 1


def _closings(measures: Sequence[Measure]) -> tuple[list[int], list[frozenset[int]]]:
    """For each measure, how often its end goes back, and the numbers of the endings of the repeat it is in."""
    closes = [measure.closes for measure in measures]
    passes = _passes(measures)
    inside = opened = False  # an ending; a repeat that has a beginning and no end yet
    for at, measure in enumerate(measures):
        opened = opened and not (at and closes[at - 1])
        if (_is_later_ending(measure) and inside and not closes[at - 1]) or (measure.opens and opened):
            closes[at - 1] = 1  # a second ending is reached only by going back; a repeat begun is also repeated
        inside = bool(measure.endings) or (inside and not closes[at - 1] and not measure.opens)
        opened = measure.opens or (opened and not measure.endings)
    return closes, passes


def _is_later_ending(measure: Measure) -> bool:
    return bool(measure.endings) and 1 not in measure.endings


def _passes(measures: Sequence[Measure]) -> list[frozenset[int]]:
    """For each measure, the endings of its repeat, which lasts to the next ``|:`` or past its last ending.

    An ending with which another repeat begins is still of the repeat that it ends.
    """
    repeats: list[list[Measure]] = []
    ending = shared = False
    for at, measure in enumerate(measures):
        over = ending and measures[at - 1].parted and not measure.endings
        ends_and_begins = measure.opens and ending and _is_later_ending(measure)
        if not at or shared or over or (measure.opens and not ends_and_begins):
            repeats.append([])
            ending = False
        repeats[-1].append(measure)
        ending, shared = ending or bool(measure.endings), ends_and_begins
    return [numbers for repeat in repeats for numbers in [_numbers(repeat)] * len(repeat)]


def _numbers(repeat: Sequence[Measure]) -> frozenset[int]:
    """The numbers of all endings in a repeat, and 1."""
    return frozenset({1}).union(*(measure.endings for measure in repeat))


def _after_ending(measures: Sequence[Measure], closes: Sequence[int], at: int) -> int:
    """Where to go on when the ending that begins at ``at`` is not played this time."""
    at += 1
    while at < len(measures) and not (measures[at].endings or measures[at].opens or closes[at - 1]):
        if measures[at - 1].parted:
            break
        at += 1
    return at
