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
    return [
        Mark(0, "written"),
        *(Mark(0, "words", text) for text in words),
        *_later_words(voices, layout),
        *_order_marks(signs, layout),
        *_bar_line_marks(measures, signs, layout),
    ]


def _later_words(voices: Sequence[Sequence[Measure]], layout: Layout) -> list[Mark]:
    """Words that go with the tempo inside the piece; what several voices say at one place is one mark."""
    texts = {
        (start + ticks_of(at), text): None
        for played in voices
        for start, measure in zip(layout.starts, played, strict=False)
        for at, text in measure.words
    }
    return [Mark(tick, "words", text) for tick, text in texts if tick < layout.lines[-1]]


def _order_marks(signs: Sequence[Signs], layout: Layout) -> list[Mark]:
    """The signs of the order of play, at the beginnings of the bars that they stand in."""
    marks = marks_of_signs(signs, layout.starts) if signs else ()
    return [mark._replace(tick=_bar_of(layout.lines, mark.tick)) for mark in marks]


def _bar_line_marks(measures: Sequence[Measure], signs: Sequence[Signs], layout: Layout) -> list[Mark]:
    """The bar lines that are not drawn as usual, at the beginnings of the bars that they close."""
    known = set(layout.lines)
    marks = []
    for at, (measure, end) in enumerate(zip(measures, layout.starts[1:], strict=False)):
        if measure.style and end in known and measure.style != _usual_style(at, len(measures), signs):
            marks.append(Mark(_bar_of(layout.lines, end - 1), "barline", measure.style))
    return marks


def _usual_style(at: int, count: int, signs: Sequence[Signs]) -> str:
    """How the line after a measure is drawn anyway, where that is no plain one: at the end, and of the last ending."""
    if at + 1 == count:
        return "light-heavy"
    return "light-light" if signs and signs[at].ending and not signs[at + 1].ending else ""


def _bar_of(lines: Sequence[int], tick: int) -> int:
    """Where the bar begins that a tick is in."""
    return lines[bisect_right(lines, tick) - 1]
