"""Real music to be weighed: windows and whole songs, for one player or many.

Conventions: a *base* is a stretch of a song for some of its parts. Forces are solo, duo, trio, quartet (of pitched
parts without drums) and band (all parts); lengths are short (8 to 32 bars), middle (32 to 64) and whole. Chance comes
from a seed that the song's name decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from lab.merit.rewriting import renewed
from libretto.score import Score
from libretto.score.edit import take_bars
from libretto.score.paper import on_paper

__all__ = ["FORCES", "LENGTHS", "Base", "bases_of", "tidy"]

FORCES = ("solo", "duo", "trio", "quartet", "band")
LENGTHS = ("short", "middle", "whole")
_SIZES = {"solo": 1, "duo": 2, "trio": 3, "quartet": 4}
_SPANS = {"short": (8, 32), "middle": (32, 64)}
_LONGEST = 160  # bars; longer songs are taken up to here, from one end
_PLAYS = 0.4  # of the bars: a part that plays less is no part of a small ensemble
_FEWEST = 16  # notes of a part
_WRITTEN = 0.5  # the share that is put on paper first: drafts are written, songs were played
_ENDINGS = 0.5  # the share of windows that end where their song ends
#: What is taken of a song: lengths with forces, each twice if there are as many.
_PLAN = (("short", 2), ("middle", 1), ("whole", 1))


@dataclass(frozen=True, eq=False)
class Base:
    """A stretch of real music, for whom and how long, and whether it ends where its song does."""

    score: Score
    forces: str
    length: str
    ends: bool


def tidy(score: Score) -> Score:
    """The piece without silent voices, and without what is no note: labels, marks, controls, sections."""
    voices = tuple(replace(voice, marks=(), controls=voice.controls[:0]) for voice in score.voices if len(voice.array))
    return renewed(replace(score, voices=voices, marks=(), sections=(), title=""))


def bases_of(score: Score, chance: np.random.Generator) -> Iterator[Base]:
    """The bases of a song."""
    table = score.table
    if not len(table) or score.bars < 8:
        return
    first, last = int(table["bar"].min()), int(table["bar"].max())
    song = take_bars(score, score.numbers[first], score.numbers[last])
    order = [FORCES[place] for place in chance.permutation(len(FORCES))] * 2
    for length, many in _PLAN:
        for _ in range(many):
            base = _taken(song, order.pop(0), length, chance)
            if base is not None:
                yield base


def _taken(song: Score, forces: str, length: str, chance: np.random.Generator) -> Base | None:
    low, high = _SPANS.get(length, (8, _LONGEST))
    if song.bars < low:
        return None
    bars = int(chance.integers(low, min(high, song.bars) + 1)) if length != "whole" else min(high, song.bars)
    ends = bool(chance.random() < _ENDINGS)
    start = song.bars - bars if ends else int(chance.integers(0, song.bars - bars + 1))
    stretch = take_bars(song, song.numbers[start], song.numbers[start + bars - 1])
    part = _for(stretch, forces, chance)
    if part is not None and chance.random() < _WRITTEN:
        part = renewed(on_paper(part))
    return None if part is None else Base(part, forces, length, start + bars == song.bars)


def _for(score: Score, forces: str, chance: np.random.Generator) -> Score | None:
    """The piece for so many players, those who play most of the time; None where there are not as many."""
    if forces == "band":
        whole = tidy(score)
        return whole if len(whole.voices) > 1 else None
    able = []
    for index, voice in enumerate(score.voices):
        mine = score.table["voice"] == index
        bars = len(np.unique(score.table["bar"][mine]))
        if not voice.drums and mine.sum() >= _FEWEST and bars >= _PLAYS * score.bars:
            able.append(index)
    if len(able) < _SIZES[forces]:
        return None
    chosen = sorted(chance.choice(able, _SIZES[forces], replace=False).tolist())
    return tidy(replace(score, voices=tuple(score.voices[index] for index in chosen)))
