"""What a line asks of a player, what each level allows of it, and how hard that makes a piece.

A concept may need more than its level has (sixteenth notes need sixteenths): what its own example uses is allowed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from libretto.knowledge import Concept
from libretto.score import QUARTER, Score
from libretto.score.keys import Key

__all__ = ["LEVELS", "Demands", "Difficulty", "classes_at_home", "demands_of", "difficulty_of"]

_RAISED = (9, 11)  # semitones above the tonic: the sixth and seventh of melodic minor
_NOTHING_SHORT = 4.0  # quarters; the shortest note of a line that has fewer than two


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


def classes_at_home(key: Key) -> set[int]:
    """The pitch classes that belong to a key: its scale, and in minor the raised sixth and seventh."""
    raised = {(key.tonic_class + step) % 12 for step in _RAISED} if key.is_minor else set()
    return {*key.classes} | raised


def demands_of(score: Score) -> Demands:
    """What a piece of one voice asks of a player."""
    table = score.table
    if not len(table):
        return Demands(0.0, _NOTHING_SHORT, 0, 0, 0.0)
    onset = np.asarray(table["onset"], dtype=np.int64)
    starts, place = np.unique(onset, return_inverse=True)
    top = np.zeros(len(starts), dtype=np.int64)
    np.maximum.at(top, place, table["pitch"])
    gaps = np.diff(starts)
    moves = np.abs(np.diff(top))
    foreign = float((~np.isin(table["pitch"] % 12, sorted(classes_at_home(score.key)))).mean())
    return Demands(
        round(len(starts) / max(1.0, score.ticks / QUARTER), 3),
        round(float(gaps.min()) / QUARTER, 4) if len(gaps) else _NOTHING_SHORT,
        int(moves.max()) if len(moves) else 0,
        int(top.max() - top.min()),
        round(foreign, 4),
    )


@dataclass(frozen=True)
class Difficulty:
    """A grade from 1 (first lessons) to 10 (concert pieces), and what makes it so, the weightiest first."""

    grade: int
    points: float
    reasons: tuple[str, ...]


#: What counts as much as can be of each part (1 point before weighing), and how much of it counts for nothing.
_QUICK, _MOST_QUICK = 5.0, 1.5  # onsets a second; quicker playing counts up to half as much again
_EASY_LEAP, _LEAP = 4, 12  # semitones: a third is easy, and an octave more is as hard as leaps get
_EASY_RANGE, _RANGE = 8, 20  # semitones: a sixth is easy
_FOREIGN = 4  # a quarter of the notes outside the key
_SIGNATURE = 7  # sharps or flats
_OFF_BEATS = 2  # half of the onsets
_MORE_NOTES = 3  # notes beside the first, struck at once
_LEVELS_UP = 2  # from the first level to the third
#: How much each part counts for a player; those not named, like leaps or accidentals, count as the last.
_WEIGHTS = {"quick notes": 2.2, "off-beats": 1.4, "the idea itself": 1.6}
_WEIGHT = 1.2
_TELLING = 0.35  # points; less is no reason
_HARDEST = 10
_SHORTEST_SECONDS = 0.5


def difficulty_of(score: Score, concept: Concept | None = None) -> Difficulty:
    """How hard a piece of one voice is to play at its tempo.

    Each part counts from 0 to about 1: onsets a second, leaps, notes outside the key, the key's signature, off-beats,
    range, notes struck together; a concept's level counts as well. The sum is brought to 1 to 10.
    """
    parts = _parts(score, concept)
    points = {name: value * _WEIGHTS.get(name, _WEIGHT) for name, value in parts.items()}
    total = sum(points.values())
    reasons = [name for name, value in sorted(points.items(), key=lambda item: -item[1]) if value >= _TELLING]
    grade = int(np.clip(1 + round(total), 1, _HARDEST))
    return Difficulty(grade, round(total, 3), tuple(reasons[:3]) or ("plain notes in order",))


def _parts(score: Score, concept: Concept | None) -> dict[str, float]:
    """How much there is of everything that makes a piece hard, from 0 to about 1 each."""
    demands = demands_of(score)
    seconds = max(_SHORTEST_SECONDS, score.seconds)
    onsets = len(np.unique(score.table["onset"])) if len(score.table) else 0
    return {
        "quick notes": min(_MOST_QUICK, onsets / seconds / _QUICK),
        "wide leaps": min(1.0, max(0, demands.leap - _EASY_LEAP) / _LEAP),
        "notes outside the key": min(1.0, demands.foreign * _FOREIGN),
        "many sharps or flats": min(1.0, abs(score.key.signature) / _SIGNATURE),
        "off-beats": min(1.0, _off_beats(score) * _OFF_BEATS),
        "a wide range": min(1.0, max(0, demands.range - _EASY_RANGE) / _RANGE),
        "several notes at once": min(1.0, max(0.0, len(score.table) / max(1, onsets) - 1) / _MORE_NOTES),
        "the idea itself": (concept.level - 1) / _LEVELS_UP if concept is not None and concept.level else 0.0,
    }


def _off_beats(score: Score) -> float:
    """The share of onsets off the beat that last over the next beat."""
    table, beat = score.table, score.meter.beat
    if not len(table):
        return 0.0
    inside = table["position"].astype(np.int64) % beat
    return float(((inside > 0) & (inside + table["duration"] > beat)).mean())
