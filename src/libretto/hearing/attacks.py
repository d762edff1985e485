"""Attacks in all bands: when something is struck, and how each of twelve bands rises and rings there.

An attack is seen in twelve bands of frequency: how loud the band is just after it, beside its loudest in the clip and
beside the other bands; by how much it rose; and what is left of it a twentieth and a tenth of a second later.
"""

from __future__ import annotations

import numpy as np

from libretto.hearing.partials import decibels, rises
from libretto.hearing.rhythm import band_powers
from libretto.score.table import Floats, Singles

__all__ = ["attacks_of"]

_BANDS = (
    (20, 80), (80, 140), (140, 220), (220, 340), (340, 520), (520, 800),
    (800, 1300), (1300, 2100), (2100, 3300), (3300, 4700), (4700, 6300), (6300, 8000),
)  # fmt: skip
_FLOOR = -75.0  # decibels: fainter is not heard
_RISING = 4  # frames: 20 ms
_ALONE = 5  # frames: an attack is the strongest within 25 ms
_WEAKEST = 0.05  # of the strongest attack
_AFTER, _BEFORE, _SOON, _LATER = slice(0, 7), slice(-9, -3), slice(8, 13), slice(16, 23)  # frames around an attack
_LOUDEST = 0.995  # the part of all moments that are softer than what counts as a band's loudest
_SCALE, _DEEPEST = 20.0, 2.5  # decibels to one, and the furthest that counts


def attacks_of(sound: Singles) -> tuple[np.ndarray, Floats]:
    """The frames at which something is struck, and how every band behaves there: a row for each."""
    levels = np.maximum(_FLOOR, decibels(band_powers(sound, _BANDS)))
    strength = rises(levels, _RISING).mean(axis=1)
    around = np.lib.stride_tricks.sliding_window_view(np.pad(strength, _ALONE), 2 * _ALONE + 1).max(axis=1)
    peaks = (strength >= around) & (strength > _WEAKEST * strength.max(initial=0.0)) & (strength > 0)
    peaks[1:] &= ~peaks[:-1]
    frames = np.flatnonzero(peaks)
    loudest = np.quantile(levels, _LOUDEST, axis=0)
    rows = np.array([_signs(levels, int(frame), loudest) for frame in frames], dtype=np.float64)
    return frames, rows.reshape(len(rows), 5 * len(_BANDS))


def _signs(levels: Floats, frame: int, loudest: Floats) -> Floats:
    after = levels[frame + _AFTER.start : frame + _AFTER.stop].max(axis=0)
    head = levels[max(0, frame + _BEFORE.start) : max(0, frame + _BEFORE.stop)]
    before = head.min(axis=0) if len(head) else np.full(len(after), _FLOOR)
    rings = []
    for span in (_SOON, _LATER):
        tail = levels[frame + span.start : frame + span.stop]
        rings.append((tail.mean(axis=0) if len(tail) else np.full(len(after), _FLOOR)) - after)
    parts = (after - loudest, after - before, rings[1], after - after.max(), rings[0])
    return np.clip(np.concatenate(parts) / _SCALE, -_DEEPEST, _DEEPEST)
