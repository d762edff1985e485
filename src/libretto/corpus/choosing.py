"""Which displacement and turn of a piece over songs is the best, from how many notes meet at each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.corpus.sizes import OVER
from libretto.score.table import Floats, Ints

__all__ = ["DIGITS", "Choice", "Chosen", "Places", "Singles"]

DIGITS = 3  #: songs that travel as one number
_LEAST = 0.05  # of the notes at least must lie where not every bucket is filled

Singles = NDArray[np.float32]


class Places(NamedTuple):
    """The best place of a piece in every song: the share beyond full beats, the distance in beats, the turn."""

    share: Floats
    distance: Ints
    turn: Ints


class Chosen(NamedTuple):
    """For some songs the best displacement, and how many notes meet there by turn."""

    at: Ints
    by_turn: NDArray[np.uint16]


class Choice:
    """The best displacement and turn in each of several songs, some at a time; beats so full catch ``caught`` notes."""

    def __init__(self, caught: Singles, lengths: Ints, beats: int, notes: int) -> None:
        self.usual, self.lengths, self.notes = caught[: len(lengths)], lengths, notes
        self.worth = np.float32(1) / np.maximum(np.float32(notes) - self.usual, np.float32(_LEAST * notes))
        short, self.size = np.minimum(lengths, beats), caught.shape[1]
        self.over = np.maximum(1, short - short // OVER)  # beats that lie over each other at least
        edges = np.stack((np.maximum(0, lengths - self.over + 1), self.size + self.over - beats), dtype=np.int32)
        column, (first, last) = np.arange(self.size, dtype=np.int32), edges[:, :, None]
        self.aside = (column >= first) & (column < last)

    def of(self, first: int, counts: NDArray[np.uint16]) -> Chosen:
        """Choose for songs from one on, from how many notes meet by turn, number of three, displacement and word."""
        words = counts.max(axis=0)
        many = min(len(words) * DIGITS, len(self.lengths) - first)
        some = slice(first, first + many)
        beyond = np.empty((len(words) * DIGITS, self.size), dtype=np.float32)
        for digit in range(DIGITS):
            beyond[digit::DIGITS] = words[:, :, digit]
        beyond = beyond[:many]
        beyond -= self.usual[some]
        beyond *= self.worth[some]
        np.copyto(beyond, np.float32(-1), where=self.aside[some])
        rows, at = np.arange(many), beyond.argmax(axis=1)
        return Chosen(at, counts[:, rows // DIGITS, at, rows % DIGITS])

    def places(self, chosen: Sequence[Chosen]) -> Places:
        """What was chosen for all songs, in their order."""
        at = np.concatenate([some.at for some in chosen])
        by_turn = np.concatenate([some.by_turn for some in chosen], axis=1)
        caught = self.usual[np.arange(len(at)), at].astype(np.float64)
        share = (by_turn.max(axis=0) - caught) / np.maximum(self.notes - caught, _LEAST * self.notes)
        return Places(share, np.where(at > self.lengths - self.over, at - self.size, at), by_turn.argmax(axis=0))
