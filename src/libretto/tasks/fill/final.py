"""The final grade of a fill: the only place beside ``grade`` that looks at what was hidden, once, after the loop.

*Answer overlap* is the share of the fill's notes that the hidden bars have, bar against bar; *slid* the same at the
best distance in bars. *Explained* is which part of those notes the visible song has, too, at some one distance: what a
song that repeats itself gives without anybody having looked. Where others still play in the gap, it is also what those
voices play elsewhere, bar by bar, moved from the chord heard there to the one heard in the gap, as a riff is. *Beat
alignment* is the share of the published corpus whose songs lie farther from the hidden bars than the fill does, in mean
percentiles.
A fill is refused as a copy of the answer by the printed ceiling, 0.30 of it slid; by our gates where 0.30 of its notes
are the hidden ones and not explained by the song, or all of them are and the song does not explain every one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from libretto.corpus.slide import aligned, pairs_of, shared_notes, slide
from libretto.errors import LibrettoError
from libretto.gates.paper import GAP_CEILING, corpus_percents, paper_extremes, paper_percentiles
from libretto.score import Score, take_bars
from libretto.tasks.fill.carried import carried_over
from libretto.tasks.fill.material import only
from libretto.tasks.fill.task import FillTask

__all__ = ["FinalGrade", "final_grade", "final_lines", "region_of"]

_DIGITS = 4  # of shares, as they are kept


def region_of(task: FillTask, score: Score) -> Score:
    """What the voices of a gap play in it, alone."""
    return only(take_bars(score, task.first, task.last), task.voices)


@dataclass(frozen=True)
class FinalGrade:
    """How a fill stands to the hidden bars; shares from 0 to 1, ``copied`` where it is refused as their copy."""

    overlap: float
    slid: float
    explained: float
    beat: float
    extremes: int
    real_extremes: int
    copied: bool

    def to_dict(self) -> dict[str, Any]:
        """The grade as plain data."""
        return asdict(self)


def final_grade(task: FillTask, answer: Score, song: Score) -> FinalGrade | None:
    """Hold a fill against what was hidden, once, after the loop; None where nothing was hidden.

    ``song`` is the one that the task was made from: the anonymous one where the task is blind.
    """
    if task.outside(song) != task.digest or not task.same_outside(answer):
        raise LibrettoError("this is not the song of that task, or the answer changed it outside the gap")
    made, real = region_of(task, answer), region_of(task, song)
    mine, theirs = pairs_of(made), pairs_of(real, "the hidden bars")
    if not theirs.notes or not mine.notes:
        return None
    overlap, slid = aligned(mine, theirs), slide(mine, theirs).share
    both = shared_notes(mine, theirs)
    explained = 0.0
    if both.notes:
        again = slide(both, pairs_of(task.context, without=task.span)).share
        explained = max(again, carried_over(task.context, task.voices, task.span, both))
    own, truth = paper_percentiles(made), paper_percentiles(real)
    far = np.abs(corpus_percents() - _row(truth)).mean(axis=1)
    beat = float((far > np.abs(_row(own) - _row(truth)).mean()).mean())
    copied = slid >= GAP_CEILING
    if task.gates == "ours":
        all_of_it = both.notes == sum(map(len, theirs.bars.values())) == sum(map(len, mine.bars.values()))
        copied = overlap * (1 - explained) >= GAP_CEILING or (all_of_it and explained < 1)
    overlap, slid, explained, beat = (round(share, _DIGITS) for share in (overlap, slid, explained, beat))
    counts = len(paper_extremes(own)), len(paper_extremes(truth))
    return FinalGrade(overlap, slid, explained, beat, *counts, copied)


def _row(percentiles: dict[str, int]) -> Any:
    return np.array(list(percentiles.values()), dtype=np.float64)


def final_lines(grade: FinalGrade) -> Sequence[str]:
    """The final grade for a person: answer overlap and beat alignment, and whether it is refused."""
    lines = [
        f"answer overlap {grade.overlap:.3f}, slid {grade.slid:.3f}, {grade.explained:.0%} of it explained by the song;"
        f" beat alignment {grade.beat:.0%}; {grade.extremes} extreme axes, the hidden bars have {grade.real_extremes}"
    ]
    return [*lines, "REFUSED: a copy of the hidden bars"] if grade.copied else lines
