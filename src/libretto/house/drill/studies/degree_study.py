"""Studies on scales that go one way up and another way down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from libretto.house.drill.sheet import DrillSheet
from libretto.house.drill.studies.scale_study import scale_bars
from libretto.house.drill.studies.study import StudyAsk, studies

__all__ = ["degree_study"]

_LOWER = (0, 2, 3, 5, 7)  # the steps that minor has either way
_TOP = 12


@studies.register("degrees")
def degree_study(ask: StudyAsk, condition: Mapping[str, Any]) -> DrillSheet | None:
    """Minor with the sixth and seventh as the concept's two paths have them: one rising, the other falling."""
    paths = [item["path"] for item in ask.concept.detector if item["kind"] == "degrees"]
    rising = [path for path in paths if len(path) > 2 and path[0] < path[-1] == _TOP]
    falling = [path for path in paths if len(path) > 2 and path[-1] < path[0] == _TOP]
    if len(rising) != 1 or len(falling) != 1 or len(paths) != 2:
        return None
    up, down = (
        (*_LOWER, *sorted(step for step in path if _LOWER[-1] < step < _TOP)) for path in (rising[0], falling[0])
    )
    return scale_bars(ask, up, down, up[len(_LOWER) :])
