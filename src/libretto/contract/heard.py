"""Heard: one thing that was understood of a brief: its kind, what it means, and the very words, with their place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

__all__ = ["Heard", "Notes", "Rendering"]


@dataclass(frozen=True, slots=True)
class Heard:
    """What a stretch of a brief was understood to ask for."""

    kind: str
    value: str
    words: str
    start: int
    end: int

    @property
    def line(self) -> str:
        """What was understood, in a line: ``key: D minor ("in D minor")``."""
        return f'{self.kind.replace("_", " ")}: {self.value} ("{self.words}")'


@dataclass(slots=True)
class Notes:
    """What is noted while a brief is read: what was heard, what was assumed, and whether its tempo counts dotted
    quarters."""

    text: str
    heard: list[Heard] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)
    dotted: bool = False

    def hear(self, kind: str, value: object, start: int, end: int) -> None:
        """Note that the words between two places ask for something."""
        if end > start:
            self.heard.append(Heard(kind, str(value), self.text[start:end].strip(" ,.;:"), start, end))


class Rendering(Protocol):
    """A brief in English words that was written in another language: where its words come from."""

    @property
    def text(self) -> str:
        """The brief in English words."""

    @property
    def original(self) -> str:
        """The brief as it was written."""

    def source(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original that a stretch of the English comes from."""

    def own(self, words: str) -> str:
        """Words of the English as the person said them."""
