"""Kinds of change by which bars come, go or move, and what a piece is like when all of them are done.

Wishes name bars as they stand in the piece that is revised, whatever else is asked for in the same breath.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from libretto.contract.stretches import sections_of_score
from libretto.edits import sections
from libretto.edits.sections import Origin
from libretto.score import Score
from libretto.score.played import order_of
from libretto.tasks.revise.change import changes, reframe
from libretto.tasks.revise.wish import Wish

__all__ = ["Frame", "frame_of", "reframed"]


class Frame(NamedTuple):
    """A piece with its bars where wishes want them, and the old bar, by index, of each."""

    score: Score
    origin: Origin

    def spans_of(self, base: Score, spans: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        """The stretches of the new bars that some old ones became, by number; none where they are gone."""
        wanted = {bar for one, two in spans for bar in range(base.index_of(one), base.index_of(two) + 1)}
        bars = [number for number, old in zip(self.score.numbers, self.origin, strict=True) if old in wanted]
        runs: list[tuple[int, int]] = []
        for number in bars:
            if runs and number == runs[-1][1] + 1:
                runs[-1] = (runs[-1][0], number)
            else:
                runs.append((number, number))
        return tuple(runs)


def frame_of(base: Score, wishes: Sequence[Wish]) -> Frame:
    """The piece after all wishes about bars, one after the other."""
    frame = Frame(base, tuple(range(base.bars)))
    for wish in wishes:
        again = changes[wish.quality].reframe if wish.quality in changes else None
        if again is None:
            continue
        spans = frame.spans_of(base, wish.where)
        if not spans:
            continue
        target = _target_now(base, frame, wish)
        if target is None:
            continue
        made, order = again(frame.score, Wish(wish.quality, wish.way, target=target).at(spans))
        frame = Frame(made, tuple(None if old is None else frame.origin[old] for old in order))
    return frame


def _target_now(base: Score, frame: Frame, wish: Wish) -> str | None:
    """A wish's target, where it is bars, in those that they became; None where they are gone."""
    if wish.quality == "exchange":
        one, _, two = wish.target.partition("-")
        there = frame.spans_of(base, ((int(one), int(two)),))
        return f"{there[-1][0]}-{there[-1][1]}" if there else None
    if wish.quality != "move" or not wish.target.isdigit():
        return wish.target
    for number in range(int(wish.target), base.numbers[-1] + 1):
        there = frame.spans_of(base, ((number, number),))
        if there:
            return str(there[0][0])
    return str(frame.score.numbers[-1] + 1)


def reframed(base: Score, frame: Frame, wishes: Sequence[Wish]) -> tuple[Wish, ...]:
    """The wishes that leave bars where they are, in the bars that theirs became."""
    kept = []
    for wish in wishes:
        if wish.quality in changes and changes[wish.quality].reframe is not None:
            continue
        spans = frame.spans_of(base, wish.where)
        if spans:
            kept.append(wish.at(spans))
    return tuple(kept)


def _bars(score: Score, wish: Wish) -> list[int]:
    return [bar for one, two in wish.where for bar in range(score.index_of(one), score.index_of(two) + 1)]


def _gone(base: Score, origin: Origin, wish: Wish) -> tuple[bool, str]:
    """None of those bars is left."""
    left = len({bar for bar in _bars(base, wish) if bar in origin})
    return not left, f"{left or 'none'} of the {len(_bars(base, wish))} bars left"


def _fewer(base: Score, origin: Origin, wish: Wish) -> tuple[bool, str]:
    """So many of those bars are gone, from every time that they are played."""
    bars, (count, before) = set(_bars(base, wish)), _played(base, origin, wish)
    left = {len(bars & set(origin)) - len(bars), count - before}
    return -int(wish.target) in left, f"{count} bars, {before} before"


def _longer(base: Score, origin: Origin, wish: Wish) -> tuple[bool, str]:
    count, before = _played(base, origin, wish)
    return count >= before + int(wish.target), f"{count} bars, {before} before"


def _played(base: Score, origin: Origin, wish: Wish) -> tuple[int, int]:
    """How many bars those are now, and how many they were, with repeats written out where bars came or went."""
    bars, whole = set(_bars(base, wish)), tuple(range(base.bars))
    before = whole if origin == whole else order_of(base)
    return sum(bar in bars for bar in origin), sum(bar in bars for bar in before)


