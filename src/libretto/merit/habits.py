"""Habits of real music, measured: where and how each instrument is played, which chord follows which.

Conventions: a General MIDI program stands for an instrument. ``place`` has a row for every program: the mean of what
its parts do, and ``spread`` how far parts differ; columns are ``TRAITS``. Chords are degrees in their key, twelve more
for a minor third; ``chord`` and ``follows`` are logarithms of how usual each is, alone and after another. The numbers
are measured by ``lab.merit.habits`` on songs of artists that teach nothing else here.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pkgutil import get_data

import numpy as np

from libretto.score.table import Floats

__all__ = ["TRAITS", "Habits", "the_habits"]

#: What is known of how an instrument is played.
TRAITS = ("height", "low", "high", "thickness", "length", "busyness")


@dataclass(frozen=True, eq=False)
class Habits:
    """How instruments are played and chords follow one another in real music."""

    place: Floats
    spread: Floats
    chord: Floats
    follows: Floats


@lru_cache(maxsize=1)
def the_habits() -> Habits:
    """The habits that the package ships."""
    data = json.loads((get_data("libretto.merit", "habits.json") or b"").decode())
    return Habits(*(np.array(data[name], dtype=np.float64) for name in ("place", "spread", "chord", "follows")))
