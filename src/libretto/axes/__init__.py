"""Axes: a Score as numbers, each with a meaning for a musician."""

from importlib import import_module

from libretto.axes.axis import FAMILIES, PUBLISHED, Axis, axes, base_axes, ordered_axes, published_axes
from libretto.axes.measure import Profile, measure, measure_many
from libretto.axes.stretches import view_of, view_without
from libretto.axes.views import View

for _family in FAMILIES:
    import_module(f"libretto.axes.{_family}")

__all__ = [
    "FAMILIES",
    "PUBLISHED",
    "Axis",
    "Profile",
    "View",
    "axes",
    "base_axes",
    "measure",
    "measure_many",
    "ordered_axes",
    "published_axes",
    "view_of",
    "view_without",
]
