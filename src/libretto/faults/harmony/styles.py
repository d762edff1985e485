"""What the strict and the free style ask: one table, rule by rule.

``strict`` is what harmony classes ask of an exercise. ``free`` is what the chorales of the eighteenth century keep to:
where composers did otherwise as a rule, it is no fault there. ``docs/harmony.md`` says why, rule by rule.
"""

from __future__ import annotations

from dataclasses import dataclass

from libretto.errors import LibrettoError

__all__ = ["FREE", "RULES", "STRICT", "STYLES", "PartFault", "is_strict"]

STRICT, FREE = "strict", "free"
STYLES = (STRICT, FREE)
_LONGEST = 40  # characters of a name that is quoted

#: Every rule by its name, with what it asks.
RULES = {
    "parallel fifths": "two voices do not move in the same direction from one perfect fifth to another",
    "parallel octaves": "two voices do not move in the same direction from one octave to another",
    "parallel unisons": "two voices do not move together from one unison to another",
    "contrary fifths": "fifths in a row are not mended by moving apart",
    "contrary octaves": "octaves in a row are not mended by moving apart",
    "hidden fifth": "the outer voices do not leap in the same direction into a fifth",
    "hidden octave": "the outer voices do not leap in the same direction into an octave",
    "spacing": "neighbouring upper voices stay within an octave",
    "crossing": "no voice goes beyond its neighbour",
    "overlap": "no voice goes beyond where its neighbour just was",
    "range": "every voice stays where it sings well",
    "doubled leading note": "the leading note is not doubled",
    "doubled seventh": "the seventh of a chord is not doubled",
    "seventh not resolved": "the seventh of a chord goes down by step",
    "leading note not resolved": "the leading note goes up to the tonic",
    "augmented leap": "no voice sings an augmented interval",
    "diminished leap": "a diminished leap turns back by step",
    "wide leap": "no voice leaps a seventh, or further than an octave",
}


@dataclass(frozen=True)
class PartFault:
    """One fault in part writing: the rule, where, the voices (the higher first), what is heard and what to do."""

    rule: str
    bar: int
    beat: float
    voices: tuple[str, ...]
    heard: str
    advice: str

    def to_dict(self) -> dict[str, object]:
        """The same as plain values."""
        return {
            "rule": self.rule,
            "bar": self.bar,
            "beat": self.beat,
            "voices": list(self.voices),
            "heard": self.heard,
            "advice": self.advice,
        }

    @property
    def line(self) -> str:
        """The fault in one line for a person."""
        where = f"bar {self.bar} beat {self.beat:.4g}, {' and '.join(self.voices)}"
        return f"{where}: {self.rule}: {self.heard}; {self.advice}"


def is_strict(style: str) -> bool:
    """Whether a style is the strict one; a style that is not known is refused."""
    if style not in STYLES:
        raise LibrettoError(f"there is no style {style[:_LONGEST]!r}; there are {', '.join(STYLES)}")
    return style == STRICT
