"""The last touch: the tail cut where it has become silent, a fade instead of a click, and the level of the peaks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["PEAK", "finished"]

PEAK = 10 ** (-1 / 20)  #: one decibel below full scale
_SILENCE = 10 ** (-60 / 20)
_FADE_SECONDS, _LONG_FADE_SECONDS = 0.03, 1.0
_PROBE = 1 << 17


def finished(sound: NDArray[np.float32], rate: int) -> NDArray[np.float32]:
    """Sound that ends: trimmed at 60 dB below its peak, faded out, and as loud as one decibel below full scale allows.

    The array that is given is used up.
    """
    peak = max(float(sound.max(initial=0.0)), -float(sound.min(initial=0.0)))
    if not peak:
        return sound
    end = _last_above(sound, peak * _SILENCE)
    fade = int(rate * (_FADE_SECONDS if end < len(sound) - 1 else _LONG_FADE_SECONDS))
    sound = sound[: end + fade]
    sound *= np.float32(PEAK / peak)
    fade = min(fade, len(sound))
    sound[len(sound) - fade :] *= (np.cos(np.linspace(0, np.pi, fade, dtype=np.float32)) / 2 + 0.5)[:, None]
    return sound


def _last_above(sound: NDArray[np.float32], level: float) -> int:
    """The index of the last sample that is louder than a level."""
    for start in reversed(range(0, len(sound), _PROBE)):
        loud = np.flatnonzero(np.abs(sound[start : start + _PROBE]) > level)
        if len(loud):
            return start + int(loud[-1]) // 2
    return 0
