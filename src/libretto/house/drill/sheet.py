"""A sheet: one voice bar by bar, each bar with its own notes, chords, key and tempo, so that bars can be moved."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from libretto.score import Key, Meter, Note, Score, Voice, parse_chord, spell

__all__ = [
    "BarLayers",
    "DrillSheet",
    "Measure",
    "classes_of",
    "layers_of",
    "score_of",
    "shape_of",
    "sheet_of",
    "spelled",
    "tones_at",
]


class Measure(NamedTuple):
    """One bar: its length, notes with onsets from its own bar line, chord labels, key, meter and tempo marks."""

    length: int
    notes: tuple[Note, ...]
    labels: tuple[str, ...]
    key: Key
    meter: Meter
    tempos: tuple[tuple[int, int], ...] = ()


class DrillSheet(NamedTuple):
    """One voice: its bars, the number of the first, the tempo at the start, the voice's name and program."""

    bars: tuple[Measure, ...]
    first_bar: int
    micros: int
    name: str
    program: int | None

    def with_bars(self, bars: Sequence[Measure]) -> DrillSheet:
        """The same voice with other bars."""
        return self._replace(bars=tuple(bars))

    @property
    def span(self) -> tuple[int, int]:
        """The lowest and the highest pitch."""
        pitches = [note.pitch for bar in self.bars for note in bar.notes]
        return (min(pitches), max(pitches)) if pitches else (60, 60)


def sheet_of(score: Score) -> DrillSheet:
    """A piece of one voice as a sheet."""
    lines, voice = score.bar_lines, score.voices[0]
    bars = []
    for number in range(score.bars):
        start, end = lines[number], lines[number + 1]
        notes = tuple(note._replace(onset=note.onset - start) for note in voice.notes if start <= note.onset < end)
        key = score.key_at(start)
        meter = score.meter_at(start)
        tempos = tuple((tick - start, micros) for tick, micros in score.tempos if start <= tick < end and tick)
        bars.append(Measure(end - start, notes, score.chords[number], key, meter, tempos))
    return DrillSheet(tuple(bars), score.first_bar, score.tempos[0][1], voice.name, voice.program)


def score_of(sheet: DrillSheet, title: str = "") -> Score:
    """A sheet as a piece."""
    lines, notes = [0], []
    meters: list[tuple[int, Meter]] = []
    keys: list[tuple[int, Key]] = []
    tempos: list[tuple[int, int]] = [(0, sheet.micros)]
    for bar in sheet.bars:
        start = lines[-1]
        if not meters or meters[-1][1] != bar.meter:
            meters.append((start, bar.meter))
        if not keys or keys[-1][1] != bar.key:
            keys.append((start, bar.key))
        tempos += [(start + tick, micros) for tick, micros in bar.tempos if start + tick > tempos[-1][0]]
        notes += [note._replace(onset=note.onset + start) for note in bar.notes]
        lines.append(start + bar.length)
    end = lines[-1]
    kept: dict[tuple[int, int], Note] = {}  # of two at one pitch and time the longer
    for note in sorted(notes, key=lambda note: note.duration):
        kept[note.onset, note.pitch] = note._replace(duration=max(1, min(note.duration, end - note.onset)))
    return Score.build(
        [Voice.of(sheet.name, sorted(kept.values()), sheet.program)],
        bar_lines=lines,
        meters=meters,
        keys=keys,
        tempos=tempos,
        chords=[bar.labels for bar in sheet.bars],
        title=title,
        first_bar=sheet.first_bar,
    )


def spelled(pitch: int, key: Key, among: dict[int, int] | None = None) -> int:
    """The spelling of a bare pitch in a key; ``among`` says how some pitch classes are written here."""
    if among and pitch % 12 in among:
        return among[pitch % 12]
    return int(spell(np.array([pitch]), key)[0])


_OVERLAP = 64  # such a part of a bar is sloppy playing, not holding on
_APART = 14  # a note this far above the only other one is a tune over a bass


class BarLayers(NamedTuple):
    """The notes of a bar: a tune of single notes, and chords (or held notes) under it."""

    tune: tuple[Note, ...]
    under: tuple[Note, ...]


@lru_cache(maxsize=8192)
def layers_of(bar: Measure) -> BarLayers:
    """Single notes that nothing else of the bar starts beneath are the tune; all others lie under it."""
    struck: dict[int, list[Note]] = defaultdict(list)
    for note in bar.notes:
        struck[note.onset].append(note)
    floor = min((note.pitch for group in struck.values() if len(group) > 2 for note in group), default=0)
    tune: list[Note] = []
    under: list[Note] = []
    for onset, after in itertools.pairwise([*sorted(struck), bar.length]):
        group = sorted(struck[onset], key=lambda note: note.pitch)
        until = after + bar.length // _OVERLAP
        held = [note for note in group if len(struck) > 1 and note.onset + note.duration > until]
        sounding = [note.pitch for note in (*under, *held) if note.onset + note.duration > onset]
        top = group[-1]
        if _stands_out(group, held) and top.pitch >= floor and top.pitch > max(sounding, default=0):
            tune.append(top)
            under += group[:-1]
        else:
            under += group
    return BarLayers(tuple(tune), tuple(under))


def _stands_out(group: list[Note], held: list[Note]) -> bool:
    """Whether the top of notes struck together is the only one not held on, or far above the only other one."""
    free = [note for note in group if note not in held]
    alone = len(free) == 1 and free[0] is group[-1]
    return alone or (len(group) == 2 and group[-1] in free and group[-1].pitch - group[0].pitch > _APART)


def tones_at(bar: Measure, onset: int) -> frozenset[int]:
    """The pitch classes of the chord that is written at a place; none where there is none."""
    part = min(len(bar.labels) - 1, onset * len(bar.labels) // max(1, bar.length))
    chord = parse_chord(bar.labels[part])
    return chord.classes if chord else frozenset()


@lru_cache(maxsize=8192)
def classes_of(bar: Measure) -> frozenset[int]:
    """The pitch classes a line may use in a bar: the key's scale as the bar bends it, and what is there already."""
    scale = set(bar.key.classes)
    here = {note.pitch % 12 for note in bar.notes}
    for bent in here - scale:
        scale -= {(bent - 1) % 12, (bent + 1) % 12} - here
        scale.add(bent)
    return frozenset(scale | here)


def shape_of(bar: Measure, rungs: list[int]) -> tuple[tuple[int, int, int], ...]:
    """What makes two bars the same idea: places, lengths and moves along the scale."""
    place = {pitch: row for row, pitch in enumerate(rungs)}
    tune = layers_of(bar).tune
    rows = [place.get(note.pitch, 0) for note in tune]
    return tuple((note.onset, note.duration, row - rows[0]) for note, row in zip(tune, rows, strict=True))
