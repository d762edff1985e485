"""Echoes: ends of phrases that come back at once, softer, in the gap behind them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from libretto.contract.checks.where import Spans, tune_of, within
from libretto.score.model import Score
from libretto.score.time import QUARTER

__all__ = ["ECHOES", "loudest_line", "share_of_echoes", "stays_on_one"]

#: What is asked of a line whose phrases are to echo.
ECHOES = "echoes"
_Place = tuple[int, int]  # when a note begins, and its pitch
_SIXTEENTH, _NEAR, _FAR = QUARTER // 4, 3 * QUARTER // 2, 4 * QUARTER  # between two notes, and to their echo
_GROUP = 8  # bars in which there is an echo, or none
_FIRM = 75  # the share of its notes, in parts of a hundred, that may be echoes
_MOSTLY = 0.5  # of the notes of a line that is one tone
_SOFTER = 0.8  # how loud an echo is beside what it echoes, at most


def share_of_echoes(score: Score, index: int, spans: Spans) -> float:
    """In how many groups of eight bars of a line the same two notes are played again soon, softer."""
    notes = within(score.voices[index].array, spans, score)
    there = {(int(one["onset"]), int(one["pitch"])): int(one["velocity"]) for one in notes}
    places = sorted(there)
    one_tone = stays_on_one(pitch for _, pitch in places)
    groups = {score.bar_at(onset) // _GROUP for onset, _ in places}
    echoed = {
        score.bar_at(one[0]) // _GROUP
        for number, one in enumerate(places)
        for two in places[number + 1 : number + 8]
        if 0 < two[0] - one[0] <= _NEAR and (one_tone or two[1] != one[1]) and _comes_back(there, one, two)
    }
    return len(echoed) / max(1, len(groups))


def loudest_line(score: Score, spans: Spans) -> int | None:
    """The voice that has the tune by its loud notes, however many soft echoes it has besides."""
    loud = []
    for index, voice in enumerate(score.voices):
        notes = within(voice.array, spans, score)
        if voice.drums or not len(notes):
            continue
        firm = notes[notes["velocity"] >= np.percentile(notes["velocity"], _FIRM)]
        loud.append((index, voice.with_notes(firm)))
    if not loud:
        return None
    tune = tune_of(replace(score, voices=tuple(voice for _, voice in loud)), spans)
    return None if tune is None else loud[tune][0]


def stays_on_one(pitches: Iterable[int]) -> bool:
    """Whether a line is hardly more than one tone struck in a rhythm, which its echoes have, too."""
    counts = Counter(pitches)
    return max(counts.values(), default=0) > _MOSTLY * counts.total()


def _comes_back(there: Mapping[_Place, int], one: _Place, two: _Place) -> bool:
    """Whether two notes are played again soon, both softer."""
    for by in range(two[0] - one[0] + _SIXTEENTH, _FAR + 1, _SIXTEENTH):
        again = [there.get((onset + by, pitch), 1_000) for onset, pitch in (one, two)]
        if all(loud <= _SOFTER * there[place] for loud, place in zip(again, (one, two), strict=True)):
            return True
    return False
