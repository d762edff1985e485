"""The ear for drum loops: which of the 32 eighths of a four-bar loop have a kick or a snare."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.hearing.audio import Clip
from libretto.hearing.pulse import HOP, Pulse, band_powers, find_pulse, onset_strength
from libretto.hearing.spectrum import RATE, decibels, hearable

__all__ = ["SLOTS", "Loop", "hear_loop", "hear_rhythm"]

SLOTS = 32  #: eighths in four bars of 4/4
_LOW, _BODY, _HIGH = (30, 130), (120, 300), (5000, 8000)
_RISE = 11.0
_KICK_BELOW, _BODY_BELOW, _SNARE_BELOW, _HAT_BELOW = 9.0, 20.0, 7.0, 30.0


class Loop(NamedTuple):
    """A drum loop as heard: its pulse, and for each eighth whether kick, snare and hat begin on it."""

    pulse: Pulse
    kick: NDArray[np.bool_]
    snare: NDArray[np.bool_]
    hat: NDArray[np.bool_]
    struck: NDArray[np.bool_]


def hear_rhythm(clip: Clip) -> list[int]:
    """The slots, from 1 to 32, on which a kick or a snare begins; tempo and first beat are found, not assumed."""
    loop = hear_loop(clip)
    return [] if loop is None else [int(slot) + 1 for slot in np.flatnonzero(loop.struck)]


def hear_loop(clip: Clip, slots: int = SLOTS) -> Loop | None:
    """A drum loop of that many eighths, or None where nothing begins often enough."""
    sound = hearable(clip)
    if not len(sound):
        return None
    pulse = find_pulse(onset_strength(sound), slots)
    if pulse is None:
        return None
    levels = np.maximum(-60.0, decibels(band_powers(sound, (_LOW, _BODY, _HIGH))))
    level, rise = _at_slots(levels, pulse, slots)
    below = level.max(axis=0)[None, :] - level
    begins = rise >= _RISE
    kick = begins[:, 0] & (below[:, 0] <= _KICK_BELOW)
    body = begins[:, 1] & (below[:, 1] <= _BODY_BELOW)
    snare = body & (below[:, 1] <= _SNARE_BELOW) & (level[:, 1] > level[:, 0] - 7.0)
    hat = (rise[:, 2] >= _RISE) & (below[:, 2] <= _HAT_BELOW)
    return Loop(pulse, kick, snare, hat, kick | body)


def _at_slots(levels: NDArray[np.float64], pulse: Pulse, slots: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The level of each band just after each slot, and how much that is above the level just before."""
    frame = HOP / RATE
    reach = min(70, 1000 * pulse.period / 3) / 1000
    after, before = [], []
    for slot in range(slots):
        middle = round((pulse.start + slot * pulse.period) / frame)
        after.append(levels[max(0, middle - 2) : middle + round(reach / frame)].max(axis=0))
        head = levels[max(0, middle - 9) : max(0, middle - 4)]
        before.append(head.min(axis=0) if len(head) else np.full(levels.shape[1], -60.0))
    return np.array(after), np.array(after) - np.array(before)
