"""Notes written into a piece: lines put in place of what a voice plays in some bars."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.contract.instruments import instrument_of_program, instruments
from libretto.edits.parts import top_line
from libretto.edits.spans import remade, starts_in, stretches
from libretto.score import Note, Score, Voice, spell
from libretto.score.keys import spell_drums

__all__ = [
    "MIDDLE", "Row", "beats_of", "fitted", "one_by_one", "pitched_voices", "put", "range_of", "rows_of", "scale_at",
    "skyline", "tune",
]  # fmt: skip

Spans = Sequence[tuple[int, int]]
#: Middle C: where two hands meet.
MIDDLE = 60
_THICK = 1.25  # notes a start from which on a player has more than a line
_OCTAVES = (0, -12, 12, -24, 24, -36, 36)  # moves of a line, the nearest first
_HIGHEST = 127  # pitch
_UNDER = 5  # semitones that a right hand goes below the middle
_SOFTEST, _LOUDEST = 20, 124  # velocities


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
    heard = skyline(notes)
    lines = np.asarray(score.bar_lines)
    bars = np.searchsorted(lines, notes["onset"], side="right")
    upper = notes[heard | ~np.isin(bars, bars[heard])]  # where all of a bar lies low, its top is the line
    return rows_of(top_line(upper)) if len(upper) else []


def skyline(notes: NDArray[Any]) -> NDArray[np.bool_]:
    """Which notes of a player are heard as a line above the rest: nothing higher sounds with them, and where two hands
    play they are not the left one's."""
    onset, pitch = notes["onset"].astype(np.int64), notes["pitch"].astype(np.int64)
    end = onset + notes["duration"]
    above = np.zeros(len(notes), dtype=np.bool_)
    for number in range(len(notes)):
        over = (onset <= onset[number]) & (end > onset[number]) & (pitch > pitch[number])
        above[number] = bool(over.any())
    hands = len(notes) > 0 and len(np.unique(onset)) * _THICK < len(notes) and int(pitch.max()) >= MIDDLE
    return ~above & ((pitch >= MIDDLE - _UNDER) | (not hands))


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
            level = float(notes["velocity"][inside].mean()) if inside.any() and not voice.drums else None
            new = [*map(Note._make, notes[stays].tolist()), *_notes(score, voice, _as_loud(list(rows), level))]
            voice = voice.with_notes(_apart(new))
        voices.append(voice)
    return remade(score, voices, None)


def _as_loud(rows: list[Row], level: float | None) -> list[Row]:
    """Rows as loud, on the whole, as what they take the place of."""
    if level is None or not rows:
        return rows
    by = round(level - sum(row.velocity for row in rows) / len(rows))
    return [row._replace(velocity=max(_SOFTEST, min(_LOUDEST, row.velocity + by))) for row in rows]


def _notes(score: Score, voice: Voice, rows: Iterable[Row]) -> list[Note]:
    made = []
    for row in rows:
        if not 0 <= row.onset < score.ticks:
            continue
        key = score.key_at(row.onset)
        spelled = (
            int(spell_drums(np.array([row.pitch]))[0]) if voice.drums else int(spell(np.array([row.pitch]), key)[0])
        )
        made.append(
            Note(row.onset, max(1, min(row.duration, score.ticks - row.onset)), row.pitch, row.velocity, spelled)
        )
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
    """Where the instrument of a voice is comfortable: the one that it is called after, else that of its sound."""
    known = instruments.get(voice.name.lower())
    return (known or instrument_of_program(voice.program or 0)).comfortable


def fitted(rows: Sequence[Row], low: int, high: int) -> list[Row]:
    """A line moved by whole octaves to where it lies best between two pitches, all of it alike."""
    if not rows:
        return []

    def outside(by: int) -> tuple[int, int]:
        return sum(not low <= row.pitch + by <= high for row in rows), abs(by)

    by = min(_OCTAVES, key=outside)
    return [row._replace(pitch=max(0, min(_HIGHEST, row.pitch + by))) for row in rows]


def beats_of(score: Score, bar: int) -> list[int]:
    """The ticks of the beats of a bar, counted from 0."""
    start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
    return list(range(start, end, score.meter_at(start).beat))


def scale_at(score: Score, tick: int) -> frozenset[int]:
    """The pitch classes of the key at a tick, with those of its chord in place of their neighbours."""
    key, chord = score.key_at(tick), score.chord_at(tick)
    classes = set(key.classes)
    if chord is not None:
        for tone in set(chord.classes) - classes:
            classes -= {(tone + 1) % 12, (tone - 1) % 12} - set(chord.classes)
            classes.add(tone)
    return frozenset(classes)


def one_by_one(before: Score, score: Score) -> Score:
    """A piece in which the notes of a voice still follow one another, where they did before it was changed."""
    voices = []
    for old, voice in zip(before.voices, score.voices, strict=True):
        starts = np.unique(old.array["onset"])
        ends = old.array["onset"] + old.array["duration"]
        after = np.append(starts, before.ticks)[np.searchsorted(starts, old.array["onset"], side="right")]
        if not voice.drums and len(old.array) and bool((ends <= after).all()):
            notes = voice.array.copy()
            starts = np.unique(notes["onset"])
            after = np.append(starts, score.ticks)[np.searchsorted(starts, notes["onset"], side="right")]
            notes["duration"] = np.minimum(notes["duration"], np.maximum(1, after - notes["onset"]))
            voice = voice.with_notes(notes)
        voices.append(voice)
    return remade(score, voices, None)
