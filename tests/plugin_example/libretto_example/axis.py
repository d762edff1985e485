"""An axis more: how many pitched notes a piece has."""

from libretto.axes import View
from libretto.axes.axis import axis
from libretto.score.table import Floats


@axis(
    "dynamics",
    unit="notes",
    meaning="How many pitched notes sound.",
    more="Write more notes.",
    less="Leave notes out.",
)
def example_notes(view: View) -> Floats:
    """The number of pitched notes of every stretch."""
    return view.notes
