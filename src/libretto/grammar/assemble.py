"""From what a reader collected to a Score: packed rows become arrays in a few vectorised steps."""

from __future__ import annotations

import re
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.errors import ScoreError
from libretto.grammar.bar_signs import placed_signs
from libretto.grammar.bars import Bars
from libretto.grammar.header import Header
from libretto.grammar.lines import VoiceEntry
from libretto.grammar.problems import Problems
from libretto.grammar.tokens import ROW, ROW_BYTES
from libretto.grammar.voice_signs import VoiceSigns, voice_marks
from libretto.score.grid import fit
from libretto.score.marks import control_rows
from libretto.score.model import Score
from libretto.score.table import NOTE, Ints, distinct, frozen
from libretto.score.time import Grid
from libretto.score.voice import Voice, dealt_out

__all__ = ["assemble"]

_MOST_LATE = 100  # notes after the end of their bar that are reported


def assemble(header: Header, bars: Bars, problems: Problems) -> Score | None:
    """The Score, or None where there are problems; notes that start after their bar's end are among them."""
    cells = list(chain.from_iterable(bars.cells))
    voices, chunks, slots, written, _ = zip(*cells, strict=True) if cells else ((), (), (), (), ())
    counts = np.fromiter(map(len, chunks), np.int64, len(chunks)) // ROW_BYTES
    rows = np.frombuffer(b"".join(chunks), ROW)
    sizes = np.fromiter(map(len, bars.cells), np.int64, len(bars.cells))
    bar = np.repeat(np.repeat(np.arange(len(sizes)), sizes), counts)
    voice = np.repeat(np.array(voices, dtype=np.int64), counts)
    slot = np.repeat(np.array(slots, dtype=np.int64), counts)
    lines = np.array(bars.lines, dtype=np.int64)
    position = (rows["slot"].astype(np.int64) - 1) * slot
    late = np.flatnonzero(position >= np.diff(lines)[bar])[:_MOST_LATE]
    for line, index in sorted(zip(np.repeat(np.array(written, dtype=np.int64), counts)[late], late, strict=True)):
        room = -(-int(np.diff(lines)[bar[index]]) // int(slot[index]))
        problems.number, problems.bar = int(line), bars.numbers[bar[index]]
        _late(problems, int(rows["slot"][index]), room, header.voices[voice[index]].name)
    marks = voice_marks(bars, len(header.voices), problems)
    if problems.found:
        return None
    notes = np.empty(len(rows), NOTE)
    notes["onset"] = lines[bar] + position
    notes["duration"] = rows["slots"] * slot
    notes["pitch"], notes["spelling"] = rows["pitch"], rows["spelling"]
    default = np.array([entry.velocity for entry in header.voices], dtype=np.int64)
    notes["velocity"] = np.where(rows["velocity"] > 0, rows["velocity"], default[voice]) if len(rows) else 0
    try:
        return Score(
            voices=_voices(header.voices, voice, notes, marks),
            bar_lines=tuple(bars.lines),
            meters=tuple(sorted(bars.meters.items())),
            keys=tuple(sorted(bars.keys.items())),
            tempos=tuple(sorted(bars.tempos.items())),
            sections=tuple(sorted(bars.sections.items())),
            chords=tuple(bars.chords),
            grids=_grids(tuple(bars.grids), lines, bar, position, notes["duration"]),
            title=header.title or "",
            first_bar=bars.first,
            marks=tuple(placed_signs(bars.marks, bars.lines)),
        )
    except ScoreError as error:  # what the reader let through and no piece can hold
        problems.number, problems.bar = 1, None
        problems.add("", "a piece that can exist", str(error))
        return None


def _late(problems: Problems, slot: int, room: int, voice: str) -> None:
    """Report a note that starts after the end of its bar, at its token or at what copies it."""
    token = re.search(rf"\S*@{slot}>\S*", problems.line[problems.line.find(":") + 1 :])
    said = token[0] if token else problems.line.strip()
    hint = "" if token else "the bar that is copied is longer than this one"
    problems.add(said, f"an onset slot within the bar (1-{room}), not {slot}", hint, voice)


def _voices(entries: list[VoiceEntry], voice: Ints, notes: NDArray[Any], signs: list[VoiceSigns]) -> tuple[Voice, ...]:
    """Notes dealt out to their voices, each in canonical order."""
    clock = int(notes["onset"].max(initial=1)).bit_length()
    major = (voice << clock) | notes["onset"]
    minor = (notes["pitch"].astype(np.int64) << 55) | (notes["duration"] << 14)
    minor |= (notes["velocity"].astype(np.int64) << 6) | (notes["spelling"].astype(np.int64) + 32)
    notes = frozen(notes[np.lexsort((minor, major))])
    ends = np.cumsum(np.bincount(voice, minlength=len(entries))).tolist()
    parts = [
        (entry.name, entry.program, entry.drums, tuple(said.marks), control_rows(said.controls))
        for entry, said in zip(entries, signs, strict=True)
    ]
    return dealt_out(notes, ends, parts)


def _grids(written: tuple[Grid, ...], lines: Ints, bar: Ints, position: Ints, duration: Ints) -> tuple[Grid, ...]:
    """The grids as written; a bar that copied notes from a finer one takes the grid that fits them."""
    slots = np.array([grid.slot for grid in written], dtype=np.int64)[bar]
    misfit = distinct(bar[(position % slots != 0) | (duration % slots != 0)])
    if not len(misfit):
        return written
    fitted = fit(np.diff(lines), bar, position, duration)
    wrong = set(misfit.tolist())
    return tuple(fitted[index] if index in wrong else grid for index, grid in enumerate(written))
