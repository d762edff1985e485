"""How often the better piece comes out above, printed by kind of pair, forces and length. Ties count half."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from lab.merit.bases import FORCES, LENGTHS
from lab.merit.pairs import KINDS
from lab.merit.pieces import Row
from libretto.score.table import Floats

__all__ = ["ASKED", "lines_of", "right"]

#: Held-out pairs of a hundred that must come out right, all kinds together.
ASKED = 85
_TIE = 1e-9


def right(margin: Floats) -> float:
    """The share of pairs that come out right; ties count half."""
    return float(((margin > _TIE) + 0.5 * (np.abs(margin) <= _TIE)).mean()) if len(margin) else float("nan")


def lines_of(rows: Sequence[Row], margin: Floats) -> list[str]:
    """The table as lines of text."""
    lines = [f"{'kind of pair':<20} {'pairs':>6} {'right':>6}   " + "  ".join(f"{name:>7}" for name in LENGTHS)]

    def line(name: str, of: Callable[[Row], bool]) -> str:
        mine = np.array([of(row) for row in rows], dtype=np.bool_)
        cells = [right(margin[mine & np.array([row.length == length for row in rows])]) for length in LENGTHS]
        shown = "  ".join(f"{100 * cell:7.1f}" for cell in cells)
        return f"{name:<20} {int(mine.sum()):>6} {100 * right(margin[mine]):6.1f}   {shown}"

    kinds = [*KINDS, *sorted({row.kind for row in rows} - set(KINDS))]
    lines += [line(kind, lambda row, kind=kind: row.kind == kind) for kind in kinds]  # type: ignore[misc]
    lines.append("")
    lines += [line(forces, lambda row, forces=forces: row.forces == forces) for forces in (*FORCES, "draft")]  # type: ignore[misc]
    lines += ["", line("overall", lambda row: True)]
    return lines
