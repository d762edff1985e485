"""Split a polyphonic voice into layers in which nothing overlaps, cut at bar lines.

Staff notation and ABC write one thing after another; a Score's voice may hold anything. Each layer is a
stream of chords and rests; a note that runs over a bar line becomes several spans that are tied.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from libretto.score import Note, Score, Voice

__all__ = ["Span", "layered"]


class Span(NamedTuple):
    """A chord, or a piece of one, inside one bar; ``start`` and ``length`` are ticks within the bar."""

    start: int
    length: int
    notes: tuple[Note, ...]
    tied_from: bool
    tied_to: bool


def layered(score: Score, voice: Voice) -> list[list[list[Span]]]:
    """For each layer, for each bar, its spans in order of time; at least one layer.

    A span that is tied on is continued in the same layer, at the start of the next bar. Notes that ring past
    the last bar are cut there.
    """
    lines = score.bar_lines
    free: list[int] = []
    layers: list[list[list[Span]]] = []
    for chord in _chords(voice):
        start, length = chord[0].onset, chord[0].duration
        stop = min(start + length, lines[-1])
        which = next((index for index, until in enumerate(free) if until <= start), len(free))
        if which == len(free):
            free.append(0)
            layers.append([[] for _ in range(score.bars)])
        free[which] = stop
        bar = bisect_right(lines, start) - 1
        at = start
        while at < stop:
            end = min(stop, lines[bar + 1])
            layers[which][bar].append(Span(at - lines[bar], end - at, chord, at > start, end < stop))
            at, bar = end, bar + 1
    return layers or [[[] for _ in range(score.bars)]]


def _chords(voice: Voice) -> list[tuple[Note, ...]]:
    """Notes that start and stop together, highest chords first where several start at once."""
    together: dict[tuple[int, int], list[Note]] = {}
    for note in voice.notes:
        together.setdefault((note.onset, note.duration), []).append(note)
    chords = [tuple(notes) for notes in together.values()]
    return sorted(chords, key=lambda chord: (chord[0].onset, -chord[-1].pitch, -chord[0].duration))
