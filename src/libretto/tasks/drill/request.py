"""What a drill asks for: concept, key, meter, bars, range, as data and in words; and what its level allows."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from libretto.grammar import parse
from libretto.knowledge import Concept, all_concepts, find_concept
from libretto.score import QUARTER, Meter, Score
from libretto.score.keys import Key, spell
from libretto.score.pitch import letter_name, pitch_name
from libretto.tasks.task import Task

__all__ = [
    "ACCIDENTALS",
    "LEVELS",
    "TEMPOS",
    "Demands",
    "Difficulty",
    "DrillRequest",
    "classes_at_home",
    "demands_of",
    "difficulty_of",
    "drill_context",
    "list_requests",
]


@dataclass(frozen=True, eq=False)
class DrillRequest(Task):
    """A drill to be written: the concept, the key as asked (a mode only where one was named), meter, bars and so on.

    What was not asked is empty: the writer then does as the concept's own example does.
    """

    concept: Concept = field(default_factory=lambda: find_concept("major-scale"), repr=False)
    tonic: int | None = None
    mode: str = ""
    meter: Meter | None = None
    bars: int | None = None
    level: int = 1
    low: int | None = None
    high: int | None = None
    clef: str = ""
    tempo: float | None = None
    instrument: str = ""

    @cached_property
    def example(self) -> Score:
        """What the learner is shown."""
        return parse(self.concept.example)

    @cached_property
    def limits(self) -> Demands:
        """The most a drill may ask of the player: the level's, or what the concept needs."""
        return LEVELS[self.level].most(demands_of(self.example))

    def asked(self) -> dict[str, Any]:
        """What was asked, as plain data: two tasks are the same where this is."""
        asked = {
            "task": self.kind,
            "concept": self.concept.key,
            "tonic": self.tonic,
            "mode": self.mode,
            "meter": str(self.meter) if self.meter else "",
            "bars": self.bars,
            "level": self.level,
            "low": self.low,
            "high": self.high,
            "tempo": self.tempo,
            "instrument": self.instrument,
        }
        known = all_concepts().get(self.concept.key)
        if known is not None and known.title != self.concept.title:  # one kind of it alone
            asked["title"] = self.concept.title
        return asked | ({"made": dict(self.made)} if self.made else {})


def list_requests(drill: DrillRequest) -> list[str]:
    """Everything that was asked of a drill, a line each; what was left free says what the example does."""
    example, most = drill.example, drill.limits
    lines = [
        f"practises: {drill.concept.title}",
        "voices: one, of pitches",
        f"key: {_key_asked(drill)}",
        f"meter: {drill.meter or f'any; the example is in {example.meter}'}",
        f"bars: {drill.bars or f'any number; the example has {example.bars}'}",
    ]
    if drill.tempo is not None:
        lines.append(f"tempo: {drill.tempo:g}")
    if drill.low is not None and drill.high is not None:
        clef = f", {drill.clef} clef" if drill.clef else ""
        lines.append(f"range: {_pitch_in_c(drill.low)} to {_pitch_in_c(drill.high)}{clef}")
    if drill.instrument:
        lines.append(f"instrument: {drill.instrument}")
    lines.append(
        f"level: {drill.level} of 3: at most {most.density:g} onsets a quarter, nothing shorter than {most.shortest:g} "
        f"of a quarter, no leap over {most.leap} and no range over {most.range} semitones"
    )
    return lines


def _key_asked(drill: DrillRequest) -> str:
    home = drill.example.key
    if drill.tonic is None:
        return f"any; the example has {home}"
    return f"{letter_name(drill.tonic)} {drill.mode or home.mode}"


def drill_context(drill: DrillRequest) -> str:
    """The concept, what to do with it, what was asked, and the example, in Markdown."""
    concept = drill.concept
    known = all_concepts()
    near = [known[f"theory/{name}"].title for name in concept.related if f"theory/{name}" in known]
    return "\n".join(
        [
            "```",
            *list_requests(drill),
            "```",
            "",
            f"## {concept.title}",
            "",
            concept.about.strip(),
            "",
            concept.doing.strip(),
            "",
            *([f"Not to be taken for: {', '.join(near).lower()}.", ""] if near else []),
            "## The example",
            "",
            "The learner is shown it too. Less than half of it may be found in what you write, in any key, moved in "
            "time.",
            "",
            "```",
            concept.example.strip(),
            "```",
            "",
            "The same without the concept, which would be refused:",
            "",
            "```",
            concept.plain.strip(),
            "```",
        ]
    )


def _pitch_in_c(pitch: int) -> str:
    return pitch_name(pitch, int(spell(np.array([pitch]), Key(0))[0]))


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


#: The accidentals of a key that nobody asked for, at most, by level.
ACCIDENTALS: dict[int, int] = {1: 2, 2: 4, 3: 7}

#: The tempo of each level where none was asked, in quarters a minute.
TEMPOS: dict[int, float] = {1: 72.0, 2: 84.0, 3: 96.0}


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
