"""What a cloud needs to know of one song: its profile, the profiles of some of its windows, and its place in a corpus.

Windows are what regions are judged by: stretches of a few bars, taken evenly over the song, measured as pieces of their
own. The song and each window are also measured *shaken*, with their notes drawn at random, in one of three ways in
turn: what real music is told apart from. Percussion, instruments, lengths and loudness stay as they are, so that only
the choice of notes tells the two apart. The same piece is always shaken the same way.

Beside them stand its excerpts (``libretto.corpus.forces``), for few players and of few bars: what pieces are held
against, cell by cell. All of it is measured on the paper grid: the song is put onto it first, then cut and shaken.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from libretto.axes import Profile, measure_all
from libretto.corpus.excerpts import Excerpts, excerpts_of
from libretto.corpus.shaking import WAYS, plain_spellings, shaken
from libretto.score import Score, played, take_bars
from libretto.score.facts import Facts

__all__ = [
    "GRID",
    "WAYS",
    "WINDOW_BARS",
    "SongRow",
    "Window",
    "plain_spellings",
    "row_of",
    "shaken",
    "window_starts",
]

#: The grid on which songs are measured.
GRID = "paper"
#: The lengths for which windows are measured.
WINDOW_BARS = (4, 8, 16)
_WINDOWS = 2  # of one length in a song
_DIGEST = 8  # digits of a piece's digest that choose how it is shaken


@dataclass(frozen=True)
class Window:
    """Some bars of a song: their profile, and what it would be if the notes were drawn at random."""

    bars: int
    profile: Profile
    shaken: Profile


@dataclass(frozen=True)
class SongRow:
    """One song of a corpus: genre and group (artist) as it was labelled, and what was measured."""

    genre: str
    group: str
    bars: int
    profile: Profile = field(repr=False)
    shaken: Profile = field(repr=False)
    windows: tuple[Window, ...] = field(repr=False, default=())
    excerpts: Excerpts | None = field(repr=False, default=None)

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data."""
        return {**asdict(replace(self, excerpts=None)), "excerpts": self.excerpts.to_dict() if self.excerpts else None}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> SongRow:
        """A row from plain data."""
        windows = tuple(Window(int(w["bars"]), dict(w["profile"]), dict(w["shaken"])) for w in data["windows"])
        profile, shaken = dict(data["profile"]), dict(data["shaken"])
        excerpts = Excerpts.from_dict(data["excerpts"]) if data["excerpts"] else None
        return cls(data["genre"], data["group"], int(data["bars"]), profile, shaken, windows, excerpts)


def row_of(score: Score, genre: str = "", group: str = "") -> SongRow:
    """Measure a song, its windows and its excerpts, the published axes on the paper grid."""
    score = played(score)
    way = int(score.digest[:_DIGEST], 16)
    parts = []
    for bars in WINDOW_BARS:
        for start in window_starts(score, bars):
            first = start + score.first_bar
            part = take_bars(score, first, first + bars - 1)
            way += 1
            parts.append((bars, part, shaken(part, WAYS[way % len(WAYS)])))
    whole, noise = measure_all([score, shaken(score, WAYS[way % len(WAYS)])])
    real, random = measure_all([part for _, part, _ in parts]), measure_all([drawn for _, _, drawn in parts])
    windows = tuple(Window(bars, *pair) for (bars, _, _), *pair in zip(parts, real, random, strict=True))
    return SongRow(genre, group, score.bars, whole, noise, windows, excerpts_of(score))


def window_starts(score: Score, bars: int) -> list[int]:
    """Where windows of that many bars begin, as bar indices: up to two, spread over the song, none mostly silent."""
    sounding = np.bincount(Facts(score).bar, minlength=score.bars) > 0
    full = np.convolve(sounding, np.ones(bars, dtype=np.int64), "valid") if score.bars >= 2 * bars else np.zeros(0)
    fitting = np.flatnonzero(full >= max(1, bars - bars // 4))
    if not len(fitting):
        return []
    wanted = (np.arange(_WINDOWS) + 0.5) / _WINDOWS
    return sorted({int(fitting[int(share * len(fitting))]) for share in wanted})
