"""Filters: a controller that opens and closes the sound of who plays."""

from __future__ import annotations

from libretto.contract.asks import Ask
from libretto.contract.checks.check import Finding
from libretto.contract.checks.where import Spans, names_of, voices_of
from libretto.score.model import Score

__all__ = ["BRIGHTNESS", "OPENS", "SWEEPS", "filter_moves"]

#: What asks say of filters that open and close by turns, and of those that open once.
SWEEPS, OPENS = "filter sweeps", "filter opens"
#: The controller that opens a filter.
BRIGHTNESS = 74
_WIDE, _STEPS = 40, 4  # how far a filter moves at least, and in how many values


def filter_moves(ask: Ask, score: Score, spans: Spans) -> Finding:
    """The filter of everybody who is asked moves far, and by steps; one that opens ends higher than it began."""
    mine = voices_of(ask.who, score, spans)
    moved = 0
    for index in mine:
        controls = score.voices[index].controls
        values = controls["value"][controls["kind"] == BRIGHTNESS].tolist()
        wide = len(set(values)) >= _STEPS and max(values) - min(values) >= _WIDE
        moved += wide and (ask.what == SWEEPS or values[-1] > values[0])
    return bool(mine) and moved == len(mine), f"{names_of(score, mine)}: {moved} of {len(mine)} filters move", spans
