"""Numbers of what sounds: lines, harmony, and parts against each other."""

from __future__ import annotations

from collections.abc import Mapping
from math import log2, nan

import numpy as np

from libretto.reward.counting import entropy
from libretto.reward.glance import CLASSES, Glance
from libretto.score.table import Floats, Ints
from libretto.score.time import QUARTER

__all__ = ["harmony_of", "melody_of", "parts_of"]

_FEW = 8  # notes, fewer of which say nothing
_TINY = 1e-9
_FARTHEST = 24  # semitones; a wider leap counts as this
_SCALE = (0, 2, 4, 5, 7, 9, 11)
_MAJOR, _MINOR = (0, 4, 7), (0, 3, 7)
_SHORT = 3  # intervals of a turn that may come again


def _templates(*shapes: tuple[int, ...]) -> Floats:
    rows = np.zeros((CLASSES * len(shapes), CLASSES))
    for number, shape in enumerate(shapes):
        for root in range(CLASSES):
            rows[number * CLASSES + root, [(root + tone) % CLASSES for tone in shape]] = 1.0
    return rows


_SCALES, _TRIADS = _templates(_SCALE), _templates(_MAJOR, _MINOR)
#: How much two pitch classes rub, by how far they are apart.
_RUBS = np.array([0.0, 1.0, 0.3, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.3, 1.0])


