"""Who wrote what: for each voice and bar the version that last changed it.

Conventions: a bar of a voice is the notes that start in it. Where the number of bars is the same, bars are compared by
their numbers; where it changed, like bars are found again first. A version that goes back to an older one brings back
its authors, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any

import numpy as np

from libretto.score import Score
from libretto.workspace.versions import Version
from libretto.workspace.workspace import Workspace

__all__ = ["Stretch", "blame"]

Cells = dict[str, list[bytes]]  # what each voice plays, bar by bar
Marks = dict[str, list[int]]  # the version that last changed it


@dataclass(frozen=True)
class Stretch:
    """Bars of a voice whose last change is one version's."""

    voice: str
    first: int
    last: int
    version: Version

    def to_dict(self) -> dict[str, Any]:
        """The stretch as plain data."""
        version = self.version
        return {
            "voice": self.voice, "first": self.first, "last": self.last,
            "author": version.author, "version": version.number, "message": version.message,
        }  # fmt: skip


def blame(workspace: Workspace, name: str, number: int | None = None) -> list[Stretch]:
    """For each voice, in order, the stretches of bars that one version was the last to change.

    Bars in which a voice has never played are left out.
    """
    last = workspace.version(name, number)
    versions = workspace.log(name)[: last.number]
    before: tuple[Cells, Marks] = ({}, {})
    seen: dict[int, tuple[Cells, Marks]] = {}
    for version in versions:
        if version.of:
            before = seen[version.of]
        else:
            cells = _cells(workspace.score(name, version.number))
            before = (cells, _marked(cells, *before, version.number))
        seen[version.number] = before
    score = workspace.score(name, last.number)
    stretches = []
    _, marks = before
    for voice in score.voices:
        rows = zip(score.numbers, marks[voice.name], strict=True)
        for mark, group in groupby(rows, key=itemgetter(1)):
            bars = [bar for bar, _ in group]
            if mark:
                stretches.append(Stretch(voice.name, bars[0], bars[-1], versions[mark - 1]))
    return stretches


def _cells(score: Score) -> Cells:
    lines = np.asarray(score.bar_lines, dtype=np.int64)
    cells: Cells = {}
    for voice in score.voices:
        notes = voice.array.copy()
        bars = np.searchsorted(lines, notes["onset"], side="right") - 1
        notes["onset"] -= lines[bars]
        edges = np.searchsorted(bars, np.arange(score.bars + 1))
        cells[voice.name] = [notes[low:high].tobytes() for low, high in pairwise(edges.tolist())]
    return cells


def _marked(cells: Cells, old: Cells, marks: Marks, number: int) -> Marks:
    """The marks of a version, from the one before it; 0 where a voice has never played."""
    new = {name: [number if notes else 0 for notes in bars] for name, bars in cells.items()}
    if not cells or not old:
        return new
    mine, theirs = len(next(iter(cells.values()))), len(next(iter(old.values())))
    for bar, source in _pairs(cells, old, mine, theirs):
        for name, bars in cells.items():
            if name in old:
                same = bars[bar] == old[name][source]
                new[name][bar] = marks[name][source] if same else number
    return new


def _pairs(cells: Cells, old: Cells, mine: int, theirs: int) -> list[tuple[int, int]]:
    """Which bar was which."""
    if mine == theirs:
        return [(bar, bar) for bar in range(mine)]
    ours, before = ([b"|".join(column) for column in zip(*piece.values(), strict=True)] for piece in (cells, old))
    pairs = []
    for kind, start, end, mine_from, mine_to in SequenceMatcher(None, before, ours, autojunk=False).get_opcodes():
        if kind in ("equal", "replace"):
            pairs += [(mine_from + step, start + step) for step in range(min(end - start, mine_to - mine_from))]
    return pairs
