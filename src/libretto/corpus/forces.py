"""Forces and lengths: what a piece is compared with, and pieces of that kind cut out of real songs.

A *cell* is a size (solo, duo, trio, quartet, band: one to four or more pitched voices that really play), percussion or
none, and a length. A duo of sixteen bars is then held against duos of about that length and not against songs of
eight parts.

Conventions: a voice *plays* where it sounds in at least a quarter of the bars that sound at all. Lengths are ``phrase``
(fewer than 8 bars), ``short`` (8 to 32), ``middle`` (33 to 64) and ``whole`` (more: a song). An excerpt is a real
piece of a cell: some voices of a song over some of its bars, the leading voice and the lowest preferred, so that it is
music somebody might write. The same song and seed give the same excerpt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from libretto.score import Score, Voice, take_bars
from libretto.score.chords import NO_CHORD
from libretto.score.table import Bools, Floats, Ints, distinct

__all__ = [
    "LENGTHS",
    "SIZES",
    "Cell",
    "Forces",
    "cell_of",
    "excerpt",
    "forces_of",
    "length_of",
    "playing",
    "sounding_bars",
]

SIZES = ("solo", "duo", "trio", "quartet", "band")  #: by how many pitched voices play: 1, 2, 3, 4, more
LENGTHS = ("phrase", "short", "middle", "whole")  #: by bars: up to 7, 32, 64, more
_LAST_BARS = (7, 32, 64)  # of each length but the last
_WINDOWS = {"phrase": (4, 5, 6, 7), "short": (8, 12, 16, 24, 32), "middle": (36, 40, 48, 56, 64)}  # bars of excerpts
_PLAYS = 0.25  # of the sounding bars: a voice that sounds in fewer is a visitor
_MOST = 0.6  # of a window: a voice of an excerpt sounds in so many bars
_ALONE = 0.8  # and one that plays alone in so many
_FILLED = 0.85  # of a window: so many bars sound
_LINE = 1.2  # notes an onset, at most, in a voice that may lead
_DOUBLED = 0.7  # of a voice's notes in another: nobody writes that for a few players
_FREELY = 0.2  # how often voices are taken by chance alone
_LEADS_ALONE = 0.6  # how often a solo is the leading voice
_PERCUSSION = 0.5  # how often percussion stays
_TRIES = 4  # windows, and choices of voices, before a song is given up
_OCTAVE = 12


@dataclass(frozen=True, order=True)
class Forces:
    """Who plays: a size, and percussion or none."""

    size: str
    percussion: bool = False

    def __str__(self) -> str:
        return f"{self.size} with percussion" if self.percussion else self.size


@dataclass(frozen=True, order=True)
class Cell:
    """Forces and a length: pieces of one cell are compared with each other."""

    forces: Forces
    length: str

    @property
    def key(self) -> str:
        """The cell as one word: ``duo short``, ``band+ whole`` (with percussion)."""
        return f"{self.forces.size}{'+' if self.forces.percussion else ''} {self.length}"

    @classmethod
    def of_key(cls, key: str) -> Cell:
        """The cell of a word.

        >>> Cell.of_key("trio+ short").forces.percussion
        True
        """
        size, _, length = key.partition(" ")
        return cls(Forces(size.removesuffix("+"), size.endswith("+")), length)

    def __str__(self) -> str:
        return f"{self.forces}, {self.length}"


def length_of(bars: int) -> str:
    """Which length so many bars are.

    >>> [length_of(bars) for bars in (7, 8, 32, 33, 64, 65)]
    ['phrase', 'short', 'short', 'middle', 'middle', 'whole']
    """
    return next((name for name, last in zip(LENGTHS, _LAST_BARS, strict=False) if bars <= last), LENGTHS[-1])


def sounding_bars(score: Score) -> Bools:
    """In which bars each voice sounds, by notes that start there or ring on: voices as rows, bars as columns."""
    table = score.sounds
    edges = np.zeros((len(score.voices), score.bars + 1), dtype=np.int64)
    last = np.searchsorted(np.asarray(score.bar_lines), table["onset"] + np.maximum(table["duration"], 1), "left") - 1
    np.add.at(edges, (table["voice"], table["bar"]), 1)
    np.add.at(edges, (table["voice"], np.minimum(last, score.bars - 1) + 1), -1)
    return np.asarray(np.cumsum(edges, axis=1)[:, :-1] > 0)


def playing(score: Score) -> tuple[Voice, ...]:
    """The voices that really play, percussion among them, in the order of the piece."""
    bars = sounding_bars(score)
    least = _PLAYS * np.count_nonzero(bars.any(axis=0))
    there = np.count_nonzero(bars, axis=1)
    return tuple(voice for voice, count in zip(score.voices, there.tolist(), strict=True) if count >= max(1, least))


def forces_of(score: Score) -> Forces:
    """How many pitched voices play, and whether percussion does; one that nobody holds for long counts as a solo."""
    players = playing(score)
    count = sum(not voice.drums for voice in players)
    return Forces(SIZES[min(max(count, 1), len(SIZES)) - 1], any(voice.drums for voice in players))


def cell_of(score: Score) -> Cell:
    """What a piece is compared with: its forces and its length."""
    return Cell(forces_of(score), length_of(score.bars))


def excerpt(
    score: Score, size: str, length: str, seed: int | str = 0, *, percussion: bool | None = None
) -> Score | None:
    """A piece of a cell cut out of a song; None where the song has none.

    Percussion stays or goes by chance where ``percussion`` is left out. A song that is itself no longer than the window
    is taken whole; ``whole`` are all bars of a song that is long enough.
    """
    dice = Random(f"{score.digest} {size} {length} {seed}")
    count = SIZES.index(size) + 1
    bars = sounding_bars(score)
    drums = np.array([voice.drums for voice in score.voices], dtype=np.bool_)
    beaten = dice.random() < _PERCUSSION if percussion is None else percussion
    for _ in range(_TRIES):
        span = _window(score, length, bars[~drums], count, dice)
        if span is None:
            return None
        part = score if span == (0, score.bars) else _cut(score, *span)
        share = sounding_bars(part).mean(axis=1)
        pitched = np.flatnonzero((share >= (_ALONE if count == 1 else _MOST)) & ~drums)
        players = _players(part, pitched, share, count, dice)
        if players is None:
            continue
        kit = np.flatnonzero((share >= _MOST) & drums) if beaten else pitched[:0]
        if beaten and not len(kit) and percussion:
            continue
        chosen = np.sort(np.concatenate([players, kit]))
        piece = replace(
            part,
            voices=tuple(part.voices[index] for index in chosen.tolist()),
            chords=((NO_CHORD,),) * part.bars,
        )
        if cell_of(piece) == Cell(Forces(size, bool(len(kit))), length):
            return piece
    return None


def _cut(score: Score, first: int, end: int) -> Score:
    return take_bars(score, first + score.first_bar, end - 1 + score.first_bar)


def _window(score: Score, length: str, bars: Bools, count: int, dice: Random) -> tuple[int, int] | None:
    """First bar and end of a window of a length in which enough voices sound most of the time."""
    wanted = dice.choice(_WINDOWS[length]) if length in _WINDOWS else score.bars
    whole = length_of(score.bars) == length
    if whole and (score.bars <= wanted or length not in _WINDOWS):
        return 0, score.bars
    if score.bars < wanted:
        return None
    sums = np.zeros((len(bars), score.bars + 1), dtype=np.int64)
    sums[:, 1:] = np.cumsum(bars, axis=1)
    inside = sums[:, wanted:] - sums[:, :-wanted]
    enough = np.count_nonzero(inside >= (_ALONE if count == 1 else _MOST) * wanted, axis=0) >= count
    starts = np.flatnonzero(enough)
    if not len(starts):
        return None
    start = int(starts[dice.randrange(len(starts))])
    return start, start + wanted


def _players(score: Score, pitched: Ints, share: Floats, count: int, dice: Random) -> Ints | None:
    """The voices of an excerpt: the one that leads, the lowest, and others that double none of them."""
    if len(pitched) < count:
        return None
    if count == len(SIZES):
        visitors = [i for i, voice in enumerate(score.voices) if not voice.drums and 0 < share[i] < _MOST]
        return np.sort(np.concatenate([pitched, np.array(visitors, dtype=np.int64)]))
    order = pitched.tolist()
    dice.shuffle(order)
    if dice.random() >= _FREELY:
        order = _preferred(score, order, count, dice)
    chosen: list[int] = []
    marks: list[Ints] = []
    for index in order:
        mine = _marks(score.voices[index])
        if any(np.isin(mine, other).mean() > _DOUBLED for other in marks):
            continue
        chosen.append(index)
        marks.append(mine)
        if len(chosen) == count:
            return np.array(chosen, dtype=np.int64) if _filled(score, chosen) >= _FILLED else None
    return None


def _preferred(score: Score, order: Sequence[int], count: int, dice: Random) -> list[int]:
    """The voices with the leading one first and the lowest next; alone, another than the lowest plays now and then."""
    height = {index: float(score.voices[index].sounds["pitch"].mean()) for index in order}
    lowest = min(order, key=lambda index: (height[index], index))
    lines = [index for index in order if index != lowest and _chordal(score.voices[index]) <= _LINE]
    lead = max(lines or order, key=lambda index: (height[index], -index))
    if count == 1:
        others = [index for index in order if index not in (lead, lowest)]
        return [lead, *others, lowest] if dice.random() < _LEADS_ALONE or not others else [*others, lead, lowest]
    first = [lead] if lead == lowest else [lead, lowest]
    if count == 2 and dice.random() < _FREELY:
        first = [lead]
    return [*first, *(index for index in order if index not in first)]


def _chordal(voice: Voice) -> float:
    """Notes an onset."""
    return len(voice.sounds) / max(1, len(distinct(voice.sounds["onset"])))


def _marks(voice: Voice) -> Ints:
    """Every note as one number: when it starts and its pitch class."""
    return np.asarray(voice.sounds["onset"].astype(np.int64) * _OCTAVE + voice.sounds["pitch"] % _OCTAVE)


def _filled(score: Score, chosen: Sequence[int]) -> float:
    """In which part of the bars one of some voices sounds."""
    some = replace(score, voices=tuple(score.voices[index] for index in chosen))
    return float(sounding_bars(some).any(axis=0).mean())
