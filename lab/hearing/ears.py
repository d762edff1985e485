"""The ears that are measured: each takes a clip and its kind, and gives notes, tempo and meter.

``before`` is the local ear as it was before there were others; ``local`` and ``model`` are told what kind of sound it
is; ``best`` is told so too and chooses the ear; ``alone`` is told nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from libretto.hearing.audio import Clip
from libretto.hearing.beats import beat_and_meter
from libretto.hearing.choosing import hear
from libretto.hearing.notes import HeardNote, hear_notes
from libretto.hearing.rhythm import hear_loop

__all__ = ["EARS", "Heard"]

_MODES = {"hum": "mono", "line": "mono", "drums": "drums"}
_LOOPS = (16, 24, 32, 48, 64)  # eighths that a loop may have
_BEATS = np.arange(0.3, 1.2, 0.002)  # seconds a quarter


class Heard(NamedTuple):
    """What an ear heard: notes (drums as 36, 38 and 42), quarters a minute, the meter, and what it was taken for."""

    notes: Sequence[HeardNote]
    bpm: float
    meter: str
    mode: str = ""


def _before(clip: Clip, kind: str) -> Heard:
    """The ear as it was: every rise of every pitch, or a loop of eighths; always 4/4."""
    if kind == "drums":
        loops = [loop for loop in (hear_loop(clip, count) for count in _LOOPS) if loop is not None]
        if not loops:
            return Heard([], 1.0, "4/4")
        loop = max(loops, key=lambda one: one.pulse.agreement)
        notes = [
            HeardNote(start := loop.pulse.start + slot * loop.pulse.period, start + 0.1, key, 1.0)
            for key, line in ((36, loop.kick), (38, loop.snare), (42, loop.hat))
            for slot in np.flatnonzero(line).tolist()
        ]
        return Heard(notes, 30 / loop.pulse.period, "4/4")
    notes = hear_notes(clip)
    return Heard(notes, 60 / _beat_of([note.start for note in notes]) if notes else 1.0, "4/4")


def _beat_of(starts: Sequence[float]) -> float:
    """Seconds a quarter, as they were found before."""
    places = np.asarray(starts) - min(starts)
    cost = 0.1 * np.abs(np.log2(_BEATS / 0.5))
    for division, weight in ((1, 0.25), (2, 0.35), (4, 0.4)):
        off = np.abs((places[:, None] / (_BEATS / division) + 0.5) % 1 - 0.5) * 2
        cost = cost + weight * off.mean(axis=0)
    return float(_BEATS[int(np.argmin(cost))])


def _by(ear: str, told: bool) -> Callable[[Clip, str], Heard]:
    def heard_by(clip: Clip, kind: str) -> Heard:
        heard = hear(clip, _MODES.get(kind, "poly") if told else None, ear)
        beat = beat_and_meter(heard.notes)
        return Heard(heard.notes, beat.bpm, str(beat.meter), heard.mode)

    return heard_by


EARS: dict[str, Callable[[Clip, str], Heard]] = {
    "alone": _by("best", False),
    "before": _before,
    "best": _by("best", True),
    "local": _by("local", True),
    "model": _by("model", True),
}
