"""A choir that answers: it has words of its own, in all its parts."""

from __future__ import annotations

import numpy as np

from libretto.contract.checks.where import within
from libretto.contract.instruments import instrument_of_program
from libretto.house.asks.textures import Spans
from libretto.score import Score, Voice

__all__ = ["sings_in_parts"]

_PARTS = 1.6  # notes at a time of who sings in parts
_MOST = 0.7  # of some bars in which it has something to sing anyway


def sings_in_parts(score: Score, voice: Voice, spans: Spans) -> bool:
    """Whether a choir has something to sing in most of some bars anyway, in several parts."""
    if instrument_of_program(voice.program or 0).family != "voices":
        return False
    onsets = np.unique(within(voice.array, tuple(spans), score)["onset"])
    bars = {score.bar_at(int(tick)) for tick in onsets}
    return len(voice.array) > _PARTS * len(np.unique(voice.array["onset"])) and len(bars) >= _MOST * len(spans)
