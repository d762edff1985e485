"""Numbers of when and how much: material, rhythm, form, loudness."""

from __future__ import annotations

from collections.abc import Mapping
from math import log2, nan

import numpy as np

from libretto.reward.glance import CLASSES, SLOTS, Glance
from libretto.score.table import Floats, Ints
from libretto.score.time import QUARTER

__all__ = ["dynamics_of", "entropy", "form_of", "material_of", "rhythm_of", "runs"]

_LAGS = (1, 2, 4, 8)  # bars apart
_OFF = (3, 5, 7)  # bars apart at which music returns less
_FINE = QUARTER // 12  # holds sixteenths and triplets
_TINY = 1e-9
_STRONG = 4  # sixteenths of a beat
_FEW = 8  # notes, fewer of which say nothing


def entropy(counts: Floats | Ints) -> float:
    """Bits that it takes to say which, on average."""
    total = float(counts.sum())
    if total <= 0:
        return nan
    share = counts[counts > 0] / total
    return float(-(share * np.log2(share)).sum())


def runs(same: Floats | Ints) -> int:
    """How many bars in a row go on as the one before, at most, over rows of 0 and 1."""
    if not same.size:
        return 0
    flat = np.hstack([same > 0, np.zeros((len(same), 1), dtype=np.bool_)]).ravel()
    stops = np.flatnonzero(~flat)
    return int(np.diff(stops, prepend=-1).max()) - 1


def material_of(glance: Glance) -> Mapping[str, float]:
    """How much there is: notes, silence, kinds of pitches and lengths."""
    bars, count = max(glance.bars, 1), glance.count
    table = glance.score.sounds
    sounds = np.zeros(bars + 1, dtype=np.int64)
    ends = np.searchsorted(glance.lines, table["onset"] + table["duration"], "left")
    np.add.at(sounds, table["bar"], 1)
    np.add.at(sounds, np.minimum(ends, bars), -1)
    silent = np.cumsum(sounds)[:bars] <= 0
    starts = np.bincount(table["bar"], minlength=bars)[:bars]
    if not count:
        return {"silent": float(silent.mean()), "idle": float((starts == 0).mean())}
    length = np.minimum(np.rint(glance.duration / _FINE), 97).astype(np.int64)
    half = bars // 2
    return {
        "notes": log2(1 + count / bars),
        "silent": float(silent.mean()),
        "silent_run": runs(silent[None, :].astype(np.int64)) / bars,
        "idle": float((starts == 0).mean()),
        "uneven": float(starts.std() / (starts.mean() + _TINY)),
        "halves": abs(float(starts[:half].sum()) - float(starts[bars - half :].sum())) / (float(starts.sum()) + _TINY),
        "pitches": len(np.unique(glance.pitch)) / log2(2 + count),
        "classes": entropy(np.bincount(glance.pitch_class, minlength=CLASSES)),
        "lengths": entropy(np.bincount(length)),
        "held": float(glance.duration.sum()) / float(glance.lines[-1] - glance.lines[0] + 1),
        "long": float((glance.duration >= 4 * QUARTER).mean()),
        "range": float(np.ptp(glance.pitch)),
        "height": float(glance.pitch.mean()),
    }


def rhythm_of(glance: Glance) -> Mapping[str, float]:
    """Where in the bar notes start, how bars repeat their rhythm, and how percussion goes."""
    tops = glance.tops
    if len(tops) < _FEW:
        return {}
    slot, gaps = glance.slot[tops], glance.gaps
    places = np.bincount(slot, minlength=SLOTS)
    rest = glance.position % _FINE
    off = np.minimum(rest, _FINE - rest) > _FINE // 8
    quick = np.minimum(np.maximum(gaps, 0), SLOTS - 1)
    pair = quick[:-1] * SLOTS + quick[1:]
    alone, both = entropy(np.bincount(quick, minlength=SLOTS)), entropy(np.bincount(pair)) if len(pair) else nan
    lead_slot = glance.slot[glance.lead]
    numbers = {
        "places": entropy(places),
        "on_beat": float((slot % _STRONG == 0).mean()),
        "downbeat": len(np.unique(glance.bar[tops][slot == 0])) / max(glance.bars, 1),
        "lead_on_beat": float((lead_slot % _STRONG == 0).mean()),
        "odd": float((slot % 2 == 1).mean()),
        "off_grid": float(off.mean()),
        "gaps": alone,
        "gap_follows": both - alone,
    }
    numbers |= _returns(glance.rhythm_marks, "rhythm")
    bar, stroke = glance.strokes
    if len(bar):
        marks = glance.marks(stroke * CLASSES + glance.kit["pitch"] % CLASSES, bar, glance.bars)[None, :]
        numbers |= {f"kit_{name}": value for name, value in _returns(marks, "bar").items()}
        numbers["kit_places"] = entropy(np.bincount(stroke, minlength=SLOTS))
    return numbers


