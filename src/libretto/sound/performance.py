"""A piece as it is played: the notes of a Score with starts and stops in seconds.

A Score keeps its notes on the grids of its bars; the small deviations of a player have no place there. So playing a
Score gives another value, whose rows answer to the rows of ``score.table`` one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.score import Score, Voice
from libretto.score.table import frozen

__all__ = ["PLAYED", "Performance"]

PLAYED = np.dtype([("start", "<f8"), ("stop", "<f8"), ("pitch", "<i2"), ("velocity", "<i2"), ("voice", "<i4")])


@dataclass(frozen=True, eq=False)
class Performance:
    """Every note of a Score as it sounds, in the order of ``score.table``; ``notes`` has ``PLAYED`` rows, read-only."""

    score: Score
    notes: NDArray[Any]

    @classmethod
    def exact(cls, score: Score) -> Performance:
        """The piece as written: times by the tempo map, velocities as they stand."""
        table = score.table
        notes = np.empty(len(table), PLAYED)
        notes["start"] = score.seconds_at(table["onset"])
        notes["stop"] = score.seconds_at(table["onset"] + table["duration"])
        for column in ("pitch", "velocity", "voice"):
            notes[column] = table[column]
        return cls(score, frozen(notes))

    @property
    def voices(self) -> tuple[Voice, ...]:
        """The voices that play."""
        return self.score.voices

    @property
    def seconds(self) -> float:
        """When the last note has been released."""
        return float(self.notes["stop"].max(initial=0.0))