def melody_of(glance: Glance) -> Mapping[str, float]:
    """How lines move: all lines together, and the one that leads."""
    lead = glance.lead
    if len(glance.steps) < _FEW:
        return {}
    numbers = {f"all_{name}": value for name, value in _motion(glance.steps).items()}
    numbers["all_turns"] = _repeated(glance.steps, glance.gaps)
    if len(lead) < _FEW:
        return numbers
    pitch, onset = glance.pitch[lead], glance.onset[lead]
    steps, gap = np.diff(pitch), np.rint(np.diff(onset) * 4 / QUARTER).astype(np.int64)
    far = np.abs(steps)
    numbers |= _motion(steps)
    numbers["turns"] = _repeated(steps, gap)
    leap = far[:-1] >= 5
    back = (np.sign(steps[1:]) == -np.sign(steps[:-1])) & (far[1:] <= 2) & (far[1:] > 0)
    moving = steps[steps != 0]
    crossing = np.diff(glance.bar[lead]) > 0
    quarters = max(float(glance.lines[-1] - glance.lines[0]) / QUARTER, 1.0)
    same = far == 0
    edges = np.flatnonzero(~same)
    stay = int(np.diff(edges, prepend=-1, append=len(same)).max()) if len(same) else 0
    return numbers | {
        "back": float(back[leap].mean()) if leap.sum() >= 3 else nan,
        "turning": float((np.diff(np.sign(moving)) != 0).mean()) if len(moving) > 2 else nan,
        "ambit": float(np.ptp(pitch)),
        "peak": float(onset[int(pitch.argmax())] - glance.lines[0]) / float(glance.lines[-1] - glance.lines[0] + 1),
        "peaks": float((pitch == pitch.max()).mean()),
        "stay": log2(1 + stay),
        "density": len(lead) / quarters,
        "rests": float((gap * (QUARTER // 4) - glance.duration[lead][:-1] > QUARTER // 2).mean()),
        "breath": float((gap >= 6).mean()),
        "across": float(far[crossing].mean() - far[~crossing].mean()) if 2 < crossing.sum() < len(far) - 2 else nan,
        "strong_long": _longer_on_beat(glance, lead),
        "drift": _drift(pitch),
    }


def _motion(steps: Ints) -> dict[str, float]:
    """Kinds of intervals, and how much the last says of the next."""
    far = np.minimum(np.abs(steps), _FARTHEST)
    kinds = np.clip(steps, -CLASSES, CLASSES) + CLASSES
    width = 2 * CLASSES + 1
    alone = entropy(np.bincount(kinds, minlength=width))
    both = entropy(np.bincount(kinds[:-1] * width + kinds[1:])) if len(kinds) > 1 else nan
    return {
        "repeats": float((far == 0).mean()),
        "steps": float(((far > 0) & (far <= 2)).mean()),
        "thirds": float(((far > 2) & (far <= 4)).mean()),
        "leaps": float((far > 7).mean()),
        "wide": float((far > CLASSES).mean()),
        "mean": float(far.mean()),
        "kinds": alone,
        "follows": both - alone,
    }


def _repeated(steps: Ints, gap: Ints) -> float:
    """The share of short turns, intervals and rhythm, that came before."""
    if len(steps) < 2 * _SHORT:
        return nan
    token = (steps + 64) * 131 + np.minimum(gap, 64)
    turn = (token[:-2] * 1_000_003 + token[1:-1]) * 1_000_003 + token[2:]
    return 1.0 - len(np.unique(turn)) / len(turn)


def _longer_on_beat(glance: Glance, lead: Ints) -> float:
    strong = glance.slot[lead] % 4 == 0
    if not 2 < strong.sum() < len(lead) - 2:
        return nan
    length = np.log2(glance.duration[lead] / QUARTER + _TINY)
    return float(length[strong].mean() - length[~strong].mean())


def _drift(pitch: Ints) -> float:
    """How much smoother the line is than the same notes in any order."""
    spread = float(pitch.std())
    return float(np.abs(np.diff(pitch)).mean()) / (spread + 1.0)


def harmony_of(glance: Glance) -> Mapping[str, float]:
    """How well notes keep to a scale and to chords, how harmony moves, what the bass does, and how it ends."""
    if glance.count < _FEW:
        return {}
    mass = glance.mass
    total = mass.sum(axis=0)
    scales = (_SCALES @ total) / (total.sum() + _TINY)
    home = int(scales.argmax())
    halves = mass[mass.sum(axis=1) > 0]
    share = (halves @ _TRIADS.T) / halves.sum(axis=1, keepdims=True)
    best, which = share.max(axis=1), share.argmax(axis=1)
    bars = mass.reshape(glance.bars, 2, CLASSES).sum(axis=1)
    local = (bars @ _SCALES.T).max(axis=1) / np.maximum(bars.sum(axis=1), _TINY)
    live = bars.sum(axis=1) > 0
    changes = np.diff(which) != 0
    root = which % CLASSES
    moves = (np.diff(root) % CLASSES)[changes]
    numbers = {
        "scale": float(scales.max()),
        "scale_lead": float(np.sort(scales)[-1] - np.sort(scales)[-3]),
        "local": float(local[live].mean()),
        "local_low": float(np.quantile(local[live], 0.1)),
        "chord": float(best.mean()),
        "chord_low": float(np.quantile(best, 0.1)),
        "changes": float(changes.mean()) if len(changes) else nan,
        "fifths": float(np.isin(moves, (5, 7)).mean()) if len(moves) > 3 else nan,
        "kinds": len(np.unique(which)) / log2(2 + len(which)),
        "outside": float(1 - total[_SCALES[home] > 0].sum() / (total.sum() + _TINY)),
    }
    return numbers | _bass(glance, total) | _rubs(glance)


def _bass(glance: Glance, total: Floats) -> dict[str, float]:
    """The lowest notes of bars, and how the piece ends."""
    lowest = np.full(glance.bars, 999, dtype=np.int64)
    np.minimum.at(lowest, glance.bar, glance.pitch)
    line = lowest[lowest < 999]
    move = np.abs(np.diff(line))
    last = glance.onset + glance.duration >= (glance.onset + glance.duration).max() - QUARTER
    end = int(glance.pitch[last].min()) % CLASSES
    final = float(glance.duration[glance.onset == glance.onset.max()].max()) / QUARTER
    return {
        "bass_stays": float((move == 0).mean()) if len(move) else nan,
        "bass_far": float(move.mean()) if len(move) else nan,
        "bass_kinds": entropy(np.bincount(line % CLASSES, minlength=CLASSES)),
        "end_weight": float(total[end] / (total.max() + _TINY)),
        "end_returns": float((line % CLASSES == end).mean()),
        "end_long": log2(final + 0.1),
        "end_filled": float(glance.lines[-1] - (glance.onset + glance.duration).max()) / QUARTER,
    }


def _rubs(glance: Glance) -> dict[str, float]:
    """How much what sounds together rubs."""
    first, second, time = glance.together
    weight = float(time.sum())
    if weight <= 0:
        return {"thick": 0.0}
    apart = np.abs(glance.pitch[first] - glance.pitch[second])
    classes = np.bincount(apart % CLASSES, time, CLASSES) / weight
    close = float(time[(apart <= 2) & (apart > 0)].sum()) / weight
    return {
        "thick": log2(1 + weight / max(float(glance.duration.sum()) / QUARTER, _TINY)),
        "rub": float(classes @ _RUBS),
        "seconds": float(classes[[1, 11]].sum()),
        "sweet": float(classes[[3, 4, 8, 9]].sum()),
        "plain": float(classes[[0, 5, 7]].sum()),
        "unison": float(classes[0]),
        "close": close,
    }


def parts_of(glance: Glance) -> Mapping[str, float]:
    """How each voice goes with the others: the one that rubs most, the one that is least in time with them."""
    first, second, time = glance.together
    other = glance.voice[first] != glance.voice[second]
    players: Ints = np.flatnonzero(np.bincount(glance.voice, minlength=glance.voices) >= _FEW)
    if len(players) < 2 or not other.any():
        return {}
    first, second, time = first[other], second[other], time[other]
    rub = _RUBS[(glance.pitch[first] - glance.pitch[second]) % CLASSES] * time
    one, two = glance.voice[first], glance.voice[second]
    many = glance.voices
    rubbing = np.bincount(one, rub, many) + np.bincount(two, rub, many)
    sounding = np.bincount(one, time, many) + np.bincount(two, time, many)
    rates = (rubbing / np.maximum(sounding, _TINY))[players]
    strokes = np.unique(np.stack([glance.voice, glance.onset * 4 // QUARTER], axis=1) @ np.array([1 << 40, 1]))
    voice, place = strokes >> 40, strokes & ((1 << 40) - 1)
    _, inverse, often = np.unique(place, return_inverse=True, return_counts=True)
    shared = (
        np.bincount(voice, often[inverse] > 1, many)[players]
        / np.maximum(np.bincount(voice, minlength=many), 1)[players]
    )
    unison = (glance.onset[first] == glance.onset[second]) & (
        (glance.pitch[first] - glance.pitch[second]) % CLASSES == 0
    )
    doubled = np.bincount(one[unison], minlength=many) + np.bincount(two[unison], minlength=many)
    notes = np.bincount(glance.voice, minlength=many)
    height = (np.bincount(glance.voice, glance.pitch, many) / np.maximum(notes, 1))[players]
    return {
        "rub": float(rates.mean()),
        "rub_worst": float(rates.max()),
        "rub_apart": float(rates.max() - np.median(rates)),
        "in_time": float(shared.mean()),
        "in_time_least": float(shared.min()),
        "doubled": float((doubled / np.maximum(notes, 1))[players].mean()),
        "spread": float(height.max() - height.min()),
        "busy_apart": float(np.ptp(np.log2(notes[players]))),
    }
