"""Count, for every song and every distance, how many notes of a query fall into filled buckets: by Fourier transforms.

Songs of about the same length are transformed together, once. A query is transformed for each of its transpositions;
one matrix product a frequency multiplies it with all songs. Counts are whole numbers and come out exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.score.arrays import Floats, Ints

__all__ = ["Spectra"]

Spectrum = NDArray[Any]
_SMALLEST = 64  # beats of a transform
_BATCH = 48  # songs of one size that are worked on at a time
_LEAST = 0.05  # of the notes at least must lie where not every bucket is filled


class Spectra:
    """Songs of filled buckets, ready for queries of at most ``room`` beats."""

    def __init__(self, songs: Sequence[NDArray[np.bool_]], room: int) -> None:
        self.count = len(songs)
        self.buckets = songs[0].shape[1]
        by_size: dict[int, list[int]] = {}
        for number, song in enumerate(songs):
            by_size.setdefault(_size(len(song) + room), []).append(number)
        self.batches: list[tuple[int, Ints, Spectrum, Spectrum]] = []
        for size, numbers in sorted(by_size.items()):
            for at in range(0, len(numbers), _BATCH):
                mine = numbers[at : at + _BATCH]
                rows = np.zeros((size, self.buckets, len(mine)), dtype=np.float32)
                for column, number in enumerate(mine):
                    rows[: len(songs[number]), :, column] = songs[number]
                spectrum = np.fft.rfft(rows, axis=0)
                self.batches.append((size, np.array(mine, dtype=np.int64), spectrum, spectrum.sum(axis=1)))

    def best(self, beat: Ints, buckets: Ints) -> tuple[Floats, Ints, Ints]:
        """For every song the largest share of notes that fall into filled buckets, beyond what beats so full catch.

        Also the distance in beats and the transposition at which that is. ``beat`` of each note counts from 0;
        ``buckets`` has a row a transposition.
        """
        turns, notes = len(buckets), len(beat)
        share, where = np.zeros(self.count), np.zeros(self.count, dtype=np.int64)
        which = np.zeros(self.count, dtype=np.int64)
        known: dict[int, tuple[Spectrum, Spectrum]] = {}
        for size, songs, spectrum, fullness in self.batches:
            if size not in known:
                laid = np.zeros((size, turns, self.buckets), dtype=np.float32)
                for turn, row in enumerate(buckets):
                    np.add.at(laid[:, turn], (beat, row), 1.0)
                full = np.bincount(beat, minlength=size).astype(np.float32)
                known[size] = np.conj(np.fft.rfft(laid, axis=0)), np.conj(np.fft.rfft(full))
            query, full_query = known[size]
            counts = np.fft.irfft(query @ spectrum, size, axis=0)
            caught = np.fft.irfft(fullness * full_query[:, None], size, axis=0)
            most = np.rint(counts.max(axis=1))
            usual = np.rint(caught) / self.buckets
            beyond = (most - usual) / np.maximum(notes - usual, _LEAST * notes)
            at = beyond.argmax(axis=0)
            rows = np.arange(len(songs))
            share[songs], which[songs] = beyond[at, rows], np.rint(counts[at, :, rows]).argmax(axis=1)
            where[songs] = np.where(at > size // 2, at - size, at)
        return share, where, which


def _size(least: int) -> int:
    """A length at least that large which transforms quickly: a power of two, or one and a half times one."""
    size = _SMALLEST
    while size < least:
        size *= 2
    return size * 3 // 4 if size * 3 // 4 >= least else size
