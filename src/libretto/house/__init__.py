"""The built-in composer: it needs no model and no network, and the same seed gives the same bytes."""

from importlib import import_module

from libretto.house.accompanying import write_part
from libretto.house.composer import compose_score, score_of_plan
from libretto.house.controls import Controls, steer
from libretto.house.drilling import fits
from libretto.house.extending import write_extension
from libretto.house.filling import fill_gap, write_fill
from libretto.house.plan import Plan, make_plan, style_of
from libretto.house.style import Style, load_style, style_names

for _writer in ("morphing", "revising"):  # they register how the house answers their kind of task
    import_module(f"libretto.house.{_writer}")

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
