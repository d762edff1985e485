"""Swells: what grows or fades again and again, by its notes, or by its hairpins where they are too long for that."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.contract.asks import Ask
from libretto.contract.checks.check import Finding
from libretto.contract.checks.where import Spans, said, ticks_of
from libretto.score.model import Score

__all__ = ["in_swells"]

_MOSTLY = 0.5  # of the stretches in which somebody plays
_HAIRPINS = {"growing": "crescendo", "fading": "diminuendo"}


def in_swells(ask: Ask, score: Score, spans: Spans, mine: Sequence[int]) -> Finding:
    """Somebody grows, or fades, in most of some stretches."""
    notes = np.concatenate([score.voices[index].array for index in mine])
    signs = {mark.tick for index in mine for mark in score.voices[index].marks if mark.kind == _HAIRPINS[ask.what]}
    sign = 1 if ask.what == "growing" else -1
    heard = swelled = 0
    for start, end in ticks_of(spans, score):
        here = notes[(notes["onset"] >= start) & (notes["onset"] < end)]
        if not len(here):
            continue
        half = (start + end) / 2
        early, late = here["velocity"][here["onset"] < half], here["velocity"][here["onset"] >= half]
        gain = float(late.mean() - early.mean()) * sign if len(early) and len(late) else 0.0
        heard += 1
        swelled += gain > 0 or any(start <= tick < end for tick in signs)
    what = "louder" if sign > 0 else "softer"
    return (
        swelled >= max(1, _MOSTLY * heard),
        f"{what} by degrees in {swelled} of {heard} stretches, {said(spans)}",
        spans,
    )
