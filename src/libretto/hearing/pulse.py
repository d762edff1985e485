"""The pulse of a loop: when its eighths fall, from every onset that is heard, with no tempo assumed.

A comb of teeth at equal distances is laid over the onsets in all speeds and at all starts. The best comb meets the
most onsets and leaves the fewest unmet (the cosine between comb and onsets): half the speed does not fit into the clip,
and at twice the speed every other tooth meets nothing. Of combs that are as good, the earliest is taken: a loop begins
with its first beat.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.hearing.spectrum import RATE, decibels, magnitudes, rises

__all__ = ["HOP", "Pulse", "band_powers", "find_pulse", "onset_strength"]

HOP = 80  #: samples between frames: 5 ms
_SIZE = 512
_BANDS = ((30, 150), (150, 600), (600, 2000), (2000, 5000), (5000, 8000))
_FASTEST, _SLOWEST = 0.1, 0.75  # seconds an eighth: 300 to 40 quarters a minute
_FLOOR = -60.0  # dB below full scale: fainter than this is not heard
_AS_GOOD = 0.03
_NEAR = 4  # frames: an onset within 20 ms of a tooth is on it


class Pulse(NamedTuple):
    """When the first tooth falls and how far apart they are, in seconds, and how well the onsets agree (0 to 1)."""

    start: float
    period: float
    agreement: float


def onset_strength(sound: NDArray[np.float32]) -> NDArray[np.float64]:
    """How much begins in each frame of 5 ms: rises of level over five bands within 20 ms, in decibels."""
    levels = np.maximum(_FLOOR, decibels(band_powers(sound, _BANDS)))
    return np.asarray(rises(levels, 4).mean(axis=1))


def band_powers(sound: NDArray[np.float32], bands: tuple[tuple[int, int], ...]) -> NDArray[np.float64]:
    """Power in each frame and band of frequencies."""
    power = magnitudes(sound, _SIZE, HOP).astype(np.float64) ** 2
    at = np.fft.rfftfreq(_SIZE, 1 / RATE)
    return np.stack([power[:, (at >= low) & (at < high)].sum(axis=1) for low, high in bands], axis=1)


def _peaks(strength: NDArray[np.float64]) -> NDArray[np.float64]:
    """The strength at its local maxima within 40 ms, as its square root so that a hat counts beside a kick; else 0."""
    reach = 8
    around = np.lib.stride_tricks.sliding_window_view(np.pad(strength, reach), 2 * reach + 1).max(axis=1)
    keep = (strength >= around) & (strength > 0.1 * strength.max(initial=0.0))
    keep[1:] &= ~keep[:-1]
    return np.where(keep, np.sqrt(strength), 0.0)


def find_pulse(strength: NDArray[np.float64], teeth: int = 32) -> Pulse | None:
    """The comb of that many teeth that agrees best with the onsets, or None where there are none."""
    peaks = _peaks(strength)
    energy = float((peaks**2).sum())
    if energy <= 0:
        return None
    near = np.lib.stride_tricks.sliding_window_view(np.pad(peaks, (_NEAR, _NEAR)), 2 * _NEAR + 1).max(axis=1)
    first = int(np.flatnonzero(peaks)[0])
    best: list[tuple[float, float, int]] = []
    frame = HOP / RATE
    for period in np.arange(_FASTEST, _SLOWEST, 0.1 * frame * 32 / teeth) / frame:
        offsets = np.round(np.arange(teeth) * period).astype(np.int64)
        starts = np.arange(max(0, first - _NEAR), len(near) - offsets[-1])
        if len(starts):
            sums = near[starts[:, None] + offsets[None, :]].sum(axis=1)
            at = int(np.argmax(sums))
            best.append((float(sums[at] ** 2 / (teeth * energy)), float(period), int(starts[at])))
    if not best:
        return None
    top = max(best)[0]
    agreement, period, start = min(
        (each for each in best if each[0] >= top - _AS_GOOD), key=lambda each: (each[2] // (2 * _NEAR), -each[0])
    )
    return _settled(peaks, start, period, teeth, agreement)


def _settled(peaks: NDArray[np.float64], start: int, period: float, teeth: int, agreement: float) -> Pulse:
    """The comb moved to lie best, by least squares, through the onsets it met."""
    numbers, places, weights = [], [], []
    for tooth in range(teeth):
        middle = start + round(tooth * period)
        low, high = max(0, middle - _NEAR), middle + _NEAR + 1
        if len(peaks[low:high]) and peaks[low:high].max() > 0:
            numbers.append(tooth)
            places.append(low + int(np.argmax(peaks[low:high])))
            weights.append(float(peaks[low:high].max()))
    if len(numbers) >= 4:
        period, begin = (float(each) for each in np.polyfit(numbers, places, 1, w=np.sqrt(weights)))
    else:
        begin = float(start)
    frame = HOP / RATE
    return Pulse(max(0.0, begin * frame), period * frame, min(1.0, agreement))
