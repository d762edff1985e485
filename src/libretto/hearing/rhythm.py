"""The ear for drum loops: which of the 32 eighths of a four-bar loop have a kick or a snare."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.hearing.audio import Clip
from libretto.hearing.spectrum import RATE, decibels, hearable, magnitudes, rises

__all__ = ["HOP", "SLOTS", "Loop", "Pulse", "band_powers", "find_pulse", "hear_loop", "hear_rhythm", "onset_strength"]

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
