"""What a drill is written from: a concept's example in the key, meter, bars and range that were asked, as far as the
concept is still seen in it; and whether there is any."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import lru_cache

from libretto.house.drill.agreement import agreed
from libretto.house.drill.keys import moved_example
from libretto.house.drill.meters import in_bars, in_meter
from libretto.house.drill.sheet import DrillSheet, score_of
from libretto.house.drill.studying import studied
from libretto.knowledge import Concept
from libretto.tasks.drill.checks import checks_of, plain_checks
from libretto.tasks.drill.task import DrillTask, drill_task

__all__ = ["broken_clauses", "fits", "models_of"]

_USUAL_BARS = 8  # of a drill
_MOST_MODELS = 3


def models_of(task: DrillTask, pace: Callable[[DrillSheet], DrillSheet] | None = None) -> Iterator[DrillSheet]:
    """The example in the key, meter, bars and range that were asked, in the ways in which the concept is still seen."""
    whole = moved_example(task)
    lengths = [task.bars] if task.bars is not None else _usual(whole)
    rows = (
        map(agreed, in_bars(pace(metered) if pace is not None else metered, bars))
        for metered in in_meter(whole, task.meter or task.example.meter)
        if pace is None or metered.first_bar != 0
        for bars in lengths
    )
    for row in rows:
        passing = itertools.islice((sheet for sheet in row if _passes(task, sheet)), _MOST_MODELS)
        first = next(passing, None)
        if first is not None:
            yield first
            yield from passing
            return


def _passes(task: DrillTask, sheet: DrillSheet) -> bool:
    return not any(check.passed is False for check, _ in plain_checks(task, score_of(sheet)))


def _usual(sheet: DrillSheet) -> list[int]:
    own = len(sheet.bars) - (1 if sheet.first_bar == 0 else 0)
    return [own] if own >= _USUAL_BARS else [_USUAL_BARS, own]


def broken_clauses(task: DrillTask, seed: int = 0) -> list[str] | None:
    """What a drill breaks before anything is written anew: nothing where it is a study or a model keeps every clause;
    else what the best model breaks, and None where there is no model, so that the drill is refused."""
    if studied(task, seed) is not None:
        return []
    rows = [
        [f"{check.clause}: {check.evidence}" for check, _ in checks_of(task, score_of(model)) if check.passed is False]
        for model in models_of(task)
    ]
    return min(rows, key=len) if rows else None


@lru_cache(maxsize=4096)
def _fits(name: str, meter: str, key: str, bars: int | None) -> bool:
    task = drill_task(f"theory/{name}" if "/" not in name else name, key=key, meter=meter, bars=bars)
    return studied(task, 0) is not None or next(models_of(task), None) is not None


def fits(concept: Concept | str, meter: str = "", key: str = "", bars: int | None = None) -> bool:
    """Whether a concept can be practised in that meter, key and number of bars."""
    name = concept.key if isinstance(concept, Concept) else drill_task(concept).concept.key
    return _fits(name, meter, key, bars)
