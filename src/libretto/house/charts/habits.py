"""Habits: what players of a style do, whatever its chart."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from libretto.contract import Part
from libretto.house.compose.plan import Plan

__all__ = ["habits_of", "habits_of_style", "idioms_of", "is_hammered", "leads_by_half_tones"]

_SIXTEENTHS, _HAMMERED = "sixteenths", "hammered"
_ROLLED = frozenset(("santur", "yangqin", "cimbalom", "cymbalom", "tsymbaly"))
_MODAL = frozenset(("dorian", "lydian", "locrian", "mixolydian", "phrygian"))
_HALF_TONES, _BLUE = "half_tones", "blue"  # habits of who goes through half tones in any mode
_IDIOMS = {"wah guitar": "scratch", "slap bass": "slap"}  # what instruments are for in styles that have that


def habits_of(plan: Plan) -> frozenset[str]:
    """The habits of a piece's style, and of the style that its chart was written in."""
    own = plan.chart.styles[0] if plan.chart is not None else plan.style.name
    return habits_of_style(plan.style.name) | habits_of_style(own)


def leads_by_half_tones(plan: Plan, sings: bool) -> bool:
    """Whether a part leads to other notes by half tones that are no steps of the key: where the style does, and in a
    tune that is not in a church mode."""
    habits = habits_of(plan)
    modal = plan.key.mode in _MODAL and _BLUE not in habits
    return _HALF_TONES in habits or (sings and not modal)


def idioms_of(parts: Sequence[Part], style: str) -> dict[str, tuple[str, ...]]:
    """How those play whose instruments are there for one way to play, as a style has it: a wah-wah guitar scratches;
    hammered strings that have the tune roll its long notes in any style."""
    rolled: dict[str, tuple[str, ...]] = {
        part.name: (_HAMMERED,) for part in parts if part.role == "lead" and _is_rolled(part)
    }
    if _SIXTEENTHS not in habits_of_style(style):
        return rolled
    mine = [part for part in parts if part.instrument in _IDIOMS and part.role in ("comping", "bass")]
    return {**rolled, **{part.name: (_IDIOMS[part.instrument],) for part in mine}}


def _is_rolled(part: Part) -> bool:
    """Whether somebody has an instrument whose long notes are rolled with two hammers."""
    return part.instrument in _ROLLED or is_hammered(part.name)


def is_hammered(name: str) -> bool:
    """Whether a name is that of strings that are struck with two hammers."""
    return name.lower().partition(" #")[0] in _ROLLED


def habits_of_style(name: str) -> frozenset[str]:
    """The habits of a style by its name."""
    return _habits().get(name, frozenset())


@cache
def _habits() -> Mapping[str, frozenset[str]]:
    """The habits of every style."""
    said = tomllib.loads((files(__package__) / "habits.toml").read_text("utf-8"))
    styles = {style for names in said.values() for style in names}
    return {style: frozenset(habit for habit, names in said.items() if style in names) for style in styles}
