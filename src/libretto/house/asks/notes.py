"""Notes written into a piece: lines put in place of what a voice plays in some bars."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.contract.instruments import instrument_of_program
from libretto.edits.parts import top_line
from libretto.edits.spans import remade, starts_in, stretches
from libretto.score import Note, Score, Voice, spell
from libretto.score.chords import Chord

__all__ = [
    "MIDDLE", "Row", "beats_of", "chord_of", "fitted", "pitched_voices", "put", "range_of", "rows_of", "scale_at", "tune",
]  # fmt: skip

Spans = Sequence[tuple[int, int]]
#: Middle C: where two hands meet.
MIDDLE = 60


class Row(NamedTuple):
    """A note to be written: when, how long, which pitch and how loud."""

    onset: int
    duration: int
    pitch: int
    velocity: int

    @property
    def end(self) -> int:
        """The tick at which it ends."""
        return self.onset + self.duration


def rows_of(notes: NDArray[Any]) -> list[Row]:
    """Notes of a voice as rows."""
    return [Row(int(n["onset"]), int(n["duration"]), int(n["pitch"]), int(n["velocity"])) for n in notes]


def pitched_voices(score: Score) -> list[Voice]:
    """The voices with pitches that play, in order."""
    return [voice for voice in score.voices if not voice.drums and len(voice.array)]


def tune(score: Score, voice: Voice, spans: Spans) -> list[Row]:
    """The upper line of a voice in some bars."""
    notes = voice.array[starts_in(voice.array, stretches(score, spans))]
    return rows_of(top_line(notes)) if len(notes) else []


def put(
    score: Score,
    name: str,
    spans: Spans,
    rows: Iterable[Row],
    keep: Callable[[NDArray[Any]], NDArray[np.bool_]] | None = None,
) -> Score:
    """The piece with rows in place of what a voice plays in some bars; ``keep`` says which of its notes stay.

    What rings from before ends where the bars begin.
    """
    ticks = stretches(score, spans)
    voices = []
    for voice in score.voices:
        if voice.name == name:
            notes = voice.array.copy()
            inside = starts_in(notes, ticks)
            ends = notes["onset"] + notes["duration"]
            for start, _ in ticks:
                rings = (notes["onset"] < start) & (ends > start) & (keep is None)
                notes["duration"][rings] = start - notes["onset"][rings]
            stays = ~inside if keep is None else ~inside | keep(notes)
            new = [*map(Note._make, notes[stays].tolist()), *_notes(score, voice, rows)]
            voice = voice.with_notes(_apart(new))
        voices.append(voice)
    return remade(score, voices, None)


def _notes(score: Score, voice: Voice, rows: Iterable[Row]) -> list[Note]:
    made = []
    for row in rows:
        key = score.key_at(row.onset)
        spelled = (row.pitch * 7 + 1) % 12 - 1 if voice.drums else int(spell(np.array([row.pitch]), key)[0])
        made.append(Note(row.onset, max(1, min(row.duration, score.ticks - row.onset)), row.pitch, row.velocity, spelled))
    return made


def _apart(notes: list[Note]) -> list[Note]:
    """The same, nothing struck twice at once and no note lasting into the next of its pitch."""
    following: dict[int, int] = {}
    made = []
    for note in sorted(set(notes), key=lambda note: (-note.onset, note.pitch, -note.duration)):
        until = following.get(note.pitch)
        if until == note.onset:
            continue
        length = note.duration if until is None else min(note.duration, until - note.onset)
        following[note.pitch] = note.onset
        made.append(note._replace(duration=length))
    return made[::-1]


def range_of(voice: Voice) -> tuple[int, int]:
    """Where the instrument of a voice is comfortable."""
    return instrument_of_program(voice.program or 0).comfortable


def fitted(rows: Sequence[Row], low: int, high: int) -> list[Row]:
    """A line moved by whole octaves to where it lies best between two pitches, all of it alike."""
    if not rows:
        return []
    def outside(by: int) -> tuple[int, int]:
        return sum(not low <= row.pitch + by <= high for row in rows), abs(by)

    by = min((0, -12, 12, -24, 24, -36, 36), key=outside)
    return [row._replace(pitch=max(0, min(127, row.pitch + by))) for row in rows]


def beats_of(score: Score, bar: int) -> list[int]:
    """The ticks of the beats of a bar, counted from 0."""
    start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
    return list(range(start, end, score.meter_at(start).beat))


def chord_of(score: Score, tick: int) -> Chord | None:
    """The chord that holds at a tick."""
    return score.chord_at(tick)


def scale_at(score: Score, tick: int) -> frozenset[int]:
    """The pitch classes of the key at a tick, with those of its chord in place of their neighbours."""
    key, chord = score.key_at(tick), score.chord_at(tick)
    classes = set(key.classes)
    if chord is not None:
        for tone in set(chord.classes) - classes:
            classes -= {(tone + 1) % 12, (tone - 1) % 12} - set(chord.classes)
            classes.add(tone)
    return frozenset(classes)


def relabelled(score: Score, labels: dict[int, tuple[str, ...]]) -> Score:
    """The piece with other chord labels in some bars, counted from 0."""
    return replace(score, chords=tuple(labels.get(bar, old) for bar, old in enumerate(score.chords)))
