"""Which notes an edit is about: those that start in some stretches of bars, of some voices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from libretto.score import Score, Voice, hear_chords, parse_chord
from libretto.score.chords import NO_CHORD, Chord
from libretto.score.edit import regrid
from libretto.score.marks import follow
from libretto.score.model import in_force
from libretto.score.table import Bools

__all__ = ["Notes", "Spans", "bars_in", "changed", "chord_line", "rechanged", "remade", "starts_in", "stretches"]

Notes = NDArray[Any]
#: Stretches of bars by number, both ends included; None is the whole piece.
Spans = Sequence[tuple[int, int]] | None
T = TypeVar("T")


def stretches(score: Score, spans: Spans) -> list[tuple[int, int]]:
    """The stretches of ticks that those bars are, in order, joined where they meet.

    >>> stretches(Score.build([], bars=4), [(3, 4), (1, 1), (2, 2)]) == [(0, 4 * 161280)]
    True
    """
    if spans is None:
        return [(0, score.ticks)]
    ticks = sorted((score.bar_lines[score.index_of(a)], score.bar_lines[score.index_of(b) + 1]) for a, b in spans)
    joined: list[tuple[int, int]] = []
    for start, end in ticks:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        elif start < end:
            joined.append((start, end))
    return joined


def starts_in(notes: Notes, ticks: Sequence[tuple[int, int]]) -> Bools:
    """Which of the notes start in those stretches of ticks."""
    inside = np.zeros(len(notes), dtype=np.bool_)
    for start, end in ticks:
        inside |= (notes["onset"] >= start) & (notes["onset"] < end)
    return inside


def bars_in(score: Score, spans: Spans) -> Bools:
    """Which bars, by index, those are."""
    lines = np.asarray(score.bar_lines[:-1])
    inside = np.zeros(score.bars, dtype=np.bool_)
    for start, end in stretches(score, spans):
        inside |= (lines >= start) & (lines < end)
    return inside


def changed(
    score: Score,
    names: Sequence[str],
    spans: Spans,
    change: Callable[[Voice, Notes], Notes],
    *,
    drums: bool = False,
) -> Score:
    """The piece with the notes in those voices and bars as ``change`` makes them: as many, so that marks follow."""
    ticks, voices = stretches(score, spans), []
    for voice in score.voices:
        notes = voice.array.copy()
        mine = starts_in(notes, ticks)
        if (not names or voice.name in names) and mine.any() and (drums or not voice.drums):
            notes[mine] = change(voice, notes[mine])
            voice = replace(voice, array=notes, marks=follow(voice.marks, voice.array, notes))
        voices.append(voice)
    return remade(score, voices, spans)


def remade(score: Score, voices: Sequence[Voice], spans: Spans) -> Score:
    """The piece with other voices; bars of the spans are written on the grid that they need."""
    grids = regrid(voices, score.bar_lines, score.grids, bars_in(score, spans)) if voices else score.grids
    return replace(score, voices=tuple(voices), grids=grids)


def rechanged(
    changes: Sequence[tuple[int, T]], ticks: Sequence[tuple[int, int]], end: int, turn: Callable[[T], T]
) -> tuple[tuple[int, T], ...]:
    """What holds in the course of a piece, with every value inside those stretches turned into another.

    >>> rechanged([(0, 1), (50, 2)], [(10, 60)], 100, lambda value: value + 5)
    ((0, 1), (10, 6), (50, 7), (60, 2))
    """
    made = dict(changes)
    for start, stop in ticks:
        inside = {tick: turn(value) for tick, value in changes if start <= tick < stop}
        made |= {start: turn(in_force(changes, start)), **inside}
        if stop < end and not any(begin == stop for begin, _ in ticks):
            made[stop] = in_force(changes, stop)
    kept: list[tuple[int, T]] = []
    for tick, value in sorted(made.items(), key=lambda change: change[0]):
        if not kept or kept[-1][1] != value or (tick, value) in changes:
            kept.append((tick, value))
    return tuple(kept)


def chord_line(score: Score) -> list[list[tuple[int, int, Chord]]]:
    """The chords of every bar with their first and last ticks: as written, and as heard where none is written."""
    if any(NO_CHORD in labels for labels in score.chords):
        heard = hear_chords(score)
        both = zip(score.chords, heard, strict=True)
        score = replace(score, chords=tuple(ear if NO_CHORD in page else page for page, ear in both))
    line = []
    for bar in range(score.bars):
        spans = [(start, end, parse_chord(label)) for start, end, label in score.chord_spans(bar)]
        line.append([(start, end, chord) for start, end, chord in spans if chord is not None])
    return line
