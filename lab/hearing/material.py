"""What is played in a clip: a stretch of a real piece, with every note in seconds.

Files are parted by their place in the sorted list: every other one is for development, the rest is held out. Stretches
begin at a bar line and keep one tempo and one meter; pieces whose file names no tempo of their own get one by lot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.score import Score, Voice, played

__all__ = ["HAT", "KICK", "KINDS", "SNARE", "Played", "Stretch", "drum_class", "in_range", "steady", "stretches"]

KINDS = ("hum", "line", "piano", "duo", "band", "drums", "tempo")
KICK, SNARE, HAT = 36, 38, 42
_CLASSES = {35: KICK, 36: KICK, 37: SNARE, 38: SNARE, 39: SNARE, 40: SNARE, 42: HAT, 44: HAT, 46: HAT}
_SPLITS = ("dev", "held")
_PIANOS, _PIPES = range(0, 2), (40, 41, 42, 56, 60, 64, 65, 68, 70, 71, 73, 24, 25)
_DUO = (0, 40, 42, 71, 73, 24)
_UNSAID_BPM = 120.0  # what readers give where a file names no tempo
_SECONDS = {"tempo": 20.0, "drums": 10.0}
_USUAL_SECONDS = 10.0
_FEWEST, _MOST_A_SECOND = 12, 16  # notes in a stretch, and a second
_TRIES = 400
#: Lowest and highest pitch of the instruments that lines and duos are given.
_RANGES = {
    24: (40, 88), 25: (40, 88), 40: (55, 103), 41: (48, 91), 42: (36, 84), 56: (52, 88), 60: (34, 77),
    64: (56, 88), 65: (49, 82), 68: (58, 91), 70: (34, 77), 71: (50, 94), 73: (60, 98),
}  # fmt: skip
_INSIDE = 0.9
_MONO_PART = 0.02  # of the notes may overlap in a line


class Played(NamedTuple):
    """A note as played: start and stop in seconds, MIDI pitch, velocity, program, and whether it is a drum."""

    start: float
    stop: float
    pitch: int
    velocity: int
    program: int
    drum: bool


@dataclass(frozen=True)
class Stretch:
    """A stretch of a piece: its kind, file, notes, tempo in quarters a minute and meter as written."""

    kind: str
    file: str
    notes: tuple[Played, ...]
    bpm: float
    meter: str


def drum_class(key: int) -> int | None:
    """Kick, snare or hat for a key of the percussion map, None for anything else."""
    return _CLASSES.get(key)


def stretches(
    shared: Path, kind: str, split: str, count: int, seed: int, seconds: float | None = None
) -> Iterator[Stretch]:
    """So many stretches of a kind, of different places, spread over the files of a split, each so many seconds long.

    Endless ones (``math.inf``) are all that a piece has in one tempo and one meter. Fewer come where few are so long.
    """
    seconds = seconds or _SECONDS.get(kind, _USUAL_SECONDS)
    files = sorted((shared / "scores").glob("*.*")) + sorted((shared / "midi").glob("*.mid"))
    files = [file for file in files if file.suffix in (".mxl", ".abc", ".mid")]
    mine = files[_SPLITS.index(split) :: 2]
    dice = Random(f"{seed} {split} {kind}")
    dice.shuffle(mine)
    scores: dict[Path, Score | None] = {}
    made, place = 0, 0
    while made < count and place < _TRIES:
        file = mine[place % len(mine)]
        place += 1
        if file not in scores:
            scores[file] = _read(file)
        score = scores[file]
        stretch = None if score is None else _stretch(score, file.name, kind, dice, seconds)
        if stretch is not None:
            made += 1
            yield stretch


def _read(file: Path) -> Score | None:
    try:
        return played(read(file))
    except LibrettoError:
        return None


def _stretch(score: Score, name: str, kind: str, dice: Random, length: float) -> Stretch | None:
    """One stretch of that kind from a piece, or None where it has none."""
    voices = _chosen(score, kind, dice)
    if not voices:
        return None
    lines = list(score.bar_lines)
    bar = dice.randrange(max(1, len(lines) - 2))
    first, end = (lines[bar], score.ticks) if isfinite(length) else steady(score)
    meter = score.meter_at(first)
    if str(meter).startswith("1/"):
        return None
    bpm = score.bpm_at(first)
    pace = dice.uniform(66, 150) / bpm if bpm == _UNSAID_BPM and not name.endswith(".mid") else 1.0
    bpm *= pace
    quarter = 60 / bpm
    last = first + round(length / quarter * 40320) if isfinite(length) else end
    if (
        last > score.ticks
        or any(first < tick < last for tick, _ in score.tempos)
        or any(first < tick < last for tick, _ in score.meters)
    ):
        return None
    notes = _notes(voices, first, last, quarter / 40320)
    kept = [note for note in notes if not note.drum or drum_class(note.pitch)] if kind == "drums" else notes
    seconds = (last - first) * quarter / 40320
    if not _FEWEST <= len(kept) <= _MOST_A_SECOND * seconds or (kind in ("hum", "line") and not _single(notes)):
        return None
    if kind in ("line", "duo") and not in_range(notes):
        return None
    if kind == "duo" and len({note.program for note in notes}) < 2:
        return None
    return Stretch(kind, name, tuple(_dressed(kind, notes, dice)), round(bpm, 3), str(meter))


def steady(score: Score) -> tuple[int, int]:
    """The first and the last tick of the longest part of a piece that is in one tempo and one meter."""
    edges = sorted({0, score.ticks, *(tick for tick, _ in [*score.tempos, *score.meters] if tick < score.ticks)})
    return max(pairwise(edges), key=lambda part: part[1] - part[0], default=(0, 0))


def in_range(notes: Sequence[Played]) -> bool:
    """Whether nearly all notes lie where their instruments play: fonts have no sound of a flute's low C.

    >>> in_range([Played(0.0, 1.0, 48, 80, 73, False)])
    False
    """
    inside = [
        low <= note.pitch <= high
        for note in notes
        for low, high in (_RANGES.get(note.program, (0, 127)),)
        if not note.drum
    ]
    return sum(inside) >= _INSIDE * len(inside)


def _chosen(score: Score, kind: str, dice: Random) -> list[tuple[Voice, int]]:
    """The voices of a kind of sound, each with the program that plays it."""
    tuned = [voice for voice in score.voices if not voice.drums and len(voice.notes) > _FEWEST]
    if kind == "drums":
        return [(voice, 0) for voice in score.voices if voice.drums]
    if not tuned:
        return []
    if kind in ("band", "tempo"):
        return [(voice, voice.program or 0) for voice in score.voices]
    if kind == "piano":
        keyed = [voice for voice in tuned if voice.program in _PIANOS]
        return [(voice, 0) for voice in keyed]
    if kind == "duo":
        if len(tuned) < 2:
            return []
        programs = dice.sample(_DUO, 2)
        return list(zip(dice.sample(tuned, 2), programs, strict=True))
    return [(dice.choice(tuned), dice.choice(_PIPES))]


def _notes(voices: Sequence[tuple[Voice, int]], first: int, last: int, tick: float) -> list[Played]:
    notes = []
    for voice, program in voices:
        rows = voice.array
        inside = rows[(rows["onset"] >= first) & (rows["onset"] < last)]
        for onset, duration, pitch, velocity in inside[["onset", "duration", "pitch", "velocity"]].tolist():
            stop = min(onset + duration, last)
            start = (onset - first) * tick
            notes.append(Played(start, max(start + 0.03, (stop - first) * tick), pitch, velocity, program, voice.drums))
    return sorted(set(notes))


def _single(notes: Sequence[Played]) -> bool:
    """Whether hardly any note begins while another sounds."""
    over = sum(b.start < a.stop - 0.03 for a, b in pairwise(notes))
    return over <= _MONO_PART * len(notes)


def _dressed(kind: str, notes: Sequence[Played], dice: Random) -> list[Played]:
    """The notes as somebody plays them: moved by whole octaves into the range of a voice, times a little uneven."""
    notes = list(notes)
    if kind == "hum":
        middle = float(np.median([note.pitch for note in notes]))
        want = dice.choice((52, 60, 67))
        move = 12 * round((want - middle) / 12)
        notes = [note._replace(pitch=note.pitch + move) for note in notes]
        notes = [a._replace(stop=min(a.stop, b.start)) for a, b in pairwise(notes)] + notes[-1:]
        notes = [note for note in notes if note.stop - note.start >= 0.08]
    jitter = {start: dice.gauss(0, 0.008) for start in sorted({note.start for note in notes})}
    moved = []
    for note in notes:
        start = max(0.0, note.start + jitter[note.start])
        moved.append(note._replace(start=start, stop=max(note.stop, start + 0.05)))
    return sorted(moved)
