"""From which strength each ear for parts speaks, by forces and length; and what is noticed then.

Conventions: a share of untouched pieces that may be remarked upon is handed out to the ears, so that as many kinds of
damage as can be are noticed in whole songs. A level is a quantile of what the untouched pieces of a cell reached, held
out, among which all others of its length count as so many more: cells with few pieces lean on them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lab.parts.teaching import Reached
from libretto.corpus.forces import LENGTHS, SIZES
from libretto.faults.parts.ear import EARS
from libretto.score.table import Floats

__all__ = ["BUDGET", "Least", "cell_key", "levels_of", "table_lines"]

Least = dict[str, dict[str, float]]
#: The share of untouched pieces that may be remarked upon.
BUDGET = 0.04
_LOOSER = {"short": 1.4, "middle": 1.4, "whole": 1.0}  # times the budget: less can be told of a few bars
_ENOUGH = 200  # pieces of a cell: as much as these all others of its length count together
_PARTS = 45  # of the budget, handed out one by one
_LEAST = 4  # parts that every ear gets
_SILENT = -12.0
_BENCH = ("semitone", "tritone", "semitone for 8 bars", "half a beat late", "wrong notes")
_SHORT = 40  # how much more what is short of that counts
_GOAL = (0.90, 0.95, 0.80, 0.80, 0.60)  # of each kind that shall be noticed; more than that is worth less


def cell_key(cell: str) -> str:
    """The forces and length of a cell without percussion; a solo counts as a duo, a phrase as short."""
    size, length = cell.replace("+", "").split()
    return f"{SIZES[max(SIZES.index(size), 1)]} {length if length != LENGTHS[0] else LENGTHS[1]}"


def _quantile(values: Floats, weight: Floats, share: float) -> float:
    """The value that such a share of weighted values lies above, between the two that are nearest."""
    order = np.argsort(values, kind="stable")
    below = (np.cumsum(weight[order]) - weight[order] / 2) / weight.sum()
    return float(np.interp(1 - share, below, values[order]))


def _levels(clean: Sequence[Reached], shares: dict[str, float]) -> Least:
    cells = [f"{size} {length}" for length in LENGTHS[1:] for size in SIZES[1:]]
    least: Least = {}
    for ear in EARS:
        known = [(cell_key(one.cell), one.strength[ear]) for one in clean if ear in one.strength]
        least[ear] = {}
        for cell in cells:
            mine = np.array([value for key, value in known if key == cell])
            rest = np.array([value for key, value in known if key.split()[1] == cell.split()[1] and key != cell])
            weight = np.concatenate((np.ones(len(mine)), np.full(len(rest), _ENOUGH / max(len(rest), 1))))
            least[ear][cell] = _quantile(np.concatenate((mine, rest)), weight, shares[ear] * _LOOSER[cell.split()[1]])
    return least


def _noticed(one: Reached, least: Least) -> list[str]:
    key = cell_key(one.cell)
    return [ear for ear in EARS if one.strength.get(ear, _SILENT) >= least[ear][key]]


def levels_of(reached: Sequence[Reached]) -> Least:
    """The levels of every ear, cell by cell: the budget goes where whole songs gain most."""
    clean = [one for one in reached if not one.kind]
    songs = [one for one in reached if one.kind in _BENCH and one.piece == 0]
    parts = dict.fromkeys(EARS, _LEAST)

    def worth(many: dict[str, int]) -> float:
        least = _levels(clean, {ear: BUDGET * count / _PARTS for ear, count in many.items()})
        found = {kind: [bool(_noticed(one, least)) for one in songs if one.kind == kind] for kind in _BENCH}
        shares = [float(np.mean(found[kind])) if found[kind] else 1.0 for kind in _BENCH]
        return sum(min(share - goal, 0.0) * _SHORT + share for share, goal in zip(shares, _GOAL, strict=True))

    while sum(parts.values()) < _PARTS:
        tried = {ear: worth({**parts, ear: parts[ear] + 1}) for ear in EARS}
        parts[max(tried, key=lambda ear: tried[ear])] += 1
    return _levels(clean, {ear: BUDGET * count / _PARTS for ear, count in parts.items()})


def table_lines(reached: Sequence[Reached], least: Least) -> list[str]:
    """What is noticed and named, and what is remarked of untouched pieces: whole songs, then cell by cell."""
    lines = ["| pieces | untouched, remarked | " + " | ".join(_BENCH) + " | voice right |", "|---" * 8 + "|"]
    whole = [one for one in reached if one.piece == 0]
    groups = [("whole songs", whole)]
    groups.append(
        ("whole songs of three or four parts", [o for o in whole if o.cell.split()[0][:4] in ("trio", "quar")])
    )
    cut = [one for one in reached if one.piece > 0]
    keys = sorted(
        {cell_key(one.cell) for one in cut},
        key=lambda key: (LENGTHS.index(key.split()[1]), SIZES.index(key.split()[0])),
    )
    groups += [(f"excerpts: {key}", [one for one in cut if cell_key(one.cell) == key]) for key in keys]
    for name, some in groups:
        cells, right = [], []
        for kind in ("", *_BENCH):
            takes = [one for one in some if one.kind == kind and (kind != "wrong notes" or "notes" in one.strength)]
            heard = [_noticed(one, least) for one in takes]
            cells.append(f"{sum(map(bool, heard))} of {len(takes)}")
            for one, ears in zip(takes, heard, strict=True):
                if kind and ears:
                    best = max(ears, key=lambda ear: one.strength[ear] - least[ear][cell_key(one.cell)])
                    right.append(one.right[best])
        lines.append(f"| {name} | " + " | ".join(cells) + f" | {100 * np.mean(right) if right else 0:.0f}% |")
    return lines
