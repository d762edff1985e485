"""Points: by what drafts of one task are put in order, and what is said of one that passes.

What a draft weighs orders drafts and does nothing else: it is never shown, in no page, no answer and no file. Of a
piece that passes the weakest points are named, as far as the brief leaves them open, and the strongest, to be kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from libretto.gates import Verdict
from libretto.gates.finding import Remark
from libretto.gates.within import limits_of
from libretto.merit import Merit, Point, merit_of
from libretto.score import Score, take_bars

if TYPE_CHECKING:
    from libretto.contract import Contract
    from libretto.tasks.task import AnswerShape

__all__ = ["FIXED", "weigh", "with_points"]

_AROUND = 8  # bars on each side of bars written into a song with which they are weighed
#: What a contract may fix so that nothing is to change in a subject.
FIXED: Mapping[str, tuple[str, ...]] = {
    "form": ("form",),
    "contrast": ("alone", "sparse", "busy", "low", "high"),
    "harmony": ("drums alone",),
    "the tune over its chords": ("drums alone",),
    "chord succession": ("chords", "one line", "no bass", "drums alone"),
    "players together": ("alone",),
    "instruments": ("alone", "low", "high"),
    "loudness": ("soft", "loud", "fade"),
    "the ending": ("ending", "one line", "no bass", "drums alone"),
}


def weigh(score: Score, contract: Contract | None = None, shape: AnswerShape | None = None) -> Merit:
    """What a piece weighs, and its points; of bars written into a song, they and those around them."""
    limits = limits_of(contract)
    skip = {subject for subject, fixing in FIXED.items() if not limits.isdisjoint(fixing)}
    if shape is None or shape.base is None:
        return merit_of(score, skip)
    first, last = max(score.numbers[0], shape.first - _AROUND), min(score.numbers[-1], shape.last + _AROUND)
    return merit_of(take_bars(score, first, last), skip)


def with_points(verdict: Verdict, merit: Merit, shape: AnswerShape | None = None) -> Verdict:
    """The verdict with what to go on with and what to keep, where the piece passes; only of bars that are written."""
    if not verdict.passed:
        return verdict
    weakest = tuple(_remark(point) for point in merit.weakest if _is_written(point, shape))
    strongest = tuple(_remark(point) for point in merit.strongest if _is_written(point, shape))
    return replace(verdict, weakest=weakest, strongest=strongest)


def _remark(point: Point) -> Remark:
    return Remark(f"{point.text.rstrip('.')}.", point.bars)


def _is_written(point: Point, shape: AnswerShape | None) -> bool:
    """Whether a point speaks of what the answer writes: of its bars, and of one of its voices or of all."""
    if shape is None or shape.base is None:
        return True
    inside = any(first <= shape.last and last >= shape.first for first, last in point.bars)
    return inside and (not point.voice or not shape.writes or point.voice in shape.writes)
