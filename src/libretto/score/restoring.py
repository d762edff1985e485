"""Answers that were written by a page on the paper grid: notes copied from it go back to where they were played.

A page shows a song on sixteenths and triplets, and somebody hands in the song, or some of its bars, with changes. A
note of the answer that stands where the page has one *is* that note: it gets its start and length back. Every other
note stays as it was written. A note played just before a bar line stands after it on the page: where bars are exchanged
it is neither doubled (its copy in the new bars is left out) nor lost (it stays where the old bars held it).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import replace
from itertools import pairwise

import numpy as np

from libretto.score.marks import follow
from libretto.score.model import Score
from libretto.score.paper import is_on_paper, paper_times
from libretto.score.table import Bools, Ints
from libretto.score.validate import refit
from libretto.score.voice import Voice

__all__ = ["restored", "with_late_notes"]

_Place = tuple[int, int, int]  # start, length, pitch


def restored(base: Score, answer: Score) -> Score:
    """The answer with those notes as they were played that it has from the page of ``base`` on the paper grid."""
    if answer.bar_lines != base.bar_lines or is_on_paper(base):
        return answer
    lines = np.asarray(base.bar_lines, dtype=np.int64)
    onset, duration = paper_times(base)
    crossed = onset >= lines[base.table["bar"].astype(np.int64) + 1]
    known = dict(zip((voice.name for voice in base.voices), _rows(base), strict=True))
    voices = []
    for voice in answer.voices:
        if voice.name in known:
            rows = known[voice.name]
            voice = _restored(voice, base.voice(voice.name), onset[rows], duration[rows], crossed[rows])
        voices.append(voice)
    return _with_voices(answer, voices)


def with_late_notes(base: Score, answer: Score, names: Collection[str], start: int, end: int) -> Score:
    """The answer with those notes of ``base`` that were played between two ticks but stand after them on the page."""
    if is_on_paper(base):
        return answer
    onset, _ = paper_times(base)
    late = {
        voice.name: voice.array[(voice.array["onset"] >= start) & (voice.array["onset"] < end) & (onset[rows] >= end)]
        for voice, rows in zip(base.voices, _rows(base), strict=True)
        if voice.name in names
    }
    voices = []
    for voice in answer.voices:
        if len(more := late.get(voice.name, ())):
            there = set(_places(voice.array["onset"], voice.array["duration"], voice.array["pitch"]))
            new = [note for note in more.tolist() if note[:3] not in there]  # type: ignore[union-attr]
            voice = replace(voice, array=np.concatenate((voice.array, np.array(new, dtype=voice.array.dtype))))
        voices.append(voice)
    return _with_voices(answer, voices)


def _with_voices(answer: Score, voices: list[Voice]) -> Score:
    """The answer with those voices, each bar on the coarsest grid that holds it; itself where none is new."""
    if all(new is old for new, old in zip(voices, answer.voices, strict=True)):
        return answer
    return replace(answer, voices=tuple(voices), grids=refit(voices, np.asarray(answer.bar_lines, dtype=np.int64)))


def _rows(score: Score) -> list[slice]:
    """The rows of each voice in the table of a piece."""
    ends = np.searchsorted(score.table["voice"], np.arange(len(score.voices) + 1)).tolist()
    return [slice(first, stop) for first, stop in pairwise(ends)]


def _restored(voice: Voice, played: Voice, onset: Ints, duration: Ints, crossed: Bools) -> Voice:
    """One voice: what is exactly as played stays, then what is exactly as on the page goes back, each note once."""
    there = _places(voice.array["onset"], voice.array["duration"], voice.array["pitch"])
    exact = _places(played.array["onset"], played.array["duration"], played.array["pitch"])
    kept = Counter(there) & Counter(exact)
    left, waiting, doubles = kept.copy(), defaultdict(list), Counter[_Place]()
    for was, shown, late in zip(exact, _places(onset, duration, played.array["pitch"]), crossed.tolist(), strict=True):
        if left[was] > 0:
            left[was] -= 1
            doubles[shown] += late
        elif was != shown:
            waiting[shown].append(was)
    notes, stays = voice.array.copy(), np.ones(len(there), dtype=np.bool_)
    for row, place in enumerate(there):
        if kept[place] > 0:
            kept[place] -= 1
        elif waiting[place]:
            notes["onset"][row], notes["duration"][row], _ = waiting[place].pop(0)
        elif doubles[place] > 0:
            doubles[place] -= 1
            stays[row] = False
    same = stays.all() and np.array_equal(notes, voice.array)
    if same:
        return voice
    return replace(voice, array=notes[stays], marks=follow(voice.marks, voice.array[stays], notes[stays]))


def _places(onset: Ints, duration: Ints, pitch: Ints) -> list[_Place]:
    return list(zip(onset.tolist(), duration.tolist(), pitch.tolist(), strict=True))
