"""A piece laid over songs once, and over songs that were transformed for many pieces: the same places."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.corpus.buckets import BUCKET, BUCKETS, PLACES, REMAINDERS, times_filled, unpacked
from libretto.corpus.spectra import Spectra, best_once


@pytest.mark.parametrize("seed", range(4))
def test_one_piece_finds_the_same_places_either_way(seed: int) -> None:
    rng = np.random.default_rng(seed)
    songs = [rng.random((int(rng.integers(1, 300)), BUCKETS)) < rng.uniform(0.2, 0.8) for _ in range(23)]
    notes, room = int(rng.integers(1, 900)), 128
    beat = np.sort(rng.integers(0, int(rng.integers(1, room)), notes))
    beat -= beat[0]
    place, rest = rng.integers(0, PLACES, notes), rng.integers(0, REMAINDERS, notes)
    once = best_once(songs, BUCKET, room, [(beat, place, rest), (beat[:1] * 0, place[:1], rest[:1])])
    assert len(once) == 2
    for mine, theirs in zip(once[0], Spectra(songs, BUCKET, room).best(beat, place, rest), strict=True):
        assert np.array_equal(mine, theirs)


@pytest.mark.parametrize("beats", [0, 1, 255, 256, 700])
def test_buckets_are_counted_as_their_bits_say(beats: int) -> None:
    numbers = np.random.default_rng(beats).integers(0, 2**32, beats, dtype=np.uint32)
    filled = unpacked(numbers)
    assert filled.tolist() == [[bool(int(number) >> bit & 1) for bit in range(BUCKETS)] for number in numbers]
    assert times_filled(filled).tolist() == [sum(int(n) >> bit & 1 for n in numbers) for bit in range(BUCKETS)]
