"""From what a reader collected to Scores: rows become arrays in a few vectorised steps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
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
from libretto.score.table import TABLE, Ints, frozen
from libretto.score.time import Grid
from libretto.score.voice import Part

__all__ = ["Notes", "assemble", "score_of"]

_MOST_LATE = 100  # notes after the end of their bar that are reported
_PITCH_BITS = 7
_LONGEST_CLOCK = 40  # bits of time beside which voice and pitch have room in one number


def assemble(header: Header, bars: Bars, cells: Columns, problems: Problems) -> Score | None:
    """The Score, or None where there are problems; notes that start after their bar's end are among them."""
    notes = Notes([bars], cells)
    for line, index in sorted((notes.line_of(index), index) for index in notes.late()[:_MOST_LATE].tolist()):
        problems.number, problems.bar = line, bars.numbers[notes.bar[index]]
        room = -(-int(notes.room[index]) // int(notes.slot[index]))
        _late(problems, int(notes.rows[0, index]), room, header.voices[notes.voice[index]].name)
    marks = voice_marks(bars, len(header.voices), problems)
    if problems.found:
        return None
    table = notes.table([header])
    try:
        return score_of(header, bars, marks, table, notes.grids())
    except ScoreError as error:  # what the reader let through and no piece can hold
        problems.number, problems.bar = 1, None
        problems.add("", "a piece that can exist", str(error))
        return None


def score_of(
    header: Header,
    bars: Bars,
    marks: Sequence[VoiceSigns],
    table: NDArray[Any],
    grids: tuple[Grid, ...],
    notes: NDArray[Any] | None = None,
) -> Score:
    """The Score of what was read, or a ScoreError; ``notes`` are the rows of the table as voices hold them."""
    return Score.of_table(
        table,
        [_part(entry, said) for entry, said in zip(header.voices, marks, strict=True)],
        notes,
        bar_lines=tuple(bars.lines),
        meters=tuple(sorted(bars.meters.items())),
        keys=tuple(sorted(bars.keys.items())),
        tempos=tuple(sorted(bars.tempos.items())),
        sections=tuple(sorted(bars.sections.items())),
        chords=tuple(bars.chords),
        grids=grids,
        title=header.title or "",
        first_bar=bars.first,
        marks=tuple(placed_signs(bars.marks, bars.lines)),
    )


def _part(entry: VoiceEntry, said: VoiceSigns) -> Part:
    controls = control_rows(said.controls) if said.controls else no_controls()
    return entry.name, entry.program, entry.drums, tuple(said.marks), controls


def _late(problems: Problems, slot: int, room: int, voice: str) -> None:
    """Report a note that starts after the end of its bar, at its token or at what copies it."""
    token = re.search(rf"\S*@{slot}>\S*", problems.line[problems.line.find(":") + 1 :])
    said = token[0] if token else problems.line.strip()
    hint = "" if token else "the bar that is copied is longer than this one"
    problems.add(said, f"an onset slot within the bar (1-{room}), not {slot}", hint, voice)


class Notes:
    """The notes of texts as columns, text by text, voice by voice, bar by bar; ``rows`` are one column a note."""

    def __init__(self, bars: Sequence[Bars], cells: Columns) -> None:
        self._bars, self._cells, self._ends = bars, cells, np.cumsum(cells.notes)
        lines = np.array([line for some in bars for line in some.lines], dtype=np.int64)
        first = np.cumsum([0, *(len(some.lines) for some in bars)])
        place = first[cells.text] + cells.bar
        columns = np.stack((cells.voice, cells.bar, cells.slot, lines[place], lines[place + 1] - lines[place]))
        self.voice, self.bar, self.slot, start, self.room = np.repeat(columns, cells.notes, axis=1)
        #: Where the notes of each text begin, and where those of the last one end.
        self.edges: Ints = np.concatenate(([0], self._ends))[np.searchsorted(cells.text, np.arange(len(bars) + 1))]
        self.rows = cells.rows
        self.position = (self.rows[0] - 1) * self.slot
        self.onset, self.duration = start + self.position, self.rows[1] * self.slot

    def late(self) -> Ints:
        """Notes that start after the end of their bar."""
        return np.flatnonzero(self.position >= self.room)

    def line_of(self, note: int) -> int:
        """The line that says a note."""
        return int(self._cells.line[np.searchsorted(self._ends, note, side="right")])

    def table(self, headers: Sequence[Header]) -> NDArray[Any]:
        """The note tables in canonical order; what says no velocity is played with that of its voice."""
        _, _, pitch, spelling, said = self.rows
        velocity, edges = said, self.edges.tolist()
        if not said.all():
            usual = np.array([voice.velocity for header in headers for voice in header.voices] or [0], dtype=np.int64)
            first = np.cumsum([0, *(len(header.voices) for header in headers)])[:-1]
            velocity = usual[self.voice + np.repeat(first, np.diff(self.edges))]
            velocity = np.where(said > 0, said, velocity) if said.any() else velocity
        table = np.empty(len(pitch), TABLE)
        table["onset"], table["duration"], table["pitch"] = self.onset, self.duration, pitch
        table["velocity"], table["spelling"], table["voice"] = velocity, spelling, self.voice
        table["bar"], table["position"] = self.bar, self.position
        clock = max((some.lines[-1] for some in self._bars), default=0).bit_length()
        major = (self.voice << clock) | self.onset
        key = (major << _PITCH_BITS) | pitch
        turned = np.flatnonzero(key[1:] <= key[:-1]) + 1
        for first, stop in pairwise(edges):
            inside = slice(*np.searchsorted(turned, (first + 1, stop)))
            if clock > _LONGEST_CLOCK or len(turned[inside]):
                mine = slice(first, stop)
                minor = (
                    (pitch[mine] << 55) | (self.duration[mine] << 14) | (velocity[mine] << 6) | (spelling[mine] + 32)
                )
                table[mine] = table[mine][np.lexsort((minor, major[mine]))]
        return frozen(table)

    def grids(self) -> tuple[Grid, ...]:
        """The grids of one text as written; a bar that copied notes from a finer one takes the grid that fits them."""
        written = tuple(self._bars[0].grids)
        slots = np.array([grid.slot for grid in written], dtype=np.int64)
        if (slots[self._cells.bar] == self._cells.slot).all():
            return written
        slots = slots[self.bar]
        wrong = set(self.bar[(self.position % slots != 0) | (self.duration % slots != 0)].tolist())
        lines = np.array(self._bars[0].lines, dtype=np.int64)
        fitted = fit(lines[1:] - lines[:-1], self.bar, self.position, self.duration) if wrong else written
        return tuple(fitted[index] if index in wrong else grid for index, grid in enumerate(written))
