"""Marks over the voices and over the piece, from what the measures of an ABC tune say."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from libretto.formats.abc.decorations import SPAN_KINDS
from libretto.formats.abc.measure import Measure, ticks_of
from libretto.score.marks import Mark
from libretto.score.repeats import Signs, marks_of_signs

__all__ = ["Layout", "moment_marks", "piece_marks"]


class Layout(NamedTuple):
    """Where the measures begin, in ticks, and which of those beginnings are bar lines."""

    starts: list[int]
    lines: list[int]


def moment_marks(measures: Iterable[Measure], starts: Sequence[int]) -> list[Mark]:
    """The marks of a voice that belong to no note; an end closes the last of its kind that is open."""
    marks: list[Mark] = []
    open_spans: dict[tuple[str, str], list[int]] = {}
    for start, measure in zip(starts, measures, strict=False):
        for at, kind, value in measure.moments:
            tick = start + ticks_of(at)
            if kind[:-1] not in SPAN_KINDS:
                if tick < starts[-1]:
                    marks.append(Mark(tick, kind, value))
            elif kind[-1] == "(":
                if tick < starts[-1]:
                    open_spans.setdefault((kind, value), []).append(len(marks))
                    marks.append(Mark(tick, kind[:-1], value))
            elif begun := open_spans.get((kind[:-1] + "(", value)):
                index = begun.pop()
                marks[index] = marks[index]._replace(length=tick - marks[index].tick)
    return marks


def piece_marks(
    words: Iterable[str],
    voices: Sequence[Sequence[Measure]],
    layout: Layout,
    signs: Sequence[Signs],
    measures: Sequence[Measure],
) -> list[Mark]:
    """The marks of the piece: lengths are written as they stand; tempo words, signs of the play, bar lines.

    The line at the end of a piece or of its last ending is drawn as usual, and no mark.
    """
    lines = layout.lines
    marks = [Mark(0, "written"), *(Mark(0, "words", text) for text in words)]
    texts: dict[tuple[int, str], None] = {}
    for played in voices:
        for start, measure in zip(layout.starts, played, strict=False):
            if measure.words:
                texts |= dict.fromkeys((start + ticks_of(at), text) for at, text in measure.words)
    marks += [Mark(tick, "words", text) for tick, text in texts if tick < lines[-1]]
    for mark in marks_of_signs(signs, layout.starts) if signs else ():
        marks.append(mark._replace(tick=lines[bisect_right(lines, mark.tick) - 1]))
    known = set(lines)
    for at, measure in enumerate(measures):
        end = layout.starts[at + 1]
        last = at + 1 == len(measures)
        if not measure.style or end not in known:
            continue
        closes = signs and signs[at].ending and not (last or signs[at + 1].ending)
        if measure.style != ("light-heavy" if last else "light-light" if closes else ""):
            marks.append(Mark(lines[bisect_right(lines, end - 1) - 1], "barline", measure.style))
    return marks
