"""Features of form: bars and rhythms that return, harmony from bar to bar, density on its way."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.bench.real.sheet import Sheet, disorder, mean, variation
from libretto.score.table import Floats

__all__ = ["form_features"]

_LAGS = (1, 2, 4, 8)  # bars; the last for harmony only
_WINDOW, _BLOCK = 16, 4  # bars in which rhythms are counted; bars over which density is told


def form_features(sheet: Sheet) -> dict[str, float]:
    """Every feature of form, by name."""
    voices = [_keys(notes, sheet.bars) for notes in sheet.by_voice]
    return {
        **_returns(voices),
        **_whole(sheet),
        **_drums(sheet),
        **_harmony(sheet),
        **_density(sheet),
    }


_Keys = tuple[list[bytes], list[bytes], list[bytes]]


def _keys(notes: NDArray[Any], bars: int) -> _Keys:
    """By bar what a voice plays: the notes, the rhythm, and the notes seen from the first of them."""
    exact, rhythm, moved = [], [], []
    for bar in range(bars):
        mine = notes[notes["bar"] == bar]
        place, pitch = mine["position"].astype(np.int64), mine["pitch"].astype(np.int64)
        exact.append(place.tobytes() + pitch.tobytes())
        rhythm.append(np.unique(place).tobytes())
        moved.append(place.tobytes() + (pitch - pitch[:1]).tobytes() if len(mine) else b"")
    return exact, rhythm, moved


def _returning(keys: list[bytes]) -> float:
    """The share of bars that stood before."""
    filled = [key for key in keys if key]
    return 1 - len(set(filled)) / len(filled) if filled else float("nan")


def _same(keys: list[bytes], lag: int) -> float:
    """The share of bars that are as the one so many bars before."""
    pairs = [(one, other) for one, other in zip(keys, keys[lag:], strict=False) if one and other]
    return mean([one == other for one, other in pairs])


def _longest(keys: list[bytes]) -> float:
    return float(max((len(list(run)) for key, run in groupby(keys) if key), default=0))


def _returns(voices: list[_Keys]) -> dict[str, float]:
    told = {
        "bars that return": mean([_returning(exact) for exact, _, _ in voices]),
        "bar rhythms that return": mean([_returning(rhythm) for _, rhythm, _ in voices]),
        "bars that return elsewhere in pitch": mean(
            [_returning(moved) - _returning(exact) for exact, _, moved in voices]
        ),
        "longest run of one bar": max((_longest(exact) for exact, _, _ in voices), default=float("nan")),
        "longest run of one rhythm": mean([_longest(rhythm) for _, rhythm, _ in voices]),
        "bar rhythms in 16 bars": mean(
            [
                len({key for key in rhythm[first : first + _WINDOW] if key})
                for _, rhythm, _ in voices
                for first in range(0, len(rhythm), _WINDOW)
            ]
        ),
    }
    for lag in _LAGS[:-1]:
        told[f"bars as {lag} before"] = mean([_same(exact, lag) for exact, _, _ in voices])
        told[f"bar rhythms as {lag} before"] = mean([_same(rhythm, lag) for _, rhythm, _ in voices])
    return told


def _whole(sheet: Sheet) -> dict[str, float]:
    exact, _, _ = _keys(sheet.notes, sheet.bars)
    return {"whole bars that return": _returning(exact)}


def _drums(sheet: Sheet) -> dict[str, float]:
    """Percussion; 0 where there is none."""
    if not len(sheet.kit):
        names = ("bars that return", "bars as 1 before", "strokes in a bar", "kinds")
        more = ("disorder of strokes", "variation of strokes a bar", "bars played")
        return {f"drums: {name}": 0.0 for name in (*names, *more)}
    exact, _, _ = _keys(sheet.kit, sheet.bars)
    counts = np.bincount(sheet.kit["bar"], minlength=sheet.bars)
    return {
        "drums: bars that return": _returning(exact),
        "drums: bars as 1 before": np.nan_to_num(_same(exact, 1)),
        "drums: strokes in a bar": mean(counts),
        "drums: kinds": float(len(np.unique(sheet.kit["pitch"]))),
        "drums: disorder of strokes": disorder(sheet.kit["pitch"]),
        "drums: variation of strokes a bar": variation(counts),
        "drums: bars played": mean(counts > 0),
    }


def _harmony(sheet: Sheet) -> dict[str, float]:
    """How like one bar's pitch classes are to another's, and what the bass does on bar lines."""
    told = {}
    for lag in _LAGS:
        like = (sheet.chroma[:-lag] * sheet.chroma[lag:]).sum(axis=1) if sheet.bars > lag else np.empty(0)
        told[f"likeness of bars {lag} apart"] = mean(like)
        if lag == 1:
            told["variation of the likeness of bars"] = variation(like)
    ground = sheet.ground
    roots = ground.pitch[ground.position == 0] % 12
    steps = np.diff(roots) % 12
    return told | {
        "bass: bar lines on the note before": mean(steps == 0),
        "bass: bar lines a fourth or fifth on": mean((steps == 5) | (steps == 7)),
        "bass: bar lines a step on": mean((steps == 1) | (steps == 2) | (steps == 10) | (steps == 11)),
        "bass: disorder on bar lines": disorder(roots),
    }


def _density(sheet: Sheet) -> dict[str, float]:
    counts = sheet.per_bar.sum(axis=0)
    level = max(1e-9, float(counts.mean()))
    blocks = _blocks(counts)
    heights = _blocks(_heights(sheet))
    return {
        "notes in a bar": float(np.log1p(level)),
        "variation of notes a bar": variation(counts),
        "change of density from bar to bar": mean(np.abs(np.diff(counts))) / level,
        "change of density every four bars": mean(np.abs(np.diff(blocks))) / level,
        "widest change of density": float(np.ptp(blocks)) / level if len(blocks) else float("nan"),
        "change of register every four bars": mean(np.abs(np.diff(heights))),
    }


def _blocks(values: Floats) -> Floats:
    """Means over four bars each."""
    whole = len(values) // _BLOCK * _BLOCK
    return np.asarray(values[:whole].reshape(-1, _BLOCK).mean(axis=1))


def _heights(sheet: Sheet) -> Floats:
    """The mean pitch of each bar; where nothing plays that of the piece."""
    total = np.bincount(sheet.notes["bar"], sheet.notes["pitch"], minlength=sheet.bars)
    size = np.bincount(sheet.notes["bar"], minlength=sheet.bars)
    usual = float(sheet.notes["pitch"].mean()) if len(sheet.notes) else 0.0
    return np.asarray(np.divide(total, size, out=np.full(sheet.bars, usual), where=size > 0))
