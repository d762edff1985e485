"""What must hold of every Score; the only place that says so.

Every rule takes the part of a piece that it is about, so that a Score can ask them while it is being made.

What is worked out where nobody said it (bar lines, key, grids) is here, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from operator import ge
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.errors import ScoreError, TooLarge
from libretto.score.chords import is_chord
from libretto.score.grid import fit
from libretto.score.keys import MODES, Key, infer_key
from libretto.score.limits import MAX_BARS, MAX_NOTES, MAX_SIGNS, MAX_VOICES
from libretto.score.marks import CREDITS, REPEAT_MARKS, Mark
from libretto.score.pitch import FLATTEST, SHARPEST
from libretto.score.table import NOTE, TABLE, Ints, frozen
from libretto.score.time import FASTEST_MICROS, SLOWEST_MICROS, WHOLE, Grid, Meter
from libretto.score.voice import Voice, legal_name

__all__ = [
    "MAX_BARS",
    "MAX_NOTES",
    "MAX_SIGNS",
    "MAX_VOICES",
    "bar_lines_of",
    "check_bars",
    "check_changes",
    "check_labels",
    "check_meaning",
    "check_names",
    "check_notes",
    "check_signs",
    "grids_of",
    "key_of",
    "note_table",
    "refit",
]

_ON_BAR_LINES = ("meter", "section")  # what may change at the beginning of a bar only


def check_bars(
    lines: Sequence[int], first_bar: int, grids: Sequence[Grid], chords: Sequence[Sequence[str]] | None
) -> None:
    """Raise a ScoreError unless there are bars, they follow one another, and each has a grid and labels.

    ``chords`` is None where labels are not known yet.
    """
    bars = len(lines) - 1
    if bars < 1 or lines[0] != 0:
        raise ScoreError("a piece has at least one bar and begins at tick 0")
    if bars > MAX_BARS:
        raise ScoreError(f"the piece would have {bars:,} bars; the limit is {MAX_BARS:,}")
    if any(map(ge, lines, lines[1:])):
        raise ScoreError("bar lines must follow one another")
    if first_bar not in (0, 1):
        raise ScoreError("bars are numbered from 1, or from 0 where there is a pickup")
    if len(grids) != bars or (chords is not None and len(chords) != bars):
        raise ScoreError("every bar has one grid and one list of chord labels")


def check_changes(kind: str, changes: Sequence[tuple[int, object]], lines: Sequence[int]) -> None:
    """Raise a ScoreError unless changes of a kind (meter, key, tempo, section) stand in order and inside the piece."""
    times = [tick for tick, _ in changes]
    if kind != "section" and (not times or times[0] != 0):
        raise ScoreError(f"the {kind} must be known from tick 0")
    if any(b <= a for a, b in pairwise(times)):
        raise ScoreError(f"{kind} changes must follow one another in time")
    if times and not (times[0] >= 0 and times[-1] < lines[-1]):
        raise ScoreError(f"a {kind} change lies outside the piece")
    if times and kind in _ON_BAR_LINES and not set(lines).issuperset(times):
        raise ScoreError(f"a {kind} change must stand on a bar line")


def check_meaning(
    meters: Sequence[tuple[int, Meter]], keys: Sequence[tuple[int, Key]], tempos: Sequence[tuple[int, int]]
) -> None:
    """Raise a ScoreError for a tempo, meter or key that there is not."""
    if any(not FASTEST_MICROS <= micros <= SLOWEST_MICROS for _, micros in tempos):
        raise ScoreError("a tempo lies outside what MIDI can hold")
    for _, meter in meters:
        if not meter.is_possible:
            raise ScoreError(f"{meter} is not a meter from 1/64 to 255/1")
    for _, key in keys:
        if key.mode not in MODES or not FLATTEST <= key.tonic <= SHARPEST:
            raise ScoreError(f"{tuple(key)} is not a key")


def check_names(voices: Sequence[Voice], title: str, sections: Sequence[tuple[int, str]]) -> None:
    """Raise a ScoreError unless voices are called differently, and title and sections can be written down."""
    names = [voice.name for voice in voices]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ScoreError(f"two voices are called {twice!r}")
    if len(names) > MAX_VOICES:
        raise ScoreError(f"the piece would have {len(names):,} voices; the limit is {MAX_VOICES:,}")
    if title and title != " ".join(title.split()):
        raise ScoreError("a title is one line without spaces at its ends")
    for _, name in sections:
        if name != legal_name(name, label=True):
            raise ScoreError(f"{name!r} cannot name a section: no brackets, bars, @ or line breaks")


def check_signs(marks: Sequence[Mark], lines: Sequence[int]) -> None:
    """Raise a ScoreError unless marks of the piece lie inside it, and those that order the play on its bar lines."""
    known = set(lines)
    for mark in marks:
        if mark.tick >= lines[-1]:
            raise ScoreError(f"{mark.kind} stands after the end of the piece")
        if mark.kind in CREDITS and (mark.tick or mark.length or not mark.value):
            raise ScoreError(f"{mark.kind} must stand at the beginning of the piece and say something")
        if mark.kind in REPEAT_MARKS and not {mark.tick, mark.tick + mark.length} <= known:
            raise ScoreError(f"{mark.kind} must begin and end on a bar line")


def check_labels(chords: Sequence[Sequence[str]]) -> None:
    """Raise a ScoreError unless every bar has labels and all of them are chords."""
    for labels in chords:
        if not labels:
            raise ScoreError("a bar without a chord is labelled '-'")
    for label in {label for labels in chords for label in labels}:
        if not is_chord(label):
            raise ScoreError(f"{label!r} is not a chord label")


def check_notes(table: NDArray[Any], ticks: int, grids: Sequence[Grid], first_bar: int) -> None:
    """Raise a ScoreError unless there are not too many notes and each starts in a bar and on its grid."""
    if not len(table):
        return
    if int(table["onset"].max()) >= ticks:
        raise ScoreError("a note starts after the last bar")
    slots = (WHOLE // np.array([grid.division for grid in grids], dtype=np.int64))[table["bar"]]
    off = (table["position"] % slots != 0) | (table["duration"] % slots != 0)
    if off.any():
        number = int(table["bar"][int(np.argmax(off))]) + first_bar
        raise ScoreError(f"a note of bar {number} does not lie on that bar's grid")


def bar_lines_of(meters: Sequence[tuple[int, Meter]], end: int, bars: int = 1) -> list[int]:
    """Bar lines up to ``end`` and at least ``bars`` bars; a meter change cuts the bar it falls in."""
    if bars > MAX_BARS:
        raise ScoreError(f"the piece would have {bars:,} bars; the limit is {MAX_BARS:,}")
    lines = [0]
    for index, (start, meter) in enumerate(meters):
        stop = meters[index + 1][0] if index + 1 < len(meters) else None
        length = meter.ticks
        wanted = stop if stop is not None else max(end, start + 1)
        if (wanted - start) // length > MAX_BARS:
            raise TooLarge(f"the piece would have {(wanted - start) // length:,} bars; the limit is {MAX_BARS:,}")
        lines.extend(range(start + length, wanted, length))
        lines.append(stop if stop is not None else lines[-1] + length)
    while len(lines) - 1 < bars:
        lines.append(lines[-1] + meters[-1][1].ticks)
    return lines


def note_table(voices: Sequence[Voice], lines: Ints) -> NDArray[Any]:
    """Every note of every voice as one read-only array of ``TABLE`` rows."""
    notes = np.concatenate([np.empty(0, NOTE), *(voice.array for voice in voices)], dtype=NOTE)
    table = np.empty(len(notes), TABLE)
    for column in NOTE.names or ():
        table[column] = notes[column]
    onset = np.ascontiguousarray(notes["onset"])
    bar = lines.searchsorted(onset, side="right") - 1
    table["voice"] = np.repeat(np.arange(len(voices)), [len(voice.array) for voice in voices])
    table["bar"], table["position"] = bar, onset - lines[bar]
    return frozen(table)


def refit(voices: Sequence[Voice], lines: Ints) -> tuple[Grid, ...]:
    """The coarsest exact grid for every bar."""
    return grids_of(note_table(voices, lines), lines)


def grids_of(table: NDArray[Any], lines: Ints) -> tuple[Grid, ...]:
    """The same, of notes that are in a table already."""
    return fit(np.diff(lines), *(np.ascontiguousarray(table[name]) for name in ("bar", "position", "duration")))


def key_of(voices: Sequence[Voice]) -> Key:
    """The key that the pitched notes suggest, each weighing a whole note at most."""
    pitched = [voice.array for voice in voices if not voice.drums]
    empty = np.empty(0, dtype=np.int64)
    pitches = np.concatenate([empty, *(array["pitch"] for array in pitched)])
    weights = np.concatenate([empty, *(array["duration"] for array in pitched)])
    return infer_key(pitches, np.minimum(weights, WHOLE))
