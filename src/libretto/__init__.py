"""Libretto: compose, measure, edit and learn symbolic music.

The public names are listed in ``__all__``; each is loaded when it is first used, so that importing the package
costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from libretto.agents import compose
    from libretto.axes import measure, measure_many
    from libretto.contract import Contract, receipt
    from libretto.corpus import load_cloud, load_index, nearest, overlap
    from libretto.errors import GrammarError, LibrettoError, Problem
    from libretto.faults.find import spot
    from libretto.formats import lost_in, read, write, write_edited
    from libretto.gates import appraise, judge
    from libretto.grammar import check, digest, notate, parse, parse_lenient, primer
    from libretto.knowledge import retrieve
    from libretto.renderings import render
    from libretto.reward import Reward, reward_of, rewards_of, terms_of
    from libretto.score import Chord, Key, Mark, Meter, Note, Patch, Score, Voice, diff, played, replace_bars, transpose
    from libretto.tasks import Run
    from libretto.tasks.drill.grading import grade
    from libretto.verbs import accompany, detect, drill, extend, fill, morph, original, revise
    from libretto.workspace import Workspace

__all__ = [
    "Chord",
    "Contract",
    "GrammarError",
    "Key",
    "LibrettoError",
    "Mark",
    "Meter",
    "Note",
    "Patch",
    "Problem",
    "Reward",
    "Run",
    "Score",
    "Voice",
    "Workspace",
    "accompany",
    "appraise",
    "check",
    "compose",
    "detect",
    "diff",
    "digest",
    "drill",
    "extend",
    "fill",
    "grade",
    "judge",
    "load_cloud",
    "load_index",
    "lost_in",
    "measure",
    "measure_many",
    "morph",
    "nearest",
    "notate",
    "original",
    "overlap",
    "parse",
    "parse_lenient",
    "played",
    "primer",
    "read",
    "receipt",
    "render",
    "replace_bars",
    "retrieve",
    "revise",
    "reward_of",
    "rewards_of",
    "spot",
    "terms_of",
    "transpose",
    "write",
    "write_edited",
]

_HOMES = {
    "libretto.agents": ("compose",),
    "libretto.axes": (
        "measure",
        "measure_many",
    ),
    "libretto.contract": (
        "Contract",
        "receipt",
    ),
    "libretto.corpus": (
        "load_cloud",
        "load_index",
        "nearest",
        "overlap",
    ),
    "libretto.errors": (
        "GrammarError",
        "LibrettoError",
        "Problem",
    ),
    "libretto.formats": (
        "lost_in",
        "read",
        "write",
        "write_edited",
    ),
    "libretto.gates": (
        "appraise",
        "judge",
    ),
    "libretto.grammar": (
        "check",
        "digest",
        "notate",
        "parse",
        "parse_lenient",
        "primer",
    ),
    "libretto.knowledge": ("retrieve",),
    "libretto.renderings": ("render",),
    "libretto.reward": (
        "Reward",
        "reward_of",
        "rewards_of",
        "terms_of",
    ),
    "libretto.score": (
        "Chord",
        "Key",
        "Mark",
        "Meter",
        "Note",
        "Patch",
        "Score",
        "Voice",
        "diff",
        "played",
        "replace_bars",
        "transpose",
    ),
    "libretto.tasks": ("Run",),
    "libretto.tasks.drill.grading": ("grade",),
    "libretto.faults.find": ("spot",),
    "libretto.verbs": (
        "accompany",
        "detect",
        "drill",
        "extend",
        "fill",
        "morph",
        "original",
        "revise",
    ),
    "libretto.workspace": ("Workspace",),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'libretto' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
