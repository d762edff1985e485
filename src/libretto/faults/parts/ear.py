"""The ear for parts: how evidence of a voice becomes strength, and from which strength on it is told.

Conventions: there are four ears. ``pitch`` and ``pulse`` hear a voice as a whole, ``passage`` eight bars of it,
``notes`` its single notes: each note by itself first, then the worst of the voice beside the worst of the rest. Each
ear is several groups of trees, taught by other artists; their mean counts. From which strength an ear speaks depends
on the forces and the length of the piece. All numbers are measured (``lab.parts``), never written by hand, and kept in
``parts.json``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pkgutil import get_data
from typing import Any

import numpy as np

from libretto.corpus.forces import LENGTHS, SIZES, Cell
from libretto.errors import LibrettoError
from libretto.faults.ear import SHARES
from libretto.faults.notes import NOTE_EVIDENCE, SEMITONE_OUT
from libretto.faults.trees import Grove, Groves, grove_from
from libretto.score.table import Bools, Floats, Ints

__all__ = ["EARS", "NOTE_RANKS", "PartsEar", "note_rows", "parts_ear", "unresolved"]

#: What is listened for.
EARS = ("pitch", "pulse", "passage", "notes")
#: The worst notes of a voice, by rank, that speak for it.
NOTE_RANKS = (1, 2, 3, 4, 6, 8, 10, 12, 16)
_SILENT = -12.0  # what is heard where there is nothing
_PASSING = -6.0  # what is heard of a note that leads somewhere
_COMPARED = (0, 3, 5)  # of these ranks a voice is held against the rest
_OF_THE_REST = 6  # ranks of the rest that are told
_STRIKING = 2.0  # what a note must reach to be very striking; 0 is striking


@dataclass(frozen=True, eq=False)
class PartsEar:
    """What was learned: groves by ear and group of artists, levels of real pieces, and from where each ear speaks."""

    groves: dict[str, tuple[Grove, ...]]
    levels: dict[str, Floats]
    least: dict[str, dict[str, float]]
    taught: tuple[frozenset[str], ...]

    @cached_property
    def _together(self) -> dict[str, Groves]:
        return {ear: Groves(groves) for ear, groves in self.groves.items()}

    def strength(self, ear: str, rows: Floats, without: int | None = None) -> Floats:
        """How striking each row is: the mean of all groves, or only that which has not met a group of artists."""
        if not len(rows):
            return np.zeros(0)
        return np.asarray(
            np.mean(self._together[ear](rows), axis=0) if without is None else self.groves[ear][without](rows)
        )

    def level(self, ear: str, cell: Cell) -> float:
        """The strength from which an ear speaks, in pieces of those forces and that length."""
        known = self.least[ear]
        size, length = cell.forces.size, cell.length
        return known[f"{SIZES[max(SIZES.index(size), 1)]} {length if length != LENGTHS[0] else LENGTHS[1]}"]

    def confidence(self, ear: str, strength: float) -> float:
        """The share of real, untouched pieces in which nothing is as striking."""
        return float(np.interp(strength, self.levels[ear], SHARES))

    def fold_of(self, mark: str) -> int | None:
        """Which group of trees has not met an artist; None where none has."""
        return next((fold for fold, marks in enumerate(self.taught) if mark in marks), None)


@lru_cache(maxsize=1)
def parts_ear() -> PartsEar:
    """The ear as it is kept in the package."""
    try:
        text = (get_data("libretto.faults.parts", "parts.json") or b"").decode()
    except FileNotFoundError:
        raise LibrettoError("the ear for parts is missing from this installation; install libretto anew") from None
    data: dict[str, Any] = json.loads(text)
    return PartsEar(
        {ear: tuple(grove_from(one) for one in groves) for ear, groves in data["groves"].items()},
        {ear: np.array(levels) for ear, levels in data["levels"].items()},
        data["least"],
        tuple(frozenset(marks) for marks in data["taught"]),
    )


def unresolved(heard: Floats, evidence: Floats) -> Floats:
    """What is heard of notes, with nothing heard of those that move on by a semitone: such a note leads somewhere, and
    a walking bass is full of them."""
    leads = np.isclose(evidence[:, NOTE_EVIDENCE.index("leap out")], SEMITONE_OUT)
    return np.where(leads, _PASSING, heard)


def note_rows(heard: Floats, voice_of: Ints, voices: Ints, whole: Floats) -> Floats:
    """A row for each voice: the worst of what is heard of its notes beside the worst of the rest of the piece, and all
    else that is known of the voice."""
    mine = voice_of == voices[:, None]
    own, rest = _worst(heard, mine), _worst(heard, ~mine)
    columns = (
        own,
        own[:, _COMPARED] - rest[:, _COMPARED],
        rest[:, :_OF_THE_REST],
        np.log2(1 + np.count_nonzero(mine, axis=1)),
        np.full(len(voices), np.log2(1 + len(heard))),
        _share(heard > 0, mine),
        _share(heard > _STRIKING, mine),
        _share(heard > 0, ~mine),
        whole,
    )
    return np.column_stack(columns)


def _worst(heard: Floats, which: Bools) -> Floats:
    """For each row of those that count the worst by rank."""
    nobody = np.full((len(which), NOTE_RANKS[-1]), -np.inf)
    ranked = np.sort(np.concatenate((np.where(which, heard, -np.inf), nobody), axis=1))[:, ::-1]
    worst = ranked[:, np.array(NOTE_RANKS) - 1]
    return np.where(worst > -np.inf, worst, _SILENT)


def _share(told: Bools, which: Bools) -> Floats:
    return np.asarray(np.count_nonzero(told & which, axis=1) / np.maximum(np.count_nonzero(which, axis=1), 1))
