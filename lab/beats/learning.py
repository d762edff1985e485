"""How a small net learns: by many small steps against its errors (the method called Adam), each piece a group."""

from __future__ import annotations

import numpy as np

from libretto.formats.midi.beats.net import Net
from libretto.score.table import Floats

__all__ = ["Group", "joined", "learn"]

#: What is seen, row by row, and what is wanted.
Group = tuple[Floats, Floats]
_RATE, _BATCH = 0.003, 16  # size of a step, and pieces that each is made from
_FIRST, _SECOND, _TINY = 0.9, 0.999, 1e-8  # as is usual
_LEAST_SPREAD = 0.05  # a feature that hardly differs is not blown up
_ROWS = 4  # a softmax a row counts a fourth of the square root of the rows
_LEARNED = ("inner", "offset", "outer", "bias")


def learn(groups: list[Group], *, hidden: int, ranks: bool, rounds: int, decay: float, seed: int = 0) -> Net:
    """A net taught on groups, the same for the same groups and seed.

    With ``ranks`` it gives one number a row, whose softmax over the rows of a group is to be as wanted; else a
    softmax a row.
    """
    rows = np.concatenate([seen for seen, _ in groups])
    net = _fresh(rows, hidden, 1 if ranks else groups[0][1].shape[1], seed)
    scaled = [((seen - net["middle"]) / net["spread"], wanted) for seen, wanted in groups]
    first, second = ({name: np.zeros_like(net[name]) for name in _LEARNED} for _ in range(2))
    dice, step = np.random.default_rng(seed), 0
    for turn in range(rounds):
        order = dice.permutation(len(scaled))
        pace = _RATE * (1 - turn / rounds)
        for start in range(0, len(order), _BATCH):
            slopes = {name: np.zeros_like(net[name]) for name in _LEARNED}
            for index in order[start : start + _BATCH]:
                seen, wanted = scaled[index]
                _add_slopes(net, seen, wanted, ranks, slopes)
            step += 1
            for name in _LEARNED:
                slope = slopes[name] / _BATCH + (decay * net[name] if name in ("inner", "outer") else 0)
                first[name] = _FIRST * first[name] + (1 - _FIRST) * slope
                second[name] = _SECOND * second[name] + (1 - _SECOND) * slope**2
                size = np.sqrt(second[name] / (1 - _SECOND**step)) + _TINY
                net[name] = net[name] - pace * first[name] / (1 - _FIRST**step) / size
    return Net(**net)


def joined(nets: list[Net]) -> Net:
    """One net that says what several, taught on the same rows, say on average."""
    first = nets[0]
    return Net(
        first.middle,
        first.spread,
        np.concatenate([net.inner for net in nets], axis=1),
        np.concatenate([net.offset for net in nets]),
        np.concatenate([net.outer for net in nets]) / len(nets),
        np.mean([net.bias for net in nets], axis=0),
    )


def _fresh(rows: Floats, hidden: int, outputs: int, seed: int) -> dict[str, Floats]:
    """A net that knows nothing but the usual size of its features."""
    dice = np.random.default_rng(seed)
    count = rows.shape[1]
    return {
        "middle": rows.mean(axis=0),
        "spread": rows.std(axis=0) + _LEAST_SPREAD,
        "inner": dice.normal(0, 1 / np.sqrt(count), (count, hidden)),
        "offset": np.zeros(hidden),
        "outer": dice.normal(0, 0.1 / np.sqrt(hidden), (hidden, outputs)),
        "bias": np.zeros(outputs),
    }


def _softmax(logits: Floats, axis: int) -> Floats:
    grown = np.exp(logits - logits.max(axis=axis, keepdims=True))
    return np.asarray(grown / grown.sum(axis=axis, keepdims=True))


def _add_slopes(net: dict[str, Floats], seen: Floats, wanted: Floats, ranks: bool, slopes: dict[str, Floats]) -> None:
    """Add the slope of the error on one group, by each number of the net."""
    hidden = np.tanh(seen @ net["inner"] + net["offset"])
    error = _softmax(hidden @ net["outer"] + net["bias"], 0 if ranks else 1) - wanted
    if not ranks:  # a long piece has more to say, but not as much more as it is longer
        error = error / (_ROWS * np.sqrt(len(seen)))
    back = error @ net["outer"].T * (1 - hidden**2)
    slopes["outer"] += hidden.T @ error
    slopes["bias"] += error.sum(axis=0)
    slopes["inner"] += seen.T @ back
    slopes["offset"] += back.sum(axis=0)
