"""What the package remembers of real songs, and how much unrelated music shares with a memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from lab.merit.pieces import Source
from libretto.bench.spotting import number_of
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.reward.memory import KEPT, Marks, Memory, turns_of
from libretto.reward.standards import Level
from libretto.score import Score, played

__all__ = ["in_half", "memory_level", "song_turns"]

_RARE = 0.98  # of unrelated music shares less


def in_half(group: str) -> bool:
    """Whether an artist is of the half that is remembered when sharing is measured."""
    return number_of(group) % 2 == 0


def song_turns(songs: Sequence[Source]) -> list[tuple[str, Marks]]:
    """The turns of every song that can be read, with its artist."""
    rows = []
    for source in songs:
        try:
            rows.append((source.group, turns_of(played(read(source.path)), KEPT)))
        except LibrettoError:
            continue
    return rows


def memory_level(turns: Iterable[tuple[str, Marks]], pieces: Iterable[tuple[str, str, Score]]) -> Level:
    """What pieces of one half of all artists share with a memory of the other half."""
    memory = Memory.of_turns([marks for group, marks in turns if in_half(group)], KEPT)
    shares = np.array([memory.share(score) for group, _, score in pieces if not in_half(group)])
    high = float(np.quantile(shares, _RARE))
    return Level(float(shares.min()), float(np.median(shares)), high, max(float(shares.std()), high / 2, 1e-3))
