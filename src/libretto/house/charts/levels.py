"""How loud a section of a chart is, bar by bar: as it is written, and growing into a louder one that follows."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.house.charts.form import Passage

__all__ = ["level_at"]

_AGAIN, _TIMES = 3, 2  # velocities by which a section is louder when it comes again, and how often that counts
_STEP = 6  # velocities by which the section that follows is louder, so that one grows into it
_SHARE, _MOST = 0.4, 8.0  # of the way that the last bar goes, and velocities at most
_LONG = 8  # bars of a section that begins to grow a bar earlier


def level_at(passages: Sequence[Passage], place: int, number: int) -> float:
    """The loudness of a bar of the section in some place: on the way from where the section begins to where it ends,
    and in its last bar part of the way to a louder one that follows, so that no section falls in with the door."""
    passage = passages[place]
    first, last = passage.scene.levels
    level = first + (last - first) * number / max(1, passage.bars - 1)
    level += _AGAIN * min(_TIMES, passage.before)
    if place + 1 == len(passages):
        return level
    step = passages[place + 1].scene.levels[0] - last
    rising = 2 if passage.bars >= _LONG else 1
    near = rising - (passage.bars - 1 - number)
    if step < _STEP or near <= 0 or passage.bars == 1:
        return level
    return level + min(_MOST, _SHARE * step) * near / rising
