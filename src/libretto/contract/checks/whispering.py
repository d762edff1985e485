"""A clause on drums that whisper: few strokes, all of them soft."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.checks.where import Spans, bar_mask
from libretto.score.model import Score

__all__ = ["WHISPER", "whispers"]

WHISPER = "whisper"  #: What an ask says of drums that are hardly there.
_MOST, _QUIET = 8.0, 48.0  # strokes a bar at most, and their mean velocity
_OFTEN = 4  # strokes a bar of a snare that runs


def whispers(score: Score, spans: Spans, notes: NDArray[Any]) -> tuple[bool, str]:
    """Whether drums have few strokes a bar, no running snare, and are soft; and the evidence."""
    bars = max(1, int(bar_mask(spans, score).sum()))
    loud, often = float(notes["velocity"].mean()), len(notes) / bars
    snares = float(np.isin(notes["pitch"], (38, 40)).sum()) / bars
    kept = loud <= _QUIET and often <= _MOST and snares <= _OFTEN
    return kept, f"{often:.0f} strokes a bar at {loud:.0f}"
