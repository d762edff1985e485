"""From what a reader collected to a Score: packed rows become arrays in a few vectorised steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.grammar.lines import VoiceEntry
from libretto.grammar.tokens import ROW, ROW_BYTES
from libretto.score.grid import fit
from libretto.score.keys import Key
from libretto.score.model import Score, Voice
from libretto.score.table import NOTE, frozen
from libretto.score.time import Grid, Meter

__all__ = ["Bars", "Cells", "assemble"]


@dataclass
class Bars:
    """What is known of the bars so far, and the changes that begin in them."""

    lines: list[int] = field(default_factory=lambda: [0])
    grids: list[Grid] = field(default_factory=list)
    chords: list[tuple[str, ...]] = field(default_factory=list)
    meters: list[tuple[int, Meter]] = field(default_factory=list)
    keys: list[tuple[int, Key]] = field(default_factory=list)
    tempos: list[tuple[int, int]] = field(default_factory=list)
    sections: list[tuple[int, str]] = field(default_factory=list)
    first: int = 1


class Cells:
    """What each voice plays in each bar, as packed rows in that bar's slots."""

    def __init__(self) -> None:
        self.entries: list[tuple[int, int, bytes, int, int]] = []
        self.by_bar: dict[int, list[int]] = {}

    def put(self, bar: int, voice: int, chunk: bytes, slot: int, line: int) -> None:
        """Add notes to a cell."""
        if chunk:
            self.by_bar.setdefault(bar, []).append(len(self.entries))
            self.entries.append((bar, voice, chunk, slot, line))

    def of_bar(self, bar: int) -> Iterator[tuple[int, bytes, int, int]]:
        """Everything in a bar: voice, rows, ticks a slot, line."""
        for index in self.by_bar.get(bar, ()):
            yield self.entries[index][1:]

    def get(self, bar: int, voice: int) -> list[tuple[bytes, int, int]]:
        """What one voice plays in a bar."""
        return [cell[1:] for cell in self.of_bar(bar) if cell[0] == voice]


def assemble(
    title: str,
    voices: list[VoiceEntry],
    bars: Bars,
    cells: Cells,
    late: Callable[[int, int, int, int, int], None],
) -> Score | None:
    """The Score, or None after telling ``late`` of each note that starts after its bar's end."""
    columns = list(zip(*cells.entries, strict=True)) or [(), (), (), (), ()]
    rows = np.frombuffer(b"".join(columns[2]), ROW)
    counts = np.fromiter(map(len, columns[2]), np.int64, len(columns[2])) // ROW_BYTES
    bar = np.repeat(np.array(columns[0], dtype=np.int64), counts)
    voice = np.repeat(np.array(columns[1], dtype=np.int64), counts)
    slot = np.repeat(np.array(columns[3], dtype=np.int64), counts)
    lines = np.array(bars.lines, dtype=np.int64)
    position = (rows["slot"].astype(np.int64) - 1) * slot
    over = np.flatnonzero(position >= np.diff(lines)[bar])
    if len(over):
        line = np.repeat(np.array(columns[4], dtype=np.int64), counts)
        for index in over[:100].tolist():
            slots = -(-int(np.diff(lines)[bar[index]]) // int(slot[index]))
            late(int(line[index]), int(bar[index]), int(voice[index]), int(rows["slot"][index]), slots)
        return None
    notes = np.empty(len(rows), NOTE)
    notes["onset"] = lines[bar] + position
    notes["duration"] = rows["slots"] * slot
    notes["pitch"], notes["spelling"] = rows["pitch"], rows["spelling"]
    default = np.array([entry.velocity for entry in voices], dtype=np.int64)
    notes["velocity"] = np.where(rows["velocity"] > 0, rows["velocity"], default[voice] if len(voice) else 80)
    return Score(
        voices=_voices(voices, voice, notes),
        bar_lines=tuple(bars.lines),
        meters=tuple(bars.meters),
        keys=tuple(bars.keys),
        tempos=tuple(bars.tempos),
        sections=tuple(bars.sections),
        chords=tuple(bars.chords),
        grids=_grids(tuple(bars.grids), lines, bar, position, notes["duration"]),
        title=title,
        first_bar=bars.first,
    )


def _voices(entries: list[VoiceEntry], voice: NDArray[np.int64], notes: NDArray[Any]) -> tuple[Voice, ...]:
    """Notes dealt out to their voices, each in canonical order."""
    major = (voice << 44) | notes["onset"]
    minor = (notes["pitch"].astype(np.int64) << 55) | (notes["duration"] << 14)
    minor |= (notes["velocity"].astype(np.int64) << 6) | (notes["spelling"].astype(np.int64) + 32)
    notes = frozen(notes[np.lexsort((minor, major))])
    ends = np.cumsum(np.bincount(voice, minlength=len(entries))).tolist()
    starts = [0, *ends[:-1]]
    return tuple(
        Voice(entry.name, entry.program, entry.drums, notes[start:end])
        for entry, start, end in zip(entries, starts, ends, strict=True)
    )


def _grids(
    written: tuple[Grid, ...],
    lines: NDArray[np.int64],
    bar: NDArray[np.int64],
    position: NDArray[np.int64],
    duration: NDArray[np.int64],
) -> tuple[Grid, ...]:
    """The grids as written; a bar that copied notes from a finer one takes the grid that fits them."""
    slots = np.array([grid.slot for grid in written], dtype=np.int64)[bar]
    misfit = np.unique(bar[(position % slots != 0) | (duration % slots != 0)])
    if not len(misfit):
        return written
    fitted = fit(np.diff(lines), bar, position, duration)
    wrong = set(misfit.tolist())
    return tuple(fitted[index] if index in wrong else grid for index, grid in enumerate(written))
