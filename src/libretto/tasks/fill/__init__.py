"""Fill, accompany, extend: bars or parts of a song that are missing, and whether what is written there belongs."""

from libretto.tasks.fill.accompany import AccompanyTask, accompany_task
from libretto.tasks.fill.task import FillTask, extend_task, fill_task

__all__ = ["AccompanyTask", "FillTask", "accompany_task", "extend_task", "fill_task"]
