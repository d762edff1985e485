"""The bars of a piece that a place means as requests say it, and why there are none."""

from __future__ import annotations

from libretto.contract.stretches import bars_of_place, sections_of_score
from libretto.score import Score

__all__ = ["missing_place", "spans_of_place"]

_APPROACH = 4  # bars before a section in which something leads into it


def spans_of_place(value: str, score: Score) -> tuple[tuple[int, int], ...]:
    """The bars of a place as it is read here: also what leads into one, and from one to another."""
    if value.startswith("into "):
        spans = bars_of_place(value.removeprefix("into "), score)
        return tuple((_approach(a, score), a - 1) for a, _ in spans[:1] if a > score.numbers[0])
    if ".." in value:
        one, _, two = value.partition("..")
        first, last = bars_of_place(one, score), bars_of_place(two, score)
        return ((first[0][0], last[-1][1]),) if first and last and first[0][0] <= last[-1][1] else ()
    spans = bars_of_place(value, score)
    if not spans and value.endswith(("outro", "intro")):
        edge = "end" if value.endswith("outro") else "start"
        return bars_of_place(value.replace("outro", "end").replace("intro", "start"), score) if edge == "end" else ()
    return spans


def _approach(bar: int, score: Score) -> int:
    """The first bar of what leads into a bar: the second half of the section before it, and no more than four bars."""
    before = [last - first + 1 for _, first, last in sections_of_score(score) if last == bar - 1]
    return max(score.numbers[0], bar - min(_APPROACH, max(1, before[0] // 2) if before else _APPROACH))


def missing_place(value: str, score: Score) -> str:
    """Why a place cannot be found, in words."""
    if "bar" in value:
        return f"the piece has bars {score.numbers[0]}-{score.numbers[-1]}"
    there = ", ".join(dict.fromkeys(label for _, label in score.sections)) or "none"
    return f"there is no {value}; sections: {there}"
