"""How hard a drill is: a grade from 1 to 10 with its reasons, from what it asks of a player."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from libretto.knowledge import Concept
from libretto.score import QUARTER, Score
from libretto.tasks.drill.level import demands_of

__all__ = ["Difficulty", "difficulty_of"]


@dataclass(frozen=True)
class Difficulty:
    """A grade from 1 (first lessons) to 10 (concert pieces), and what makes it so, the weightiest first."""

    grade: int
    points: float
    reasons: tuple[str, ...]


def difficulty_of(score: Score, concept: Concept | None = None) -> Difficulty:
    """How hard a piece of one voice is to play at its tempo.

    Each part counts from 0 to about 1: onsets a second, leaps, notes outside the key, the key's signature, off-beats,
    range, notes struck together; a concept's level counts as well. The sum is brought to 1 to 10.
    """
    demands = demands_of(score)
    seconds = max(0.5, score.seconds)
    onsets = len(np.unique(score.table["onset"])) if len(score.table) else 0
    parts = {
        "quick notes": min(1.5, onsets / seconds / 5.0),
        "wide leaps": min(1.0, max(0, demands.leap - 4) / 12),
        "notes outside the key": min(1.0, demands.foreign * 4),
        "many sharps or flats": min(1.0, abs(score.key.signature) / 7),
        "off-beats": min(1.0, _off_beats(score) * 2),
        "a wide range": min(1.0, max(0, demands.range - 8) / 20),
        "several notes at once": min(1.0, max(0.0, len(score.table) / max(1, onsets) - 1) / 3),
        "the idea itself": (concept.level - 1) / 2 if concept is not None and concept.level else 0.0,
    }
    weights = {"quick notes": 2.2, "off-beats": 1.4, "the idea itself": 1.6}
    points = {name: value * weights.get(name, 1.2) for name, value in parts.items()}
    total = sum(points.values())
    reasons = [name for name, value in sorted(points.items(), key=lambda item: -item[1]) if value >= 0.35]
    return Difficulty(
        int(np.clip(1 + round(total), 1, 10)), round(total, 3), tuple(reasons[:3]) or ("plain notes in order",)
    )


def _off_beats(score: Score) -> float:
    """The share of onsets off the beat that last over the next beat."""
    table = score.table
    if not len(table):
        return 0.0
    beat = QUARTER * 3 // 2 if score.meter.unit == 8 and score.meter.beats % 3 == 0 else QUARTER * 4 // score.meter.unit
    inside = table["position"].astype(np.int64) % beat
    return float(((inside > 0) & (inside + table["duration"] > beat)).mean())
