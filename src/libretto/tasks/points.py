"""Points: by what drafts of one task are put in order, and what is said of one that passes.

What a draft weighs orders drafts and does nothing else: it is never shown, in no page, no answer and no file. Of a
piece that passes the weakest points are named, as far as the brief leaves them open, and the strongest, to be kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, Protocol

from libretto.contract import Contract
from libretto.errors import LibrettoError
from libretto.gates import Verdict
from libretto.gates.finding import Remark
from libretto.gates.within import limits_of, speaks_against
from libretto.score import Score, take_bars
from libretto.tasks.task import AnswerShape

__all__ = ["Weighed", "weigh", "with_points"]

_AROUND = 8  # bars on each side of bars written into a song with which they are weighed


class _Point(Protocol):
    """One thing about a piece, in a musician's words."""

    @property
    def text(self) -> str: ...

    @property
    def subject(self) -> str: ...

    @property
    def bars(self) -> Any: ...


@dataclass(frozen=True)
class Weighed:
    """What a draft weighs among those of its task, its two weakest points and its strongest."""

    value: float = field(repr=False)
    weakest: tuple[_Point, ...] = ()
    strongest: tuple[_Point, ...] = ()


def weigh(score: Score, shape: AnswerShape | None = None) -> Weighed | None:
    """What a piece weighs; of bars written into a song, they and those around them. None where it cannot be told."""
    try:
        merit_of = import_module("libretto.merit").merit_of
    except (ImportError, AttributeError):
        return None
    piece = score
    if shape is not None and shape.base is not None:
        first, last = score.numbers[0], score.numbers[-1]
        piece = take_bars(score, max(first, shape.first - _AROUND), min(last, shape.last + _AROUND))
    try:
        merit = merit_of(piece)
    except LibrettoError:
        return None
    return Weighed(float(merit.value), tuple(merit.weakest), tuple(merit.strongest))


def with_points(
    verdict: Verdict, weighed: Weighed | None, contract: Contract | None = None, shape: AnswerShape | None = None
) -> Verdict:
    """The verdict with what to go on with and what to keep, where the piece passes; nothing that is not free."""
    if weighed is None or not verdict.passed:
        return verdict
    limits = limits_of(contract)
    free = [point for point in weighed.weakest if not speaks_against(limits, point.subject)]
    weakest = tuple(remark for point in free if _is_written(remark := _remark(point), shape))
    return replace(verdict, weakest=weakest, strongest=tuple(map(_remark, weighed.strongest)))


def _remark(point: _Point) -> Remark:
    return Remark(point.text, tuple(_spans(point.bars or ())))


def _spans(bars: Sequence[Any]) -> Iterable[tuple[int, int]]:
    """Bars as first and last, whether single or in spans."""
    for bar in bars:
        yield (int(bar), int(bar)) if isinstance(bar, int) else (int(bar[0]), int(bar[1]))


def _is_written(remark: Remark, shape: AnswerShape | None) -> bool:
    """Whether a remark speaks of bars that the answer writes."""
    if shape is None or shape.base is None or not remark.bars:
        return True
    return any(first <= shape.last and last >= shape.first for first, last in remark.bars)
