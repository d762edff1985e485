"""The lines of a voice that has marks or controls: its notes with what stands behind them, and what stands between.

Notes that start and end together share a token, as in any voice, if they share the marks that chords share; a note that
has marks of its own and is not the lowest gets a token of its own.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from libretto.grammar.controls import control_tokens
from libretto.grammar.signs import note_signs, voice_sign
from libretto.score.marks import WIDE_MARKS, Mark
from libretto.score.model import Score
from libretto.score.time import Grid
from libretto.score.voice import Note

__all__ = ["between_notes", "controls_by_bar", "marked_bodies"]

_Anchor = tuple[int, int, int]  # start, pitch and length of a note


def between_notes(score: Score, controls: bool) -> dict[tuple[int, int], list[str]]:
    """The tokens that stand before the notes, by bar and voice: marks between notes, and controls where asked for."""
    lines = score.bar_lines
    tokens: dict[tuple[int, int], list[str]] = defaultdict(list)
    for index, voice in enumerate(score.voices):
        for mark in voice.marks:
            if not mark.on_note:
                bar = score.bar_at(mark.tick)
                said = voice_sign(mark._replace(tick=mark.tick - lines[bar]), score.grids[bar])
                tokens[bar, index].append(said)
        for bar, rows in controls_by_bar(score, index).items() if controls else ():
            tokens[bar, index] += control_tokens(rows, score.grids[bar])
    return tokens


def marked_bodies(score: Score, index: int, velocity: int) -> Iterator[tuple[int, str]]:
    """For each bar in which a voice with marks on its notes plays, the tokens of these notes as one text."""
    voice, lines = score.voices[index], score.bar_lines
    on_notes: dict[_Anchor, list[Mark]] = defaultdict(list)
    for mark in voice.marks:
        if mark.on_note:
            on_notes[mark.tick, mark.pitch, mark.length].append(mark)
    notes: dict[int, list[Note]] = defaultdict(list)
    for note in voice.notes:
        notes[bisect_right(lines, note.onset) - 1].append(note)
    for bar, played in notes.items():
        yield bar, " ".join(_tokens(played, on_notes, lines[bar], score.grids[bar], velocity))


def controls_by_bar(score: Score, index: int) -> dict[int, list[tuple[int, int, int]]]:
    """The controls of a voice in each bar that has some: ticks from its start, kind, value."""
    rows, lines = score.voices[index].controls, np.asarray(score.bar_lines)
    bars = lines[:-1].searchsorted(rows["tick"], side="right") - 1
    columns = bars, rows["tick"] - lines[bars], rows["kind"], rows["value"]
    controls: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for bar, *row in zip(*(column.tolist() for column in columns), strict=True):
        controls[bar].append((row[0], row[1], row[2]))
    return controls


def _tokens(notes: list[Note], on_notes: dict[_Anchor, list[Mark]], start: int, grid: Grid, velocity: int) -> list[str]:
    """The tokens of the notes of one bar; marks of equal notes stand behind the first of them."""
    groups: dict[tuple[object, ...], list[tuple[Note, list[Mark]]]] = defaultdict(list)
    for note in sorted(notes, key=lambda note: (note.onset, note.duration, note.velocity, note.pitch, note.spelling)):
        marks = on_notes.pop((note.onset, note.pitch, note.duration), [])
        wide = tuple(mark[1:3] for mark in marks if mark.kind in WIDE_MARKS)
        groups[note.onset, note.duration, note.velocity, wide].append((note, marks))
    return [token for group in groups.values() for token in _group_tokens(group, start, grid, velocity)]


def _group_tokens(group: list[tuple[Note, list[Mark]]], start: int, grid: Grid, velocity: int) -> Iterator[str]:
    """One token for the lowest note and those that have nothing of their own, one for each other note."""
    own = [(note, marks) for note, marks in group[1:] if any(mark.kind not in WIDE_MARKS for mark in marks)]
    taken = {id(marks) for _, marks in own}
    together = [note for note, marks in group if not own or id(marks) not in taken]
    yield _token(together, group[0][1], start, grid, velocity)
    for note, marks in own:
        yield _token([note], marks, start, grid, velocity)


def _token(notes: list[Note], marks: list[Mark], start: int, grid: Grid, velocity: int) -> str:
    first = notes[0]
    names = "+".join([note.name for note in notes])
    loud = f"^{first.velocity}" if first.velocity != velocity else ""
    slot = grid.slot
    at, length = (first.onset - start) // slot + 1, first.duration // slot
    return f"{names}@{at}>{length}{loud}{note_signs(marks, grid) if marks else ''}"
