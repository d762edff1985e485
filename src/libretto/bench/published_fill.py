"""The published gate of a fill, as the paper states it, to stand beside ours.

A region passes with at most C1 extreme axes of the 29 (the 85th percentile of what the genre's songs have, but 3 to 6),
and with less than 0.30 of its notes found by a slide over the song, hidden bars included, or over the hidden answer.
Left out: the 25 nearest songs of the corpus, whose notes are not shipped.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from libretto.axes import measure
from libretto.corpus import load_cloud
from libretto.corpus.cloud import HIGH, LOW
from libretto.score import Score, take_bars

__all__ = ["Published", "budget", "published_gate", "slide"]

_LEAST, _MOST, _SHARE, _COPY = 3, 6, 85, 0.30
_CLOUD = "paper314"


@dataclass(frozen=True)
class Published:
    """What the published gate says of a region: extreme axes, how many are allowed, and how much is copied."""

    extremes: int
    budget: int
    copied: float

    @property
    def passed(self) -> bool:
        """Whether the region passes."""
        return self.extremes <= self.budget and self.copied < _COPY


@lru_cache(maxsize=32)
def budget(genre: str) -> int:
    """C1 of a genre: how many extreme axes a piece of it may have; that of all songs where the cloud has no such."""
    cloud = load_cloud(_CLOUD)
    mine = np.array([each == genre for each in cloud.genres], dtype=np.bool_)
    values = cloud.values[mine] if mine.any() else cloud.values
    percent = np.round(100 * cloud.shares(values))
    counts = ((percent <= LOW) | (percent >= HIGH)).sum(axis=1)
    return int(min(_MOST, max(_LEAST, np.ceil(np.percentile(counts, _SHARE)))))


def slide(region: Score, song: Score, without: tuple[int, int] | None = None) -> float:
    """The share of a region's notes that a song has at the same place of a bar and pitch, for the best shift by bars.

    ``without`` are bar indices, both ends included, that are not looked at.
    """
    theirs: set[tuple[int, int, int]] = set()
    for bar, at, pitch in song.table[["bar", "position", "pitch"]].tolist():
        if without is None or not without[0] <= bar <= without[1]:
            theirs.add((bar, round(at * 100 / 40320), pitch))
    mine = [
        (bar, round(at * 100 / 40320), pitch) for bar, at, pitch in region.table[["bar", "position", "pitch"]].tolist()
    ]
    if not mine:
        return 0.0
    shifts = range(1 - region.bars, song.bars)
    return max(sum((bar + by, at, pitch) in theirs for bar, at, pitch in mine) for by in shifts) / len(mine)


def published_gate(answer: Score, song: Score, first: int, last: int, genre: str) -> Published:
    """The published gate for bars of an answer (by number) to a gap in a song; its real bars are not held against
    themselves."""
    region = take_bars(answer, first, last)
    cloud = load_cloud(_CLOUD)
    extremes = len(cloud.place(measure(region)).extremes) if len(region.table) else len(cloud.axes)
    span = (first - song.first_bar, last - song.first_bar)
    real = answer.table.tobytes() == song.table.tobytes()
    return Published(extremes, budget(genre), slide(region, song, span if real else None))
