"""What was written for a shaker, as somebody plays it who sits at a kit: on the hats, where these have nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import Sketch

__all__ = ["on_hats"]

_SHAKEN, _HAT = frozenset((54, 69, 70, 82)), 42  # keys of tambourine, cabasa, maracas and shaker, and of the hat
_TIMED = frozenset((42, 44, 46, 51, 53, 59))  # keys of hats and rides, with which a drummer keeps time
_RUNS = 1.5  # strokes a beat from which on it keeps time and marks nothing


def on_hats(plan: Plan, notes: Sequence[Sketch]) -> list[Sketch]:
    """A beat of which a shaker runs on in eighths or sixteenths, on the closed hat in bars without hats or a ride:
    a kit has no hand free to shake."""
    ticks = plan.meter.ticks
    shaken = Counter(note.onset // ticks for note in notes if note.pitch in _SHAKEN)
    timed = {note.onset // ticks for note in notes if note.pitch in _TIMED}
    least = _RUNS * ticks / plan.meter.beat
    bars = {bar for bar, count in shaken.items() if count >= least} - timed
    return [
        note._replace(pitch=_HAT) if note.pitch in _SHAKEN and note.onset // ticks in bars else note for note in notes
    ]
