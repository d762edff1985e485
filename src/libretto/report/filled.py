"""A gap that was filled, once the loop is over: its final grade, the song as it goes back into its file, a triptych."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from libretto.errors import LibrettoError
from libretto.notation.marks import has_own_chords
from libretto.roll import roll_triptych
from libretto.roll.draw import Theme
from libretto.score import Score, take_bars
from libretto.tasks import FillTask, Task
from libretto.tasks.fill.blind import anonymous, named_back
from libretto.tasks.fill.final import FinalGrade, final_grade, final_lines, region_of

__all__ = ["Filled", "graded"]

_AROUND = 8  # bars that a triptych shows of what surrounds a gap


@dataclass(frozen=True)
class Filled:
    """A filled song under its own names, what stood there before, and the grade; None where nothing was hidden."""

    score: Score = field(repr=False)
    answer: Score = field(repr=False)
    hidden: Score = field(repr=False)
    grade: FinalGrade | None = None

    @property
    def copied(self) -> bool:
        """Whether the fill is refused as a copy of what was hidden."""
        return self.grade is not None and self.grade.copied

    @property
    def lines(self) -> list[str]:
        """The grade for a terminal; nothing where nothing was hidden."""
        return ["", *final_lines(self.grade)] if self.grade is not None else []

    def to_dict(self) -> dict[str, Any]:
        """The grade as plain data; nothing where nothing was hidden."""
        return {"grade": self.grade.to_dict()} if self.grade is not None else {}

    def triptych(self, task: Task, *, theme: Theme = "auto") -> str:
        """Figure 4: what is given around the gap, what was written, and what was hidden, on one scale."""
        if not isinstance(task, FillTask):
            raise LibrettoError("only a gap that was filled has something given, filled and hidden")
        low, high = max(task.context.numbers[0], task.first - _AROUND), task.first - 1
        if high < low:
            low, high = task.last + 1, min(task.context.numbers[-1], task.last + _AROUND)
        given = take_bars(task.context, low, high)
        grade = self.grade
        caption = f"answer overlap {grade.overlap:.3f}, beat alignment {grade.beat:.0%}" if grade else ""
        real = f"{grade.real_extremes} extreme axes" if grade else "nothing was there"
        return roll_triptych(
            given,
            region_of(task, self.answer),
            region_of(task, self.hidden),
            names=("Given", "Filled", "Hidden"),
            captions=(f"bars {low}-{high}", caption, real),
            numbers=(low, task.first, task.first),
            title=task.brief,
            theme=theme,
        )


def graded(
    task: FillTask, answer: Score, song: Score, gates: str = "ours", voices: Sequence[str] | None = None
) -> Filled:
    """A fill after the loop: put back under the song's own names where it was blind, and held against what was there.

    ``song`` is the song itself, ``voices`` those that the task was made for. Bars that were added to it hid nothing and
    have no grade.
    """
    if task.kind != "fill":
        return Filled(answer, answer, answer)
    back, truth = answer, song
    if task.blind:
        truth = anonymous(song, task.first, task.last, voices)
        back = named_back(answer, song, task.first, task.last, voices)
    judged = task.switched(gates, task.retrieval)
    if not task.whole and has_own_chords(song):  # who still plays in the gap plays over the song's own chords
        back = replace(back, chords=song.chords)
    return Filled(back, answer, truth, final_grade(judged, answer, replace(truth, title=task.context.title)))
