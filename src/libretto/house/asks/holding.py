"""What stays of a part that is to hold or strike chords: bars that hold theirs already, roots below chords that are
written anew, and a line with chords below it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.contract.checks.where import bass_of, within
from libretto.contract.instruments import instrument_of_program
from libretto.house.asks.notes import Row, put, range_of
from libretto.score import Score, Voice

__all__ = ["in_chords", "lasting", "over_roots"]

_LASTING = 0.3  # of a bar: the mean length of what is held in it
_DEEP, _LOWEST = 43, 31  # up to where the lowest note of a bass lies, and from where its roots are sought
_SOFT, _SOFTER = 68, 6  # how loud roots are, and how much softer than its line the tones below it
_HANDFUL, _BELOW, _CLOSE = 4, 2, 12  # notes at once of who strikes chords, tones below a line, and how far at most
_OFTEN = 0.6  # of the bars: who plays in fewer has no line to strike chords below


def lasting(score: Score, voice: Voice, bar: int) -> bool:
    """Whether what a voice plays in a bar is held, by and large."""
    notes = within(voice.array, ((bar, bar),), score)
    index = bar - score.first_bar
    length = score.bar_lines[index + 1] - score.bar_lines[index]
    return bool(len(notes)) and float(notes["duration"].mean()) >= _LASTING * length


def over_roots(before: Score, made: Score, voice: Voice, spans: Sequence[tuple[int, int]]) -> Score:
    """Held chords, and where the voice was the bass of the piece the root of every chord held below them."""
    if bass_of(before, tuple(spans)) != before.voices.index(voice) or range_of(voice)[0] > _DEEP:
        return made
    low = max(range_of(voice)[0], _LOWEST)
    rows = []
    for bar in (number - before.first_bar for first, last in spans for number in range(first, last + 1)):
        for start, end, _ in before.chord_spans(bar):
            chord = before.chord_at(start)
            root = chord.root_class if chord is not None else before.key_at(start).tonic_class
            rows.append(Row(start, end - start, low + (root - low) % 12, _SOFT))
    return put(made, voice.name, spans, rows, lambda notes: np.ones(len(notes), dtype=np.bool_))


def in_chords(score: Score, voice: Voice, spans: Sequence[tuple[int, int]]) -> Score | None:
    """The line of a voice with tones of the chord below it; None for who has too few hands or plays too seldom."""
    notes = within(voice.array, tuple(spans), score)
    bars = sum(last - first + 1 for first, last in spans)
    heard = len(np.unique(np.searchsorted(score.bar_lines, notes["onset"], side="right")))
    if instrument_of_program(voice.program or 0).polyphony < _HANDFUL or heard < _OFTEN * bars:
        return None
    starts, counts = np.unique(notes["onset"], return_counts=True)
    alone = set(starts[counts == 1].tolist())
    rows = [row for note in notes if int(note["onset"]) in alone for row in _below(score, voice, note)]
    return put(score, voice.name, spans, rows, lambda mine: np.ones(len(mine), dtype=np.bool_))


def _below(score: Score, voice: Voice, note: np.void) -> list[Row]:
    """The nearest tones of the chord below a note, for as long as it lasts."""
    start, pitch = int(note["onset"]), int(note["pitch"])
    chord = score.chord_at(start)
    low = max(range_of(voice)[0], pitch - _CLOSE)
    tones = [tone for tone in range(pitch - 3, low - 1, -1) if chord is not None and tone % 12 in chord.classes]
    loud = max(1, int(note["velocity"]) - _SOFTER)
    return [Row(start, int(note["duration"]), tone, loud) for tone in tones[:_BELOW]]
