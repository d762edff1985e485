"""Signs and controls of a voice that changed though no wish speaks of them, bar by bar."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.edits.sections import Origin
from libretto.score import Score, Voice

__all__ = ["signs_strayed"]


def signs_strayed(base: Score, score: Score, old: Voice, new: Voice, origin: Origin, free: set[int]) -> list[str]:
    """The first bar that no wish frees in which a voice has other signs or controls than before, in words.

    Signs that last are compared by where they begin; where bars moved, how long they last may end at a seam.
    """
    moved = list(origin) != list(range(base.bars))
    for bar, came_from in enumerate(origin):
        if bar in free or came_from is None:
            continue
        if _signs(base, old, came_from, moved) != _signs(score, new, bar, moved):
            return [f"a sign of {new.name} in bar {score.numbers[bar]}"]
        if _controls(base, old, came_from) != _controls(score, new, bar):
            return [f"a control of {new.name} in bar {score.numbers[bar]}"]
    return []


def _edges(score: Score, bar: int) -> tuple[int, int]:
    return score.bar_lines[bar], score.bar_lines[bar + 1]


def _signs(score: Score, voice: Voice, bar: int, moved: bool) -> list[tuple[object, ...]]:
    start, end = _edges(score, bar)
    inside = [mark._replace(tick=mark.tick - start) for mark in voice.marks if start <= mark.tick < end]
    return sorted(mark._replace(length=0) for mark in inside) if moved else sorted(inside)


def _controls(score: Score, voice: Voice, bar: int) -> Sequence[object]:
    start, end = _edges(score, bar)
    rows = voice.controls[(voice.controls["tick"] >= start) & (voice.controls["tick"] < end)].copy()
    rows["tick"] -= start
    return np.sort(rows).tolist()  # type: ignore[no-any-return]
