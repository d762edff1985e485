"""What a fill stands beside: fills that ought to fail, and the published gate.

Fills that ought to fail are random notes, bars of another song and bars of the song itself. The published gate is here
as the paper states it for gaps: a region passes with at most 3 extreme axes of the 29, and with less than 0.30 of its
notes found by a slide over the song, hidden bars included, or over the hidden answer. Left out: the 25 nearest songs of
the corpus, whose notes are not shipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.axes import measure
from libretto.corpus import load_cloud
from libretto.corpus.rows import WAYS, plain_spellings, shaken
from libretto.gates.paper import GAP_BUDGET, GAP_CEILING, GENRE_NAMES, paper_gauge, paper_genre
from libretto.score import QUARTER, Score, Voice, take_bars

__all__ = ["Published", "budget", "foreign", "pasted", "published_gate", "random_fill", "slide", "with_bars"]

_MIDDLE = 0.4  # where bars of another song begin, as a share of it
_TRITONE = 6  # semitones; a song is moved by no more than that to another's key
_HIGHEST = 127  # MIDI's highest pitch
_CLOUD = "paper314"


def with_bars(score: Score, voices: Sequence[str], span: tuple[int, int], notes: dict[str, NDArray[Any]]) -> Score:
    """The song with other notes in a region (bar indices), timed from its start; voices without any are silent."""
    start, end = score.bar_lines[span[0]], score.bar_lines[span[1] + 1]
    made = []
    for voice in score.voices:
        if voice.name in voices:
            low, high = np.searchsorted(voice.array["onset"], [start, end])
            new = notes.get(voice.name, voice.array[:0]).copy()
            new["onset"] += start
            new = new[new["onset"] < end]
            voice = voice.with_notes(np.concatenate([voice.array[:low], new, voice.array[high:]]))
        made.append(voice)
    return replace(score, voices=tuple(made), grids=Score.build(made, bar_lines=score.bar_lines).grids)


def random_fill(score: Score, voices: Sequence[str], span: tuple[int, int], way: int) -> Score:
    """The song with the pitched notes of a region drawn at random."""
    offset = score.first_bar
    part = take_bars(score, span[0] + offset, span[1] + offset)
    drawn = shaken(part, WAYS[way % len(WAYS)])
    return with_bars(score, voices, span, {voice.name: voice.array for voice in drawn.voices})


def foreign(score: Score, voices: Sequence[str], span: tuple[int, int], other: Score) -> Score:
    """The song with bars of another one in a region: in its key, voice by voice from the lowest up."""
    length = span[1] - span[0] + 1
    first = max(0, min(other.bars - length, int(other.bars * _MIDDLE)))
    part = take_bars(other, first + other.first_bar, min(other.bars - 1, first + length - 1) + other.first_bar)
    shift = (score.key.tonic_class - other.key.tonic_class) % 12
    shift = shift - 12 if shift > _TRITONE else shift
    notes: dict[str, NDArray[Any]] = {}
    for drums in (True, False):
        mine = sorted((v for v in score.voices if v.drums == drums and v.name in voices and len(v.array)), key=_height)
        theirs = sorted((v for v in part.voices if v.drums == drums and len(v.array)), key=_height)
        for index, voice in enumerate(mine[: max(len(theirs), 1)] if theirs else []):
            source = theirs[index * len(theirs) // len(mine)] if len(mine) > 1 else theirs[len(theirs) // 2]
            rows = source.array.copy()
            if not drums:
                _transpose(rows, shift)
            notes[voice.name] = rows
    return with_bars(score, voices, span, notes)


def _transpose(notes: NDArray[Any], semitones: int) -> None:
    """Move notes in place, as far as there are pitches, and spell them anew."""
    notes["pitch"] = np.clip(notes["pitch"].astype(np.int64) + semitones, 0, _HIGHEST)
    notes["spelling"] = plain_spellings(notes["pitch"].astype(np.int64))


def _height(voice: Voice) -> float:
    """The mean pitch of a voice."""
    return float(voice.array["pitch"].mean())


def pasted(
    score: Score, voices: Sequence[str], span: tuple[int, int], rng: Random, transpositions: Sequence[int] = (0,)
) -> Score:
    """The song with other bars of its own in a region, transposed by one of so many semitones."""
    length, offset = span[1] - span[0] + 1, score.first_bar
    starts = [s for s in range(score.bars - length + 1) if s + length <= span[0] or s > span[1]]
    first = rng.choice(starts)
    up = rng.choice(transpositions)
    part = take_bars(score, first + offset, first + length - 1 + offset)
    notes = {}
    for voice in part.voices:
        rows = voice.array.copy()
        if up and not voice.drums:
            _transpose(rows, up)
        notes[voice.name] = rows
    return with_bars(score, voices, span, notes)


@dataclass(frozen=True)
class Published:
    """What the published gate says of a region: extreme axes, how many are allowed, and how much is copied."""

    extremes: int
    budget: int
    copied: float

    @property
    def passed(self) -> bool:
        """Whether the region passes."""
        return self.extremes <= self.budget and self.copied < GAP_CEILING


@lru_cache(maxsize=32)
def budget(genre: str) -> int:
    """C1 of a genre: how many extreme axes a piece of it may have; that of all songs where the paper has no such."""
    return paper_gauge(paper_genre(genre) if genre.casefold() in GENRE_NAMES else "").budget


def slide(region: Score, song: Score, without: tuple[int, int] | None = None) -> float:
    """The share of a region's notes that a song has at the same place of a bar and pitch, for the best shift by bars.

    ``without`` are bar indices, both ends included, that are not looked at.
    """
    theirs = {place for place in _places(song) if without is None or not without[0] <= place[0] <= without[1]}
    mine = _places(region)
    if not mine:
        return 0.0
    shifts = range(1 - region.bars, song.bars)
    return max(sum((bar + by, at, pitch) in theirs for bar, at, pitch in mine) for by in shifts) / len(mine)


def _places(score: Score) -> list[tuple[int, int, int]]:
    """For every note its bar (an index), its place there in hundredths of a quarter, and its pitch."""
    rows = score.table[["bar", "position", "pitch"]].tolist()
    return [(bar, round(at * 100 / QUARTER), pitch) for bar, at, pitch in rows]


def published_gate(answer: Score, song: Score, first: int, last: int, genre: str) -> Published:
    """The published gate for bars of an answer (by number) to a gap in a song; its real bars are not held against
    themselves."""
    region = take_bars(answer, first, last)
    cloud = load_cloud(_CLOUD)
    extremes = len(cloud.place(measure(region, grid=cloud.grid)).extremes) if len(region.table) else len(cloud.axes)
    span = (first - song.first_bar, last - song.first_bar)
    real = answer.table.tobytes() == song.table.tobytes()
    return Published(extremes, GAP_BUDGET, slide(region, song, span if real else None))
