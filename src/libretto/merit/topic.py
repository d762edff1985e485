"""What a musician would talk about: topics, each with the numbers it stands on, and how to show it in the notes.

Conventions: a topic names what it is about (its *subject*) and owns numbers by how their names begin; the longest
beginning wins. ``weak`` and ``strong`` look for the bars and the voice that show it; None where nothing can be shown,
so that nothing is said that is not there. Texts name bars as a person counts them, never a measure or a number to hit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from libretto.gates.finding import bars_in_words
from libretto.merit.habits import Habits
from libretto.merit.heard import Heard, Line
from libretto.score.played import order_of
from libretto.score.table import Floats

__all__ = ["Point", "Reading", "Shown", "Topic", "best_stretch", "runs_of"]

_SPANS = 4  # stretches of bars that are named at most


@dataclass(frozen=True)
class Point:
    """One thing that is weak or strong in a piece: what it is about, where, in which voice (empty: all), in words."""

    subject: str
    bars: tuple[tuple[int, int], ...]
    voice: str
    text: str


def runs_of(bars: Iterable[int]) -> list[tuple[int, int]]:
    """Numbers in order as runs, each with its first and last.

    >>> runs_of([1, 2, 3, 7])
    [(1, 3), (7, 7)]
    """
    runs: list[tuple[int, int]] = []
    for bar in sorted(set(bars)):
        if runs and runs[-1][1] == bar - 1:
            runs[-1] = (runs[-1][0], bar)
        else:
            runs.append((bar, bar))
    return runs


def best_stretch(values: Floats, length: int) -> tuple[int, int]:
    """The stretch of so many bars (or all) with the largest sum: first and last index; NaN counts nothing."""
    length = min(length, len(values))
    sums = np.convolve(np.nan_to_num(values), np.ones(length), "valid")
    first = int(np.argmax(sums))
    return first, first + length - 1


class Reading:
    """A piece as its topics are told of: what was heard, and what every number of it is worth."""

    def __init__(self, heard: Heard, worth: Mapping[str, float], habits: Habits) -> None:
        self.heard, self.worth, self.habits = heard, worth, habits

    @cached_property
    def _order(self) -> list[int]:
        """For every bar that is played, the bar as it is written."""
        order = order_of(self.heard.written)
        return order if len(order) == self.heard.bars else list(range(self.heard.bars))

    def spans(self, bars: Iterable[int]) -> tuple[tuple[int, int], ...]:
        """Bars that are played (indices) as spans of bars that are written, the longest few."""
        written = {self._order[bar] + self.heard.written.first_bar for bar in bars}
        longest = sorted(runs_of(written), key=lambda run: (run[0] - run[1], run[0]))[:_SPANS]
        return tuple(sorted(longest))

    def words(self, bars: Iterable[int]) -> str:
        """Bars in words: ``bars 9-12 and 17``."""
        return bars_in_words(self.spans(bars))

    def point(self, subject: str, bars: Iterable[int], line: Line | int | None, text: str) -> Point:
        """A point; ``{bars}`` and ``{voice}`` in the text are filled in."""
        bars = list(bars)
        index = line.voice if isinstance(line, Line) else line
        voice = "" if index is None else self.heard.name_of(index)
        named = self.words(bars)
        named = named[:1].upper() + named[1:] if text.startswith("{bars}") else named
        return Point(subject, self.spans(bars), voice, text.replace("{bars}", named).replace("{voice}", voice))

    def lowest(self, choices: Mapping[str, tuple[str, ...]]) -> str:
        """Of several reasons, each with the numbers that stand for it, the one that is worth least here."""
        return min(choices, key=lambda name: sum(self.worth.get(number, 0.0) for number in choices[name]))


#: How a topic is shown in a piece.
Shown = Callable[[Reading], Point | None]


@dataclass(frozen=True)
class Topic:
    """What is talked about: its name, the beginnings of the numbers it stands on, and how it is shown."""

    name: str
    numbers: tuple[str, ...]
    weak: Shown
    strong: Shown
