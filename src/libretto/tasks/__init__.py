"""Tasks: what is to be made, how it is judged, and the record of how it came about."""

from importlib import import_module

from libretto.tasks.accompany import AccompanyTask, accompany_task
from libretto.tasks.compose import compose_task
from libretto.tasks.drill import DrillTask, drill_task
from libretto.tasks.extend import extend_task
from libretto.tasks.fill import FillTask, fill_task
from libretto.tasks.kinds import make_again, make_task, task_kinds
from libretto.tasks.morph import Curve, MorphTask, morph_task
from libretto.tasks.prompt import make_prompt
from libretto.tasks.revise import RevisionTask, revise_task
from libretto.tasks.rounds import Cost, Draft, Round, Run
from libretto.tasks.task import Task
from libretto.tasks.wish import Wish, qualities
from libretto.tasks.wish_words import read_wishes

import_module("libretto.tasks.drill_kind")

for _kinds in ("fill_kinds",):  # they register tasks that are made from words
    import_module(f"libretto.tasks.{_kinds}")

__all__ = [
    "AccompanyTask",
    "Cost",
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
