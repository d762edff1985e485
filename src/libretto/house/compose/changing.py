"""When chords change within a bar: on its beats."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.score import Meter

__all__ = ["on_beats"]


def on_beats(bars: Sequence[tuple[str, ...]], meter: Meter) -> tuple[tuple[str, ...], ...]:
    """The same chords, several of which change on the beats of a bar that cannot be shared equally: of two in three the
    first has two beats. Labels share a bar equally, so every beat has its own.

    >>> on_beats([("Dm", "G7"), ("C",)], Meter(3, 4))
    (('Dm', 'Dm', 'G7'), ('C',))
    """
    beats = meter.ticks // meter.beat
    return tuple(_shared(labels, beats) if beats > len(labels) and beats % len(labels) else labels for labels in bars)


def _shared(labels: tuple[str, ...], beats: int) -> tuple[str, ...]:
    """A label for every beat, the first ones for a beat more than the others."""
    least, more = divmod(beats, len(labels))
    return tuple(label for place, label in enumerate(labels) for _ in range(least + (place < more)))
