"""What detectors see of a piece: its lines, its harmony as written and as it sounds, its drums; computed once.

Conventions: bars are counted from 0 inside and as they are numbered in a Sighting. Pitch classes of degrees are
semitones above the tonic of the key that holds in that bar. A chord is *supported* where its root and its third (or
what replaces it) sound within its time and most of what sounds belongs to it: a label alone shows nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

import numpy as np

from libretto.axes.counting import KINDS
from libretto.knowledge.line import LOOSE, VoiceLine
from libretto.score import Score, parse_chord
from libretto.score.facts import Facts
from libretto.score.table import Bools, Floats, Ints

__all__ = ["Sight", "Sighting", "SoundingChord", "Strokes", "shared"]

P = ParamSpec("P")
R = TypeVar("R")

_MELODY_CHORDS, _MELODY_ONSETS = 1.4, 8  # a melody has fewer notes an onset than that, and as many onsets
_MOSTLY = 0.6  # how much of what sounds a supported chord holds


class Sighting(NamedTuple):
    """Where something was seen: first and last bar as they are numbered, and the voice ("" for several)."""

    first: int
    last: int
    voice: str = ""

    @property
    def bars(self) -> int:
        """How many bars it takes."""
        return self.last - self.first + 1


class SoundingChord(NamedTuple):
    """One chord in its time: bar from 0, ticks, root and bass as pitch classes, its intervals above the root, the root
    as semitones above the tonic, and whether the notes support it."""

    bar: int
    start: int
    end: int
    root: int
    bass: int
    tones: frozenset[int]
    degree: int
    supported: bool

    @property
    def length(self) -> int:
        """How many ticks it lasts."""
        return self.end - self.start

    @property
    def is_minor(self) -> bool:
        """Whether its third is minor."""
        return 3 in self.tones and 4 not in self.tones

    @property
    def is_major(self) -> bool:
        """Whether its third is major."""
        return 4 in self.tones


@dataclass(frozen=True, eq=False)
class Strokes:
    """Percussion: one entry a stroke in order of time, all voices of drums together."""

    onset: Ints
    bar: Ints
    position: Ints
    key: Ints
    velocity: Ints

    def __len__(self) -> int:
        return len(self.key)

    def kind(self, name: str) -> Bools:
        """Which strokes are on that part of the kit: kick, snare, hat, ride, crash, tom; ``hand`` is all else."""
        keys = [key for kind in KINDS.values() for key in kind] if name == "hand" else list(KINDS[name])
        mine = np.isin(self.key, keys)
        return ~mine if name == "hand" else mine

    def of(self, *keys: int) -> Bools:
        """Which strokes are on those General MIDI keys."""
        return np.isin(self.key, keys)


class Sight:
    """A piece, prepared for detectors: every fact is worked out once, when it is first asked for."""

    def __init__(self, score: Score) -> None:
        self.score = score
        self.facts = Facts(score)
        self.bars = score.bars
        self.bar_length: Ints = self.facts.bar_length  #: in ticks
        self.lines_at: Ints = np.asarray(score.bar_lines, dtype=np.int64)
        self._known: dict[Hashable, Any] = {}

    def once(self, key: Hashable, make: Callable[[], R]) -> R:
        """What ``make`` returns, worked out when the key is first asked for."""
        if key not in self._known:
            self._known[key] = make()
        known: R = self._known[key]
        return known

    @property
    def beat(self) -> Ints:
        """The length of a beat of each bar in ticks."""
        return self.facts.bar_beat

    @property
    def tonic(self) -> Ints:
        """The tonic of each bar as a pitch class."""
        return self.facts.bar_tonic

    @property
    def minor(self) -> Bools:
        """Whether the key of each bar has a minor third."""
        return self.facts.bar_minor

    def in_mode(self, bar: int, mode: str) -> bool:
        """Whether the key of a bar is ``minor`` or ``major`` as asked; any is right where nothing is."""
        return not mode or bool(self.minor[bar]) == (mode == "minor")

    @cached_property
    def lines(self) -> tuple[VoiceLine, ...]:
        """Every pitched voice that plays."""
        facts, lines = self.facts, []
        for index in np.unique(facts.voice).tolist():
            voice, rows = self.score.voices[index], np.flatnonzero(facts.voice == index)
            lines.append(self._line(voice.name, voice.program or 0, rows))
        return tuple(lines)

    def _line(self, voice: str, program: int, rows: Ints) -> VoiceLine:
        """Some of the pitched notes; they last as long as they are written."""
        notes = self.facts.notes[rows]
        names = ("onset", "duration", "pitch", "velocity", "bar", "position")
        onset, duration, pitch, velocity, bar, position = (notes[name].astype(np.int64) for name in names)
        return VoiceLine(voice, program, onset, duration, pitch, velocity, bar, position, self.beat[bar])

    @cached_property
    def notes(self) -> VoiceLine:
        """All pitched notes of all voices in order of time and pitch."""
        return self._line("", 0, np.arange(self.facts.count))

    @cached_property
    def empty(self) -> VoiceLine:
        """A line without notes."""
        return self._line("", 0, np.empty(0, dtype=np.int64))

    @cached_property
    def melody(self) -> VoiceLine:
        """The highest voice that mostly plays single notes and plays often enough; else the highest voice."""
        if not self.lines:
            return self.empty
        single = [
            line
            for line in self.lines
            if len(line.starts) >= _MELODY_ONSETS and len(line) / len(line.starts) < _MELODY_CHORDS
        ]
        return max(single or self.lines, key=lambda line: (float(line.pitch.mean()), len(line)))

    @cached_property
    def bass(self) -> VoiceLine:
        """The voice with the lowest mean pitch."""
        return min(self.lines, key=lambda line: float(line.pitch.mean())) if self.lines else self.empty

    def chosen(self, where: str) -> tuple[VoiceLine, ...]:
        """What ``melody``, ``bass``, ``inner`` (neither), ``upper`` (all but the bass) or ``any`` mean: lines.

        Where a piece has one line only, it is all of them.
        """
        if where == "any" or len(self.lines) < 2:
            return self.lines
        rest = tuple(line for line in self.lines if line is not self.bass)
        named = {
            "melody": (self.melody,),
            "bass": (self.bass,),
            "upper": rest,
            "inner": tuple(line for line in rest if line is not self.melody),
        }
        return named[where]

    def on_programs(self, programs: Sequence[int] | None) -> list[VoiceLine]:
        """The lines played on General MIDI programs between the first and the last given; all where none are."""
        return [line for line in self.lines if not programs or programs[0] <= line.program <= programs[-1]]

    @cached_property
    def drums(self) -> Strokes:
        """All percussion."""
        strokes = self.facts.kit[np.argsort(self.facts.kit["onset"], kind="stable")]
        names = ("onset", "bar", "position", "pitch", "velocity")
        return Strokes(*(strokes[name].astype(np.int64) for name in names))

    @cached_property
    def harmony(self) -> tuple[SoundingChord, ...]:
        """The chords of the piece in order of time."""
        labels = [
            (bar, start, end, chord)
            for bar in range(self.bars)
            for start, end, label in self.score.chord_spans(bar)
            if (chord := parse_chord(label)) is not None
        ]
        if not labels:
            return ()
        mass = self.class_mass(np.array([[start, end] for _, start, end, _ in labels], dtype=np.int64))
        chords = []
        for (bar, start, end, chord), held in zip(labels, mass, strict=True):
            root, tones = chord.root_class, chord.intervals
            mine = held[[(root + tone) % 12 for tone in tones]].sum()
            heard = held[root] > 0 and (chord.third is None or held[chord.third] > 0) and mine >= _MOSTLY * held.sum()
            degree = (root - int(self.tonic[bar])) % 12
            chords.append(SoundingChord(bar, start, end, root, chord.bass_class, tones, degree, bool(heard)))
        return tuple(chords)

    @cached_property
    def supported(self) -> tuple[SoundingChord, ...]:
        """The chords that the notes support, in order of time."""
        return tuple(chord for chord in self.harmony if chord.supported)

    def class_mass(self, spans: Ints) -> Floats:
        """How long each pitch class sounds within each span of ticks (first, end)."""
        notes, mass = self.notes, np.zeros((len(spans), 12))
        for tone in np.unique(notes.pitch % 12).tolist():
            mine = notes.pitch % 12 == tone
            mass[:, tone] = _covered(notes.onset[mine], notes.end[mine], spans)
        return mass

    def per_bar(self, bar: Ints, flags: Bools | None = None) -> Ints:
        """How many of the rows that stand in those bars (those whose flag holds) each bar has."""
        return np.bincount(bar if flags is None else bar[flags], minlength=self.bars)

    def places(self, bar: Ints, position: Ints, parts: int = 1) -> Ints:
        """The place of each onset in parts of a beat from the bar line; -1 where it is near none."""
        unit = np.maximum(self.beat[bar] // parts, 1)
        place = (position + unit // 2) // unit
        return np.asarray(np.where(np.abs(position - place * unit) <= LOOSE, place, -1))

    def number(self, bar: int) -> int:
        """The number of a bar as a person reads it."""
        return int(bar) + self.score.first_bar

    def at(self, first: int, last: int, voice: str = "") -> Sighting:
        """A sighting from one bar to another, both counted from 0."""
        return Sighting(self.number(first), self.number(last), voice)

    def rows(self, line: VoiceLine, first: int, last: int) -> Sighting:
        """A sighting from one note of a line to another."""
        return self.at(line.bar[first], line.bar[min(last, len(line) - 1)], line.voice)

    def singly(self, bars: Ints, voice: str = "") -> list[Sighting]:
        """One sighting for every bar that is given, counted from 0."""
        return [self.at(bar, bar, voice) for bar in bars.tolist()]

    def spans(self, shown: Bools | Ints, voice: str = "", join: int = 1, least: int = 1) -> list[Sighting]:
        """Sightings of at least so many bars, from bars (a flag for each bar, or bars counted from 0); neighbours
        become one."""
        bars = np.flatnonzero(shown) if shown.dtype == np.bool_ else np.unique(shown)
        if not len(bars):
            return []
        cuts = np.flatnonzero(np.diff(bars) > join) + 1
        spans = (self.at(part[0], part[-1], voice) for part in np.split(bars, cuts))
        return [span for span in spans if span.bars >= least]


def shared(function: Callable[Concatenate[Sight, P], R]) -> Callable[Concatenate[Sight, P], R]:
    """The same function, but worked out once for each piece and each setting: for what several detectors ask."""

    @wraps(function)
    def once(sight: Sight, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return sight.once((function, args, tuple(kwargs.items())), lambda: function(sight, *args, **kwargs))

    return once


def _covered(starts: Ints, ends: Ints, spans: Ints) -> Floats:
    """How long notes sound within each span, overlaps counted each."""
    starts, ends = np.sort(starts), np.sort(ends)
    before_start, before_end = np.concatenate(([0], np.cumsum(starts))), np.concatenate(([0], np.cumsum(ends)))

    def until(tick: Ints) -> Floats:
        begun, over = np.searchsorted(starts, tick), np.searchsorted(ends, tick)
        return np.asarray((begun * tick - before_start[begun]) - (over * tick - before_end[over]), dtype=np.float64)

    return np.asarray(until(spans[:, 1]) - until(spans[:, 0]))
