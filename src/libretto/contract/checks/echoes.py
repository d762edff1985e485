"""Echoes: ends of phrases that come back at once, softer, in the gap behind them."""

from __future__ import annotations

from collections.abc import Mapping

from libretto.contract.checks.where import Spans, within
from libretto.score.model import Score
from libretto.score.time import QUARTER

__all__ = ["ECHOES", "share_of_echoes"]

#: What is asked of a line whose phrases are to echo.
ECHOES = "echoes"
_Place = tuple[int, int]  # when a note begins, and its pitch
_EIGHTH, _NEAR, _FAR = QUARTER // 2, 3 * QUARTER // 2, 4 * QUARTER  # between two notes, and to their echo
_GROUP = 8  # bars in which there is an echo, or none
_SOFTER = 0.8  # how loud an echo is beside what it echoes, at most


def share_of_echoes(score: Score, index: int, spans: Spans) -> float:
    """In how many groups of eight bars of a line the same two notes are played again soon, softer."""
    notes = within(score.voices[index].array, spans, score)
    there = {(int(one["onset"]), int(one["pitch"])): int(one["velocity"]) for one in notes}
    places = sorted(there)
    groups = {score.bar_at(onset) // _GROUP for onset, _ in places}
    echoed = {
        score.bar_at(one[0]) // _GROUP
        for number, one in enumerate(places)
        for two in places[number + 1 : number + 8]
        if 0 < two[0] - one[0] <= _NEAR and two[1] != one[1] and _comes_back(there, one, two)
    }
    return len(echoed) / max(1, len(groups))


def _comes_back(there: Mapping[_Place, int], one: _Place, two: _Place) -> bool:
    """Whether two notes are played again soon, both softer."""
    for by in range(two[0] - one[0] + _EIGHTH, _FAR + 1, _EIGHTH):
        again = [there.get((onset + by, pitch), 1_000) for onset, pitch in (one, two)]
        if all(loud <= _SOFTER * there[place] for loud, place in zip(again, (one, two), strict=True)):
            return True
    return False
