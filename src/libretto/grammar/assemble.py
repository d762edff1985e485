"""From what a reader collected to a Score: packed rows become arrays in a few vectorised steps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.errors import ScoreError
from libretto.grammar.bar_signs import placed_signs
from libretto.grammar.bars import Bars
from libretto.grammar.columns import Columns
from libretto.grammar.header import Header
from libretto.grammar.lines import VoiceEntry
from libretto.grammar.problems import Problems
from libretto.grammar.voice_signs import VoiceSigns, voice_marks
from libretto.score.grid import fit
from libretto.score.marks import control_rows, no_controls
from libretto.score.model import Score
from libretto.score.table import TABLE, frozen
from libretto.score.time import Grid
from libretto.score.voice import Part

__all__ = ["assemble"]

_MOST_LATE = 100  # notes after the end of their bar that are reported
_PITCH_BITS = 7
_LONGEST_CLOCK = 40  # bits of time beside which voice and pitch have room in one number


def assemble(header: Header, bars: Bars, cells: Columns, problems: Problems) -> Score | None:
    """The Score, or None where there are problems; notes that start after their bar's end are among them."""
    notes = _Notes(bars, cells)
    for line, index in sorted((notes.line_of(index), index) for index in notes.late()):
        problems.number, problems.bar = line, bars.numbers[notes.bar[index]]
        room = -(-int(notes.room[index]) // int(notes.slot[index]))
        _late(problems, int(notes.rows[0, index]), room, header.voices[notes.voice[index]].name)
    marks = voice_marks(bars, len(header.voices), problems)
    if problems.found:
        return None
    try:
        return Score.of_table(
            notes.table([entry.velocity for entry in header.voices]),
            [_part(entry, said) for entry, said in zip(header.voices, marks, strict=True)],
            bar_lines=tuple(bars.lines),
            meters=tuple(sorted(bars.meters.items())),
            keys=tuple(sorted(bars.keys.items())),
            tempos=tuple(sorted(bars.tempos.items())),
            sections=tuple(sorted(bars.sections.items())),
            chords=tuple(bars.chords),
            grids=notes.grids(),
            title=header.title or "",
            first_bar=bars.first,
            marks=tuple(placed_signs(bars.marks, bars.lines)),
        )
    except ScoreError as error:  # what the reader let through and no piece can hold
        problems.number, problems.bar = 1, None
        problems.add("", "a piece that can exist", str(error))
        return None


def _part(entry: VoiceEntry, said: VoiceSigns) -> Part:
    controls = control_rows(said.controls) if said.controls else no_controls()
    return entry.name, entry.program, entry.drums, tuple(said.marks), controls


def _late(problems: Problems, slot: int, room: int, voice: str) -> None:
    """Report a note that starts after the end of its bar, at its token or at what copies it."""
    token = re.search(rf"\S*@{slot}>\S*", problems.line[problems.line.find(":") + 1 :])
    said = token[0] if token else problems.line.strip()
    hint = "" if token else "the bar that is copied is longer than this one"
    problems.add(said, f"an onset slot within the bar (1-{room}), not {slot}", hint, voice)


class _Notes:
    """The notes of all voices as columns, voice by voice and bar by bar; ``rows`` are as packed, one column a note."""

    def __init__(self, bars: Bars, cells: Columns) -> None:
        self.bars, self._cells, self._ends = bars, cells, np.cumsum(cells.notes)
        lines = np.array(bars.lines, dtype=np.int64)
        start = lines[cells.bar]
        columns = np.stack((cells.voice, cells.bar, cells.slot, start, lines[cells.bar + 1] - start))
        self.voice, self.bar, self.slot, start, self.room = np.repeat(columns, cells.notes, axis=1)
        self.rows = cells.rows
        self.position = (self.rows[0] - 1) * self.slot
        self.onset, self.duration = start + self.position, self.rows[1] * self.slot

    def late(self) -> list[int]:
        """Notes that start after the end of their bar; of very many the first."""
        late: list[int] = np.flatnonzero(self.position >= self.room)[:_MOST_LATE].tolist()
        return late

    def line_of(self, note: int) -> int:
        """The line that says a note."""
        return int(self._cells.line[np.searchsorted(self._ends, note, side="right")])

    def table(self, velocities: Sequence[int]) -> NDArray[Any]:
        """The note table in canonical order; what says no velocity is played with that of its voice."""
        _, _, pitch, spelling, said = self.rows
        velocity = np.array(velocities, dtype=np.int64)[self.voice]
        if said.any():
            velocity = np.where(said > 0, said, velocity)
        table = np.empty(len(pitch), TABLE)
        table["onset"], table["duration"], table["pitch"] = self.onset, self.duration, pitch
        table["velocity"], table["spelling"], table["voice"] = velocity, spelling, self.voice
        table["bar"], table["position"] = self.bar, self.position
        clock = self.bars.lines[-1].bit_length()
        major = (self.voice << clock) | self.onset
        key = (major << _PITCH_BITS) | pitch
        if clock > _LONGEST_CLOCK or (key[1:] <= key[:-1]).any():
            minor = (pitch << 55) | (self.duration << 14) | (velocity << 6) | (spelling + 32)
            table = table[np.lexsort((minor, major))]
        return frozen(table)

    def grids(self) -> tuple[Grid, ...]:
        """The grids as written; a bar that copied notes from a finer one takes the grid that fits them."""
        written = tuple(self.bars.grids)
        slots = np.array([grid.slot for grid in written], dtype=np.int64)
        if (slots[self._cells.bar] == self._cells.slot).all():
            return written
        slots = slots[self.bar]
        wrong = set(self.bar[(self.position % slots != 0) | (self.duration % slots != 0)].tolist())
        lines = np.array(self.bars.lines, dtype=np.int64)
        fitted = fit(lines[1:] - lines[:-1], self.bar, self.position, self.duration) if wrong else written
        return tuple(fitted[index] if index in wrong else grid for index, grid in enumerate(written))
