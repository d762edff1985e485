"""Everything that is counted of a piece at a glance, by name; NaN where a number does not apply.

Names are ``subject.name``. The numbers say what tells music from what only looks like it, and a draft from the same
made worse; none of them is a merit by itself: what each is worth was learnt (``lab.reward``).
"""

from __future__ import annotations

from math import isfinite, nan

from libretto.reward.counting import dynamics_of, form_of, material_of, rhythm_of
from libretto.reward.glance import Glance
from libretto.reward.sounding import harmony_of, melody_of, parts_of

__all__ = ["numbers_of"]


def numbers_of(glance: Glance) -> dict[str, float]:
    """Every number of a piece."""
    tables = {
        "material": material_of(glance),
        "rhythm": rhythm_of(glance),
        "form": form_of(glance),
        "melody": melody_of(glance),
        "harmony": harmony_of(glance),
        "parts": parts_of(glance),
        "dynamics": dynamics_of(glance),
    }
    named = ((f"{subject}.{name}", value) for subject, table in tables.items() for name, value in table.items())
    return {name: float(value) if isfinite(value) else nan for name, value in named}
