"""Layers: which of the lines on one staff a chord belongs to, the upper line first."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.score import Note

__all__ = ["upper_first"]

Chord = tuple[Note, ...]


def upper_first(chords: Sequence[Chord]) -> list[tuple[Chord, int]]:
    """Chords in order of time, each with its layer, from 0: no two that overlap share one.

    Where nothing sounds across, a new passage begins. In a passage layers are counted from the highest to the lowest,
    so that stems of the upper one can point up; what sounds alone is in the first.
    """
    placed: list[tuple[Chord, int]] = []
    passage: list[tuple[Chord, int]] = []
    free: list[int] = []  # of the layers of this passage: until when each is taken
    for chord in chords:
        start, stop = chord[0].onset, chord[0].onset + chord[0].duration
        if passage and max(free) <= start:
            placed += _sorted_by_height(passage, len(free))
            passage, free = [], []
        which = next((index for index, until in enumerate(free) if until <= start), len(free))
        if which == len(free):
            free.append(0)
        free[which] = stop
        passage.append((chord, which))
    return placed + _sorted_by_height(passage, len(free))


def _sorted_by_height(passage: Sequence[tuple[Chord, int]], layers: int) -> list[tuple[Chord, int]]:
    """A passage with its layers numbered from the highest on the whole to the lowest."""
    if layers < 2:
        return list(passage)
    weight, height = [0] * layers, [0] * layers
    for chord, which in passage:
        duration = chord[0].duration
        weight[which] += duration * len(chord)
        height[which] += duration * sum(note.pitch for note in chord)
    order = sorted(range(layers), key=lambda layer: -height[layer] / weight[layer])
    number = {layer: index for index, layer in enumerate(order)}
    return [(chord, number[which]) for chord, which in passage]
