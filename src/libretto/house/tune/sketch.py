"""A one-way sketch of the tunes that taught the model, so that it never recites one.

A run is twelve notes: eleven moves and how their lengths follow each other, in any key and at any speed. The sketch
says of a run whether a taught tune may have it (wrongly in a few of a thousand); no tune can be read back from it. Even
scales and arpeggios belong to everybody and are not in it.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["RUN", "is_plain", "known", "last_move", "length_keys", "move_weights", "runs_of", "sketch_of"]

Ints = NDArray[np.int64]
Keys = NDArray[np.uint64]

RUN = 12  #: notes in a run
_PROBES = 5
_ODD = np.uint64(0x9E3779B97F4A7C15)  # the golden ratio in 64 bits: multiples of it are spread evenly
_RATIO = 24  # parts of a doubling in which lengths are compared
_STEP, _FOURTH = 2, 5  # semitones


def _multipliers(count: int, salt: int) -> Keys:
    """Odd numbers, each unlike the others."""
    numbers = np.arange(salt, salt + count, dtype=np.uint64) * _ODD
    numbers = (numbers ^ (numbers >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return (numbers ^ (numbers >> np.uint64(32))) | np.uint64(1)


_MOVES, _LENGTHS, _SPREAD = _multipliers(RUN - 1, 1), _multipliers(RUN - 1, 101), _multipliers(_PROBES, 201)


def move_weights(moves: Ints) -> Keys:
    """The part of a run's key that its moves make; by row, the last axis in order of time, up to eleven moves.

    Fewer moves are the first ones of a run; the rest is added when it is known.
    """
    count = moves.shape[-1]
    added: Keys = (moves.astype(np.uint64) * _MOVES[:count]).sum(axis=-1, dtype=np.uint64)
    return added


def last_move(moves: Ints) -> Keys:
    """The part of a run's key that its last move makes."""
    weighed: Keys = moves.astype(np.uint64) * _MOVES[-1]
    return weighed


def length_keys(lengths: Ints) -> Keys:
    """By step the part of the key that the lengths of the run ending there make; nought before there is a run."""
    keys = np.zeros(len(lengths), dtype=np.uint64)
    if len(lengths) < RUN:
        return keys
    ratios = np.round(_RATIO * np.diff(np.log2(np.maximum(lengths, 1)))).astype(np.int64)
    windows = np.lib.stride_tricks.sliding_window_view(ratios, RUN - 1).astype(np.uint64)
    keys[RUN - 1 :] = (windows * _LENGTHS).sum(axis=1, dtype=np.uint64)
    return keys


def is_plain(moves: Sequence[int], even: bool) -> bool:
    """Whether a run is nobody's: an even scale or arpeggio that turns at most once, or one note again and again."""
    going = [move for move in moves if move]
    if not going:
        return True
    turns = sum((a > 0) != (b > 0) for a, b in itertools.pairwise(going))
    sizes = [abs(move) for move in moves]
    scale = all(1 <= size <= _STEP for size in sizes)
    arpeggio = all(_STEP < size <= _FOURTH for size in sizes)
    return even and turns <= 1 and (scale or arpeggio)


def runs_of(pitches: Sequence[int], lengths: Sequence[int]) -> Keys:
    """The keys of all runs of a tune but the plain ones."""
    if len(pitches) < RUN:
        return np.zeros(0, dtype=np.uint64)
    notes = np.array(pitches, dtype=np.int64)
    moves = np.lib.stride_tricks.sliding_window_view(notes[1:] - notes[:-1], RUN - 1)
    keys = move_weights(moves) + length_keys(np.array(lengths, dtype=np.int64))[RUN - 1 :]
    windows = np.lib.stride_tricks.sliding_window_view(np.array(lengths, dtype=np.int64), RUN)
    even = (windows == windows[:, :1]).all(axis=1)
    own = [not is_plain(row, bool(same)) for row, same in zip(moves.tolist(), even, strict=True)]
    kept: Keys = keys[np.array(own)]
    return kept


def _places(keys: Keys, size: int) -> NDArray[np.int64]:
    """The bits that stand for each key."""
    mixed = (keys ^ (keys >> np.uint64(31)))[..., None] * _SPREAD
    return (mixed >> np.uint64(64 - size.bit_length() + 1)).astype(np.int64)


def sketch_of(keys: Keys, doublings: int = 23) -> NDArray[np.uint8]:
    """The sketch of those keys: two to the power of ``doublings`` bits, eight to a byte."""
    marked = np.zeros(2**doublings, dtype=np.bool_)
    marked[_places(keys, 2**doublings).ravel()] = True
    return np.packbits(marked)


def known(sketch: NDArray[np.uint8], keys: Keys) -> NDArray[np.bool_]:
    """Which keys a taught tune may have."""
    places = _places(keys, 8 * len(sketch))
    bits = sketch[places >> 3] >> (7 - (places & 7)).astype(np.uint8) & 1
    held: NDArray[np.bool_] = bits.all(axis=-1)
    return held
