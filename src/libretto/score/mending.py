"""Bars that a repeat cut in two, whole again: a short last bar and the upbeat that follows it where the play jumps."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import replace
from math import gcd

from libretto.score.marks import REPEAT_MARKS
from libretto.score.model import Score
from libretto.score.time import WHOLE, Grid

__all__ = ["join_split_bars"]


def join_split_bars(score: Score, seams: Collection[int]) -> Score:
    """The piece without the bar lines at those bars (indices), wherever both sides of one make up a whole bar.

    Chord labels share the new bar by time. A section that begins on such a line begins with the next bar.
    """
    gone = {bar for bar in seams if 0 < bar < score.bars and _make_one(score, bar)}
    if not gone:
        return score
    groups: list[list[int]] = []
    for bar in range(score.bars):
        if bar in gone and bar - 1 not in gone:
            groups[-1].append(bar)
        else:
            groups.append([bar])
    lines = (*(score.bar_lines[group[0]] for group in groups), score.ticks)
    known = set(lines)
    return replace(
        score,
        bar_lines=lines,
        meters=tuple(change for change in score.meters if change[0] in known),
        sections=_on_lines(score.sections, lines),
        chords=tuple(_labels(score, group) for group in groups),
        grids=tuple(_grid(score, group) for group in groups),
        marks=tuple(mark for mark in score.marks if mark.kind not in REPEAT_MARKS or mark.tick in known),
    )


def _make_one(score: Score, bar: int) -> bool:
    """Whether a bar and the one before it, both short, are as long as the meter says together."""
    before, here, after = score.bar_lines[bar - 1 : bar + 2]
    whole = score.meter_at(before)
    return after - before == whole.ticks and score.meter_at(here) == whole


def _on_lines(sections: Sequence[tuple[int, str]], lines: Sequence[int]) -> tuple[tuple[int, str], ...]:
    """Sections at the bar lines that there are: where theirs is gone, at the next, unless one begins there."""
    placed: dict[int, str] = {}
    for tick, name in reversed(sections):
        line = lines[min(bisect_right(lines, tick - 1), len(lines) - 2)]
        placed.setdefault(line, name)
    return tuple(sorted(placed.items()))


def _labels(score: Score, bars: Sequence[int]) -> tuple[str, ...]:
    """The labels of bars that are one now: as many as share it equally."""
    if len(bars) == 1:
        return score.chords[bars[0]]
    spans = [span for bar in bars for span in score.chord_spans(bar)]
    start, end = spans[0][0], spans[-1][1]
    step = gcd(*(edge - start for first, stop, _ in spans for edge in (first, stop)))
    labels = [label for first, stop, label in spans for _ in range((stop - first) // step)]
    return (labels[0],) if len(set(labels)) == 1 and start < end else tuple(labels)


def _grid(score: Score, bars: Sequence[int]) -> Grid:
    """A grid that holds what both bars held."""
    grids = [score.grids[bar] for bar in bars]
    if len(set(grids)) == 1 and not (score.bar_lines[bars[-1]] - score.bar_lines[bars[0]]) % grids[0].slot:
        return grids[0]
    edges = [score.bar_lines[bar + 1] - score.bar_lines[bar] for bar in bars]
    return Grid.of(WHOLE // gcd(*(grid.slot for grid in grids), *edges))
