"""Everything that is weighed of a piece, by name: numbers of our own, and the axes that say how music moves.

A name belongs to a subject, which is what a musician would call what it is about.
"""

from __future__ import annotations

from math import isfinite, nan

from libretto.axes import measure
from libretto.axes.axis import axes
from libretto.merit.dynamics import dynamics_of
from libretto.merit.ending import ending_of
from libretto.merit.form import form_of
from libretto.merit.habits import Habits, the_habits
from libretto.merit.harmony import harmony_of
from libretto.merit.heard import Heard
from libretto.merit.melody import melody_of
from libretto.merit.parts import parts_of
from libretto.merit.rhythm import rhythm_of

__all__ = ["SUBJECTS", "numbers_of"]

#: What a piece is weighed in.
SUBJECTS = ("form", "melody", "rhythm", "harmony", "parts", "dynamics", "ending")
#: The subject of each family of axes; the families that are not here say what a piece is for, not how good it is.
_FAMILIES = {
    "rhythm": "rhythm",
    "harmony": "harmony",
    "melody": "melody",
    "texture": "parts",
    "form": "form",
    "variation": "form",
    "groove": "rhythm",
    "lines": "melody",
    "tonality": "harmony",
    "arranging": "parts",
    "dynamics": "dynamics",
}
_FIXED = ("tempo", "voice_count", "percussion_share")  # what the brief decides


def numbers_of(heard: Heard, habits: Habits | None = None) -> dict[str, float]:
    """Every number of a piece as ``subject.name``; NaN where one does not apply."""
    habits = the_habits() if habits is None else habits
    tables = {
        "form": form_of(heard),
        "melody": melody_of(heard),
        "rhythm": rhythm_of(heard),
        "harmony": harmony_of(heard, habits),
        "parts": parts_of(heard, habits),
        "dynamics": dynamics_of(heard),
        "ending": ending_of(heard),
    }
    numbers = {f"{subject}.{name}": value for subject, table in tables.items() for name, value in table.items()}
    for name, value in measure(heard.score).items():
        subject = _FAMILIES.get(axes[name].family)
        if subject is not None and name not in _FIXED:
            numbers[f"{subject}.axis_{name}"] = nan if value is None else value
    return {name: value if isfinite(value) else nan for name, value in numbers.items()}
