"""Whether the measures of an ABC tune stand as on the page, with signs for the order of play, and with which."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from libretto.formats.abc.measure import Measure
from libretto.formats.abc.order import seams_of, signs_of
from libretto.formats.abc.repeats import Visit
from libretto.score.repeats import Signs

__all__ = ["AS_PLAYED", "Plan", "plan_of"]

Voices = Sequence[Sequence[Measure]]  # the measures of each voice
Plays = Sequence[Sequence[Visit]]  # how each of them is played


class Plan(NamedTuple):
    """Signs of the order of play, at the ends of which measures they stand, and over which bar lines no tie leads."""

    signs: list[Signs]
    seams: set[int]
    breaks: list[bool]
    measures: Sequence[Measure]  # of the first of the longest voices


AS_PLAYED = Plan([], set(), [], ())  #: everything written out


def plan_of(voices: Voices, plays: Plays) -> Plan | None:
    """The signs that all voices share; None where they are played in ways that no signs of one piece say."""
    longest = max(voices, key=len, default=())
    if _all_straight(voices, plays):
        straight = [Visit(at, 0, 0, 1) for at in range(len(longest))]
        return Plan(signs_of(longest, straight) or [], set(), [False] * len(longest), longest)
    if not _all_alike(voices, plays):
        return None
    signs = signs_of(longest, plays[0])
    if signs is None:
        return None
    return Plan(signs, seams_of(signs, plays[0]), _breaks(len(longest), plays[0]), longest)


def _all_straight(voices: Voices, plays: Plays) -> bool:
    """Whether every voice is played from its first measure to its last."""
    return all(
        [visit.measure for visit in play] == list(range(len(measures)))
        for measures, play in zip(voices, plays, strict=True)
    )


def _all_alike(voices: Voices, plays: Plays) -> bool:
    """Whether the voices have as many measures and are played in one order."""
    return all(
        len(measures) == len(voices[0]) and play == plays[0] for measures, play in zip(voices, plays, strict=True)
    )


def _breaks(count: int, play: Sequence[Visit]) -> list[bool]:
    """For each measure whether it is never played straight after the one before it on the page."""
    follows = {visit.measure for visit, after in pairwise(play) if after.measure == visit.measure + 1}
    return [at > 0 and at - 1 not in follows for at in range(count)]
