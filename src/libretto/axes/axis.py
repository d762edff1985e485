"""What an axis is: one number about the structure of a piece, and how to say it to a musician."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from libretto.axes.views import Floats, View
from libretto.registry import Registry

__all__ = ["FAMILIES", "PUBLISHED", "Axis", "axes", "axis", "base_axes", "ordered_axes", "published_axes"]

#: The families of the 29 published axes, in the order in which they are shown.
PUBLISHED = ("rhythm", "harmony", "melody", "texture", "form", "variation")
#: All families: the published ones, then ours.
FAMILIES = (*PUBLISHED, "groove", "lines", "tonality", "arranging", "dynamics", "timbre")


@dataclass(frozen=True)
class Axis:
    """One axis: its function over a view, its family and unit, and what it means.

    ``more`` and ``less`` are advice: what to do for more or less of it. ``transposable`` says that moving the
    whole piece up or down leaves the value as it is.
    """

    name: str
    family: str
    unit: str
    meaning: str
    more: str
    less: str
    order: int
    function: Callable[[View], Floats]
    transposable: bool = True

    def __call__(self, view: View) -> Floats:
        """The value for each stretch of a view, measured once; NaN where the axis does not apply."""
        if self.name not in view.known:
            view.known[self.name] = self.function(view)
        return view.known[self.name]


#: Every axis by name.
axes: Registry[Axis] = Registry("axis", "libretto.axes")
_places = count()  # where an axis stands among those of its family: in the order in which they are written

Function = Callable[[View], Floats]


def axis(
    family: str, *, unit: str, meaning: str, more: str, less: str, transposable: bool = True
) -> Callable[[Function], Function]:
    """Register the decorated function as an axis of that family, under its own name."""

    def add(function: Function) -> Function:
        name = function.__name__
        axes.register(name)(Axis(name, family, unit, meaning, more, less, next(_places), function, transposable))
        return function

    return add


def ordered_axes() -> list[Axis]:
    """All axes, family by family, in the order in which they are documented; families that are not ours come last."""
    rank = {family: place for place, family in enumerate(FAMILIES)}
    return sorted(axes.values(), key=lambda axis: (rank.get(axis.family, len(rank)), axis.family, axis.order))


def base_axes() -> list[Axis]:
    """The axes whose change within a piece is measured: those of rhythm, harmony, melody and texture."""
    return [axis for axis in ordered_axes() if axis.family in PUBLISHED[:4]]


def published_axes() -> list[Axis]:
    """The 29 axes of the published set."""
    return [axis for axis in ordered_axes() if axis.family in PUBLISHED]
