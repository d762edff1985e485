"""A model piece: what one hand-written file says, with its plan, its parts and its grooves by name.

A file is ABC with a few directives: ``%%styles``, ``%%mood``, ``%%ending``, ``%%swing``, one ``%%plan`` a section
(name | kind | letter | bars | energy | who does what), ``%%groove`` (one bar of drums, a pattern a drum) and ``%%beat``
(which groove a drummer plays in which bar).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from libretto.score import Key, Meter, Score

__all__ = ["DRUMMING", "ROLES", "Piece", "Scene"]

#: What a part can do in a section of a model piece.
ROLES = (
    "lead", "double", "answer", "counter", "riff", "stabs", "comping", "arpeggio", "pad", "drone", "bass", "drums",
    "percussion",
)  # fmt: skip
#: Roles without pitches.
DRUMMING = ("drums", "percussion")


@dataclass(frozen=True, eq=False)
class Scene:
    """One section of a model piece: its place, its material, how full it is, and who does what."""

    name: str
    kind: str
    letter: str
    first: int
    bars: int
    energy: float
    roles: Mapping[str, str]

    @property
    def end(self) -> int:
        """The bar after it, counted from 0."""
        return self.first + self.bars

    def who(self, *roles: str) -> tuple[str, ...]:
        """The parts with one of those roles."""
        return tuple(part for part, role in self.roles.items() if role in roles)


@dataclass(frozen=True, eq=False)
class Piece:
    """A model piece with its plan."""

    name: str
    styles: tuple[str, ...]
    mood: tuple[str, ...]
    ending: str
    swing: float
    swung_sixteenths: bool
    score: Score = field(repr=False)
    scenes: tuple[Scene, ...] = field(repr=False)
    patterns: Mapping[str, Mapping[str, str]] = field(repr=False)  # grooves by name: a pattern by drum
    beats: Mapping[str, tuple[str, ...]] = field(repr=False)  # the groove of every bar, by drummer; "" where silent

    @property
    def key(self) -> Key:
        """Its key."""
        return self.score.key

    @property
    def meter(self) -> Meter:
        """Its meter."""
        return self.score.meter

    @property
    def programs(self) -> frozenset[int]:
        """The sounds of its voices."""
        return frozenset(voice.program or 0 for voice in self.score.voices)

    @property
    def bars(self) -> int:
        """How long it is."""
        return self.score.bars

    @cached_property
    def roles(self) -> Mapping[str, tuple[str, ...]]:
        """What every part does somewhere, most bars first."""
        told: dict[str, dict[str, int]] = {}
        for scene in self.scenes:
            for part, role in scene.roles.items():
                told.setdefault(part, {})
                told[part][role] = told[part].get(role, 0) + scene.bars
        return {part: tuple(sorted(mine, key=lambda role: -mine[role])) for part, mine in told.items()}
