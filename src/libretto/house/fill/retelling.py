"""The notes of a song's own bars made into notes of a gap: another tune, other chords, and an end that is meant.

A tune is retold: the rhythm and the habits of the song's own, over the chords planned, as another line. Everything else
is brought from its chords to others: root to root, third to third, steps of the scale to steps, register kept. Where
the song was cut off, its last chord is struck and held.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.house.core.controls import Controls
from libretto.house.core.dice import dice
from libretto.house.core.line import Place, Taste, draw_line, steps_of
from libretto.house.core.patterns import DRUM_KEYS
from libretto.house.core.tones import Heard, key_of_home, third_at_home
from libretto.house.fill.reading import Reading
from libretto.notation.marked import is_written
from libretto.score import QUARTER
from libretto.score.keys import spell_drums
from libretto.score.pitch import letter_name
from libretto.score.table import NOTE, Floats, Ints

__all__ = ["close_song", "home_chord", "moved", "moved_notes", "retold"]

Notes = NDArray[Any]
_CHUNK = 64  # notes that are drawn as one line
_ROOM, _REACH = 3, 22  # semitones beyond the register, and on either side of the middle
_HIGHEST = 127
_LEAP, _USUAL_LEAPS = 4, 0.15  # semitones; and which part of a tune's moves are wider, as a rule
_REPEATS = 0.9  # what a note said twice costs in a tune that never does it
_OFF = QUARTER // 8  # so near to a beat is on it
_ON_BEAT, _OFF_BEAT, _HELD = 0.5, 0.1, 0.5  # how much dissonance weighs there, and more by length
#: Which part of a chord an interval above the root is: root, second, third, fourth, fifth, sixth, seventh.
_DEGREE = (0, 1, 1, 2, 2, 3, 4, 4, 4, 5, 6, 6)
_MINOR_THIRD, _TRITONE = 3, 6
_NEARBY = 2  # semitones within which a tone of the scale is looked for


def retold(
    notes: Notes,
    chord_at: Callable[[int], Heard | None],
    home: frozenset[int],
    start_of_bar: Callable[[int], int],
    register: tuple[int, int],
    controls: Controls,
    seed: int,
    *,
    freedom: float,
    before: int | None,
) -> Notes:
    """The same rhythm with another line: near the old one where ``freedom`` is 0, far from it at 1."""
    if len(notes) < 2:
        return notes
    made = notes.copy()
    pitches: Ints = notes["pitch"].astype(np.int64)
    low, high = _room(pitches, register)
    steps = steps_of(sorted(home), low, high)
    taste = _taste(np.asarray(np.diff(pitches), dtype=np.int64), controls, freedom)
    last = before
    for begin in range(0, len(notes), _CHUNK):
        rows = notes[begin : begin + _CHUNK]
        places = [_place(row, chord_at, home, start_of_bar) for row in rows]
        rng = dice(seed, "tune", begin)
        noise = [[rng.random() for _ in range(high - low + 1)] for _ in rows]
        line = draw_line(places, low, high, steps, taste, noise, _contour(rows, steps, low, high), last)
        made["pitch"][begin : begin + _CHUNK] = line
        last = line[-1]
    return made


def _room(pitches: Ints, register: tuple[int, int]) -> tuple[int, int]:
    """Between which pitches a tune may be retold: its register and itself, a little more, and not too far."""
    low = max(0, min(register[0], int(pitches.min())) - _ROOM)
    high = min(_HIGHEST, max(register[1], int(pitches.max())) + _ROOM)
    middle = int(np.median(pitches))
    return max(low, middle - _REACH), min(high, middle + _REACH)


def _taste(moves: Ints, controls: Controls, freedom: float) -> Taste:
    """What the tune itself likes, and how firmly it is followed."""
    repeats = float((moves == 0).mean())
    leaps = float((np.abs(moves) > _LEAP).mean())
    return Taste(
        leaps=float(np.clip(2 * (leaps - _USUAL_LEAPS) + controls.leaps, -1.0, 1.0)),
        repeats=float(np.clip(_REPEATS - 2.0 * repeats, 0.0, _REPEATS)),
        chance=0.5 + 1.2 * freedom,
        contour=0.8 - 0.4 * freedom,
        curve=0.05 - 0.03 * freedom,
    )


def _place(
    row: Any, chord_at: Callable[[int], Heard | None], home: frozenset[int], start_of_bar: Callable[[int], int]
) -> Place:
    """Where a note stands: the chord there, the scale, and how much dissonance weighs."""
    onset, pitch = int(row["onset"]), int(row["pitch"])
    chord = chord_at(onset)
    beat = (onset - start_of_bar(onset)) % QUARTER
    strong = min(beat, QUARTER - beat) < _OFF
    long = min(1.0, int(row["duration"]) / (2 * QUARTER))
    weight = min(1.0, (_ON_BEAT if strong else _OFF_BEAT) + _HELD * long)
    return Place(chord.classes if chord is not None else home, home, weight, float(pitch))


def _contour(rows: Notes, steps: Floats, low: int, high: int) -> Sequence[float | None]:
    """The moves of a tune in whole scale steps."""
    at = np.clip(rows["pitch"].astype(np.int64), low, high) - low
    moves = np.round(np.diff(steps[at]))
    return [None, *moves.tolist()]


def moved(pitch: int, source: Heard | None, target: Heard | None, home: frozenset[int]) -> int:
    """The note that does over the target chord what this one does over the source, as near as can be.

    >>> c, f = Heard(0, frozenset({0, 4, 7})), Heard(5, frozenset({5, 9, 0}))
    >>> [moved(pitch, c, f, frozenset({0, 2, 4, 5, 7, 9, 11})) for pitch in (60, 64, 67, 62)]
    [65, 69, 72, 67]
    """
    if source is None or target is None or source == target:
        return pitch
    interval = (pitch - source.root) % 12
    if pitch % 12 in source.classes:
        degree = _DEGREE[interval]
        same = [tone for tone in target.classes if _DEGREE[(tone - target.root) % 12] == degree]
        near = (_near(pitch, tone) for tone in sorted(same or target.classes))
        return min(near, key=lambda to: (abs(to - pitch), to))
    if pitch % 12 in target.classes:
        return pitch
    wanted = _near(pitch, (interval + target.root) % 12)
    around = range(wanted - _NEARBY, wanted + _NEARBY + 1)
    at_home = home | target.classes
    return min(around, key=lambda to: (to % 12 not in at_home, abs(to - wanted), to))


def _near(pitch: int, tone: int) -> int:
    """The pitch of that class nearest to another."""
    up = (tone - pitch) % 12
    return pitch + (up if up <= _TRITONE else up - 12)


def moved_notes(
    notes: Notes,
    source: tuple[Heard | None, Heard | None],
    target: tuple[Heard | None, Heard | None],
    home: frozenset[int],
    half: int,
) -> Notes:
    """The notes of a bar brought from its chords to others; notes that start before ``half`` belong to the first."""
    if source == target:
        return notes
    made = notes.copy()
    later = (notes["onset"] >= half).astype(np.int64)
    for index in range(len(made)):
        which = int(later[index])
        to = moved(int(notes["pitch"][index]), source[which], target[which], home)
        made["pitch"][index] = np.clip(to, 0, _HIGHEST)
    return made


def home_chord(reading: Reading) -> tuple[Heard, str]:
    """The chord on which a song comes home, and its label: the triad on its last tonic, as the song has it."""
    full = [
        reading.harmonies[bar] for bar in range(1 - reading.score.first_bar, reading.score.bars) if reading.known[bar]
    ]
    chords = [chord for pair in full for chord in pair if chord is not None]
    key = key_of_home(reading.score.keys[-1][1], [chords[0], chords[-1]] if chords else [])
    third = third_at_home(chords, key)
    label = letter_name(key.tonic) + ("m" if third == _MINOR_THIRD else "")
    return Heard(key.tonic_class, frozenset((key.tonic_class + step) % 12 for step in (0, third, 7))), label


def close_song(reading: Reading, made: dict[int, Notes], source: Heard | None) -> dict[int, Notes]:
    """The same parts, with the home chord held in the last bar; percussion strikes once."""
    lines, last = reading.lines, reading.hidden[1]
    start, length = int(lines[last]), int(lines[last + 1] - lines[last])
    length -= 0 if is_written(reading.score) else _OFF
    target, _ = home_chord(reading)
    result = {}
    for voice, notes in made.items():
        final = notes[notes["onset"] >= start]
        if len(final):
            end = _strike(reading, voice, final, start) if reading.score.voices[voice].drums else None
            held = _hold(final, start, length, source, target) if end is None else end
            notes = np.concatenate([notes[notes["onset"] < start], held])
        result[voice] = notes
    return result


def _strike(reading: Reading, voice: int, final: Notes, start: int) -> Notes:
    """The last stroke of a kit: bass drum and cymbal where it has them, else what it played first in the bar."""
    known = set(reading.score.voices[voice].array["pitch"].tolist())
    keys = [key for key in (DRUM_KEYS["kick"], DRUM_KEYS["crash"]) if key in known]
    loud = int(final["velocity"].max())
    rows = [(start, QUARTER, key, loud, 0) for key in keys or [int(_first(final)["pitch"][0])]]
    strokes = np.array(rows, dtype=NOTE)
    strokes["spelling"] = spell_drums(strokes["pitch"])
    return strokes


def _first(final: Notes) -> Notes:
    """What is struck together at the beginning of some notes."""
    return np.asarray(final[final["onset"] < int(final["onset"].min()) + _OFF])


def _hold(final: Notes, start: int, length: int, source: Heard | None, target: Heard) -> Notes:
    """What a voice still plays in the last bar: its first notes, on the home chord, held."""
    first = _first(final).copy()
    for row in first:
        pitch = moved(int(row["pitch"]), source, target, target.classes)
        around = range(pitch - _TRITONE, pitch + _TRITONE)
        nearest = min(around, key=lambda to: (to % 12 not in target.classes, abs(to - pitch)))
        row["pitch"] = min(_HIGHEST, max(0, nearest))
    first["onset"] = start
    first["duration"] = max(QUARTER // 4, length)
    return first