def _returns(marks: Floats, name: str) -> dict[str, float]:
    """How often bars of a voice are the same as others of it, at which distances, and how long in a row."""
    live = marks > 0
    many = int(live.sum())
    if not many:
        return {}
    rows = np.arange(len(marks))[:, None] * 1e-3
    numbers = {f"{name}_kinds": len(np.unique((marks + rows)[live])) / many}
    for lag in _LAGS:
        if marks.shape[1] > lag:
            both = live[:, lag:] & live[:, :-lag]
            total = int(both.sum())
            same = (marks[:, lag:] == marks[:, :-lag]) & both
            numbers[f"{name}_lag{lag}"] = int(same.sum()) / total if total else nan
            if lag == 1:
                numbers[f"{name}_run"] = log2(1 + runs(same.astype(np.int64)))
    return numbers


def form_of(glance: Glance) -> Mapping[str, float]:
    """What returns, exactly, moved or alike, and whether that has an order."""
    if not glance.count:
        return {}
    numbers = _returns(glance.note_marks, "bar") | _returns(glance.shape_marks, "shape")
    whole = glance.note_marks.sum(axis=0)[None, :]
    numbers |= {f"all_{key}": value for key, value in _returns(whole, "bar").items()}
    bars = glance.bars
    if bars < 2 * _LAGS[-1]:
        return numbers
    chroma = glance.mass.reshape(bars, -1)
    places = np.bincount(glance.bar * SLOTS + glance.slot, minlength=bars * SLOTS).reshape(bars, SLOTS)
    numbers |= _likeness(chroma, "chroma") | _likeness(places.astype(np.float64), "places")
    return numbers


def _likeness(rows: Floats, name: str) -> dict[str, float]:
    """How like each other bars are, on the whole and by distance."""
    unit = rows / np.maximum(np.sqrt((rows**2).sum(axis=1, keepdims=True)), _TINY)
    like = unit @ unit.T
    at = {lag: float(np.diagonal(like, lag).mean()) for lag in (*_LAGS, *_OFF)}
    others = sum(at[lag] for lag in _OFF) / len(_OFF)
    inside = np.diagonal(like, 1)
    numbers = {
        f"{name}_like": float(like.mean()),
        f"{name}_spread": float(like.std()),
        f"{name}_next": at[1],
        f"{name}_next_spread": float(inside.std()),
        f"{name}_two": at[2] - others,
        f"{name}_four": at[4] - others,
        f"{name}_eight": at[8] - others,
    }
    joins = inside[3::4]
    if len(joins):
        numbers[f"{name}_joins"] = float(joins.mean()) - at[1]
    best = np.sort(like - 2 * np.eye(len(like)), axis=1)[:, -1]
    return numbers | {f"{name}_best": float(best.mean()), f"{name}_new": float((best < 0.8).mean())}


def dynamics_of(glance: Glance) -> Mapping[str, float]:
    """Whether loudness follows the line and the beat, or is thrown about; nothing where all is equally loud."""
    loud = glance.velocity
    if len(loud) < _FEW or int(np.ptp(loud)) == 0:
        return {}
    tops = glance.tops
    line = loud[tops].astype(np.float64)
    change = np.diff(line)[glance.joined]
    spread = float(line.std())
    strong = (glance.slot[tops] % _STRONG == 0).astype(np.float64)
    by_bar = np.bincount(glance.bar, loud, glance.bars) / np.maximum(np.bincount(glance.bar, minlength=glance.bars), 1)
    live = by_bar[by_bar > 0]
    return {
        "spread": spread,
        "kinds": len(np.unique(loud)) / log2(2 + len(loud)),
        "jumps": float(np.abs(change).mean()) / (spread + 1.0) if len(change) else nan,
        "same": float((change == 0).mean()) if len(change) else nan,
        "beat": _tie(line, strong),
        "height": _tie(line, glance.pitch[tops].astype(np.float64)),
        "bars": float(live.std()) if len(live) else nan,
        "bar_jumps": float(np.abs(np.diff(live)).mean() / (live.std() + 1.0)) if len(live) > 2 else nan,
    }


def _tie(one: Floats, other: Floats) -> float:
    """How closely two rows go together, -1 to 1."""
    one, other = one - one.mean(), other - other.mean()
    size = float(np.sqrt((one @ one) * (other @ other)))
    return float(one @ other) / size if size > _TINY else nan
