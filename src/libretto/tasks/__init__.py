"""Tasks: what is to be made, how it is judged, and the record of how it came about."""

from importlib import import_module

from libretto.tasks.compose import compose_task
from libretto.tasks.drill.task import DrillTask, drill_task
from libretto.tasks.fill.accompany import AccompanyTask, accompany_task
from libretto.tasks.fill.extend import extend_task
from libretto.tasks.fill.task import FillTask, fill_task
from libretto.tasks.kinds import make_again, make_task, task_kinds
from libretto.tasks.morph.task import Curve, MorphTask, morph_task
from libretto.tasks.prompt import make_prompt
from libretto.tasks.revise.task import RevisionTask, revise_task
from libretto.tasks.revise.wish import Wish, qualities
from libretto.tasks.revise.words import read_wishes
from libretto.tasks.rounds import Draft, Round, Run
from libretto.tasks.task import AnswerShape, Task

for _kind in ("drill", "fill"):  # they register tasks that are made from words
    import_module(f"libretto.tasks.{_kind}.kinds")

__all__ = [
    "AccompanyTask",
    "AnswerShape",
    "Curve",
    "Draft",
    "DrillTask",
    "FillTask",
    "MorphTask",
    "RevisionTask",
    "Round",
    "Run",
    "Task",
    "Wish",
    "accompany_task",
    "compose_task",
    "drill_task",
    "extend_task",
    "fill_task",
    "make_again",
    "make_prompt",
    "make_task",
    "morph_task",
    "qualities",
    "read_wishes",
    "revise_task",
    "task_kinds",
]
