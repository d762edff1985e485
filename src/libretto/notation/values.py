"""Note values: the lengths that have a sign, how a meter groups its beats, and where it cuts what no one sign says.

A note that no single value says, or that hides where a strong beat falls, is cut at the strongest border inside it,
and so on until each part is one value. 3/8 has three beats (``Meter.is_compound``), but on paper they are one group.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from libretto.notation.layers import upper_first
from libretto.score import QUARTER, WHOLE, Meter, Note, Score, Voice

__all__ = [
    "FINEST",
    "FLAGS",
    "PLAIN_TICKS",
    "VALUES",
    "Span",
    "Stretch",
    "Value",
    "beam_group",
    "beat_borders",
    "in_threes",
    "layered",
    "nearest_value",
    "values_in_meter",
]


class Value(NamedTuple):
    """A sign for a length: its name in MusicXML, and its dots."""

    kind: str
    dots: int


class Stretch(NamedTuple):
    """Ticks of a bar that one sign stands for."""

    start: int
    stop: int
    kind: str
    dots: int


_NAMES = ("maxima", "long", "breve", "whole", "half", "quarter", "eighth", "16th", "32nd", "64th", "128th", "256th")
_TYPES = (*_NAMES, "512th", "1024th")
_MAXIMA = 8 * WHOLE
_SHORT_UNIT = 8  # meters of eighths and shorter units group their units; longer units are beats of their own
#: The sign for every length that has one, by *half* ticks, so that 1024ths are whole numbers.
VALUES = {(2 * _MAXIMA) >> index: Value(name, 0) for index, name in enumerate(_TYPES)}
VALUES |= {ticks * 3 // 2: Value(name, 1) for ticks, (name, _) in list(VALUES.items()) if ticks % 2 == 0}
_PLAIN = sorted((ticks for ticks, value in VALUES.items() if not value.dots), reverse=True)
PLAIN_TICKS = frozenset(ticks // 2 for ticks in _PLAIN if ticks % 2 == 0)  #: lengths without a dot, in ticks
#: How many flags a value has.
FLAGS = {name: flags for flags, name in enumerate(_TYPES[_TYPES.index("eighth") :], 1)}
FINEST = WHOLE // 512  #: ticks of a 512th: moments that binary values reach are multiples of it


def in_threes(meter: Meter) -> bool:
    """Whether units are written in groups of three: compound meters, and 3/8, whose bar is one group.

    >>> [str(meter) for meter in (Meter(6, 8), Meter(3, 8), Meter(3, 4)) if in_threes(meter)]
    ['6/8', '3/8']
    """
    return meter.is_compound or (meter.beats == 3 and meter.unit >= _SHORT_UNIT)


def beam_group(meter: Meter) -> int:
    """Ticks that are written as one group: three units where a meter goes in threes, else a quarter note."""
    return 3 * meter.pulse if in_threes(meter) else QUARTER


def _is_uneven(meter: Meter) -> bool:
    """Whether the beats of a meter are of two lengths, as in 7/8."""
    return meter.unit >= _SHORT_UNIT and meter.beats % 2 == 1 and meter.beats > 3 and not in_threes(meter)


@lru_cache(maxsize=256)
def beat_borders(meter: Meter) -> tuple[int, ...]:
    """Where groups begin after the first, in ticks from the bar line: 7/8 goes 2+2+3, 5/8 goes 3+2."""
    two, three = 2 * meter.pulse, 3 * meter.pulse
    if not _is_uneven(meter):
        return tuple(range(beam_group(meter), meter.ticks, beam_group(meter)))
    if meter.ticks == two + three:
        return (three,)
    return (*range(two, meter.ticks - three, two), meter.ticks - three)


@lru_cache(maxsize=256)
def _lattices(meter: Meter) -> tuple[int, ...]:
    """Distances between metrical borders, strongest first: half bar, beat, then its parts."""
    unit = meter.pulse
    if in_threes(meter):
        steps = [3 * unit]
    else:
        steps = [meter.beats * unit // 2] if meter.beats % 2 == 0 and meter.beats > 2 else []
    while unit % FINEST == 0:
        steps.append(unit)
        if unit % 2:
            break
        unit //= 2
    return tuple(steps)


@lru_cache(maxsize=65536)
def values_in_meter(start: int, stop: int, length: int, meter: Meter, rest: bool) -> tuple[Stretch, ...]:
    """The values for a stretch of a bar outside tuplets, cut at the strongest borders until each is one value."""
    if start % FINEST or stop % FINEST:
        return (Stretch(start, stop, *nearest_value(stop - start)),)
    done: list[Stretch] = []
    todo = [(start, stop)]
    while todo:
        a, b = todo.pop()
        border = _first_cut(a, b, length, meter, rest)
        if border is None:
            done.append(Stretch(a, b, *VALUES.get(2 * (b - a), nearest_value(b - a))))
        else:
            todo += [(border, b), (a, border)]
    return tuple(done)


def _first_cut(a: int, b: int, length: int, meter: Meter, rest: bool) -> int | None:
    """Where a stretch has to be cut first; None where it can stand as one value."""
    if _is_uneven(meter) and length == meter.ticks:
        edges = (0, *beat_borders(meter), length)
        inside = [edge for edge in edges if a < edge < b]
        if a in edges and b in edges and 2 * (b - a) in VALUES:
            return None
        if inside:
            return inside[-1] if a in edges else inside[0]
    steps = _lattices(meter)
    crossed = next((rank for rank, step in enumerate(steps) if (a // step + 1) * step < b), None)
    if crossed is None:
        return None
    ends = (_rank(a, length, steps), _rank(b, length, steps))
    if _stands_whole(a, b, meter, rest, steps[crossed], calm=min(ends) <= crossed):
        return None
    return _point_between(a, b, steps[crossed], stronger_start=ends[0] <= ends[1])


def _point_between(a: int, b: int, step: int, stronger_start: bool) -> int:
    """The border inside a stretch that leaves one value on its stronger side; the first where none does."""
    points = range((a // step + 1) * step, b, step)
    if stronger_start:
        return next((point for point in reversed(points) if 2 * (point - a) in VALUES), points[0])
    return next((point for point in points if 2 * (b - point) in VALUES), points[0])


def _stands_whole(a: int, b: int, meter: Meter, rest: bool, step: int, calm: bool) -> bool:
    """Whether a stretch across a border may be one value: it begins or ends as strongly, or is a plain syncopation.

    ``step`` is the distance between the borders that it crosses, ``calm`` that an end of it is as strong as they are.
    Rests must also lie on multiples of themselves, without a dot but for the beat of a meter in threes.
    """
    length, value = b - a, VALUES.get(2 * (b - a))
    if value is None:
        return False
    if rest:
        plain = not value.dots or (in_threes(meter) and length == _lattices(meter)[0])
        return calm and plain and a % length == 0
    first = (a // step + 1) * step
    syncopated = not value.dots and step == meter.pulse >= length and a + b == 2 * first
    return calm or (syncopated and not in_threes(meter))


def _rank(moment: int, length: int, steps: Sequence[int]) -> int:
    """How strong a moment is; less is stronger."""
    if moment in (0, length):
        return -1
    return next((rank for rank, step in enumerate(steps) if moment % step == 0), len(steps))


def nearest_value(ticks: int) -> Value:
    """The sign for the longest plain value that is not longer."""
    return VALUES[next((value for value in _PLAIN if value <= 2 * ticks), _PLAIN[-1])]


class Span(NamedTuple):
    """A chord, or a piece of one, inside one bar; ``start`` and ``length`` are ticks within the bar."""

    start: int
    length: int
    notes: tuple[Note, ...]
    tied_from: bool
    tied_to: bool


def layered(score: Score, voice: Voice) -> list[list[list[Span]]]:
    """For each layer, for each bar, its spans in order of time; at least one layer.

    A span that is tied on is continued in the same layer, at the start of the next bar. Notes that ring past
    the last bar are cut there.
    """
    lines = score.bar_lines
    layers: list[list[list[Span]]] = []
    for chord, which in upper_first(_chords(voice)):
        start, length = chord[0].onset, chord[0].duration
        stop = min(start + length, lines[-1])
        while which >= len(layers):
            layers.append([[] for _ in range(score.bars)])
        bar = bisect_right(lines, start) - 1
        at = start
        while at < stop:
            end = min(stop, lines[bar + 1])
            layers[which][bar].append(Span(at - lines[bar], end - at, chord, at > start, end < stop))
            at, bar = end, bar + 1
    return layers or [[[] for _ in range(score.bars)]]


def _chords(voice: Voice) -> list[tuple[Note, ...]]:
    """Notes that start and stop together, highest chords first where several start at once."""
    together: dict[tuple[int, int], list[Note]] = {}
    for note in voice.notes:
        together.setdefault((note.onset, note.duration), []).append(note)
    chords = [tuple(notes) for notes in together.values()]
    return sorted(chords, key=lambda chord: (chord[0].onset, -chord[-1].pitch, -chord[0].duration))
