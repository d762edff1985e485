"""The controls of texts that are read many at once: words with a ``=``, taken out of the lines that also play notes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from libretto.grammar.controls import Point, control_points, too_far
from libretto.grammar.voice_signs import VoiceSigns
from libretto.score.limits import MAX_MARKED, MAX_SIGNS
from libretto.score.time import Grid

__all__ = ["SIGN", "ControlLine", "Controls", "bare"]

SIGN = "="  #: what every word of controls holds


class ControlLine(NamedTuple):
    """A line that says controls: where it stands, and its words."""

    text: int
    voice: int
    bar: int
    words: tuple[str, ...]


def bare(body: str) -> tuple[str, tuple[str, ...]]:
    """What a line says besides controls, and all its words if it has some; a repeat of other bars looks like one."""
    if SIGN not in body:
        return body, ()
    words = tuple(body.split())
    return " ".join(word for word in words if SIGN not in word), words


class Controls:
    """What the lines of several texts say of controls; ``odd`` are texts that have to be read line by line."""

    def __init__(self, lines: Iterable[ControlLine], grids: Sequence[Sequence[Grid]], edges: Sequence[Sequence[int]]):
        self._said: dict[tuple[int, int], VoiceSigns] = {}
        self._known: dict[tuple[str, int], list[Point] | None] = {}  # by word and grid: music repeats
        self._words, self._points = [0] * len(grids), [0] * len(grids)
        self.odd: set[int] = set()
        for line in lines:
            if line.text not in self.odd and not self._read(line, grids[line.text], edges[line.text]):
                self.odd.add(line.text)

    def _read(self, line: ControlLine, grids: Sequence[Grid], edges: Sequence[int]) -> bool:
        """Add what a line says; False where it says anything else, or too much."""
        text, voice, bar, words = line
        self._words[text] += len(words)
        if self._words[text] > MAX_MARKED:
            return False
        grid, start = grids[bar], edges[bar]
        rows = self._said.setdefault((text, voice), VoiceSigns()).controls
        for word in words:
            if SIGN not in word:
                continue
            points = self._points_of(word, grid)
            if points is None:
                return False
            self._points[text] += len(points)
            late = bar + 2 < len(edges) and max(points)[0] >= edges[bar + 1] - start
            if late or self._points[text] > MAX_SIGNS:
                return False
            rows += [(start + tick, kind, value) for tick, kind, value in points]
        return True

    def _points_of(self, word: str, grid: Grid) -> list[Point] | None:
        key = word, grid.division
        if key not in self._known:
            points = control_points(word, grid) if word.count(",") <= MAX_SIGNS else None
            self._known[key] = None if points is None or too_far(points, grid) else points
        return self._known[key]

    def of(self, text: int, voices: int) -> list[VoiceSigns]:
        """What each voice of a text says."""
        return [self._said.get((text, voice)) or VoiceSigns() for voice in range(voices)]
