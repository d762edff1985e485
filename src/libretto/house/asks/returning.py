"""A part that says its own bars again and again: an ostinato or a riff made of what it plays already."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from libretto.edits.spans import starts_in, stretches
from libretto.house.asks.notes import Row, rows_of
from libretto.score import Score, Voice

__all__ = ["returning"]

Spans = Sequence[tuple[int, int]]
_ROUNDS = (1, 2, 3, 4)  # bars after which chords come round
_MOSTLY = 0.75  # of the bars have the chords that they had before
_SOFTEST, _LOUDEST = 20, 124  # velocities
_FILL = 8  # the bar of so many that stays as it was


def returning(score: Score, voice: Voice, spans: Spans, *, contrast: bool, below: int = 128) -> list[Row] | None:
    """A voice in some bars with what it usually plays over each chord of the round in all of them, but for the last of
    eight, and for the third quarter where there is to be a ``contrast``; None where its chords do not come round in
    four bars or it rests in one of them. What does not lie ``below`` a pitch stays as it is."""
    bars = [bar - score.first_bar for first, last in spans for bar in range(first, last + 1)]
    labels = _labels(score, bars)
    size = _round(labels)
    if size is None:
        return None
    rows = rows_of(voice.array[starts_in(voice.array, stretches(score, spans))])
    mine = [row for row in rows if row.pitch < below]
    figures = [_figure(score, mine, bar) for bar in bars]
    usual = [_usual(figures[place::size], labels[place::size]) for place in range(size)]
    if not all(usual):
        return None
    own = _own(labels, size, contrast=contrast)
    made = [row for row in rows if row.pitch >= below]
    for number, bar in enumerate(bars):
        kept = (number in own and bool(figures[number])) or bar == score.bars - 1
        figure = figures[number] if kept else _as_loud(usual[number % size], figures[number])
        made += _placed(figure, score.bar_lines[bar], score.bar_lines[bar + 1])
    return made


def _labels(score: Score, bars: Sequence[int]) -> list[tuple[str, ...]]:
    """The chords of some bars, as they are written."""
    return [tuple(score.chords[bar]) if bar < len(score.chords) else () for bar in bars]


def _own(labels: Sequence[tuple[str, ...]], size: int, *, contrast: bool) -> set[int]:
    """The bars with something of their own: a ``contrast``, a fill at the end of eight, or other chords than usual."""
    count = len(labels)
    third = range(count // 2, count * 3 // 4) if contrast else range(0)
    fills = range(_FILL - 1, count, _FILL)
    others = [number for number in range(count) if labels[number] != _most(labels[number % size :: size])]
    return {*third, *fills, *others}


def _most(labels: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The chords that come most often, of several the first."""
    return max(labels, key=labels.count)


def _as_loud(figure: Sequence[Row], own: Sequence[Row]) -> list[Row]:
    """A figure as loud as what it takes the place of, so that sections stay soft and loud."""
    if not own:
        return list(figure)
    by = round(fmean(row.velocity for row in own) - fmean(row.velocity for row in figure))
    return [row._replace(velocity=max(_SOFTEST, min(_LOUDEST, row.velocity + by))) for row in figure]


def _placed(figure: Sequence[Row], start: int, end: int) -> list[Row]:
    """A figure in a bar, with nothing that rings beyond it."""
    return [
        row._replace(onset=row.onset + start, duration=min(row.duration, end - start - row.onset)) for row in figure
    ]


def _round(labels: Sequence[tuple[str, ...]]) -> int | None:
    """After how many bars chords come round."""
    for size in _ROUNDS:
        same = [one == two for one, two in zip(labels, labels[size:], strict=False)]
        if same and sum(same) >= _MOSTLY * len(same):
            return size
    return None


def _figure(score: Score, rows: Sequence[Row], bar: int) -> tuple[Row, ...]:
    """What is played in a bar, counted from its line."""
    start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
    return tuple(row._replace(onset=row.onset - start) for row in rows if start <= row.onset < end)


def _usual(figures: Sequence[tuple[Row, ...]], labels: Sequence[tuple[str, ...]]) -> tuple[Row, ...]:
    """The figure that comes most often over the chords that come most often, whatever its touch; of several the
    fullest, then the first."""
    chords = _most(labels)
    figures = [figure for figure, label in zip(figures, labels, strict=True) if label == chords]
    shapes = [tuple((row.onset, row.pitch) for row in figure) for figure in figures]
    best = max(range(len(figures)), key=lambda place: (shapes.count(shapes[place]) if shapes[place] else 0,
                                                       len(shapes[place]), -place))  # fmt: skip
    return figures[best]
