"""The built-in composer: it needs no model and no network, and the same seed gives the same bytes."""

from libretto.house.composer import compose_score, score_of_plan
from libretto.house.controls import Controls, steer
from libretto.house.drilling import fits
from libretto.house.plan import Plan, make_plan, style_of
from libretto.house.style import Style, load_style, style_names

__all__ = [
    "Controls",
    "Plan",
    "Style",
    "compose_score",
    "fits",
    "load_style",
    "make_plan",
    "score_of_plan",
    "steer",
    "style_names",
    "style_of",
]
