"""Tasks: what is to be made, how it is judged, and the record of how it came about."""

from typing import TYPE_CHECKING

from libretto.registry import lazy_names

if TYPE_CHECKING:
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

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "compose": "compose_task",
        "drill": "DrillTask drill_task",
        "fill": "AccompanyTask FillTask accompany_task extend_task fill_task",
        "kinds": "make_again make_task task_kinds",
        "morph": "Curve MorphTask morph_task",
        "prompt": "make_prompt",
        "revise": "RevisionTask Wish qualities read_wishes revise_task",
        "rounds": "Draft Round Run judge_draft",
        "task": "AnswerShape Task",
    },
)
