"""Made players: a written piece performed with a tempo that bends, uneven fingers, and no click.

The performance is kept as a recording over an unrelated click has it: ticks of 120 quarters a minute in 4/4. With it
come the times of the beats and bars that the player had in mind, in seconds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from lab.beats.pieces import Piece, seed_of
from libretto.formats.midi.source import MidiPart, MidiSource
from libretto.score.table import Floats, Ints
from libretto.score.time import QUARTER, Meter

__all__ = ["CURVES", "Performance", "is_taught", "perform"]

CURVES = ("steady", "waves", "walk", "phrases")
_CLICK_MICROS = 500_000  # of the click that nobody listened to
_TICKS_A_SECOND = 2 * QUARTER
_FREE = (50.0, 200.0)  # beats a minute of who plays at any speed
_USUAL = (80.0, 140.0)  # beats a minute of a piece that says no tempo
_ABOUT = 1.1  # how many times faster or slower than written a piece is played
_PLAYABLE = (40.0, 240.0)  # beats a minute: what a player taps
_BEND = (0.10, 0.25)  # how much the tempo bends
_NOISE = (0.010, 0.025)  # seconds: the spread of a player's starts
_ROLL = 0.020  # seconds at most from the lowest to the highest note of a chord
_LEAD = (0.2, 2.0)  # seconds of silence before the first note


class Performance(NamedTuple):
    """What was recorded, and where the beats and bars truly are, in seconds."""

    source: MidiSource
    beats: Floats
    downbeats: Floats
    curve: str
    bpm: float
    own: bool


def is_taught(name: str) -> bool:
    """Whether the nets may be taught on the piece of that name: half of all are, by a hash.

    The arrangement of a song for piano is in the half of its melody.
    """
    return seed_of(f"half {name.removesuffix(':piano')}") % 2 == 0


def perform(
    piece: Piece, curve: str | None = None, bpm: float | None = None, most_seconds: float = 1e9, *, free: bool = False
) -> Performance:
    """Play a piece about as fast as it says, or as is usual where it says nothing; with ``free`` at any speed.

    The same piece is always played the same way unless a curve or a tempo (in beats a minute) is said.
    """
    dice = np.random.default_rng(seed_of(piece.name))
    curve = curve or CURVES[int(dice.integers(len(CURVES)))]
    own = piece.bpm is not None and not free
    if bpm is None:
        about = float(np.exp(dice.uniform(-1, 1) * np.log(_ABOUT)))
        other = float(np.exp(dice.uniform(*np.log(_FREE if free else _USUAL))))
        bpm = (piece.bpm or 0.0) * QUARTER / piece.beat * about if own else other
        bpm = float(np.clip(bpm, *_PLAYABLE))
    end = int(max((part.onset + part.duration).max() for part in piece.parts))
    marks = np.arange(0, end + 2 * piece.beat, piece.beat)
    lengths = 60.0 / bpm / _speeds(dice, curve, len(marks))
    times = np.concatenate([[0.0], np.cumsum(lengths)])[: len(marks)]
    begin = min(int(part.onset.min()) for part in piece.parts)
    times += float(dice.uniform(*_LEAD)) - np.interp(begin, marks, times)  # nobody plays rests before the beginning

    def at(ticks: Ints) -> Floats:
        return np.asarray(np.interp(ticks, marks, times), dtype=np.float64)

    noise, roll, legato = dice.uniform(*_NOISE), dice.uniform(0, _ROLL) * (dice.random() < 0.5), dice.uniform(0.75, 1)
    parts = [_played(part, at, dice, noise, roll, legato, most_seconds) for part in piece.parts]
    kept = tuple(part for part in parts if len(part.onset))
    source = MidiSource(kept, ((0, Meter(4, 4)),), ((0, _CLICK_MICROS),), (), (), "")
    last = max(int(part.onset.max()) for part in kept) / _TICKS_A_SECOND
    first = min(int(part.onset.min()) for part in kept) / _TICKS_A_SECOND
    beats, downbeats = at(piece.beats), at(piece.downbeats)
    near = 0.07
    return Performance(
        source,
        beats[(beats >= first - near) & (beats <= last + near)],
        downbeats[(downbeats >= first - near) & (downbeats <= last + near)],
        curve,
        bpm,
        own,
    )


def _speeds(dice: np.random.Generator, curve: str, beats: int) -> Floats:
    """How fast each beat is, 1 being the tempo of the piece."""
    bend, at = float(dice.uniform(*_BEND)), np.arange(beats)
    if curve == "waves":
        return 1 + bend * np.sin(2 * np.pi * (at / float(dice.uniform(16, 64)) + dice.random()))
    if curve == "walk":
        steps = np.convolve(dice.normal(0, bend / 6, beats + 8), np.ones(8) / 3, "same")[:beats]
        walk, speeds = 0.0, []
        for step in steps.tolist():
            walk = float(np.clip(0.97 * walk + step, -bend, bend))
            speeds.append(1 + walk)
        return np.array(speeds)
    if curve == "phrases":
        phrase = int(dice.choice([8, 12, 16, 32]))
        inside = at % phrase
        return 1 - bend * np.clip((inside - (phrase - 4)) / 4, 0, 1)
    return np.ones(beats)


def _played(
    part: MidiPart,
    at: Callable[[Ints], Floats],
    dice: np.random.Generator,
    noise: float,
    roll: float,
    legato: float,
    most_seconds: float,
) -> MidiPart:
    """A part as the player plays it, up to a time."""
    start, stop = at(part.onset), at(part.onset + np.maximum(1, (part.duration * legato).astype(np.int64)))
    _, first, which = np.unique(part.onset, return_index=True, return_inverse=True)
    lowest = np.full(len(first), 200)
    np.minimum.at(lowest, which, part.pitch)
    spread = roll * np.clip((part.pitch - lowest[which]) / 24, 0, 1)
    moved = np.maximum(0.0, start + spread + dice.normal(0, noise, len(start)))
    length = np.maximum(0.03, stop - start)
    keep = moved <= most_seconds
    onset = np.round(moved * _TICKS_A_SECOND).astype(np.int64)[keep]
    duration = np.round(length * _TICKS_A_SECOND).astype(np.int64)[keep]
    return part._replace(onset=onset, duration=duration, pitch=part.pitch[keep], velocity=part.velocity[keep])
