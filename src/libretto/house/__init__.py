"""The built-in composer: it needs no model and no network, and the same seed gives the same bytes."""

from pkgutil import iter_modules

from libretto.house.compose.composer import compose_score, score_of_plan
from libretto.house.compose.plan import Plan
from libretto.house.compose.planning import make_plan, style_of
from libretto.house.core.controls import Controls, steer
from libretto.house.core.style import Style, load_style, style_names
from libretto.house.drill.drilling import fits
from libretto.house.fill.accompanying import write_part
from libretto.house.fill.filling import fill_gap, write_extension, write_fill
from libretto.registry import load_all

for _room in sorted(module.name for module in iter_modules(__path__) if module.ispkg):
    load_all(f"{__name__}.{_room}")  # writers register how the house answers their kind of task

__all__ = [
    "Controls",
    "Plan",
    "Style",
    "compose_score",
    "fill_gap",
    "fits",
    "load_style",
    "make_plan",
    "score_of_plan",
    "steer",
    "style_names",
    "style_of",
    "write_extension",
    "write_fill",
    "write_part",
]
