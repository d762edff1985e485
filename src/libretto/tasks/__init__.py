"""Tasks: what is to be made, how it is judged, and the record of how it came about."""

from libretto.tasks.compose import compose_task
from libretto.tasks.fill import FillTask, fill_task
from libretto.tasks.rounds import Cost, Draft, Round, Run
from libretto.tasks.task import Task

__all__ = ["Cost", "Draft", "FillTask", "Round", "Run", "Task", "compose_task", "fill_task"]
