"""Sections: bars said again, moved, cut, made more or fewer; every new bar knows which old one it is.

Each function gives the piece and its ``origin``: for every new bar the index of the old one, or None for a bar that is
new. Repeat signs are written out first, so that every bar stands where it sounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from typing import TypeVar

import numpy as np

from libretto.edits.spans import Spans
from libretto.errors import LibrettoError
from libretto.score import Grid, Score, Voice
from libretto.score.edit import regrid
from libretto.score.marks import REPEAT_MARKS, Mark, credits_of, follow, shift_marks
from libretto.score.model import in_force
from libretto.score.played import order_of
from libretto.score.validate import MAX_BARS

__all__ = ["Origin", "cut", "exchanged", "lengthened", "moved", "reordered", "repeated", "shortened"]

#: For every new bar the index of the old one, or None.
Origin = tuple[int | None, ...]
T = TypeVar("T")
_MOST_TIMES = 16  # that bars are said again
_PHRASE = 4  # bars of an ending that is no section of its own


def _bars(score: Score, spans: Spans) -> list[int]:
    """The indices of the bars in some stretches, in order."""
    if not spans:
        raise LibrettoError("there are no such bars")
    return sorted({bar for a, b in spans for bar in range(score.index_of(a), score.index_of(b) + 1)})


def reordered(score: Score, order: Sequence[int]) -> tuple[Score, Origin]:
    """The piece with its bars, by index, in that order; some may come twice, some not at all.

    What a bar is written in (meter, key, tempo, section) goes with it. A note that rings on into a bar which does not
    follow any more ends at the bar line.
    """
    if not order:
        raise LibrettoError("no bar would be left")
    if len(order) > MAX_BARS:
        raise LibrettoError(f"the piece would have {len(order):,} bars; the limit is {MAX_BARS:,}")
    if list(order) == list(range(score.bars)):
        return score, tuple(order)
    runs = _runs(order)
    edges = [(score.bar_lines[low], score.bar_lines[high + 1]) for low, high in runs]
    starts = np.cumsum([0, *(end - begin for begin, end in edges)]).tolist()
    lines = tuple(
        to + score.bar_lines[bar] - begin
        for (low, high), (begin, _), to in zip(runs, edges, starts, strict=False)
        for bar in range(low, high + 1)
    )
    voices = tuple(_spliced(voice, edges, starts, score.ticks) for voice in score.voices)
    made = replace(
        score,
        voices=voices,
        bar_lines=(*lines, starts[-1]),
        meters=_changes(score.meters, edges, starts),
        keys=_changes(score.keys, edges, starts),
        tempos=_changes(score.tempos, edges, starts),
        sections=_labels(score.sections, edges, starts),
        chords=tuple(score.chords[bar] for bar in order),
        grids=_grids(voices, (*lines, starts[-1]), [score.grids[bar] for bar in order]),
        first_bar=score.first_bar if order[0] == 0 else max(score.first_bar, 1),
        marks=_signs(score, edges, starts),
    )
    return made, tuple(order)


def _signs(score: Score, edges: Sequence[tuple[int, int]], starts: Sequence[int]) -> tuple[Mark, ...]:
    """The signs over the piece in the new order, but for those that order the play."""
    moved = (
        mark
        for (begin, end), to in zip(edges, starts, strict=False)
        for mark in shift_marks(score.marks, to - begin, begin, end)
        if mark.kind not in REPEAT_MARKS
    )
    return (*credits_of(score.marks), *moved)


def _runs(order: Sequence[int]) -> list[tuple[int, int]]:
    """Stretches of bars that follow one another, by first and last index."""
    runs: list[tuple[int, int]] = []
    for bar in order:
        if runs and bar == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], bar)
        else:
            runs.append((bar, bar))
    return runs


def _spliced(voice: Voice, edges: Sequence[tuple[int, int]], starts: Sequence[int], ticks: int) -> Voice:
    """A voice in the new order; notes end where their run does, unless that is where the piece ends."""
    parts = []
    for number, ((begin, end), to) in enumerate(zip(edges, starts, strict=False)):
        part = voice.between(begin, end, to)
        if end < ticks or number + 1 < len(edges):
            notes = part.array.copy()
            notes["duration"] = np.minimum(notes["duration"], to + end - begin - notes["onset"])
            part = replace(part, array=notes, marks=follow(part.marks, part.array, notes))
        parts.append(part)
    return reduce(Voice.joined, parts)


def _changes(
    changes: Sequence[tuple[int, T]], edges: Sequence[tuple[int, int]], starts: Sequence[int]
) -> tuple[tuple[int, T], ...]:
    """What holds in the course of the new order; said only where it changes."""
    made: list[tuple[int, T]] = []
    for (begin, end), to in zip(edges, starts, strict=False):
        inside = [(to, in_force(changes, begin)), *((t - begin + to, v) for t, v in changes if begin < t < end)]
        for tick, value in inside:
            if not made or made[-1][1] != value:
                made.append((tick, value))
    return tuple(made)


def _labels(
    sections: Sequence[tuple[int, str]], edges: Sequence[tuple[int, int]], starts: Sequence[int]
) -> tuple[tuple[int, str], ...]:
    """The sections in the new order: every start of one is said, also where the same comes again."""
    made: list[tuple[int, str]] = []
    for (begin, end), to in zip(edges, starts, strict=False):
        held = [label for tick, label in sections if tick <= begin][-1:]
        said = any(tick == begin for tick, _ in sections)
        if held and (said or not made or made[-1][1] != held[0]):
            made.append((to, held[0]))
        made += [(tick - begin + to, label) for tick, label in sections if begin < tick < end]
    return tuple(made)


def _grids(voices: Sequence[Voice], lines: Sequence[int], grids: Sequence[Grid]) -> tuple[Grid, ...]:
    """The grids of the bars, and finer ones where a note ends now where no slot does."""
    slots, edges = np.array([grid.slot for grid in grids], dtype=np.int64), np.asarray(lines, dtype=np.int64)
    touched = np.zeros(len(grids), dtype=np.bool_)
    for voice in voices:
        bar = np.searchsorted(edges, voice.array["onset"], side="right") - 1
        touched[bar[voice.array["duration"] % slots[bar] != 0]] = True
    return regrid(voices, lines, grids, touched)


def repeated(score: Score, spans: Spans, times: int = 1) -> tuple[Score, Origin]:
    """Those bars said again, right after themselves, so many times more."""
    if not 1 <= times <= _MOST_TIMES:
        raise LibrettoError(f"bars can be repeated up to {_MOST_TIMES} times, not {times}")
    order = order_of(score)
    for low, high in _runs(_bars(score, spans)):
        at = _last_place(order, high) + 1
        order[at:at] = list(range(low, high + 1)) * times
    return reordered(score, order)


def cut(score: Score, spans: Spans) -> tuple[Score, Origin]:
    """The piece without those bars."""
    gone = set(_bars(score, spans))
    if len(gone) >= score.bars:
        raise LibrettoError("no bar would be left")
    return reordered(score, [bar for bar in order_of(score) if bar not in gone])


def moved(score: Score, spans: Spans, to: int) -> tuple[Score, Origin]:
    """Those bars put before the bar of that number; the number after the last one means the end."""
    chosen = _bars(score, spans)
    end = score.numbers[-1] + 1
    target = score.bars if to == end else score.index_of(to)
    if target in chosen:
        raise LibrettoError("bars cannot be moved to before themselves")
    rest = [bar for bar in order_of(score) if bar not in chosen]
    at = rest.index(target) if target in rest else len(rest)
    return reordered(score, rest[:at] + chosen + rest[at:])


def exchanged(score: Score, one: tuple[int, int], other: tuple[int, int]) -> tuple[Score, Origin]:
    """Two stretches of bars in each other's place; what stands between them stays there."""
    (low, low_end), (high, high_end) = sorted(
        (score.index_of(first), score.index_of(last)) for first, last in (one, other)
    )
    if low_end >= high:
        raise LibrettoError("bars cannot change places with themselves")
    between = range(low_end + 1, high)
    middle = [*range(high, high_end + 1), *between, *range(low, low_end + 1)]
    return reordered(score, [*range(low), *middle, *range(high_end + 1, score.bars)])


