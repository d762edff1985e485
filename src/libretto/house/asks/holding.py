"""What is held: bars that hold their notes already, and roots below chords that are written anew."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.contract.checks.where import bass_of, within
from libretto.house.asks.notes import Row, put, range_of
from libretto.score import Score, Voice

__all__ = ["lasting", "over_roots"]

_LASTING = 0.3  # of a bar: the mean length of what is held in it
_DEEP, _LOWEST = 43, 31  # up to where the lowest note of a bass lies, and from where its roots are sought
_SOFT = 68


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
