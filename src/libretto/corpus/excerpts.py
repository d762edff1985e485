"""The excerpts of one song, measured: a few for every size and length, each also with its notes drawn at random.

Kept as arrays of single precision: there are many, and where they lie among each other is all that is asked of them.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.axes import Profile, measure_all, ordered_axes
from libretto.corpus.forces import LENGTHS, SIZES, cell_of, excerpt
from libretto.corpus.shaking import WAYS, shaken
from libretto.corpus.traits import TRAITS, traits_of
from libretto.score import Score

__all__ = ["SEEDS", "Excerpts", "excerpts_of"]

#: How many excerpts of each size a song gives, by length: most of what is asked for is short.
SEEDS: Mapping[str, int] = {"phrase": 1, "short": 2, "middle": 1, "whole": 1}
_DIGEST = 8  # digits of a song's digest that choose how its first excerpt is shaken
Table = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Excerpts:
    """Excerpts of a song: their cells by key, and rows of what was measured, NaN where an axis does not apply.

    Columns of ``values`` and of ``shaken`` are all axes in order, those of ``traits`` the traits.
    """

    cells: tuple[str, ...]
    values: Table = field(repr=False)
    shaken: Table = field(repr=False)
    traits: Table = field(repr=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Excerpts) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(self.cells)

    def to_dict(self) -> dict[str, Any]:
        """The excerpts as plain data."""
        return {
            "cells": list(self.cells),
            "values": _text(self.values),
            "shaken": _text(self.shaken),
            "traits": _text(self.traits),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Excerpts:
        """Excerpts from plain data."""
        cells = tuple(str(cell) for cell in data["cells"])
        return cls(cells, *(_table(data[name], len(cells)) for name in ("values", "shaken", "traits")))


def _text(table: Table) -> str:
    return base64.b64encode(np.ascontiguousarray(table, dtype="<f4").tobytes()).decode()


def _table(text: str, rows: int) -> Table:
    flat = np.frombuffer(base64.b64decode(text, validate=True), dtype="<f4")
    return flat.reshape(rows, len(flat) // max(1, rows)).astype(np.float32)


def excerpts_of(score: Score) -> Excerpts:
    """The song itself and a few excerpts of every size and length that it holds."""
    pieces = [score]
    for size in SIZES:
        for length in LENGTHS:
            cuts = (excerpt(score, size, length, seed) for seed in range(SEEDS[length]))
            pieces += [cut for cut in cuts if cut is not None]
    way = int(score.digest[:_DIGEST], 16)
    noise = [shaken(piece, WAYS[(way + number) % len(WAYS)]) for number, piece in enumerate(pieces)]
    return Excerpts(
        tuple(cell_of(piece).key for piece in pieces),
        np.stack([_row(profile) for profile in measure_all(pieces)]),
        np.stack([_row(profile) for profile in measure_all(noise)]),
        np.stack([traits_of(piece).astype(np.float32) for piece in pieces]).reshape(len(pieces), TRAITS),
    )


def _row(profile: Profile) -> Table:
    values = (profile.get(axis.name) for axis in ordered_axes())
    return np.array([np.nan if value is None else value for value in values], dtype=np.float32)
