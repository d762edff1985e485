"""The cast: everyone that a brief asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["Cast", "Part", "Spoken"]


@dataclass(frozen=True, slots=True)
class Part:
    """One part: what it is called, its program (None for percussion), its role, and the instrument of the lexicon."""

    name: str
    program: int | None
    role: str
    drums: bool = False
    instrument: str = ""


class Spoken(NamedTuple):
    """Where a brief speaks of parts, by their names, or of an instrument that must not play."""

    names: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Cast:
    """Everyone a brief asks for: parts, whether there are drums, what was assumed, where they were named, and where it
    speaks of them or leaves somebody out.

    ``taken`` is who was taken for the lead of several, as nobody is told to have it; ``alone`` who plays with nobody
    else, so that there are no drums. Empty where that is not so. ``closed`` is a cast of low players and drums who are
    said to be all there are.
    """

    parts: tuple[Part, ...]
    drums: bool | None
    assumed: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    spoken: tuple[Spoken, ...] = ()
    left_out: tuple[Spoken, ...] = ()
    taken: str = ""
    alone: str = ""
    closed: bool = False

    @property
    def sentences(self) -> list[str]:
        """What was assumed, in words for people."""
        taken = [f"Nobody is named as the lead; {self.taken} takes it."] if self.taken else []
        return [*self.assumed, *taken, *([f"{self.alone} alone: no drums."] if self.alone else [])]
