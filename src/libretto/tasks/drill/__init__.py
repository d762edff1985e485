"""Drill: one voice that practises one concept, and the grade of a learner's answer to it."""

from libretto.tasks.drill.task import DrillTask, drill_task

__all__ = ["DrillTask", "drill_task"]
