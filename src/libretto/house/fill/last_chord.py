"""A part that ends when its song ends: it joins the last chord, and nothing of it is left over."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from libretto.house.core.patterns import DRUM_KEYS, Sketch
from libretto.house.core.tones import Heard
from libretto.house.core.voicing import close_voicing
from libretto.house.fill.beside import Beside
from libretto.score import QUARTER

__all__ = ["Close", "close_of", "closed"]

_SLACK = QUARTER // 8  # played music is never quite on its place
_TOGETHER = 2  # notes that start together make the last chord
_ACCENT = 4
_STROKE = QUARTER  # how long a last stroke of a kit is written
_SHORTEST = QUARTER // 8


class Close(NamedTuple):
    """How a song ends: when its last chord is struck, and when its last note ends."""

    struck: int
    end: int


def close_of(beside: Beside) -> Close | None:
    """Where the last chord of the others is struck and until when it sounds; None where nobody plays pitches."""
    rows = beside.score.table
    pitched = np.array([not voice.drums for voice in beside.score.voices])[rows["voice"]]
    rows = rows[pitched & (rows["voice"] != beside.voice)]
    if not len(rows):
        return None
    ends = rows["onset"] + rows["duration"]
    last = rows[rows["bar"] == rows["bar"].max()]
    starts, counts = np.unique(last["onset"], return_counts=True)
    chords = starts[counts >= min(_TOGETHER, counts.max())]
    return Close(int(chords[-1]), int(ends.max()))


def closed(beside: Beside, notes: list[Sketch], *, drums: bool) -> list[Sketch]:
    """The notes of a part up to the last chord of the song, and that chord joined and held as long as it is."""
    close = close_of(beside)
    if close is None or not notes:
        return notes
    before = [note for note in notes if note.onset < close.struck - _SLACK]
    kept = [note._replace(duration=max(_SHORTEST, min(note.duration, close.struck - note.onset))) for note in before]
    if not before:
        return [note for note in notes if note.onset < close.end]
    last_bar = beside.score.bar_at(close.struck)
    if not beside.playing[last_bar] and not any(note.onset >= beside.lines[max(0, last_bar - 1)] for note in before):
        return kept  # the band is gone, and it with it
    return kept + (_stroke(close) if drums else _chord(beside, notes, before, close))


def _stroke(close: Close) -> list[Sketch]:
    length = min(_STROKE, max(_SHORTEST, close.end - close.struck))
    return [Sketch(close.struck, length, DRUM_KEYS[name], _ACCENT) for name in ("kick", "crash")]


def _chord(beside: Beside, notes: list[Sketch], before: list[Sketch], close: Close) -> list[Sketch]:
    """What the part plays with the last chord: as many notes as it played before, from where its hand is."""
    length = max(_SHORTEST, close.end - close.struck)
    chord = beside.chord(close.struck + _SLACK)
    latest = max(note.onset for note in before)
    hand = sorted(note.pitch for note in before if note.onset >= latest - _SLACK)
    there = [note for note in notes if abs(note.onset - close.struck) <= _SLACK]
    if chord is None:
        return [note._replace(duration=length) for note in there]
    if len(hand) > 1:
        pitches = close_voicing(chord, hand, round(sum(hand) / len(hand)), len(hand))
    else:
        pitches = [_nearest(hand[0], chord, root=hand[0] < _LOW)]
    return [Sketch(close.struck, length, pitch, _ACCENT) for pitch in pitches]


_LOW = 52  # below this a line is a bass, and closes on the root


def _nearest(pitch: int, chord: Heard, *, root: bool) -> int:
    """The tone of the chord next to a pitch; of a bass the root."""
    tones = {chord.root} if root else chord.classes
    around = range(pitch - 6, pitch + 7)
    return min((to for to in around if to % 12 in tones), key=lambda to: (abs(to - pitch), to), default=pitch)
