"""The net that was taught tunes, run with numpy: what is seen and remembered becomes a score for every pitch.

Conventions: rows are drafts of one tune; weights lie beside this file (``tunes.npz``) and are read once. Scores are
rounded, so that the last digits of one machine's arithmetic decide nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from libretto.house.tune.memory import CLASSES, LOWEST, POINTERS, TABLES
from libretto.house.tune.views import View

__all__ = ["DATA", "REACH", "Net", "arrays", "gather_moves", "read_net"]

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

DATA = "tunes.npz"  #: the file of weights, beside this one
REACH = 24  #: semitones of the moves that are told apart
_DIGITS = 3  # of a score; a thousandth of a nat is heard by nobody
_OFFSETS = np.concatenate([[0], np.cumsum(TABLES)[:-1]])
_ENDS = [0, *np.cumsum([CLASSES, 2 * REACH + 1, POINTERS, 12, 1, 1]).tolist()]
_HEADS = [slice(start, end) for start, end in itertools.pairwise(_ENDS)]
_PITCHES = np.arange(CLASSES)
_DEGREES = (_PITCHES - LOWEST) % 12


@lru_cache(maxsize=1)
def arrays() -> Mapping[str, NDArray[np.generic]]:
    """Everything that was learnt, by name."""
    with np.load(BytesIO(files(__package__).joinpath(DATA).read_bytes())) as shipped:
        return {name: shipped[name] for name in shipped.files}


@lru_cache(maxsize=1)
def read_net() -> Net:
    """The net as it is shipped."""
    return Net({name: _ready(name, array) for name, array in arrays().items() if name != "sketch"})


def _ready(name: str, array: NDArray[np.generic]) -> Floats:
    """An array as it is used: matrices that rows are multiplied by lie the other way round."""
    turned = array.T if ".weight" in name and name != "table.weight" else array
    return np.ascontiguousarray(turned, dtype=np.float32)


def gather_moves(by_move: Floats, last: Ints) -> Floats:
    """What is said by move, for every pitch; nought where there is no last note."""
    sizes = np.minimum(np.maximum(_PITCHES - last[:, None], -REACH), REACH) + REACH
    said = by_move[np.arange(len(last))[:, None], sizes]
    return np.where(last[:, None] >= 0, said, np.float32(0))


@dataclass(frozen=True)
class Net:
    """Weights by name, and what they say."""

    weights: Mapping[str, Floats]

    @property
    def width(self) -> int:
        """How many numbers its state has."""
        return int(self.weights["state.weight_hh_l0"].shape[0])

    def prepare(self, seen: View) -> Floats:
        """What the plan alone says at every step, with what lies ahead taken into account."""
        read = self.weights
        looked = np.maximum(seen.views @ read["look.weight"] + read["look.bias"], 0)
        new = looked @ read["ahead.weight_ih_l0"] + read["ahead.bias_ih_l0"]
        state = np.zeros((1, read["ahead.weight_hh_l0"].shape[0]), dtype=np.float32)
        ahead = np.zeros((len(looked), state.shape[1]), dtype=np.float32)
        for step in range(len(looked) - 1, -1, -1):
            state = self._turn("ahead", state, new[step : step + 1])
            ahead[step] = state[0]
        both = np.concatenate([seen.views, ahead], axis=1)
        prepared: Floats = both @ read["seen.weight"] + read["seen.bias"]
        return prepared

    def _turn(self, name: str, state: Floats, new: Floats) -> Floats:
        """A gated state, a step later; ``new`` is what comes in."""
        width = state.shape[1]
        old = state @ self.weights[f"{name}.weight_hh_l0"] + self.weights[f"{name}.bias_hh_l0"]
        half = np.float32(0.5)
        gates = half + half * np.tanh(half * (new[:, : 2 * width] + old[:, : 2 * width]))
        fresh = np.tanh(new[:, 2 * width :] + gates[:, :width] * old[:, 2 * width :])
        turned: Floats = fresh + gates[:, width:] * (state - fresh)
        return turned

    def hear(self, prepared: Floats, told: Ints, plain: Floats, state: Floats) -> tuple[Floats, Floats]:
        """What the heads say of the next note, and the state that follows."""
        read = self.weights
        inner = prepared + read["table.weight"][told + _OFFSETS].sum(axis=1) + plain @ read["plain.weight"]
        inner = np.maximum(inner, 0)
        state = self._turn("state", state, inner @ read["state.weight_ih_l0"] + read["state.bias_ih_l0"])
        mixed = np.concatenate([state, inner], axis=1) @ read["mix.weight"] + read["mix.bias"]
        return np.maximum(mixed, 0) @ read["head.weight"] + read["head.bias"], state

    def scores(self, heads: Floats, last: Ints, pointers: Ints, root: int, harmony: tuple[Floats, Floats]) -> Floats:
        """What the heads say, gathered for every pitch; ``harmony`` is the tones of the chord and of the scale."""
        by_pitch, by_move, points, above, chord, scale = (heads[:, part] for part in _HEADS)
        total: Floats = by_pitch + gather_moves(by_move, last) + scale * harmony[1][_DEGREES]
        if root >= 0:
            total += above[:, (_DEGREES - root) % 12] + chord * harmony[0][_DEGREES]
        rows, columns = np.nonzero(pointers >= 0)
        np.add.at(total, (rows, pointers[rows, columns]), points[rows, columns])
        rounded: Floats = np.round(total, _DIGITS)
        return rounded
