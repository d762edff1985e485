"""Glissandi: quick runs through a scale in one direction."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from libretto.contract.asks import Ask
from libretto.contract.checks.check import Finding
from libretto.contract.checks.where import Spans, names_of, nowhere, said, tops, voices_of, within
from libretto.score.model import Score
from libretto.score.time import QUARTER

__all__ = ["GLISSANDI", "in_runs"]

#: What asks say of runs through a scale of a harp, keys or bars.
GLISSANDI = "glissandi"
_NOTES, _QUICK, _STEP = 6, QUARTER // 4, 4  # notes of a run at least, their distance and their steps at most
_BARS = 16  # in which one is heard at least


def in_runs(ask: Ask, score: Score, spans: Spans) -> Finding:
    """Somebody runs through a scale once in sixteen bars at least."""
    mine = voices_of(ask.who, score, spans)
    if not spans or not mine:
        return nowhere(ask, spans)
    runs = max(_runs(score, index, spans) for index in mine)
    bars = sum(last - first + 1 for first, last in spans)
    return runs >= max(1, bars // _BARS), f"{names_of(score, mine)}: {runs} glissandi in {said(spans)}", spans


def _runs(score: Score, index: int, spans: Spans) -> int:
    """How many quick runs of steps in one direction the upper line of a voice has."""
    line = tops(within(score.voices[index].array, spans, score))
    places = zip(line["onset"].astype(np.int64).tolist(), line["pitch"].astype(np.int64).tolist(), strict=True)
    length, way, runs = 1, 0, 0
    for (tick, pitch), (after, other) in pairwise(places):
        step = other - pitch
        same = after - tick <= _QUICK and 0 < abs(step) <= _STEP
        turn = 1 if step > 0 else -1
        length = length + 1 if same and turn == way else 2 if same else 1
        way = turn if same else 0
        runs += length == _NOTES
    return runs
