"""Axes: a Score as numbers, each with a meaning for a musician."""

from importlib import import_module

from libretto.axes.axis import FAMILIES, Axis, axes, base_axes, ordered_axes
from libretto.axes.measure import measure, measure_many
from libretto.axes.views import View, view_of

for _family in FAMILIES:
    import_module(f"libretto.axes.{_family}")

__all__ = ["FAMILIES", "Axis", "View", "axes", "base_axes", "measure", "measure_many", "ordered_axes", "view_of"]
