"""Tasks: what is to be made, how it is judged, and the record of how it came about."""

from libretto.tasks.compose import compose_task
from libretto.tasks.drill import DrillTask, drill_task
from libretto.tasks.rounds import Cost, Draft, Round, Run
from libretto.tasks.task import Task

__all__ = ["Cost", "Draft", "DrillTask", "Round", "Run", "Task", "compose_task", "drill_task"]
