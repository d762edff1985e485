"""What voices play, as columns: cells in order of texts, then voices, then bars."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from libretto.grammar.bars import Cell
from libretto.grammar.tokens import ROW, ROW_BYTES
from libretto.score.table import Ints

__all__ = ["Columns", "columns_of_cells"]


class Columns(NamedTuple):
    """Cells in order: where each stands, how many notes it has, and all their rows in columns."""

    text: Ints  # of several that are read together
    voice: Ints
    bar: Ints
    slot: Ints  # ticks in one; of each cell
    line: Ints  # that says it
    notes: Ints  # how many each has
    rows: Ints  # slot, slots, pitch, spelling, velocity, each of all notes


def columns_of_cells(bars: Sequence[Sequence[Cell]]) -> Columns:
    """The cells of all bars of one text."""
    cells = list(chain.from_iterable(bars))
    bar = np.repeat(np.arange(len(bars)), np.fromiter(map(len, bars), np.int64, len(bars)))
    voice, slot, line = (np.array([cell[column] for cell in cells], dtype=np.int64) for column in (0, 2, 3))
    order = np.argsort(voice, kind="stable")
    chunks = [cells[index].rows for index in order.tolist()]
    count = np.fromiter(map(len, chunks), np.int64, len(chunks)) // ROW_BYTES
    rows = np.frombuffer(b"".join(chunks), "<i4").reshape(-1, len(ROW.names or ())).T.astype(np.int64)
    return Columns(np.zeros_like(voice), voice[order], bar[order], slot[order], line[order], count, rows)
