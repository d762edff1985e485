"""Notes that go along when the chord under them becomes another."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from libretto.contract.instruments import instrument_of_program
from libretto.edits.spans import Notes, remade
from libretto.score import Score, Voice, parse_chord
from libretto.score.chords import Chord
from libretto.score.marks import follow
from libretto.score.pitch import HIGHEST, pitch_class_of

__all__ = ["Region", "retuned"]

_SAYING = (10, 11, 3, 4)  # semitones above the root of the tones that say most of a chord: sevenths, then thirds
_SEVENTHS = (10, 11)
_TRIAD = 3  # tones
_MOST_PARTS = 16  # of a bar that labels are written in
_SPARED = (0, 7)  # semitones above the root of the tones that say least: the root and the fifth
_HALF_OCTAVE = 6  # semitones within which every pitch class lies
#: Places of the line of fifths by semitones above a root: the simplest name of every tone of a chord.
_FIFTHS = {0: 0, 1: -5, 2: 2, 3: -3, 4: 4, 5: -1, 6: -6, 7: 1, 8: -4, 9: 3, 10: -2, 11: 5}
_FLATTEST_NAME, _SHARPEST_NAME = -8, 12  # Fb to B#: what lies beyond is written on another letter


class Region(NamedTuple):
    """A stretch of ticks with the chord that is there and the label of the one that comes."""

    start: int
    end: int
    chord: Chord
    label: str


def retuned(score: Score, names: Sequence[str], regions: Sequence[Region]) -> Score:
    """The piece with the notes of those voices under every region in its new chord, and the labels with them.

    A tone of both chords stays; another goes to the nearest tone of the new chord. The lowest voice has its bass at the
    start of a region. Of tones that a chord has twice one becomes its seventh or third where that is missing, even
    where somebody else sounds it.
    """
    changes = [
        (region, new)
        for region, new in ((region, parse_chord(region.label)) for region in regions)
        if new is not None and (_moves(region, new) or _unsaid(score, names, region, new))
    ]
    if not changes:
        return score
    low = _lowest(score, names)
    voices = []
    for voice in score.voices:
        if voice.name in names and not voice.drums and len(voice.array):
            notes = _struck_anew(voice.array, changes)
            before = notes.copy()
            for region, new in changes:
                mine = (notes["onset"] >= region.start) & (notes["onset"] < region.end)
                if mine.any():
                    notes[mine] = _tuned(notes[mine], region, new, voice, voice.name == low)
            voice = replace(voice, array=notes, marks=follow(voice.marks, before, notes))
            voice = voice.with_notes(_once(voice.array))
        voices.append(voice)
    bars = sorted({score.bar_at(region.start) for region, _ in changes})
    made = remade(score, voices, [(score.numbers[bar], score.numbers[bar]) for bar in bars])
    return replace(made, chords=_labels(score, regions, set(bars)))


def _struck_anew(notes: Notes, changes: Sequence[tuple[Region, Chord]]) -> Notes:
    """The notes, with those that ring from one changed region into another struck again where the chord changes."""
    first = changes[0][0].start
    edges = [
        after.start
        for (before, old), (after, new) in pairwise(changes)
        if before.end == after.start and old.classes != new.classes
    ]
    for edge in edges:
        rings = (notes["onset"] >= first) & (notes["onset"] < edge) & (notes["onset"] + notes["duration"] > edge)
        if rings.any():
            later = notes[rings].copy()
            later["duration"] -= edge - later["onset"]
            later["onset"] = edge
            earlier = notes.copy()
            earlier["duration"][rings] = edge - notes["onset"][rings]
            notes = np.concatenate([earlier, later])
    return notes.copy()


def _moves(region: Region, new: Chord) -> bool:
    return new.classes != region.chord.classes or new.bass_class != region.chord.bass_class


def _unsaid(score: Score, names: Sequence[str], region: Region, new: Chord) -> bool:
    """Whether those voices play under a chord with a seventh and nobody of them has it."""
    sevenths = [(new.root_class + step) % 12 for step in _SEVENTHS if step in new.intervals]
    rows = [voice.array for voice in score.voices if voice.name in names and not voice.drums]
    pitches = [row["pitch"][(row["onset"] >= region.start) & (row["onset"] < region.end)] % 12 for row in rows]
    struck = np.concatenate([np.empty(0, np.int64), *pitches])
    return bool(sevenths and len(struck)) and not np.isin(struck, sevenths).any()


def _lowest(score: Score, names: Sequence[str]) -> str:
    """The voice that lies lowest of those named."""
    lying = [
        (float(voice.array["pitch"].mean()), voice.name)
        for voice in score.voices
        if voice.name in names and not voice.drums and len(voice.array)
    ]
    return min(lying)[1] if lying else ""


def _tuned(notes: Notes, region: Region, new: Chord, voice: Voice, bass: bool) -> Notes:
    """The notes of one region in the new chord."""
    for row, pitch in enumerate(notes["pitch"].tolist()):
        if pitch % 12 not in new.classes:
            notes["pitch"][row] = _nearest(pitch, new.classes)
    begin = notes["onset"].min()
    for onset in np.unique(notes["onset"]):
        rows = np.flatnonzero(notes["onset"] == onset)
        rows = rows[np.argsort(notes["pitch"][rows], kind="stable")]
        first = bass and onset == begin
        if first:
            notes["pitch"][rows[0]] = _bass_at(int(notes["pitch"][rows[0]]), new, voice)
        if len(rows) > 1:
            _say_more(notes, rows, new, keep_lowest=first)
    if _is_broken(notes) or (len(np.unique(notes["onset"])) == len(notes) and not bass):
        _say_more(notes, np.argsort(notes["pitch"], kind="stable"), new, keep_lowest=True)
    notes["spelling"] = _names(notes, new)
    return notes


def _is_broken(notes: Notes) -> bool:
    """Whether notes are a broken chord rather than a line in the bass: three tones of one, further apart than that."""
    pitch = notes["pitch"].astype(np.int64)
    return len(set((pitch % 12).tolist())) >= _TRIAD and int(pitch.max() - pitch.min()) > 2 * _HALF_OCTAVE


def _nearest(pitch: int, classes: Container[int]) -> int:
    return min((other for other in _around(pitch) if other % 12 in classes), key=lambda other: abs(other - pitch))


def _bass_at(pitch: int, new: Chord, voice: Voice) -> int:
    """The bass of a chord next to a pitch, where its instrument can play it."""
    player = instrument_of_program(voice.program or 0)
    ways = [other for other in _around(pitch) if other % 12 == new.bass_class]
    inside = [other for other in ways if player.low <= other <= player.high] or ways
    return min(inside, key=lambda other: abs(other - pitch), default=pitch)


def _around(pitch: int) -> range:
    return range(max(0, pitch - _HALF_OCTAVE), min(HIGHEST, pitch + _HALF_OCTAVE) + 1)


def _say_more(
    notes: Notes, rows: np.ndarray[tuple[int, ...], np.dtype[np.int64]], new: Chord, keep_lowest: bool
) -> None:
    """Let a tone that is there twice, or else the fifth, be the seventh or the third that is missing."""
    for step in _SAYING:
        tone = (new.root_class + step) % 12
        classes = [int(pitch) % 12 for pitch in notes["pitch"][rows]]
        if step not in new.intervals or tone in classes:
            continue
        spare = [
            row
            for row, c in zip(rows, classes, strict=True)
            if classes.count(c) > 1 or (c - new.root_class) % 12 in _SPARED
        ]
        spare = [row for row in spare if not (keep_lowest and row == rows[0])]
        if spare:
            row = spare[-1]
            pitch = int(notes["pitch"][row])
            notes["pitch"][row] = _nearest(pitch, (tone,))


def _names(notes: Notes, new: Chord) -> list[int]:
    """Spellings by the root of the chord: its tones as they stand above it on the line of fifths."""
    names = []
    for pitch, before in zip(notes["pitch"].tolist(), notes["spelling"].tolist(), strict=True):
        if pitch_class_of(before) == pitch % 12:
            names.append(before)
            continue
        name = new.root + _FIFTHS[(pitch - new.root_class) % 12]
        while name > _SHARPEST_NAME:
            name -= 12
        while name < _FLATTEST_NAME:
            name += 12
        names.append(name)
    return names


def _once(notes: Notes) -> Notes:
    """No pitch twice at one start: the longer stays."""
    order = np.lexsort((-notes["duration"].astype(np.int64), notes["pitch"], notes["onset"]))
    ordered = notes[order]
    again = (np.diff(ordered["onset"]) == 0) & (np.diff(ordered["pitch"]) == 0)
    return np.asarray(ordered[np.concatenate([[True], ~again])])


def _labels(score: Score, regions: Sequence[Region], bars: set[int]) -> tuple[tuple[str, ...], ...]:
    by_bar: dict[int, list[Region]] = {}
    for region in regions:
        by_bar.setdefault(score.bar_at(region.start), []).append(region)
    made = {bar: _in_parts(by_bar[bar], *score.bar_lines[bar : bar + 2]) for bar in bars if bar in by_bar}
    return tuple(made.get(bar, labels) for bar, labels in enumerate(score.chords))


def _in_parts(regions: Sequence[Region], start: int, end: int) -> tuple[str, ...]:
    """The labels of a bar in the fewest equal parts of it on which all of them begin; one each where none are."""
    begins = {region.start - start: region.label for region in regions}
    for parts in range(1, _MOST_PARTS + 1):
        edges = [(end - start) * part // parts for part in range(parts)]
        if set(begins) <= set(edges):
            return tuple(begins[max(at for at in begins if at <= edge)] for edge in edges)
    return tuple(region.label for region in regions)
