"""What a cloud needs to know of one song: its profile, the profiles of some of its windows, and its place in a corpus.

Windows are what regions are judged by: stretches of a few bars, taken evenly over the song, measured as pieces of their
own. The song and each window are also measured with their notes drawn at random, in one of three ways in turn: what
real music is told apart from.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from libretto.axes import Profile, measure
from libretto.corpus.chance import WAYS, shaken
from libretto.score import Score, take_bars

__all__ = ["WINDOW_BARS", "Row", "Window", "row_of", "window_starts"]

#: The lengths for which windows are measured.
WINDOW_BARS = (4, 8, 16)
_WINDOWS = 2


@dataclass(frozen=True)
class Window:
    """Some bars of a song: their profile, and what it would be if the notes were drawn at random."""

    bars: int
    profile: Profile
    shaken: Profile


@dataclass(frozen=True)
class Row:
    """One song of a corpus: genre and group (artist) as it was labelled, and what was measured."""

    genre: str
    group: str
    bars: int
    profile: Profile = field(repr=False)
    shaken: Profile = field(repr=False)
    windows: tuple[Window, ...] = field(repr=False, default=())

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Row:
        """A row from plain data."""
        windows = tuple(Window(int(w["bars"]), dict(w["profile"]), dict(w["shaken"])) for w in data["windows"])
        profile, shaken = dict(data["profile"]), dict(data["shaken"])
        return cls(data["genre"], data["group"], int(data["bars"]), profile, shaken, windows)


def row_of(score: Score, genre: str = "", group: str = "") -> Row:
    """Measure a song and its windows."""
    way = int(score.digest[:8], 16)
    windows = []
    for bars in WINDOW_BARS:
        for start in window_starts(score, bars):
            first = start + score.first_bar
            part = take_bars(score, first, first + bars - 1)
            way += 1
            windows.append(Window(bars, measure(part), measure(shaken(part, WAYS[way % len(WAYS)]))))
    whole = measure(shaken(score, WAYS[way % len(WAYS)]))
    return Row(genre, group, score.bars, measure(score), whole, tuple(windows))


def window_starts(score: Score, bars: int) -> list[int]:
    """Where windows of that many bars begin, as bar indices: up to two, spread over the song, none mostly silent."""
    pitched = np.array([not voice.drums for voice in score.voices], dtype=np.bool_)
    table = score.table
    heard = table["bar"][pitched[table["voice"]]] if len(table) else table["bar"]
    sounding = np.bincount(heard, minlength=score.bars) > 0
    full = np.convolve(sounding, np.ones(bars, dtype=np.int64), "valid") if score.bars >= 2 * bars else np.zeros(0)
    fitting = np.flatnonzero(full >= max(1, bars - bars // 4))
    if not len(fitting):
        return []
    wanted = (np.arange(_WINDOWS) + 0.5) / _WINDOWS
    return sorted({int(fitting[int(share * len(fitting))]) for share in wanted})
