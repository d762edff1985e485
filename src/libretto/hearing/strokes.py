"""Kick, snare and hat, stroke by stroke: attacks are found in all bands, and each is told by how it rises and rings.

An attack is seen in twelve bands of frequency: how loud the band is just after it, beside its loudest in the clip and
beside the other bands; by how much it rose; and what is left of it a twentieth and a tenth of a second later. A small
network answers for each of the three drums whether it was struck, so that strokes of two at once are heard as both.
There are two networks, and what they say on average counts: one was taught on patterns drawn by lot, one on what is
struck in songs (``strokes.json``: their weights; ``lab/hearing/teach_drums.py``: how).
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files

import numpy as np

from libretto.hearing.audio import Clip
from libretto.hearing.notes import HeardNote
from libretto.hearing.partials import RATE, decibels, hearable, rises
from libretto.hearing.rhythm import PULSE_HOP, band_powers
from libretto.score.table import Floats, Singles

__all__ = ["DRUMS", "FRAME_SECONDS", "attacks_of", "hear_strokes"]

DRUMS = (36, 38, 42)  #: kick, snare and hat
FRAME_SECONDS = PULSE_HOP / RATE
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
_HAT, _TOP = 42, slice(4 * len(_BANDS) - 2, 4 * len(_BANDS))  # the drum that has treble; the treble beside all bands
_SURE = 0.5
_LATE = 0.008  # seconds after its start at which the rise of a stroke is largest
_SECONDS = 0.1  # how long a stroke is written


def hear_strokes(clip: Clip) -> list[HeardNote]:
    """The strokes of a recording of drums, in order of time: 36 a kick, 38 a snare, 42 a hat."""
    sound = hearable(clip)
    if not len(sound):
        return []
    frames, signs = attacks_of(sound)
    if not len(frames):
        return []
    sure = _answers(signs)
    sure[signs[:, _TOP].max(axis=1) <= -_DEEPEST, DRUMS.index(_HAT)] = 0.0  # no metal without treble
    strokes = []
    for frame, row, answers in zip(frames.tolist(), signs, sure, strict=True):
        start = max(0.0, frame * FRAME_SECONDS - _LATE)
        strength = float(10 ** (row[: len(_BANDS)].max() * _SCALE / 20))
        strokes += [
            HeardNote(start, start + _SECONDS, drum, strength)
            for drum, answer in zip(DRUMS, answers.tolist(), strict=True)
            if answer >= _SURE
        ]
    return sorted(strokes)


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


@lru_cache(maxsize=1)
def _nets() -> list[list[tuple[Floats, Floats]]]:
    """The layers of every network: weights and offsets."""
    data = json.loads(files("libretto.hearing").joinpath("strokes.json").read_text(encoding="utf-8"))
    return [[(np.array(layer["weights"]), np.array(layer["offsets"])) for layer in layers] for layers in data.values()]


def _answers(signs: Floats) -> Floats:
    """How surely each drum was struck, 0 to 1: what the networks say on average, each of the signs it knows."""
    said = []
    for (first, offset), (second, last) in _nets():
        cells = np.maximum(0.0, signs[:, : len(first)] @ first + offset)
        said.append(1 / (1 + np.exp(-(cells @ second + last))))
    return np.asarray(np.mean(said, axis=0))
