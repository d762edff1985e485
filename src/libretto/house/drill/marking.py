"""What is printed over the notes of a drill: usual fingerings of runs on the piano, names of intervals.

Fingerings stand where a run goes along a major or minor scale through an octave or more, or a triad is broken from root
to root; the hand is the one that plays where the line lies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from libretto.knowledge import Concept
from libretto.score import Mark, Note, Score
from libretto.tasks.drill.fingering import SCALE_STEPS, arpeggio_fingers, degree_fingers

__all__ = ["marked"]

_PIANOS = range(8)  # programs that are played with ten fingers on keys
_MIDDLE = 57  # lines whose mean lies lower are for the left hand
_OCTAVE = 12
_INTERVALS = ("P1", "m2", "M2", "m3", "M3", "P4", "TT", "P5", "m6", "M6", "m7", "M7", "P8")
_NAMED = ("interval_row", "feature_interval")  # detectors of concepts that are about intervals
_BROKEN = ("arpeggio",)
_TRIADS = {(4, 7): "major", (3, 7): "minor"}


def marked(score: Score, concept: Concept) -> Score:
    """The drill with what is usually printed over it; the notes stay as they are."""
    if len(score.voices) != 1:
        return score
    kinds = {item["kind"] for item in concept.detector}
    voice = score.voices[0]
    marks = list(voice.marks)
    if kinds & set(_NAMED):
        marks += _interval_names(score)
    elif voice.program in _PIANOS:
        broken = bool(kinds & set(_BROKEN))  # a chord a bar: what leads from bar to bar is no part of it
        lines = (
            [voice.between(*ends, to=ends[0]).notes for ends in pairwise(score.bar_lines)] if broken else [voice.notes]
        )
        marks += [mark for line in lines for mark in _fingerings(line, score.key.tonic_class, broken)]
    return replace(score, voices=(voice.with_marks(marks),)) if marks else score


def _interval_names(score: Score) -> Iterator[Mark]:
    """The name of the interval of every bar that has two pitches and no more, over its first note."""
    notes = score.voices[0].notes
    for bar in range(score.bars):
        start, stop = score.bar_lines[bar], score.bar_lines[bar + 1]
        pitches = sorted({note.pitch for note in notes if start <= note.onset < stop})
        if len(pitches) == 2 and pitches[1] - pitches[0] < len(_INTERVALS):
            yield Mark(start, "words", _INTERVALS[pitches[1] - pitches[0]])


def _fingerings(notes: Sequence[Note], home: int, broken: bool) -> Iterator[Mark]:
    """Fingers on the notes of whole runs."""
    line = [
        note for _, group in groupby(notes, lambda note: note.onset) if len(chord := list(group)) == 1 for note in chord
    ]
    if len(line) != len(notes) or not line:
        return
    hand = "left" if sum(note.pitch for note in line) < _MIDDLE * len(line) else "right"
    fingers: dict[Note, int] = {}
    for run in _runs(line):
        row = _of_triad(run, hand) if broken else _of_scale(run, home, hand)
        for note, finger in zip(run, row, strict=False):
            fingers.setdefault(note, finger)  # where a run turns, the finger of the way up
    for note, finger in fingers.items():
        yield Mark(note.onset, "fingering", str(finger), note.duration, note.pitch)


def _runs(line: Sequence[Note]) -> Iterator[list[Note]]:
    """Stretches that go one way, each from the note on which the one before it turned."""
    first = 0
    for place in range(1, len(line)):
        turns = (
            place + 1 < len(line)
            and (line[place + 1].pitch - line[place].pitch) * (line[place].pitch - line[place - 1].pitch) <= 0
        )
        if turns or place + 1 == len(line):
            yield list(line[first : place + 1])
            first = place


def _of_scale(run: Sequence[Note], home: int, hand: str) -> list[int]:
    """The fingers of a run from tonic to tonic along one of the scales that have them; else none."""
    ends = [(note.pitch - home) % _OCTAVE for note in (run[0], run[-1])]
    low, high = sorted((run[0].pitch, run[-1].pitch))
    if any(ends) or high - low < _OCTAVE:
        return []
    steps = sorted({(note.pitch - home) % _OCTAVE for note in run})
    form = next((name for name, own in SCALE_STEPS.items() if list(own) == steps), None)
    degrees = degree_fingers(home, form, hand) if form is not None else None
    if degrees is None or len(run) != (high - low) // _OCTAVE * len(steps) + 1:
        return []
    cycle, first, last = degrees
    return [
        first
        if note.pitch == low
        else last
        if note.pitch == high
        else cycle[steps.index((note.pitch - home) % _OCTAVE)]
        for note in run
    ]


def _of_triad(run: Sequence[Note], hand: str) -> list[int]:
    """The fingers of a triad that is broken from root to root; else none."""
    rising = sorted(run, key=lambda note: note.pitch)
    root = rising[0].pitch
    octaves = (rising[-1].pitch - root) // _OCTAVE
    inner = tuple(sorted({(note.pitch - root) % _OCTAVE for note in run} - {0}))
    if inner not in _TRIADS or not octaves or len(run) != 3 * octaves + 1:
        return []
    fingers = arpeggio_fingers(root % _OCTAVE, _TRIADS[inner], hand, octaves)
    return list(fingers if run[0].pitch == root else fingers[::-1])