def _last_place(order: Sequence[int], bar: int) -> int:
    return len(order) - 1 - list(reversed(order)).index(bar)


def lengthened(score: Score, by: int, spans: Spans = None) -> tuple[Score, Origin]:
    """So many bars more in the last of those stretches: a whole section of that length is said again, else the bars
    before its end; where the stretch ends the piece, the ending stays the one ending."""
    if by < 1:
        raise LibrettoError(f"a piece cannot be made longer by {by} bars")
    order = order_of(score)
    chosen = _bars(score, spans if spans is not None else [(score.numbers[0], score.numbers[-1])])
    low, high = _runs(chosen)[-1]
    stop = _ending_of(score, low, high) if high == score.bars - 1 and high > low else high + 1
    said = _said_again(score, low, stop, by)
    at = _last_place(order, said[-1]) + 1
    rounds, rest = divmod(by, len(said))
    more = [*said[len(said) - rest :], *list(said) * rounds]
    return reordered(score, order[:at] + more + order[at:])


def _ending_of(score: Score, low: int, high: int) -> int:
    """The bar, by index, with which the ending of a stretch begins that ends the piece: its last section, or its last
    phrase, from where the tempo eases to the end; its last bar at least."""
    starts = [score.bar_at(tick) for tick, _ in score.sections if low < score.bar_at(tick) <= high]
    last = starts[-1] if starts and 2 * (high + 1 - starts[-1]) <= high + 1 - low else max(high - _PHRASE + 1, low)
    easing = len(score.tempos)
    while easing > 1 and score.tempos[easing - 1][1] > score.tempos[easing - 2][1]:
        easing -= 1
    eased = score.bar_at(score.tempos[easing][0]) if easing < len(score.tempos) else high
    ending = min(last if low == 0 else high, eased)
    return ending if ending > low else high


