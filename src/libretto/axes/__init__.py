"""Axes: a Score as numbers, each with a meaning for a musician."""

from libretto.axes.axis import FAMILIES, PUBLISHED, Axis, axes, base_axes, ordered_axes, published_axes
from libretto.axes.measure import (
    Measured,
    Profile,
    grid_of,
    measure,
    measure_all,
    measure_many,
    view_of,
    view_of_all,
    view_without,
)
from libretto.axes.views import View
from libretto.registry import load_all

__all__ = [
    "FAMILIES",
    "PUBLISHED",
    "Axis",
    "Measured",
    "Profile",
    "View",
    "axes",
    "base_axes",
    "grid_of",
    "measure",
    "measure_all",
    "measure_many",
    "ordered_axes",
    "published_axes",
    "view_of",
    "view_of_all",
    "view_without",
]

load_all(__name__)
