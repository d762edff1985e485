"""Morph: a piece that goes from one song or genre to another, and how far along that road each window has come."""

from libretto.tasks.morph.road import Curve
from libretto.tasks.morph.task import MorphTask, morph_task

__all__ = ["Curve", "MorphTask", "morph_task"]
