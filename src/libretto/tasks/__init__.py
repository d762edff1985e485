"""Tasks: what is to be made, how it is judged, and the record of how it came about."""

from importlib import import_module
from pkgutil import iter_modules

from libretto.tasks.compose import compose_task
from libretto.tasks.drill import DrillTask, drill_task
from libretto.tasks.fill import AccompanyTask, FillTask, accompany_task, extend_task, fill_task
from libretto.tasks.kinds import make_again, make_task, task_kinds
from libretto.tasks.morph import Curve, MorphTask, morph_task
from libretto.tasks.prompt import make_prompt
from libretto.tasks.revise import RevisionTask, Wish, qualities, read_wishes, revise_task
from libretto.tasks.rounds import Draft, Round, Run, judge_draft
from libretto.tasks.task import AnswerShape, Task

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
    "judge_draft",
    "make_again",
    "make_prompt",
    "make_task",
    "morph_task",
    "qualities",
    "read_wishes",
    "revise_task",
    "task_kinds",
]

for _module in iter_modules(__path__):  # whoever stands here may register a kind of task
    import_module(f"{__name__}.{_module.name}")