def _said_again(score: Score, low: int, stop: int, by: int) -> range:
    """Which bars before one are said again for so many more: the last run of whole sections that is as long, or the
    bars right before it, as far as they are in the key and the tempo that hold there."""
    edges = sorted({low, stop, *(score.bar_at(tick) for tick, _ in score.sections if low < score.bar_at(tick) < stop)})
    for end in reversed(edges):
        if end - by in edges and _is_alike(score, range(end - by, end)):
            return range(end - by, end)
    first = max(low, stop - by)
    while not _is_alike(score, range(first, stop)):
        first += 1
    return range(first, stop)


def _is_alike(score: Score, bars: range) -> bool:
    """Whether some bars are in one key and begin as fast as their last one does, so that they can be said again."""
    lines = [score.bar_lines[bar] for bar in bars]
    same = len({in_force(score.keys, tick) for tick in lines}) == 1
    return same and in_force(score.tempos, lines[0]) == in_force(score.tempos, lines[-1])


def shortened(score: Score, by: int, spans: Spans = None) -> tuple[Score, Origin]:
    """So many bars fewer in the last of those stretches: its end goes, or its beginning where it ends the piece."""
    order = order_of(score)
    chosen = _bars(score, spans if spans is not None else [(score.numbers[0], score.numbers[-1])])
    low, high = _runs(chosen)[-1]
    if not 1 <= by <= high - low:
        raise LibrettoError(f"there are {high - low + 1} bars; {by} fewer would leave none")
    gone = range(low, low + by) if high == score.bars - 1 and low > 0 else range(high - by + 1, high + 1)
    if low == 0 and high == score.bars - 1:
        gone = range(high - by, high)
    return reordered(score, [bar for bar in order if bar not in gone])
