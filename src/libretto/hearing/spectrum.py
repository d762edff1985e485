"""Spectra: what the ear looks at. Frames of a clip at one rate, their magnitudes, and how they rise.

Conventions: everything is heard at 16 kHz, whatever rate a clip came in, so that a clip at 16 kHz loses nothing; frame
``i`` is centred on sample ``i * hop``. The loudest sample is set to one, so levels are relative to the clip.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from libretto.hearing.audio import SILENCE, Clip, at_rate
from libretto.score.arrays import Floats, Singles

__all__ = ["RATE", "decibels", "framed", "hearable", "magnitudes", "projected", "rises"]

RATE = 16_000
_FRAMES_AT_ONCE = 1024
_NOTHING = 1e-10  # power: -100 dB


def hearable(clip: Clip) -> Singles:
    """The samples at the ear's rate, without offset, the loudest at one; nothing where the clip is silent."""
    if clip.silent:
        return np.zeros(0, dtype=np.float32)
    sound = at_rate(clip, RATE)
    sound = sound - sound.mean()
    loudest = float(np.abs(sound).max(initial=0.0))
    return np.asarray(sound / loudest, dtype=np.float32) if loudest >= SILENCE else np.zeros(0, dtype=np.float32)


def framed(sound: Singles, size: int, hop: int) -> Singles:
    """Overlapping frames as rows, the first centred on the first sample."""
    padded = np.pad(sound, (size // 2, size))
    return np.lib.stride_tricks.sliding_window_view(padded, size)[: len(sound) + 1 : hop]


def _window(size: int) -> Singles:
    """The window that every frame is seen through; a sine of amplitude one gives about one."""
    window = np.hanning(size + 1)[:-1].astype(np.float32)
    window *= 2.0 / window.sum()
    return window


def magnitudes(sound: Singles, size: int, hop: int, bins: int | None = None) -> Singles:
    """How strong each frequency is in each frame: a sine of amplitude one gives about one."""
    window = _window(size)
    frames = framed(sound, size, hop)
    parts = [
        np.abs(np.fft.rfft(frames[first : first + _FRAMES_AT_ONCE] * window, axis=1))[:, :bins].astype(np.float32)
        for first in range(0, len(frames), _FRAMES_AT_ONCE)
    ]
    return np.concatenate(parts)


def projected(sound: Singles, size: int, hop: int, bank: Singles) -> Singles:
    """The magnitudes times a matrix, frame by frame, so that a long recording is never held as a whole spectrum."""
    frames = (len(sound) + hop) // hop
    window = _window(size)
    parts = []
    for first in range(0, frames, _FRAMES_AT_ONCE):
        last = min(frames, first + _FRAMES_AT_ONCE)
        start, stop = first * hop - size // 2, (last - 1) * hop + size
        piece = np.pad(sound[max(0, start) : stop], (max(0, -start), 0))
        piece = np.pad(piece, (0, size + hop))
        view = np.lib.stride_tricks.sliding_window_view(piece, size)[: (last - first) * hop : hop]
        parts.append(np.abs(np.fft.rfft(view * window, axis=1)).astype(np.float32) @ bank)
    return np.concatenate(parts)


def decibels(power: NDArray[np.floating]) -> Floats:
    """Power in decibels; nothing is -100."""
    return np.asarray(10 * np.log10(np.maximum(power, _NOTHING)), dtype=np.float64)


def rises(levels: Floats, frames: int) -> Floats:
    """How much each row exceeds the one that many frames before, where it does; sounds start from silence."""
    before = np.concatenate((np.repeat(levels[:1] * 0 + levels.min(), frames, axis=0), levels[:-frames]))
    return np.asarray(np.maximum(0.0, levels - before))
