"""The notes of a line that is sung, hummed, blown, bowed or plucked: one at a time, whatever the pitch does on its way.

The pitch of every moment is explained by notes on a scale that is tuned as the singer is. A note that is held costs
what the pitch is away from it, up to a bound, and a new note costs as much as many such moments: so a scoop or a
vibrato is part of its note, and a note begins where the pitch is halfway to it. A pitch that is sung again is a new
note where the level falls and rises again.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from libretto.hearing.audio import Clip
from libretto.hearing.notes import HeardNote
from libretto.hearing.partials import hearable
from libretto.hearing.tracking import FRAME_SECONDS, Track, track
from libretto.score.table import Bools, Floats, Ints

__all__ = ["hear_sung", "one_at_a_time", "sung_notes", "tuning_of"]

_LOW, _HIGH = 28, 100  # MIDI pitches of notes
_FAR = 2.0  # semitones: a moment further away costs no more
_NEW = 8.0  # what a new note costs, in frames a semitone away
_BREATH = 3  # frames without pitch that are no rest
_SHORTEST = 6  # frames of a note
_STABLE = 0.3  # the part at either end of a note in which its pitch is on the way
_SPAN = 8  # frames on either side of a moment in which a level that fell and rose again is looked for
_RISE = 5.0  # decibels by which the level rises where a pitch is sung again
_STRUCK = 3  # frames within which it does
_APART = 8  # frames between two beginnings
_SURE_RISE = 10.0  # decibels: such a rise is a new note, whatever the pitch does
_WAVERING = 0.12  # semitones of deviation before and after a rise: it may be a vibrato's, which moves the level too
_VIBRATO = 14  # frames on either side in which it is looked for
_TOGETHER = 0.06  # seconds
_GRAVE = 20.0  # decibels: a note so far below the usual one is none


def hear_sung(clip: Clip) -> list[HeardNote]:
    """The notes of a recording in which one note sounds at a time."""
    sound = hearable(clip)
    return sung_notes(track(sound)) if len(sound) else []


def tuning_of(pitch: Floats) -> float:
    """How far, in semitones from -0.5 to 0.5, most of the pitches lie from the usual ones."""
    if not len(pitch):
        return 0.0
    turn = np.exp(2j * np.pi * pitch).mean()
    return float(np.angle(turn) / (2 * np.pi))


def sung_notes(line: Track) -> list[HeardNote]:
    """The notes of a tracked line, in order of time."""
    voiced = _bridged(line.voiced)
    if not voiced.any():
        return []
    frames = np.arange(len(voiced))
    pitch = np.interp(frames, frames[line.voiced], line.pitch[line.voiced])
    tuning = tuning_of(pitch[line.voiced])
    notes = []
    for first, last in _runs(voiced):
        steps = _explained(pitch[first:last] - tuning)
        edges = [0, *(np.flatnonzero(np.diff(steps)) + 1).tolist(), last - first]
        for start, stop in pairwise(_parted(edges, line.level[first:last], pitch[first:last])):
            notes.append(_note(first + start, first + stop, pitch - tuning, line.level))
    return _audible(sorted(note for note in notes if note is not None))


def _bridged(voiced: Bools) -> Bools:
    """The frames with a pitch, and the short gaps between them."""
    bridged = voiced.copy()
    for first, last in _runs(~voiced):
        if last - first <= _BREATH and first > 0 and last < len(voiced):
            bridged[first:last] = True
    return bridged


def _runs(flags: Bools) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.pad(flags.astype(np.int8), 1)))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _explained(pitch: Floats) -> Ints:
    """The note of every frame, such that distances and new notes together cost least."""
    low = max(_LOW, int(np.floor(pitch.min())) - 1)
    notes = np.arange(low, min(_HIGH, int(np.ceil(pitch.max())) + 1) + 1)
    if not len(notes):
        return np.full(len(pitch), _LOW)
    costs = np.minimum(_FAR, np.abs(pitch[:, None] - notes[None, :]))
    total = costs[0].copy()
    back = np.zeros(costs.shape, dtype=np.int64)
    stay = np.arange(len(notes))
    for frame in range(1, len(pitch)):
        best = int(np.argmin(total))
        fresh = total[best] + _NEW < total
        back[frame] = np.where(fresh, best, stay)
        total = np.where(fresh, total[best] + _NEW, total) + costs[frame]
    chosen = np.zeros(len(pitch), dtype=np.int64)
    chosen[-1] = int(np.argmin(total))
    for frame in range(len(pitch) - 1, 0, -1):
        chosen[frame - 1] = back[frame, chosen[frame]]
    return np.asarray(notes[chosen])


def _parted(edges: list[int], level: Floats, pitch: Floats) -> list[int]:
    """The edges, and those within a note where its level falls and rises again."""
    parted = set(edges)
    for place in _strikes(level, pitch):
        if min(abs(place - edge) for edge in parted) >= _APART:
            parted.add(place)
    return sorted(parted)


def _wavers(pitch: Floats, place: int) -> bool:
    """Whether a pitch moves to and fro both before and after a place."""
    before, after = pitch[max(0, place - _VIBRATO) : place], pitch[place : place + _VIBRATO]
    return bool(min(before.std(), after.std()) >= _WAVERING)


def _strikes(level: Floats, pitch: Floats) -> list[int]:
    """Frames at which the level rises quickly, strongest first."""
    count = len(level)
    if count <= 2 * _APART:
        return []
    padded = np.pad(level, _SPAN, mode="edge")
    rises = padded[_SPAN + _STRUCK : _SPAN + _STRUCK + count] - padded[_SPAN - 1 : _SPAN - 1 + count]
    places = [
        frame
        for frame in range(1, count - 1)
        if rises[frame] >= _RISE
        and rises[frame] == rises[max(0, frame - _STRUCK) : frame + _STRUCK + 1].max()
        and (rises[frame] >= _SURE_RISE or not _wavers(pitch, frame))
    ]
    return sorted(places, key=lambda frame: -rises[frame])


def _note(start: int, stop: int, pitch: Floats, level: Floats) -> HeardNote | None:
    """A note from frame to frame, its pitch the middle of where it is steady; None where it is too short."""
    if stop - start < _SHORTEST:
        return None
    trim = int(_STABLE * (stop - start))
    steady = float(np.median(pitch[start + trim : stop - trim // 2]))
    strength = float(10 ** (level[start:stop].max() / 20))
    return HeardNote(start * FRAME_SECONDS, stop * FRAME_SECONDS, round(steady), strength)


def _audible(notes: list[HeardNote]) -> list[HeardNote]:
    """The notes that are not far softer than the usual one."""
    if not notes:
        return []
    usual = float(np.median([note.strength for note in notes]))
    return [note for note in notes if note.strength >= usual * 10 ** (-_GRAVE / 20) and _LOW <= note.pitch <= _HIGH]


def one_at_a_time(notes: list[HeardNote]) -> list[HeardNote]:
    """Of notes that begin together the surest alone, and none sounding on into the next."""
    kept: list[HeardNote] = []
    for note in sorted(notes):
        if kept and note.start - kept[-1].start < _TOGETHER:
            if note.strength > kept[-1].strength:
                kept[-1] = note
        else:
            kept.append(note)
    return [one._replace(stop=max(one.start, min(one.stop, two.start))) for one, two in pairwise(kept)] + kept[-1:]
