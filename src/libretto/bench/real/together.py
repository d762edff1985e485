"""Features of parts together: who plays when, doublings, chords on beats, clashes, voicings."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from libretto.bench.real.sheet import Sheet, mean
from libretto.score.table import Floats, Ints

__all__ = ["together_features"]

_CLASSES = 7  # of intervals: unison or octave to tritone
_MOST = 12  # notes at one beat that are looked at
_MUDDY_BELOW, _MUDDY = 48, 4  # C3, and semitones: nearer together and lower is muddy
_FEW = 3  # bars, fewer say nothing of how parts follow each other


def together_features(sheet: Sheet) -> dict[str, float]:
    """Every feature of parts together, by name."""
    return {**_presence(sheet), **_shares(sheet), **_chords(sheet), **_spacing(sheet)}


def _presence(sheet: Sheet) -> dict[str, float]:
    """Who plays in which bars."""
    played = sheet.per_bar > 0
    share = played.mean(axis=1)
    at_once = played.sum(axis=0)
    return {
        "voices": float(sheet.voices),
        "bars in which a voice plays": mean(share),
        "how differently voices are present": float(share.std()),
        "entries and exits": mean(played[:, 1:] != played[:, :-1]),
        "voices at once": mean(at_once),
        "changes of voices at once": mean(np.abs(np.diff(at_once))),
        "silent bars": mean(at_once == 0),
        "parts that rise and fall together": _follow(sheet.per_bar),
    }


def _follow(counts: Floats) -> float:
    """The mean correlation of the densities of two voices."""
    busy = counts[(counts.std(axis=1) > 0) & ((counts > 0).sum(axis=1) >= _FEW)]
    if len(busy) < 2:
        return float("nan")
    return mean(np.corrcoef(busy)[np.triu_indices(len(busy), 1)])


def _shares(sheet: Sheet) -> dict[str, float]:
    """How much voices have in common, and how thick they are."""
    notes = sheet.notes
    onset, pitch, voice = (notes[name].astype(np.int64) for name in ("onset", "pitch", "voice"))
    thick = np.asarray([len(mine) / max(1, len(np.unique(mine["onset"]))) for mine in sheet.by_voice])
    size = np.log([max(1, len(mine)) for mine in sheet.by_voice] or [1])
    counts = np.unique(np.stack((onset, voice), axis=1), axis=0)
    _, together = np.unique(counts[:, 0], return_counts=True) if len(counts) else (None, np.empty(0))
    return {
        "notes at once in a voice": mean(thick),
        "voices of one note at a time": mean(thick < 1.1),
        "how differently busy voices are": float(size.std()),
        "starts that voices share": mean(together > 1),
        "notes doubled at the unison": _doubled(onset, pitch, voice),
        "notes doubled at any octave": _doubled(onset, pitch % 12, voice),
        "rest in a voice": mean([_rest(sheet, number) for number in range(sheet.voices)]),
    }


def _doubled(onset: Ints, key: Ints, voice: Ints) -> float:
    """The share of notes that another voice starts at the same time."""
    rows = np.unique(np.stack((onset, key, voice), axis=1), axis=0) if len(onset) else np.empty((0, 3))
    _, place, counts = np.unique(rows[:, :2], return_inverse=True, return_counts=True, axis=0)
    return mean(counts[place.reshape(-1)] > 1)


def _rest(sheet: Sheet, number: int) -> float:
    """The share of beats at which a voice is silent, in the bars in which it plays."""
    mine = sheet.notes["voice"] == number
    bar = np.searchsorted(sheet.lines, sheet.pulse, side="right") - 1
    there = np.isin(bar, sheet.notes["bar"][mine])
    return mean(~sheet.sounding[there][:, mine].any(axis=1))


def _chords(sheet: Sheet) -> dict[str, float]:
    """What sounds on the beats: how many notes, which intervals, how often it clashes."""
    pitches = [np.unique(sheet.notes["pitch"][row].astype(np.int64)) for row in sheet.sounding]
    sets = [np.unique(one % 12) for one in pitches]
    between = [_intervals(one[:_MOST]) for one in pitches]
    every = np.concatenate(between) if between else np.empty(0, np.int64)
    told = {f"intervals of class {kind} on beats": mean(every == kind) for kind in range(_CLASSES)}
    classes = [_intervals(one) for one in sets if len(one) > 1]
    return told | {
        "beats with a clash of a semitone": mean([(one == 1).any() for one in classes]),
        "notes on a beat": mean([len(one) for one in pitches]),
        "spread of notes on a beat": float(np.std([len(one) for one in pitches])),
        "pitch classes on a beat": mean([len(one) for one in sets]),
        "empty beats": mean([len(one) == 0 for one in sets]),
        "different chords on beats": len({one.tobytes() for one in sets}) / max(1, len(sets)),
        "beats with the chord before": mean([np.array_equal(one, other) for one, other in pairwise(sets)]),
    }


def _intervals(pitches: Ints) -> Ints:
    """The classes of all intervals between some pitches, 0 to 6."""
    first, second = np.triu_indices(len(pitches), 1)
    gap = np.abs(pitches[first] - pitches[second]) % 12
    return np.asarray(np.minimum(gap, 12 - gap))


def _spacing(sheet: Sheet) -> dict[str, float]:
    """How far apart the notes of a beat lie."""
    spans, muddy, outer = [], [], []
    for row in sheet.sounding:
        pitch = np.unique(sheet.notes["pitch"][row].astype(np.int64))
        if len(pitch) > 1:
            gap = np.diff(pitch)
            spans.append(float(pitch[-1] - pitch[0]))
            outer.append(float(gap[0]))
            muddy.append(bool(((gap <= _MUDDY) & (pitch[:-1] < _MUDDY_BELOW)).any()))
    return {
        "span of notes on beats": mean(spans),
        "variation of the span on beats": float(np.std(spans)) if spans else float("nan"),
        "gap above the bass on beats": mean(outer),
        "beats that are muddy": mean(muddy),
    }
