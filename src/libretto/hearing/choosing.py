"""Which ear hears a recording: what kind of sound it is, and who hears that kind best.

One line is told from many notes by how exactly the sound repeats itself: a single tone does in nearly every moment.
A voice is told from an instrument by its pitch, which is never quite at rest. Voices are heard by our own tracker
(``singing``), drums and many notes at once by networks of our own (``strokes``, ``keys``), which the field's model
joins for notes where it is installed; a single instrument is heard best by that model, and else by our own ear.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from libretto.errors import LibrettoError
from libretto.hearing.activations import notes_of
from libretto.hearing.audio import Clip
from libretto.hearing.keys import hear_keys, key_odds, notes_heard
from libretto.hearing.melody import hear_line
from libretto.hearing.notes import HeardNote
from libretto.hearing.partials import hearable, magnitudes
from libretto.hearing.singing import one_at_a_time, sung_notes
from libretto.hearing.strokes import hear_strokes
from libretto.hearing.tracking import Track, track, unlikeness
from libretto.hearing.weights import HOW_TO_INSTALL, activations_of, find_weights
from libretto.score.table import Singles

__all__ = ["EARS", "MODES", "Heard", "hear", "is_drums", "is_voice", "mode_of"]

#: What a recording may be taken for, and the words in which that is said.
MODES = {"mono": "one line", "poly": "many notes at once", "drums": "drums"}
EARS = ("best", "local", "model")  #: whoever hears best, only our own, or the field's model
_LISTENED = 30 * 16_000  # samples that decide what it is
_STROKES = 0.47  # of the sound: where more of it is strokes than tones, it is drums
_EYE, _EYE_HOP, _EYE_BINS = 1024, 160, 256  # spectra of 64 ms every 10 ms, up to 4 kHz
_TONE_FRAMES = 25  # a tone lasts a quarter of a second
_STROKE_BINS = 17  # a stroke is as strong 130 Hz away
_ROWS_AT_ONCE = 256
_EXACT = 0.02  # how much the middle moment of a single line differs from itself a period later
_RESTLESS, _RESTLESS_PART = (
    0.065,
    0.75,
)  # semitones that the pitch of a voice moves in 30 ms, in a quarter of all moments
_APART = 3  # frames


class Heard(NamedTuple):
    """The notes of a recording in seconds, what it was taken for (a key of ``MODES``), and which ear heard it."""

    notes: list[HeardNote]
    mode: str
    by: str


def hear(clip: Clip, mode: str | None = None, ear: str = "best", done: Callable[[float], None] | None = None) -> Heard:
    """The notes of a recording by the ear that hears its kind of sound best; without a mode it is heard for one."""
    if mode is not None and mode not in MODES:
        raise LibrettoError(f"a recording is heard as {', '.join(MODES)}, not {mode}")
    weights = _weights(ear)
    if not len(hearable(clip)):
        raise LibrettoError("the recording is silent; there is nothing to write down")
    chosen = mode or mode_of(clip)
    if chosen == "drums":
        return Heard(hear_strokes(clip), chosen, "local ear")
    if chosen == "mono":
        return _line(clip, ear, weights, done)
    return _many(clip, ear, weights, done)


def _many(clip: Clip, ear: str, weights: Path | None, done: Callable[[float], None] | None) -> Heard:
    """Many notes at once: by our own network, by the model, or by both where either may hear."""
    if weights is None:
        return Heard(hear_keys(clip, done), "poly", "local ear")
    model = activations_of(clip, weights, done)
    if ear == "model":
        return Heard(notes_of(model), "poly", "basic-pitch")
    return Heard(notes_heard(key_odds(clip), model), "poly", "local ear and basic-pitch")


def _weights(ear: str) -> Path | None:
    """The model's weights where that ear wants them and they are there."""
    if ear not in EARS:
        raise LibrettoError(f"the ears are {', '.join(EARS)}, not {ear}")
    weights = find_weights() if ear != "local" else None
    if ear == "model" and weights is None:
        raise LibrettoError(f"the model's weights are not installed: {HOW_TO_INSTALL}")
    return weights


def _line(clip: Clip, ear: str, weights: Path | None, done: Callable[[float], None] | None) -> Heard:
    """A single line: a voice by our own tracker, an instrument by the model where it is there."""
    line = track(hearable(clip))
    if ear != "model" and is_voice(line):
        return Heard(sung_notes(line), "mono", "local ear")
    if weights is None:
        return Heard(hear_line(clip), "mono", "local ear")
    return Heard(one_at_a_time(notes_of(activations_of(clip, weights, done))), "mono", "basic-pitch")


def mode_of(clip: Clip) -> str:
    """What a recording is: a key of ``MODES``."""
    if is_drums(clip):
        return "drums"
    return "mono" if _is_line(hearable(clip)[:_LISTENED]) else "poly"


def is_drums(clip: Clip) -> bool:
    """Whether more of a recording is strokes (short, of all frequencies) than tones (long, of few)."""
    sound = hearable(clip)[:_LISTENED]
    if not len(sound):
        return False
    seen = magnitudes(sound, _EYE, _EYE_HOP, _EYE_BINS)
    tones = _medians(seen, _TONE_FRAMES, 0)
    strokes = _medians(seen, _STROKE_BINS, 1)
    return float(strokes.sum()) > _STROKES * float((strokes + tones).sum())


def is_voice(line: Track) -> bool:
    """Whether the pitch of a line is as restless as a voice's."""
    both = line.voiced[_APART:] & line.voiced[:-_APART]
    if not both.any():
        return False
    moved = np.abs(line.pitch[_APART:] - line.pitch[:-_APART])[both]
    return float(np.quantile(moved, _RESTLESS_PART)) >= _RESTLESS


def _is_line(sound: Singles) -> bool:
    """Whether a single tone sounds in most moments."""
    unlike = unlikeness(sound)
    return bool(len(unlike)) and float(np.median(unlike)) <= _EXACT


def _medians(table: Singles, count: int, axis: int) -> Singles:
    pad = [(0, 0), (0, 0)]
    pad[axis] = (count // 2, count // 2)
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(table, pad, mode="edge"), count, axis=axis)
    rows = range(0, len(table), _ROWS_AT_ONCE)
    return np.concatenate([np.median(windows[first : first + _ROWS_AT_ONCE], axis=-1) for first in rows])
