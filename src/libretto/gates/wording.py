"""How an axis is spoken of: what was heard, what to do, and what that would also move. No names, no numbers."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from libretto.axes import FAMILIES, axes
from libretto.corpus import Cloud
from libretto.gates.case import Case
from libretto.gates.finding import Finding

__all__ = ["about_axis", "keep_in_words", "moved_along"]

_BOUND = 0.5  # rankings that agree more than this move together
_FEWEST = 3  # songs that two rankings must share to be compared
_LOW, _HIGH = 5, 95  # percentiles beyond which an axis is too unusual to be praised
_KEPT = {
    "rhythm": "rhythm",
    "harmony": "harmony",
    "melody": "melody",
    "texture": "texture",
    "form": "form",
    "groove": "groove",
    "lines": "bass and melody lines",
    "tonality": "tonality",
    "arranging": "arrangement",
    "dynamics": "dynamics",
    "timbre": "choice of instruments",
}


def about_axis(case: Case, gate: str, name: str, wanted: int, weight: float, among: str) -> Finding:
    """A finding about one axis: there should be more of it (``wanted`` 1) or less (-1) than now."""
    axis = axes[name]
    heard = f"{axis.meaning.rstrip('.')}: {'less' if wanted > 0 else 'more'} than in {among}"
    bars, voice = case.locator.find(name, wanted)
    return Finding(
        gate,
        heard,
        axis.more if wanted > 0 else axis.less,
        weight,
        name,
        bars,
        voice,
        moved_along(case.cloud, name, wanted),
        wanted,
    )


def moved_along(cloud: Cloud, name: str, wanted: int) -> str:
    """What else tends to move with an axis in real music, as a warning; nothing where it stands alone."""
    other, agreement = _companion(cloud, name)
    if abs(agreement) < _BOUND:
        return ""
    amount = "more" if wanted * agreement > 0 else "less"
    subject = axes[other].meaning.rstrip(".")
    return f"Mind: in real music that goes with {amount} of this: {subject[:1].lower()}{subject[1:]}."


@lru_cache(maxsize=512)
def _companion(cloud: Cloud, name: str) -> tuple[str, float]:
    """The axis whose ranking of the cloud's songs agrees most with that of another, and how much."""
    shares = cloud.shares(cloud.values)
    mine = shares[:, cloud.axes.index(name)]
    best, most = name, 0.0
    for index, other in enumerate(cloud.axes):
        both = ~np.isnan(mine) & ~np.isnan(shares[:, index])
        if other == name or both.sum() < _FEWEST or shares[both, index].std() == 0 or mine[both].std() == 0:
            continue
        agreement = float(np.corrcoef(mine[both], shares[both, index])[0, 1])
        if abs(agreement) > abs(most):
            best, most = other, agreement
    return best, most


def keep_in_words(case: Case, findings: tuple[Finding, ...]) -> str:
    """What must not change: the families of axes about which nothing was found and nothing is extreme."""
    touched = {axes[finding.axis].family for finding in findings if finding.axis in axes}
    touched |= {axes[name].family for name, percent in case.percentiles.items() if not _LOW < percent < _HIGH}
    shown = {axes[name].family for name in case.cloud.axes}
    kept = [_KEPT[family] for family in FAMILIES if family in _KEPT and family in shown - touched]
    return f"Keep as it is: the {', the '.join(kept)}." if kept else ""
