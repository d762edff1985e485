"""What voices play, as columns: from cells, or from all lines of a text at once where these hold nothing but notes.

Most texts hold nothing else, and reading them line by line would cost more than all that is done with them. Whatever is
not as plain as that (shorthand, marks, comments, anything wrong) is left to the reader that takes one line at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from libretto.grammar.bars import Cell
from libretto.grammar.tokens import ROW, ROW_BYTES, rows_of
from libretto.score.limits import MAX_NOTES
from libretto.score.table import Ints

__all__ = ["Columns", "columns_of_cells", "columns_of_lines"]


class Columns(NamedTuple):
    """Cells in order of voices, then bars: where each stands, how many notes it has, and all their rows in columns."""

    voice: Ints
    bar: Ints
    slot: Ints  # ticks in one; of each cell
    line: Ints  # that says it
    notes: Ints  # how many each has
    rows: Ints  # slot, slots, pitch, spelling, velocity, each of all notes


def _rows(packed: bytes, order: Ints | None = None) -> Ints:
    rows = np.frombuffer(packed, "<i4").reshape(-1, len(ROW.names or ()))
    return (rows if order is None else rows[order]).T.astype(np.int64)


def columns_of_cells(bars: Sequence[Sequence[Cell]]) -> Columns:
    """The cells of all bars."""
    cells = list(chain.from_iterable(bars))
    bar = np.repeat(np.arange(len(bars)), np.fromiter(map(len, bars), np.int64, len(bars)))
    voice, slot, line = (np.array([cell[column] for cell in cells], dtype=np.int64) for column in (0, 2, 3))
    order = np.argsort(voice, kind="stable")
    chunks = [cells[index].rows for index in order.tolist()]
    count = np.fromiter(map(len, chunks), np.int64, len(chunks)) // ROW_BYTES
    return Columns(voice[order], bar[order], slot[order], line[order], count, _rows(b"".join(chunks)))


def columns_of_lines(
    text: Sequence[str], opening: Sequence[int], voices: Mapping[str, int], slots: Ints
) -> Columns | None:
    """What the lines of a text say from its first bar line on; None where one of them is not plain.

    ``opening`` says where bar lines stand, counted from 0; ``slots`` are the ticks in a slot of each bar.
    """
    first = opening[0] if opening else len(text)
    places = [place for place in range(first, len(text)) if text[place][:1] not in "@"]  # empty lines say nothing
    known = {text[place]: 0 for place in places}  # music repeats
    read = _read(list(known), voices)
    if read is None:
        return None
    known = dict(zip(known, range(len(known)), strict=True))
    which = np.array([known[text[place]] for place in places], dtype=np.int64)
    bar = np.searchsorted(np.array(opening, dtype=np.int64), np.array(places, dtype=np.int64)) - 1
    order = np.argsort(read.voice[which], kind="stable")
    which, bar, line = which[order], bar[order], np.array(places, dtype=np.int64)[order] + 1
    voice, count = read.voice[which], read.notes[which]
    twice = (voice[1:] == voice[:-1]) & (bar[1:] == bar[:-1])  # two lines for a voice in a bar
    if twice.any() or int(count.sum()) > MAX_NOTES:
        return None
    begin = (np.cumsum(read.notes) - read.notes)[which] - (np.cumsum(count) - count)
    taken = np.repeat(begin, count) + np.arange(int(count.sum()))
    return Columns(voice, bar, slots[bar], line, count, _rows(read.packed, taken))


class _Lines(NamedTuple):
    """What lines say, each once: whose they are, how many notes each has, and all of these as packed rows."""

    voice: Ints
    notes: Ints
    packed: bytes


def _read(lines: Sequence[str], voices: Mapping[str, int]) -> _Lines | None:
    """Read lines of voices; None where there is none, or one is not a voice's name, a colon and notes."""
    parted = [line.partition(":") for line in lines]
    names = {name: voices.get(name.strip(), -1) for name in {name for name, _, _ in parted}}
    tokens = [body.split() for _, _, body in parted]
    said = np.fromiter(map(len, tokens), np.int64, len(tokens))
    try:
        chunks = list(map(rows_of.__getitem__, chain.from_iterable(tokens)))
    except KeyError:
        return None
    if not lines or not said.all() or -1 in names.values():
        return None
    sizes = np.fromiter(map(len, chunks), np.int64, len(chunks)) // ROW_BYTES
    voice = np.array([names[name] for name, _, _ in parted], dtype=np.int64)
    return _Lines(voice, np.add.reduceat(sizes, np.cumsum(said) - said), b"".join(chunks))