def _again(base: Score, origin: Origin, wish: Wish) -> tuple[bool, str]:
    """Those bars stand one after the other, once more than before."""
    bars, order = _bars(base, wish), list(origin)
    places = [at for at in range(len(order)) if order[at : at + len(bars)] == bars]
    return len(places) > int(wish.target or 1), f"played {len(places)} times"


def _moved(base: Score, origin: Origin, wish: Wish) -> tuple[bool, str]:
    """Those bars stand together before the bar that was named, or at the end."""
    bars, order = _bars(base, wish), list(origin)
    places = [at for at in range(len(order)) if order[at : at + len(bars)] == bars]
    left = [base.index_of(n) for n in range(int(wish.target), base.numbers[-1] + 1)]
    target = next((bar for bar in left if bar in order and bar not in bars), None)
    fine = any((order[at + len(bars)] if at + len(bars) < len(order) else None) == target for at in places)
    return fine, "moved" if fine else "not there"


def _exchanged(base: Score, origin: Origin, wish: Wish) -> tuple[bool, str]:
    """Each of two stretches stands where the other stood, among the bars that are left."""
    one, two = _bars(base, wish), _bars(base, wish.at([_span(wish.target)]))
    order = [bar for bar in origin if bar is not None]
    first, second = (one, two) if one[0] < two[0] else (two, one)
    wanted = [*second, *range(first[-1] + 1, second[0]), *first]
    wanted = [bar for bar in wanted if bar in order]
    there = any(order[at : at + len(wanted)] == wanted for at in range(len(order)))
    return there, "in each other's place" if there else "not in each other's place"


def _span(target: str) -> tuple[int, int]:
    one, _, two = target.partition("-")
    return int(one), int(two)


def _begins(base: Score, origin: Origin, wish: Wish) -> tuple[bool, str]:
    first = _bars(base, wish)[0]
    label = base.section_at(base.bar_lines[first])
    return origin[:1] == (first,), f"it begins with {label or 'those bars'}" if origin[:1] == (
        first,
    ) else "it does not"


@reframe("repeat", _again)
def _repeat(score: Score, wish: Wish) -> tuple[Score, Origin]:
    return sections.repeated(score, wish.where, int(wish.target or 1))


@reframe("cut", _gone)
def _cut(score: Score, wish: Wish) -> tuple[Score, Origin]:
    return sections.cut(score, wish.where)


@reframe("move", _moved)
def _move(score: Score, wish: Wish) -> tuple[Score, Origin]:
    return sections.moved(score, wish.where, int(wish.target))


@reframe("exchange", _exchanged)
def _exchange(score: Score, wish: Wish) -> tuple[Score, Origin]:
    return sections.exchanged(score, wish.where[0], _span(wish.target))


@reframe("lengthen", _longer)
def _lengthen(score: Score, wish: Wish) -> tuple[Score, Origin]:
    return sections.lengthened(score, int(wish.target), wish.where)


@reframe("shorten", _fewer)
def _shorten(score: Score, wish: Wish) -> tuple[Score, Origin]:
    by = int(wish.target)
    whole = wish.where == ((score.numbers[0], score.numbers[-1]),)
    return _shorter(score, by) if whole else sections.shortened(score, by, wish.where)


def _shorter(score: Score, by: int) -> tuple[Score, Origin]:
    """A whole piece shorter: sections that come again go first, from the second last backwards, then single bars."""
    rows = sections_of_score(score)
    left, gone = by, []
    for place in range(len(rows) - 2, 0, -1):
        kind, first, last = rows[place]
        if last - first + 1 <= left and any(other[0] == kind for other in rows[:place]):
            gone.append((first, last))
            left -= last - first + 1
    order: Origin = tuple(range(score.bars))
    made = score
    if gone:
        made, order = sections.cut(score, gone)
    if left:
        made, more = sections.shortened(made, left)
        order = tuple(None if bar is None else order[bar] for bar in more)
    return made, order


@reframe("start", _begins)
def _start(score: Score, wish: Wish) -> tuple[Score, Origin]:
    first = [bar for bar in _bars(score, wish) if bar <= score.index_of(wish.where[0][1])]
    if first[0] == 0:
        return score, tuple(range(score.bars))
    return sections.reordered(score, [*first, *range(score.bars)])
