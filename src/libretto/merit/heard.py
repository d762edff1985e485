"""What is heard of a piece before it is weighed: chords, lines and bars as arrays, each worked out once.

Conventions: notes alone count; names, labels and key signatures of a text do not, so that nobody is better for what is
written over the bars. Chords are heard by half bars. A *line* is what a voice plays on top: its highest note at every
onset. ``bar`` is an index from 0; ``slot`` is a place in the bar in sixteenths. NaN says that something does not apply.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from libretto.score import Score, played
from libretto.score.chords import NO_CHORD, parse_chord
from libretto.score.facts import Facts
from libretto.score.general_midi import guess_program
from libretto.score.harmony import hear_chords
from libretto.score.keys import infer_key
from libretto.score.pitch import letter_name
from libretto.score.table import Bools, Floats, Ints, distinct
from libretto.score.time import QUARTER

__all__ = ["MOST_BARS", "PITCHES", "SIXTEENTH", "SLOTS", "STRONG", "Heard", "Line", "going_with", "mean_of", "share"]

PITCHES = 128  #: more than any pitch, program or velocity
SLOTS = 256  #: more than a bar has sixteenths
SIXTEENTH = QUARTER // 4  #: ticks
STRONG = 2.0  #: how strong a beat is at least
#: Bars further on than this are not compared with each other: form is heard from the first hour of a piece.
MOST_BARS = 512
_SINGLE = 1.4  # notes an onset; a voice with fewer plays a line
_FEWEST = 8  # onsets before a voice is heard as a line
_OFTEN = 0.25  # the share of bars in which a lead plays
_SHORT, _STILL = 3, 1e-18  # values in a series, and what its spread, squared twice, must be above
_LOW = 52  # a voice whose mean is lower (E3) carries no tune where another may


def share(part: Floats | Ints | Bools, whole: Floats | Ints | Bools | int | float) -> float:
    """A sum over another, or a number; NaN where there is nothing to divide by."""
    below = float(np.sum(whole))
    return float(np.sum(part)) / below if below > 0 else float("nan")


def mean_of(values: Floats | Ints | Bools) -> float:
    """The mean, NaN of nothing."""
    return float(np.add.reduce(values, dtype=np.float64)) / len(values) if len(values) else float("nan")


def going_with(first: Floats, second: Floats) -> float:
    """How two series go together, from -1 to 1; NaN where they are short or one never moves."""
    if len(first) < _SHORT:
        return float("nan")
    one, other = first - mean_of(first), second - mean_of(second)
    size = float(one @ one) * float(other @ other)
    return float(one @ other) / size**0.5 if size > _STILL * len(first) ** 2 else float("nan")


@dataclass(frozen=True, eq=False)
class Line:
    """The top notes of one voice in order of time."""

    voice: int
    onset: Ints
    pitch: Ints
    duration: Ints
    velocity: Ints
    bar: Ints
    slot: Ints
    root: Ints
    in_chord: Bools

    @cached_property
    def steps(self) -> Ints:
        """The interval to each next note in semitones."""
        return np.diff(self.pitch)

    @cached_property
    def gap(self) -> Ints:
        """Ticks of silence before each next note; less than nothing where notes overlap."""
        return np.asarray(self.onset[1:] - self.onset[:-1] - self.duration[:-1], dtype=np.int64)

    def __len__(self) -> int:
        return len(self.pitch)


class Heard:
    """A piece as it sounds: its facts, chords, lines and bars."""

    def __init__(self, score: Score) -> None:
        self.written = score
        self.score = played(score)
        self.facts = Facts(self.score)
        self.bars = self.score.bars
        self.kept: dict[str, Any] = {}  # what others worked out once
        self.velocity: Ints = self.facts.notes["velocity"].astype(np.int64)
        self.programs = [guess_program(v.name) if v.program is None else v.program for v in self.score.voices]

    @cached_property
    def tonic(self) -> int:
        """The tonic that the notes imply, as a pitch class."""
        return infer_key(self.facts.pitch, self.facts.duration).tonic_class

    @cached_property
    def in_key(self) -> Bools:
        """Which of the twelve pitch classes belong to the key that the notes imply; a minor key has both sevenths."""
        key = infer_key(self.facts.pitch, self.facts.duration)
        inside = np.zeros(12, dtype=np.bool_)
        inside[list(key.classes)] = True
        if key.is_minor:
            inside[(key.tonic_class + 11) % 12] = True
        return inside

    @cached_property
    def _labels(self) -> tuple[tuple[str, ...], ...]:
        return hear_chords(self.score)

    @cached_property
    def _chords(self) -> tuple[Ints, Bools, Bools]:
        """Root (-1 where none) and members of the chord of every half bar, and whether its third is minor."""
        root = np.full(2 * self.bars, -1, dtype=np.int64)
        member = np.zeros((2 * self.bars, 12), dtype=np.bool_)
        minor = np.zeros(2 * self.bars, dtype=np.bool_)
        for bar, labels in enumerate(self._labels):
            for half in (0, 1):
                label = labels[min(half, len(labels) - 1)]
                chord = parse_chord(label) if label != NO_CHORD else None
                if chord is not None:
                    place = 2 * bar + half
                    root[place] = chord.root_class
                    member[place, list(chord.classes)] = True
                    minor[place] = chord.is_minor
        return root, member, minor

    @cached_property
    def names(self) -> list[str]:
        """The chord of every bar by root and third alone, such as ``Am``; empty where nothing sounds."""
        chords = [parse_chord(labels[0]) if labels[0] != NO_CHORD else None for labels in self._labels]
        return ["" if one is None else letter_name(one.root) + ("m" if one.is_minor else "") for one in chords]

    @property
    def roots(self) -> Ints:
        """The root of every half bar as a pitch class; -1 where nothing sounds."""
        return self._chords[0]

    @property
    def members(self) -> Bools:
        """Which pitch classes belong to the chord of every half bar."""
        return self._chords[1]

    @property
    def minor(self) -> Bools:
        """Whether the chord of every half bar has a minor third."""
        return self._chords[2]

    @cached_property
    def half(self) -> Ints:
        """The half bar in which each pitched note starts."""
        facts = self.facts
        late = facts.notes["position"] * 2 >= facts.bar_length[facts.bar] if facts.count else facts.bar
        return np.asarray(2 * facts.bar + late, dtype=np.int64)

    @cached_property
    def on_root(self) -> Bools:
        """Which notes are the root of their chord."""
        return np.asarray(self.roots[self.half] == self.facts.pitch_class)

    @cached_property
    def in_chord(self) -> Bools:
        """Which notes belong to their chord."""
        return np.asarray(self.members[self.half, self.facts.pitch_class])

    @cached_property
    def lines(self) -> list[Line]:
        """The top notes of every pitched voice that plays often enough."""
        facts = self.facts
        lines = []
        for voice in distinct(facts.voice):
            mine = np.flatnonzero(facts.voice == voice)
            onset = facts.onset[mine]
            top = mine[np.append(onset[1:] != onset[:-1], True)]  # notes are in order of time, then pitch
            if len(top) >= _FEWEST:
                lines.append(
                    Line(
                        int(voice),
                        *(column[top] for column in (facts.onset, facts.pitch, facts.duration, self.velocity)),
                        *(column[top] for column in (facts.bar, facts.slot, self.on_root, self.in_chord)),
                    )
                )
        return lines

    @cached_property
    def lead(self) -> Line | None:
        """The line that is heard as the tune: the highest that plays mostly single notes, often enough."""
        best, height = None, -1.0
        for line in self.lines:
            single = self.facts.density[line.voice] <= _SINGLE
            often = len(distinct(line.bar)) >= _OFTEN * self.bars
            pitch = float(line.pitch.mean())
            rank = pitch + (single + often) * PITCHES + (pitch >= _LOW) * PITCHES
            if rank > height:
                best, height = line, rank
        return best

    @cached_property
    def played_bars(self) -> int:
        """How many bars are compared with each other."""
        return min(self.bars, MOST_BARS)

    @cached_property
    def beat(self) -> Ints:
        """The length of a beat of each bar in ticks."""
        return self.facts.bar_beat

    @cached_property
    def strength(self) -> Floats:
        """How strong the place is at which each pitched note starts: 3 downbeat, 2 beat, 1 half beat, 0 elsewhere."""
        return self.strength_of(self.facts.bar, self.facts.notes["position"].astype(np.int64))

    def strength_of(self, bar: Ints, position: Ints) -> Floats:
        """How strong places in bars are: 3 downbeat, 2 beat, 1 half beat, 0 elsewhere; played a little off is on."""
        close = QUARTER // 8
        beat = self.beat[bar] if len(bar) else bar
        whole = (position + close) % np.maximum(beat, 1) <= 2 * close
        half = (position + close) % np.maximum(beat // 2, 1) <= 2 * close
        return np.where(position <= close, 3.0, np.where(whole, 2.0, np.where(half, 1.0, 0.0)))

    def name_of(self, voice: int) -> str:
        """What a voice is called."""
        return self.score.voices[voice].name
