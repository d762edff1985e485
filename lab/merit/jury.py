"""What readers preferred, and real music beside our own: printed apart, never learnt from.

Readers preferred each of the opponents to a piece of ours of that time; ours are composed anew from the same briefs
with seed 0, so how often an opponent comes out above shows whether the number hears what they heard.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from lab.merit.ours import composed, jury_numbers, opponents
from lab.merit.pieces import Pairs
from lab.merit.tables import right
from libretto.merit.curves import Curves, the_curves
from libretto.merit.features import numbers_of
from libretto.merit.heard import Heard
from libretto.merit.weigh import standing
from libretto.score import Score
from libretto.score.table import Floats

__all__ = ["beside_drafts", "jury_lines"]

_LOUDNESS = "loudness"


def _values(curves: Curves, score: Score) -> tuple[float, float]:
    """What a piece is worth, with and without its loudness."""
    worth = curves.worth(numbers_of(Heard(score)))
    total = sum(worth.values())
    return total, total - standing(worth)[_LOUDNESS]


def jury_lines(music: Path, keep: Path | None = None) -> list[str]:
    """How often the piece that readers preferred comes out above ours."""
    curves = the_curves()
    ours = {number: _values(curves, score) for number, score in composed(music, jury_numbers(music), 0, keep)}
    theirs = {number: _values(curves, score) for number, score in opponents(music) if number in ours}
    lines = []
    for place, what in enumerate(("all that is heard", "without loudness")):
        margin = np.array([theirs[number][place] - ours[number][place] for number in theirs])
        below = ", ".join(f"{number:03d}" for number, gap in zip(theirs, margin.tolist(), strict=True) if gap <= 0)
        lines.append(
            f"opponents above ours, {what}: {int((margin > 0).sum())} of {len(margin)} (below: {below or 'none'})"
        )
    return lines


def beside_drafts(pairs: Pairs, worth: Floats) -> str:
    """How often a real window comes out above a piece of ours of about its length, by what better pieces are worth."""
    ours = np.array([row.forces == "draft" for row in pairs.rows])
    length = np.array([row.length for row in pairs.rows])
    shares, many = [], 0
    for kind in ("short", "middle"):
        real, own = np.unique(worth[~ours & (length == kind)]), np.unique(worth[ours & (length == kind)])
        if len(real) and len(own):
            shares.append(right((real[:, None] - own[None, :]).ravel()) * len(own))
            many += len(own)
    if not many:
        return "no piece of ours to hold real windows against"
    return f"real windows above pieces of ours of about their length: {100 * sum(shares) / many:.1f} of 100"
