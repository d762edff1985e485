"""What a level allows: how many notes a beat, how short, how wide the leaps and the range, how many accidentals.

A concept may need more than its level has (sixteenth notes need sixteenths): what its own example uses is allowed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from libretto.score import QUARTER, Score
from libretto.score.pitch import pitch_class_of

__all__ = ["LEVELS", "Demands", "demands_of"]


@dataclass(frozen=True)
class Demands:
    """What a line asks of a player: onsets a quarter, the shortest note in quarters, the widest leap and the range of
    the top line in semitones, and the share of notes outside the key's scale."""

    density: float
    shortest: float
    leap: int
    range: int
    foreign: float

    def most(self, other: Demands) -> Demands:
        """The larger of both in everything."""
        return Demands(
            max(self.density, other.density),
            min(self.shortest, other.shortest),
            max(self.leap, other.leap),
            max(self.range, other.range),
            max(self.foreign, other.foreign),
        )


#: The most that each level asks for.
LEVELS: dict[int, Demands] = {
    1: Demands(2.0, 0.5, 9, 17, 0.15),
    2: Demands(3.0, 0.25, 12, 24, 0.25),
    3: Demands(5.0, 0.125, 16, 36, 0.45),
}


def demands_of(score: Score) -> Demands:
    """What a piece of one voice asks of a player."""
    table = score.table
    if not len(table):
        return Demands(0.0, 4.0, 0, 0, 0.0)
    onset = np.asarray(table["onset"], dtype=np.int64)
    starts, place = np.unique(onset, return_inverse=True)
    top = np.zeros(len(starts), dtype=np.int64)
    np.maximum.at(top, place, table["pitch"])
    gaps = np.diff(starts)
    moves = np.abs(np.diff(top))
    scale = [pitch_class_of(each) for each in score.key.scale]
    if score.key.is_minor:
        scale += [(pitch_class_of(score.key.tonic) + step) % 12 for step in (9, 11)]
    foreign = float((~np.isin(table["pitch"] % 12, scale)).mean())
    return Demands(
        round(len(starts) / max(1.0, score.ticks / QUARTER), 3),
        round(float(gaps.min()) / QUARTER, 4) if len(gaps) else 4.0,
        int(moves.max()) if len(moves) else 0,
        int(top.max() - top.min()),
        round(foreign, 4),
    )
