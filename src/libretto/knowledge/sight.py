"""What detectors see of a piece: its lines, its harmony as written and as it sounds, its drums; computed once.

Conventions: bars are counted from 0 inside and as they are numbered in a Sighting. Pitch classes of degrees are
semitones above the tonic of the key that holds in that bar. A chord is *supported* where its root and its third (or
what replaces it) sound within its time and most of what sounds belongs to it: a label alone shows nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.axes.kit import KINDS
from libretto.knowledge.line import Bools, Ints, Line
from libretto.score import QUARTER, Score, parse_chord
from libretto.score.pitch import pitch_class_of

__all__ = ["Harmony", "Sight", "Sighting", "Strokes"]

_MELODY_CHORDS, _MELODY_ONSETS, _MOSTLY = 1.4, 8, 0.6


class Sighting(NamedTuple):
    """Where something was seen: first and last bar as they are numbered, and the voice ("" for several)."""

    first: int
    last: int
    voice: str = ""


class Harmony(NamedTuple):
    """One chord in its time: bar from 0, ticks, root and bass as pitch classes, its intervals above the root, the root
    as semitones above the tonic, whether the notes support it, and the label."""

    bar: int
    start: int
    end: int
    root: int
    bass: int
    tones: frozenset[int]
    degree: int
    supported: bool
    label: str

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
        self.lines_at: Ints = np.asarray(score.bar_lines, dtype=np.int64)
        self.cache: dict[Any, Any] = {}  #: for what several detectors of one module share

    @cached_property
    def bars(self) -> int:
        """How many bars there are."""
        return self.score.bars

    @cached_property
    def bar_length(self) -> Ints:
        """The length of each bar in ticks."""
        return np.diff(self.lines_at)

    @cached_property
    def meters(self) -> list[tuple[int, int]]:
        """The meter of each bar."""
        return [(meter.beats, meter.unit) for meter in self._by_bar(self.score.meters)]

    @cached_property
    def beat(self) -> Ints:
        """The length of a beat of each bar in ticks: a dotted quarter in 6/8, 9/8 and 12/8."""
        compound = {(6, 8), (9, 8), (12, 8)}
        beats = [QUARTER * 3 // 2 if meter in compound else QUARTER * 4 // meter[1] for meter in self.meters]
        return np.array(beats, dtype=np.int64)

    @cached_property
    def tonic(self) -> Ints:
        """The tonic of each bar as a pitch class."""
        return np.array([pitch_class_of(key.tonic) for key in self._by_bar(self.score.keys)], dtype=np.int64)

    @cached_property
    def minor(self) -> Bools:
        """Whether the key of each bar has a minor third."""
        return np.array([key.is_minor for key in self._by_bar(self.score.keys)], dtype=np.bool_)

    @cached_property
    def quarters_a_minute(self) -> NDArray[np.float64]:
        """The tempo at the start of each bar."""
        return 6e7 / np.array(self._by_bar(self.score.tempos), dtype=np.float64)

    def _by_bar(self, changes: Any) -> list[Any]:
        """What holds at the start of each bar."""
        ticks = np.array([tick for tick, _ in changes], dtype=np.int64)
        which = np.maximum(np.searchsorted(ticks, self.lines_at[:-1], side="right") - 1, 0)
        return [changes[index][1] for index in which.tolist()]

    @cached_property
    def sections(self) -> list[tuple[int, int, str]]:
        """Sections as written: first and last bar from 0, and the label."""
        marks = [(int(np.searchsorted(self.lines_at, tick)), label) for tick, label in self.score.sections]
        ends = [bar - 1 for bar, _ in marks[1:]] + [self.bars - 1]
        return [(bar, end, label) for (bar, label), end in zip(marks, ends, strict=True)]

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Every pitched voice that plays."""
        table, found = self.score.table, []
        for index, voice in enumerate(self.score.voices):
            if voice.drums or not len(voice.array):
                continue
            rows = table[table["voice"] == index]
            columns = (rows[name].astype(np.int64) for name in ("onset", "duration", "pitch", "velocity"))
            bar = rows["bar"].astype(np.int64)
            position = rows["position"].astype(np.int64)
            found.append(Line(voice.name, voice.program or 0, *columns, bar, position, self.beat[bar]))
        return tuple(found)

    @cached_property
    def empty(self) -> Line:
        """A line without notes."""
        none: Ints = np.empty(0, dtype=np.int64)
        return Line("", 0, none, none, none, none, none, none, none)

    @cached_property
    def melody(self) -> Line:
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
    def bass(self) -> Line:
        """The voice with the lowest mean pitch."""
        return min(self.lines, key=lambda line: float(line.pitch.mean())) if self.lines else self.empty

    def chosen(self, where: str) -> tuple[Line, ...]:
        """The lines that ``melody``, ``bass``, ``inner`` (what is neither), ``upper`` (all but the bass) or ``any`` mean.

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

    @cached_property
    def drums(self) -> Strokes:
        """All percussion."""
        table = self.score.table
        mine = np.array([voice.drums for voice in self.score.voices] or [False])[table["voice"]]
        rows = table[mine]
        rows = rows[np.argsort(rows["onset"], kind="stable")]
        names = ("onset", "bar", "position", "pitch", "velocity")
        return Strokes(*(rows[name].astype(np.int64) for name in names))

    @cached_property
    def notes(self) -> Line:
        """All pitched notes of all voices in order of time and pitch."""
        if not self.lines:
            return self.empty
        names = ("onset", "duration", "pitch", "velocity", "bar", "position", "beat")
        columns = [np.concatenate([getattr(line, name) for line in self.lines]) for name in names]
        order = np.lexsort((columns[2], columns[0]))
        return Line("", 0, *(column[order] for column in columns))

    @cached_property
    def harmony(self) -> tuple[Harmony, ...]:
        """The chords of the piece in order of time."""
        return tuple(self._chords())

    def _chords(self) -> list[Harmony]:
        spans = []
        for bar, labels in enumerate(self.score.chords):
            start, length = int(self.lines_at[bar]), int(self.bar_length[bar])
            edges = [start + length * place // len(labels) for place in range(len(labels) + 1)]
            for place, label in enumerate(labels):
                chord = parse_chord(label)
                if chord is not None:
                    spans.append((bar, edges[place], edges[place + 1], chord, label))
        if not spans:
            return []
        mass = self._mass(np.array([[span[1], span[2]] for span in spans], dtype=np.int64))
        found = []
        for (bar, start, end, chord, label), held in zip(spans, mass, strict=True):
            root = pitch_class_of(chord.root)
            tones = frozenset((tone - root) % 12 for tone in chord.classes)
            third = [(root + tone) % 12 for tone in (3, 4, 5, 2) if tone in tones][:1]
            mine = held[[(root + tone) % 12 for tone in tones]].sum()
            heard = held[root] > 0 and all(held[tone] > 0 for tone in third) and mine >= _MOSTLY * held.sum()
            degree = (root - int(self.tonic[bar])) % 12
            bass = pitch_class_of(chord.bass)
            found.append(Harmony(bar, start, end, root, bass, tones, degree, bool(heard), label))
        return found

    def _mass(self, spans: Ints) -> NDArray[np.float64]:
        """How long each pitch class sounds within each span."""
        notes, found = self.notes, np.zeros((len(spans), 12))
        if not len(notes):
            return found
        ends = notes.onset + notes.duration
        for tone in range(12):
            mine = notes.pitch % 12 == tone
            if mine.any():
                found[:, tone] = _covered(notes.onset[mine], ends[mine], spans)
        return found

    def number(self, bar: int) -> int:
        """The number of a bar as a person reads it."""
        return bar + self.score.first_bar

    def spans(self, shown: Bools | Ints, voice: str = "", join: int = 1) -> list[Sighting]:
        """Sightings from bars (a flag for each bar, or bars counted from 0); neighbours become one."""
        bars = np.flatnonzero(shown) if shown.dtype == np.bool_ else np.unique(shown)
        if not len(bars):
            return []
        cuts = np.flatnonzero(np.diff(bars) > join) + 1
        return [Sighting(self.number(int(part[0])), self.number(int(part[-1])), voice) for part in np.split(bars, cuts)]


def _covered(starts: Ints, ends: Ints, spans: Ints) -> NDArray[np.float64]:
    """How long notes sound within each span, overlaps counted each."""
    starts, ends = np.sort(starts), np.sort(ends)
    before_start, before_end = np.concatenate(([0], np.cumsum(starts))), np.concatenate(([0], np.cumsum(ends)))

    def until(tick: Ints) -> NDArray[np.float64]:
        begun, over = np.searchsorted(starts, tick), np.searchsorted(ends, tick)
        return np.asarray((begun * tick - before_start[begun]) - (over * tick - before_end[over]), dtype=np.float64)

    return np.asarray(until(spans[:, 1]) - until(spans[:, 0]))
