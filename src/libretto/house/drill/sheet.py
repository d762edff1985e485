"""A sheet: one voice bar by bar, each bar with its own notes, chords, key and tempo, so that bars can be moved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from libretto.score import Key, Meter, Note, Score, Voice, spell

__all__ = ["Measure", "Sheet", "score_of", "sheet_of", "spelled"]


class Measure(NamedTuple):
    """One bar: its length, notes with onsets from its own bar line, chord labels, key, meter and tempo marks."""

    length: int
    notes: tuple[Note, ...]
    labels: tuple[str, ...]
    key: Key
    meter: Meter
    tempos: tuple[tuple[int, int], ...] = ()


class Sheet(NamedTuple):
    """One voice: its bars, the number of the first, the tempo at the start, the voice's name and program."""

    bars: tuple[Measure, ...]
    first_bar: int
    micros: int
    name: str
    program: int | None

    def with_bars(self, bars: Sequence[Measure]) -> Sheet:
        """The same voice with other bars."""
        return self._replace(bars=tuple(bars))

    @property
    def span(self) -> tuple[int, int]:
        """The lowest and the highest pitch."""
        pitches = [note.pitch for bar in self.bars for note in bar.notes]
        return (min(pitches), max(pitches)) if pitches else (60, 60)


def sheet_of(score: Score) -> Sheet:
    """A piece of one voice as a sheet."""
    lines, voice = score.bar_lines, score.voices[0]
    bars = []
    for number in range(score.bars):
        start, end = lines[number], lines[number + 1]
        notes = tuple(note._replace(onset=note.onset - start) for note in voice.notes if start <= note.onset < end)
        key = [value for tick, value in score.keys if tick <= start][-1]
        meter = [value for tick, value in score.meters if tick <= start][-1]
        tempos = tuple((tick - start, micros) for tick, micros in score.tempos if start <= tick < end and tick)
        bars.append(Measure(end - start, notes, score.chords[number], key, meter, tempos))
    return Sheet(tuple(bars), score.first_bar, score.tempos[0][1], voice.name, voice.program)


def score_of(sheet: Sheet, title: str = "") -> Score:
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
    for note in sorted(notes, key=lambda each: each.duration):
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
