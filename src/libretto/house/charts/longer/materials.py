"""What a chart has for a long piece: its sections by what they are for, in the order in which it plays them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from libretto.house.charts.chart import Chart, Scene

__all__ = ["CLOSE", "LENT", "Material", "Portion", "material_of", "role_of"]

#: What the end of a piece is called in a plan.
CLOSE = "Z"
#: What stands between the name of a section and that of a tune which is lent to it.
LENT = " with "
_ROLES = {  # what sections are for, by their kinds; all others are what a piece is about
    "intro": "open", "chorus": "B", "refrain": "B", "drop": "B", "climax": "B", "bridge": "C", "interlude": "C",
    "trio": "C", "contrast": "C", "development": "C", "solo": "S", "break": "K", "breakdown": "K", "build": "U",
    "pre-chorus": "U", "pre": "U", "outro": CLOSE, "tag": CLOSE,
}  # fmt: skip
_THEME = "A"
_STRAIN = 8  # bars: what follows each other up to there is one strain


class Portion(NamedTuple):
    """A stretch of a section: which, from which bar on, and how many."""

    scene: Scene
    skipped: int
    bars: int


class Material(NamedTuple):
    """The sections of a chart by what they are for, in strains, and its close."""

    strains: Mapping[str, tuple[tuple[Scene, ...], ...]]
    close: Scene

    def portions(self, role: str, size: int, turn: int, late: float) -> list[Portion]:
        """So many bars for a role: the strains in turn; of choruses the fuller ones the ``later`` (0 to 1) it is."""
        there = self.strains[role]
        at = round(late * (len(there) - 1)) if role == "B" else turn % len(there)
        made: list[Portion] = []
        left = size
        while left > 0:
            for scene in there[at % len(there)]:
                take = min(scene.bars, left)
                if take > 0:
                    made.append(Portion(scene, 0, take))
                    left -= take
            at += 1
        return made


def role_of(scene: Scene) -> str:
    """What a section is for in a plan."""
    return _ROLES.get(scene.kind, _THEME)


def material_of(chart: Chart) -> Material:
    """The sections of a chart by what they are for: what stands together in its longest form stays together."""
    form = chart.forms[max(chart.forms)]
    strains: dict[str, list[tuple[Scene, ...]]] = {}
    run: list[Scene] = []
    heard: set[str] = set()
    for name in (*form[:-1], *(name for name in chart.scenes if name not in form)):
        scene = chart.scenes[name]
        if name in heard:
            continue
        heard.add(name)
        together = run and role_of(run[-1]) == role_of(scene) and sum(one.bars for one in run) + scene.bars <= _STRAIN
        if not together and run:
            strains.setdefault(role_of(run[0]), []).append(tuple(run))
            run = []
        run.append(scene)
    if run:
        strains.setdefault(role_of(run[0]), []).append(tuple(run))
    ordered = {role: tuple(_by_energy(rows) if role == "B" else rows) for role, rows in strains.items()}
    return Material(ordered, chart.scenes[form[-1]])


def _by_energy(strains: Sequence[tuple[Scene, ...]]) -> list[tuple[Scene, ...]]:
    """Choruses, the fullest last; a strain that a fuller one of its length repeats stays before it."""
    return sorted(strains, key=lambda strain: max(scene.energy for scene in strain))
