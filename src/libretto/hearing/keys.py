"""Many notes at once by a network of our own, which the field's model may join.

Every key of a piano sees its own partials in thirds of semitones, in long spectra and in short ones
(``looking.note_levels``), then what came just before and after, the keys that share partials with it, and, by cells
that remember both ways in time, the whole stretch; all keys have the same weights. The network says for every frame how
surely each key begins and sounds. Where basic-pitch is installed its log-odds are joined to these: both err elsewhere.
``keys.npz`` holds the weights, ``lab/hearing/deep/teach_notes.py`` says how they were taught.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from libretto.hearing.activations import Reading, notes_of
from libretto.hearing.audio import Clip
from libretto.hearing.layers import chances, convolved, positive, read_weights, remembered, shifted_sum, windows
from libretto.hearing.looking import (
    AROUND_KEYS,
    KEYS,
    NEAR_KEYS,
    NOTE_HOP,
    heard_sound,
    note_levels,
    places_of_keys,
)
from libretto.hearing.notes import HeardNote
from libretto.hearing.weights import Activations
from libretto.score.table import Singles

__all__ = ["hear_keys", "key_odds", "notes_heard"]

_READING = Reading(begins=0.4, sounds=0.3, shortest=0.0, swells=2.0, soft=False)  # chosen on clips for development
_AT_ONCE, _MARGIN = 1024, 128  # frames heard at once, and those around them that are heard as well
_JOINED = 0.4  # how much the field's model counts, of one
_SURER = 0.6  # log-odds by which its beginnings are surer than ours
_SUREST = 1e-4  # from certain


def hear_keys(clip: Clip, done: Callable[[float], None] | None = None) -> list[HeardNote]:
    """The notes of a recording by our own network; ``done`` hears which part of the work is done."""
    return notes_heard(key_odds(clip, done))


def notes_heard(odds: Singles, model: Activations | None = None) -> list[HeardNote]:
    """Notes from log-odds of keys (frames, keys, begins and sounds), joined to what the field's model says."""
    begins, sounds = odds[..., 0], odds[..., 1]
    if model is not None:
        count = min(len(begins), len(model.begins))
        begins = _joined(begins[:count], model.begins[:count], _SURER)
        sounds = _joined(sounds[:count], model.sounds[:count], 0.0)
    return notes_of(Activations(chances(sounds), chances(begins)), _READING)


def _joined(ours: Singles, theirs: Singles, surer: float) -> Singles:
    sure = np.clip(theirs, _SUREST, 1 - _SUREST)
    return np.asarray((1 - _JOINED) * ours + _JOINED * (np.log(sure / (1 - sure)) - surer), dtype=np.float32)


def key_odds(clip: Clip, done: Callable[[float], None] | None = None) -> Singles:
    """Log-odds that each key begins, and sounds, in every frame of 256 samples at 22,050 Hz."""
    sound = heard_sound(clip)
    count = len(sound) // NOTE_HOP + 1
    out = np.empty((count, KEYS, 2), dtype=np.float32)
    weights = read_weights("keys.npz")
    for first, last, begin, end in windows(count, _AT_ONCE, _MARGIN):
        out[first:last] = _said(note_levels(sound, begin, end), weights)[first - begin : last - begin]
        if done is not None:
            done(last / count)
    return out


def _said(levels: Singles, weights: dict[str, Singles]) -> Singles:
    """What the network says of a stretch of levels: frames, long and short, thirds of semitones."""
    frames = len(levels)
    padded = np.pad(levels, ((0, 0), (0, 0), (1, 0)))
    own = np.take(padded, places_of_keys(), axis=2)  # frames, two, keys, places
    seen = own.transpose(0, 2, 1, 3).reshape(frames * KEYS, -1)
    one = positive(seen @ weights["see"] + weights["see_offset"]).reshape(frames, KEYS, -1)
    two = one + positive(convolved(one, weights["near"][..., None], weights["near_offset"]))
    three = two + positive(shifted_sum(two, weights["wide"], weights["wide_offset"], AROUND_KEYS))
    kept = remembered(three, weights, "memory")
    four = three + positive(shifted_sum(kept, weights["last"], weights["last_offset"], NEAR_KEYS))
    return np.asarray(four @ weights["said"] + weights["said_offset"], dtype=np.float32)
