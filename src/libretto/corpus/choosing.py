"""Which displacement and turn of a piece over songs is the best, from how many notes meet at each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.corpus.sizes import OVER
from libretto.score.table import Floats, Ints

__all__ = ["DIGITS", "LEAST", "Choice", "Chosen", "Places", "Singles", "lying_over", "share_of"]

DIGITS = 3  #: songs that travel as one number
LEAST = 0.05  #: of the notes at least must lie where not every bucket is filled

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


def lying_over(lengths: Ints, beats: int) -> Ints:
    """How many beats of songs and of a piece of so many must lie over each other at least."""
    short = np.minimum(lengths, beats)
    return np.asarray(np.maximum(1, short - short // OVER))


def share_of(counts: NDArray[Any], caught: Floats, notes: int) -> Floats:
    """The share of notes that meet, beyond what beats so full catch, of what they do not."""
    return np.asarray((counts - caught) / np.maximum(notes - caught, LEAST * notes))


class Choice:
    """The best displacement and turn in each of several songs, some at a time; beats so full catch ``caught`` notes."""

    def __init__(self, caught: Singles, lengths: Ints, beats: int, notes: int) -> None:
        self.usual, self.lengths, self.notes = caught[: len(lengths)], lengths, notes
        self.worth = np.float32(1) / np.maximum(np.float32(notes) - self.usual, np.float32(LEAST * notes))
        self.over, self.size = lying_over(lengths, beats), caught.shape[1]
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
        np.copyto(beyond, np.float32(-np.inf), where=self.aside[some])
        rows, at = np.arange(many), beyond.argmax(axis=1)
        return Chosen(at, counts[:, rows // DIGITS, at, rows % DIGITS])

    def places(self, chosen: Sequence[Chosen]) -> Places:
        """What was chosen for all songs, in their order; nothing where no displacement counts."""
        at = np.concatenate([some.at for some in chosen])
        by_turn = np.concatenate([some.by_turn for some in chosen], axis=1)
        caught = self.usual[np.arange(len(at)), at].astype(np.float64)
        share = share_of(by_turn.max(axis=0), caught, self.notes)
        distance = np.where(at > self.lengths - self.over, at - self.size, at)
        somewhere = ~self.aside[np.arange(len(at)), at]
        return Places(share * somewhere, distance * somewhere, by_turn.argmax(axis=0) * somewhere)
