"""Kick, snare and hat, stroke by stroke, by two networks that see a whole stretch of a recording.

Each sees 64 bands every 10 ms (``looking.drum_levels``): three layers of local cells tell what an attack is like, cells
that remember, both ways in time, tell it from what the kit does elsewhere. They answer for each frame and each of the
three drums how surely it was struck; the mean of their log-odds counts. ``strokes.npz`` holds their weights,
``lab/hearing/deep/teach_drums.py`` says how they were taught.
"""

from __future__ import annotations

import numpy as np

from libretto.hearing.audio import Clip
from libretto.hearing.layers import chances, convolved, positive, read_weights, remembered, windows
from libretto.hearing.looking import DRUM_HOP, RATE, drum_levels, heard_sound
from libretto.hearing.notes import HeardNote
from libretto.score.table import Singles

__all__ = ["DRUMS", "FRAME_SECONDS", "hear_strokes"]

DRUMS = (36, 38, 42)  #: kick, snare and hat
FRAME_SECONDS = DRUM_HOP / RATE
_NETS = ("a_", "b_")  # how the names of each network's weights begin
_LAYERS = 3
_SURE = 0.25  # chosen on clips for development
_ALONE = 3  # frames: a stroke is the surest of its drum within 30 ms
_AT_ONCE, _MARGIN = 4096, 256  # frames heard at once, and those around them that are heard as well
_SECONDS = 0.1  # how long a stroke is written
_AFTER = 5  # frames after its start in which a stroke is loudest
_LOUDEST, _SCALE = 2.5, 20.0  # level of full scale, and decibels to one


def hear_strokes(clip: Clip) -> list[HeardNote]:
    """The strokes of a recording of drums, in order of time: 36 a kick, 38 a snare, 42 a hat."""
    sound = heard_sound(clip)
    if not len(sound):
        return []
    levels = drum_levels(sound, clip.rate / 2)
    sure = chances(_odds(levels))
    top = levels.max(axis=1)
    strokes = []
    for drum, row in zip(DRUMS, sure.T, strict=True):
        for frame in _peaks(row):
            start = frame * FRAME_SECONDS
            loud = float(10 ** ((top[frame : frame + _AFTER].max() - _LOUDEST) * _SCALE / 20))
            strokes.append(HeardNote(start, start + _SECONDS, drum, loud))
    return sorted(strokes)


def _odds(levels: Singles) -> Singles:
    """Log-odds of the three drums in every frame."""
    weights = read_weights("strokes.npz")
    nets = [{key.removeprefix(net): value for key, value in weights.items() if key.startswith(net)} for net in _NETS]
    out = np.empty((len(levels), len(DRUMS)), dtype=np.float32)
    for first, last, begin, end in windows(len(levels), _AT_ONCE, _MARGIN):
        said = np.mean([_said(levels[begin:end], net) for net in nets], axis=0)
        out[first:last] = said[first - begin : last - begin]
    return out


def _said(levels: Singles, net: dict[str, Singles]) -> Singles:
    """What one network says of a stretch."""
    seen = levels[:, :, None]
    for number in range(_LAYERS):
        seen = positive(convolved(seen, net[f"conv{number}"], net[f"conv{number}_offset"], 2))
    told = positive(seen.reshape(len(seen), -1) @ net["told"] + net["told_offset"])
    kept = remembered(told[:, None], net, "memory")[:, 0]
    return np.asarray(kept @ net["said"] + net["said_offset"])


def _peaks(sure: Singles) -> list[int]:
    """Frames in which a stroke is sure enough, and surer than around it."""
    around = np.lib.stride_tricks.sliding_window_view(np.pad(sure, _ALONE), 2 * _ALONE + 1).max(axis=1)
    peaks: list[int] = []
    for frame in np.flatnonzero((sure >= _SURE) & (sure >= around)).tolist():
        if not peaks or frame - peaks[-1] > _ALONE:
            peaks.append(frame)
    return peaks
