"""What a drill asks for: a concept of theory, key, meter, bars, range and level, as data and in words."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from libretto.grammar import parse
from libretto.knowledge import Concept, all_concepts, find_concept
from libretto.score import Meter, Score
from libretto.score.keys import Key, spell
from libretto.score.pitch import letter_name, pitch_name
from libretto.tasks.drill.level import LEVELS, Demands, demands_of
from libretto.tasks.task import Task

__all__ = ["DrillRequest", "drill_context", "list_requests"]


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
