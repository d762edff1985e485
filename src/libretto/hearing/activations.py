"""Notes from what a model is sure of: where a key surely begins, a note begins; it lasts while the key surely sounds.

A note also begins where a key that did not sound comes to sound without a clear beginning, as bowed and sung tones do.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from libretto.hearing.notes import HeardNote
from libretto.hearing.weights import FRAME_SECONDS, LOWEST_KEY, Activations
from libretto.score.table import Singles

__all__ = ["Reading", "notes_of"]


class Reading(NamedTuple):
    """How sure a beginning and a sounding key must be, how long a note lasts at least, and what swells in softly.

    ``soft``: whether a note may have begun before its beginning is sure.
    """

    begins: float = 0.65
    sounds: float = 0.4
    shortest: float = 0.06  # seconds
    swells: float = 0.6  # the mean sureness of a note that has no clear beginning
    soft: bool = True


_GAP = 6  # frames that a key may be unsure of within a note
_AGAIN = 4  # frames between two beginnings of one key
# A soft attack begins before the model is sure of it: where the key came to sound, and so much later as for a hard one.
_COMING, _EARLIER, _SOONER = 0.3, 3, 6  # how sure, frames later, and the most frames that are looked back
_LEVEL = 0.05  # by so much may a key have been surer before, for it to be coming still


def notes_of(heard: Activations, reading: Reading | None = None) -> list[HeardNote]:
    """The notes in order of time, each as strong as the model is sure of it."""
    how = reading or Reading()
    notes: list[HeardNote] = []
    frames = len(heard.sounds)
    for key in range(heard.sounds.shape[1]):
        sounds, begins = heard.sounds[:, key], heard.begins[:, key]
        if sounds.max(initial=0.0) < how.sounds:
            continue
        starts = _peaks(begins, how.begins)
        claimed = np.zeros(frames, dtype=np.bool_)
        for place, start in enumerate(starts):
            end = _end(sounds, start, starts[place + 1] if place + 1 < len(starts) else frames, how.sounds)
            claimed[start : end + 1] = True
            _add(notes, key, _came(sounds, start) if how.soft else start, end, sounds, how)
        for start, end in _runs((sounds >= how.sounds) & ~claimed):
            if sounds[start:end].mean() >= how.swells and not claimed[max(0, start - _GAP) : start + 1].any():
                _add(notes, key, start, end, sounds, how)
    return sorted(notes)


def _add(notes: list[HeardNote], key: int, start: int, end: int, sounds: Singles, how: Reading) -> None:
    if (end - start) * FRAME_SECONDS >= how.shortest:
        begin = start * FRAME_SECONDS
        strength = float(sounds[start:end].max())
        notes.append(HeardNote(begin, end * FRAME_SECONDS, key + LOWEST_KEY, strength))


def _came(sounds: Singles, start: int) -> int:
    """The frame in which a note began that is sure only now."""
    first = start
    while first > max(0, start - _SOONER) and _COMING <= sounds[first - 1] <= sounds[first] + _LEVEL:
        first -= 1
    return min(start, first + _EARLIER)


def _peaks(begins: Singles, least: float) -> list[int]:
    """Frames in which a beginning is sure, and surer than just before and after."""
    inner = np.pad(begins, 1)
    top = (inner[1:-1] >= least) & (inner[1:-1] >= inner[:-2]) & (inner[1:-1] > inner[2:])
    peaks: list[int] = []
    for frame in np.flatnonzero(top).tolist():
        if peaks and frame - peaks[-1] < _AGAIN:
            if begins[frame] > begins[peaks[-1]]:
                peaks[-1] = frame
        else:
            peaks.append(frame)
    return peaks


def _end(sounds: Singles, start: int, beyond: int, least: float) -> int:
    """The frame after the last in which the key surely sounds, short gaps bridged, before its next beginning."""
    last, quiet = start, 0
    for frame in range(start + 1, beyond):
        if sounds[frame] >= least:
            last, quiet = frame, 0
        else:
            quiet += 1
            if quiet > _GAP:
                break
    return last + 1


def _runs(flags: np.ndarray) -> list[tuple[int, int]]:
    """The stretches of frames that are flagged: first, and one after the last."""
    edges = np.flatnonzero(np.diff(np.pad(flags.astype(np.int8), 1)))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
