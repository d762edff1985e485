"""Which events of a file each note of its Score is, proved against the reader that made the Score.

Notes are paired as symusic does it: within a track, the first start of a channel and pitch goes with the first stop
after it; a part is a track, a channel and the program at the start. Whether that is so in this very file is checked.
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import NamedTuple

import numpy as np

from libretto.errors import FormatError
from libretto.formats.midi.bytes import NOTE_OFF, NOTE_ON, PROGRAM
from libretto.formats.midi.events import EventFile
from libretto.formats.midi.read import merged_on_grids
from libretto.formats.midi.source import MidiPart, MidiSource, source_of
from libretto.score.model import Score
from libretto.score.table import Ints
from libretto.score.time import QUARTER

__all__ = ["Note", "Notes", "Part", "notes_of", "paired"]

_TOP = 127


class Part(NamedTuple):
    """A part of a file: what a voice is made of."""

    track: int
    channel: int
    program: int


class Note(NamedTuple):
    """A note of a file: the numbers of its two events in its track, when they are, its pitch and its velocity."""

    on: int
    off: int
    start: int
    stop: int
    pitch: int
    velocity: int


class Notes(NamedTuple):
    """Every note of a file: by voice the part, and for each note of the voice the file's notes that it is."""

    parts: tuple[Part, ...]
    rows: tuple[tuple[tuple[Note, ...], ...], ...]  #: by voice, then by row of its array: one note, or doubles
    stray: tuple[tuple[int, int], ...]  #: (track, event) of starts without a stop and stops without a start


def paired(file: EventFile) -> tuple[dict[Part, list[Note]], list[tuple[int, int]]]:
    """The notes of every part, in symusic's order of parts; and the note events that belong to none."""
    parts: dict[Part, list[Note]] = {}
    stray: list[tuple[int, int]] = []
    for number, track in enumerate(file.tracks):
        mine: dict[Part, list[Note]] = defaultdict(list)
        waiting: dict[tuple[int, int], deque[tuple[int, int]]] = defaultdict(deque)
        program = [0] * 16
        for index, event in enumerate(track.events):
            kind = event.kind
            if kind == PROGRAM:
                program[event.channel] = min(event.data[0], _TOP)
            if kind not in (NOTE_ON, NOTE_OFF):
                continue
            pitch = min(event.data[0], _TOP)
            queue = waiting[event.channel, pitch]
            if kind == NOTE_ON and event.data[1]:
                queue.append((index, program[event.channel]))
            elif queue:
                on, playing = queue.popleft()
                start = track.events[on]
                part = Part(number, event.channel, playing)
                velocity = min(start.data[1], _TOP)
                mine[part].append(Note(on, index, start.tick, event.tick, pitch, velocity))
            else:
                stray.append((number, index))
        stray.extend((number, index) for queue in waiting.values() for index, _ in queue)
        parts.update(sorted(mine.items()))
    return parts, stray


def notes_of(data: bytes, file: EventFile, before: Score) -> Notes:
    """The notes of a Score as events of the file it was read from; a FormatError where that cannot be proved."""
    source = source_of(data)
    parts, stray = paired(file)
    if len(parts) != len(source.parts) or len(parts) != len(before.voices):
        raise FormatError("the events of the file cannot be told apart as its voices are")
    ordered = [_like(notes, part, file.division) for notes, part in zip(parts.values(), source.parts, strict=True)]
    rows = _rows(source, ordered, before)
    return Notes(tuple(parts), rows, tuple(stray))


def _like(notes: list[Note], part: MidiPart, division: int) -> list[Note]:
    """The notes in the order in which symusic has them; equal ones are interchangeable."""
    table = np.array([note[2:] for note in notes], dtype=np.int64).reshape(-1, 4)
    start, stop = ((2 * table[:, column] * QUARTER + division) // (2 * division) for column in (0, 1))
    mine = (start, stop - start, table[:, 2], np.clip(table[:, 3], 1, _TOP))
    theirs = (part.onset, part.duration, part.pitch, part.velocity)
    order, wanted = np.lexsort(mine), np.lexsort(theirs)
    if len(order) != len(wanted) or any(
        (one[order] != other[wanted]).any() for one, other in zip(mine, theirs, strict=True)
    ):
        raise FormatError(f"the events of {part.name or 'a part'} cannot be paired as the notes of the song are")
    placed = np.empty(len(order), dtype=np.int64)
    placed[wanted] = order
    return [notes[index] for index in placed.tolist()]


def _rows(source: MidiSource, ordered: list[list[Note]], before: Score) -> tuple[tuple[tuple[Note, ...], ...], ...]:
    """For every row of every voice the notes of the file that became it."""
    table, became = merged_on_grids(source)
    every = [note for notes in ordered for note in notes]
    members: list[list[Note]] = [[] for _ in range(len(table.onset))]
    for note, row in zip(every, became.tolist(), strict=True):
        members[row].append(note)
    made = []
    for number, voice in enumerate(before.voices):
        mine = np.flatnonzero(table.voice == number)
        columns = [column[mine] for column in (table.velocity, table.duration, table.pitch, table.onset)]
        array = voice.array
        theirs: list[Ints] = [array[name].astype(np.int64) for name in ("velocity", "duration", "pitch", "onset")]
        order, wanted = np.lexsort(columns), np.lexsort(theirs)
        if len(order) != len(wanted) or any(
            (one[order] != other[wanted]).any() for one, other in zip(columns, theirs, strict=True)
        ):
            raise FormatError(f"{voice.name} is not as the file has it")
        placed = np.empty(len(order), dtype=np.int64)
        placed[wanted] = mine[order]
        made.append(tuple(tuple(members[row]) for row in placed.tolist()))
    return tuple(made)
