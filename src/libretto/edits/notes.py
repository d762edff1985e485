"""Single notes: added, moved, made longer or louder, taken away; each known by its place in the note table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from libretto.edits.spans import Notes
from libretto.errors import LibrettoError
from libretto.score import Note, Score, Voice, spell
from libretto.score.edit import regrid
from libretto.score.keys import spell_drums
from libretto.score.marks import follow
from libretto.score.pitch import HIGHEST
from libretto.score.table import NOTE

__all__ = ["NewNote", "edit_notes"]

_FIELDS = ("onset", "duration", "pitch", "velocity")
_LONGEST = 2**40  # ticks, more than any piece has


@dataclass(frozen=True)
class NewNote:
    """A note to be put into a voice, by the voice's place in the piece."""

    voice: int
    onset: int
    duration: int
    pitch: int
    velocity: int


def edit_notes(
    score: Score,
    *,
    add: Sequence[NewNote] = (),
    change: Mapping[int, Mapping[str, int]] | None = None,
    delete: Sequence[int] = (),
) -> Score:
    """The piece with notes added, changed and deleted; every other note, and what is on it, stays as it is.

    Notes are named by their places in ``score.table``. A changed one gives any of onset, duration, pitch and velocity
    anew. A note begins inside the piece and may ring beyond it.
    """
    changes = dict(change or {})
    _check(score, add, (*changes, *delete))
    gone, lines = set(delete), np.asarray(score.bar_lines, dtype=np.int64)
    touched = np.zeros(score.bars, dtype=np.bool_)
    voices, first = [], 0
    for index, voice in enumerate(score.voices):
        own = range(first, first + len(voice.array))
        first = own.stop
        mine = {place - own.start: asked for place, asked in changes.items() if place in own}
        lost = {place - own.start for place in gone if place in own}
        more = [note for note in add if note.voice == index]
        if mine or lost or more:
            new = _edited(score, voice, more, mine, lost)
            differ = np.setxor1d(voice.array, new.array)
            touched[np.searchsorted(lines, differ["onset"], side="right") - 1] = True
            voice = new
        voices.append(voice)
    return replace(score, voices=tuple(voices), grids=regrid(voices, score.bar_lines, score.grids, touched))


def _check(score: Score, add: Sequence[NewNote], places: Sequence[int]) -> None:
    """Raise an error that names a note or a voice that is not there."""
    for place in places:
        if not 0 <= place < len(score.table):
            raise LibrettoError(f"there is no note {place}; the piece has {len(score.table):,}")
    for note in add:
        if not 0 <= note.voice < len(score.voices):
            raise LibrettoError(f"there is no voice {note.voice}; the piece has {len(score.voices)}")


def _edited(
    score: Score, voice: Voice, add: Sequence[NewNote], change: Mapping[int, Mapping[str, int]], lost: set[int]
) -> Voice:
    """One voice with its notes edited, by their places in it."""
    notes = voice.array.copy()
    for place, asked in change.items():
        row = _row(score, voice, {name: int(notes[place][name]) for name in _FIELDS} | dict(asked))
        if row["pitch"] == notes[place]["pitch"]:
            row["spelling"] = int(notes[place]["spelling"])
        notes[place] = tuple(row[name] for name in NOTE.names or ())
    kept = np.array([place not in lost for place in range(len(notes))], dtype=np.bool_)
    marks = follow(voice.marks, voice.array[kept], notes[kept])
    fresh = [_row(score, voice, {name: getattr(note, name) for name in _FIELDS}) for note in add]
    rows = np.array([tuple(row[name] for name in NOTE.names or ()) for row in fresh], dtype=NOTE)
    return replace(voice, array=np.concatenate((notes[kept], rows)), marks=marks)


def _row(score: Score, voice: Voice, asked: Mapping[str, int]) -> dict[str, int]:
    """A note that can be, spelled as its key has it."""
    onset, duration, pitch, velocity = (int(asked[name]) for name in _FIELDS)
    if not 0 <= onset < score.ticks:
        raise LibrettoError(f"a note begins inside the piece, which has {score.bars} bars; make it longer first")
    if not 1 <= duration <= _LONGEST:
        raise LibrettoError("a note has a length")
    if not 0 <= pitch <= HIGHEST or not 1 <= velocity <= HIGHEST:
        raise LibrettoError("a note has a pitch from 0 to 127 and a velocity from 1 to 127")
    row: dict[str, Any] = {"onset": onset, "duration": duration, "pitch": pitch, "velocity": velocity}
    return row | {"spelling": _spelling(score, voice, onset, pitch)}


def _spelling(score: Score, voice: Voice, onset: int, pitch: int) -> int:
    """The name of a note: as one of that pitch nearby is written, else as the key has it."""
    pitches: Notes = np.array([pitch])
    if voice.drums:
        return int(spell_drums(pitches)[0])
    start, end = _bar(score, onset)
    beside = [note for note in _within(voice, start, end) if note.pitch == pitch]
    return beside[0].spelling if beside else int(spell(pitches, score.key_at(onset))[0])


def _bar(score: Score, tick: int) -> tuple[int, int]:
    index = int(np.searchsorted(score.bar_lines, tick, side="right")) - 1
    return score.bar_lines[index], score.bar_lines[index + 1]


def _within(voice: Voice, start: int, end: int) -> list[Note]:
    low, high = np.searchsorted(voice.array["onset"], [start, end])
    return [Note._make(row) for row in voice.array[low:high].tolist()]
