"""Filters that move: a controller opens the sound of a part little by little, and closes it again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from libretto.contract.checks.filters import BRIGHTNESS, SWEEPS
from libretto.contract.checks.where import Spans, bar_mask
from libretto.house.asks.notes import beats_of
from libretto.score import Score, Voice
from libretto.score.marks import CONTROL

__all__ = ["filtered"]

_CLOSED, _OPEN = 28, 112  # values of the controller
_LONG = 8  # bars in which a filter opens, and in which it closes


def filtered(score: Score, names: Sequence[str], spans: Spans, what: str) -> Score:
    """The piece with filters of some voices that open over eight bars and close over the next, a step a beat, from the
    first note to the last; or open once."""
    made = score
    for name in names:
        made = _filtered(made, made.voice(name), spans, what)
    return made


def _filtered(score: Score, voice: Voice, spans: Spans, what: str) -> Score:
    """The piece with the filter of one voice."""
    inside = bar_mask(spans, score)
    played = {score.bar_at(int(tick)) for tick in voice.array["onset"]}
    bars = [bar for bar in range(score.bars) if inside[bar] and min(played) <= bar <= max(played)] if played else []
    beats = [tick for bar in bars for tick in beats_of(score, bar)]
    if len(beats) < _LONG:
        return score
    waves = max(1, round(len(bars) / (2 * _LONG))) if what == SWEEPS else 0
    rows = [(tick, BRIGHTNESS, _value(place / (len(beats) - 1), waves)) for place, tick in enumerate(beats)]
    kept = voice.controls[voice.controls["kind"] != BRIGHTNESS]
    controls = np.concatenate((kept, np.asarray(rows, dtype=CONTROL)))
    made = replace(voice, controls=controls[np.argsort(controls["tick"], kind="stable")])
    return replace(score, voices=tuple(made if one is voice else one for one in score.voices))


def _value(share: float, waves: int) -> int:
    """How open a filter is at a share of its way, in which it opens and closes so many times, or opens once."""
    place = 1 - abs(1 - 2 * (share * waves % 1.0)) if waves else share
    return round(_CLOSED + (_OPEN - _CLOSED) * place)
