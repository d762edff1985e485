"""Notes from salience: where the amount of a pitch rises and stays, a note begins.

A rise is the difference between the medians of the frames just after and just before. It counts where it is not small
beside the strongest note of the clip nor beside what already sounds on that pitch, where no other rise on the pitch is
near and larger, and where no lower note that begins at the same moment explains it as an overtone.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from libretto.hearing.audio import Clip
from libretto.hearing.partials import HOP, LOWEST, RATE, TINY, hearable, salience
from libretto.score.table import Singles

__all__ = ["OVERTONES", "HeardNote", "Onset", "ended", "hear_notes", "onsets_of", "strongest"]

_NEARLY_ALL = 0.98  # of the moments of a clip: the others may be clicks
_GAP, _SPAN = 2, 6  # frames left out around an onset, and frames on either side that are compared
_LEAST = 0.25  # of the strongest pitch of the clip
_AGAIN = 0.3  # of what sounds after it: a rise by less is no new attack
_NEAR = 6  # frames: two attacks of one pitch are at least 60 ms apart
_TOGETHER = 5  # frames within which onsets count as one moment
_ATTACK = 4 * _SPAN  # frames after its start in which a note is strongest
_ENDED = 0.25  # of its strongest moment: a note that fell below has ended
#: Semitones from a tone to its partials 2 to 10, and how strong they must be beside it to be notes of their own.
OVERTONES = {12: 0.5, 19: 0.4, 24: 0.4, 28: 0.3, 31: 0.3, 34: 0.3, 36: 0.3, 38: 0.3, 40: 0.3}
_BESIDE = 0.5  # a pitch a semitone from a stronger one that begins with it is its smear


class Onset(NamedTuple):
    """A rise: its frame, its row (pitch above the lowest), and by how much."""

    frame: int
    row: int
    rise: float


class HeardNote(NamedTuple):
    """A note as heard: start and stop in seconds, MIDI pitch, and how strong its attack is (about 1: the strongest)."""

    start: float
    stop: float
    pitch: int
    strength: float


def hear_notes(clip: Clip, done: Callable[[float], None] | None = None) -> list[HeardNote]:
    """The notes of a clip in order of time, however many sound at once; ``done`` hears which part is done."""
    sound = hearable(clip)
    if not len(sound):
        return []
    amounts = salience(sound, done)
    scale = strongest(amounts)
    events = onsets_of(amounts, _LEAST * scale)
    frames = [event.frame for event in events]
    kept = [
        event
        for event in events
        if not _explained(
            event, events[bisect_left(frames, event.frame - _TOGETHER) : bisect_right(frames, event.frame + _TOGETHER)]
        )
    ]
    return ended(amounts, kept, scale)


def strongest(amounts: Singles) -> float:
    """How strong the strongest pitch of a clip is, but for a fiftieth of its moments."""
    return max(TINY, float(np.quantile(amounts.max(axis=1), _NEARLY_ALL)))


def onsets_of(amounts: Singles, least: float) -> list[Onset]:
    """Where the amount of a pitch rises by at least so much, and stays."""
    after, before = _around(amounts)
    rise = after - before
    top = np.lib.stride_tricks.sliding_window_view(np.pad(rise, ((_NEAR, _NEAR), (0, 0))), 2 * _NEAR + 1, axis=0)
    beside = np.maximum(np.pad(before, ((0, 0), (1, 0)))[:, :-1], np.pad(before, ((0, 0), (0, 1)))[:, 1:])
    begins = (rise >= least) & (rise >= _AGAIN * after) & (rise >= _BESIDE * beside) & (rise >= top.max(axis=-1))
    last: dict[int, int] = {}
    onsets = []
    for frame, row in np.argwhere(begins).tolist():
        if frame - last.get(row, -_NEAR - 1) > _NEAR:  # of a level stretch only the first frame
            onsets.append(Onset(frame, row, float(rise[frame, row])))
            last[row] = frame
    return onsets


def _around(amounts: Singles) -> tuple[Singles, Singles]:
    """The median of the frames just after each frame, and of those just before."""
    reach = _GAP + _SPAN
    padded = np.pad(amounts, ((reach, reach), (0, 0)))
    medians = np.median(np.lib.stride_tricks.sliding_window_view(padded, _SPAN, axis=0), axis=-1)
    count = len(amounts)
    return medians[reach + _GAP : reach + _GAP + count], medians[:count]


def _explained(event: Onset, events: list[Onset]) -> bool:
    """Whether a stronger rise among those of the same moment has this one as an overtone or beside it."""
    for other in events:
        away = event.row - other.row
        if event.rise < OVERTONES.get(away, 0.0) * other.rise:
            return True
        if abs(away) == 1 and event.rise < _BESIDE * other.rise:
            return True
    return False


def ended(amounts: Singles, events: list[Onset], scale: float) -> list[HeardNote]:
    """The events with the moments at which they stop: when they fade, or are struck again."""
    seconds = HOP / RATE
    notes = []
    following: dict[int, int] = {}
    for frame, row, rise in sorted(events, reverse=True):
        again = following.get(row, len(amounts))
        following[row] = frame
        line = amounts[frame:again, row]
        peak = float(line[:_ATTACK].max())
        faded = np.flatnonzero(line[_GAP + _SPAN :] < _ENDED * peak)
        stop = frame + _GAP + _SPAN + int(faded[0]) if len(faded) else again
        notes.append(HeardNote(frame * seconds, min(stop, again) * seconds, row + LOWEST, rise / scale))
    return sorted(notes)
