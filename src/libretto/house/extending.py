"""Extend a song: new bars at its end, before it or within it are a gap like any other."""

from __future__ import annotations

from libretto.house.controls import Controls
from libretto.house.drafting import writers
from libretto.house.filling import write_fill
from libretto.score import Score
from libretto.tasks import Task

__all__ = ["write_extension"]


@writers.register("extend")
def write_extension(task: Task, seed: int, controls: Controls) -> Score:
    """The song with its new bars written."""
    return write_fill(task, seed, controls)
