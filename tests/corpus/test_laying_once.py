"""A piece laid over songs once, and over songs that were transformed for many pieces: the same places."""

from __future__ import annotations

import os
import threading

import numpy as np
import pytest

from libretto.corpus.buckets import BUCKET, BUCKETS, PLACES, REMAINDERS, so_many_filled, times_filled, unpacked
from libretto.corpus.hands import beside, hands_here
from libretto.corpus.sizes import by_size
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
    rng = np.random.default_rng(beats)
    songs = [rng.integers(0, 2**32, length, dtype=np.uint32) for length in (beats, 3, beats)]
    filled = unpacked(songs)
    counts = times_filled(filled)
    for numbers, mine, times in zip(songs, filled, counts, strict=True):
        bits = [[bool(int(number) >> bit & 1) for bit in range(BUCKETS)] for number in numbers]
        assert mine.tolist() == bits
        assert times.tolist() == [sum(row[bit] for row in bits) for bit in range(BUCKETS)]
        assert so_many_filled(mine).tolist() == [sum(row) for row in bits]


def test_the_transform_of_a_long_song_serves_one_of_half_the_length() -> None:
    rng = np.random.default_rng(5)
    songs = [rng.random((length, BUCKETS)) < 0.5 for length in (*range(50, 59), *range(315, 324))]
    beat = np.arange(128)
    place, rest = rng.integers(0, PLACES, 128), rng.integers(0, REMAINDERS, 128)
    sizes = by_size(songs, 128, 3)
    assert [size for size in sizes if 2 * size in sizes]
    for mine, theirs in zip(
        best_once(songs, BUCKET, 128, [(beat, place, rest)])[0],
        Spectra(songs, BUCKET, 128).best(beat, place, rest),
        strict=True,
    ):
        assert np.array_equal(mine, theirs)


def test_songs_laid_at_once_by_several_hands_are_those_laid_one_after_another(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(8)
    songs = [rng.random((int(rng.integers(1, 400)), BUCKETS)) < rng.uniform(0.2, 0.8) for _ in range(120)]
    beat = np.sort(rng.integers(0, 200, 900))
    place, rest = rng.integers(0, PLACES, 900), rng.integers(0, REMAINDERS, 900)
    spectra = Spectra(songs, BUCKET, 256)
    ways = []
    for hands in (1, 3):
        monkeypatch.setattr("libretto.corpus.spectra.hands_here", lambda hands=hands: hands)
        ways.append(spectra.best(beat - beat[0], place, rest))
    for mine, theirs in zip(*ways, strict=True):
        assert np.array_equal(mine, theirs)


def test_a_worker_among_several_has_one_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "64")
    assert 1 <= hands_here() <= len(os.sched_getaffinity(0))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert hands_here() == 1
    monkeypatch.delenv("OMP_NUM_THREADS")
    monkeypatch.setattr("multiprocessing.process.parent_process", object)
    assert hands_here() == 1


def test_work_beside_other_work_has_a_hand_less_and_gives_what_it_would_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda process: {0, 1, 2}, raising=False)
    for asked, hands in (("1", 1), ("3", 2)):
        monkeypatch.setenv("OMP_NUM_THREADS", asked)
        begun: list[int] = []

        def work(begun: list[int] = begun) -> int:
            begun.append(threading.get_ident())
            return hands_here()

        result = beside(work)
        assert result() == hands
        assert (begun[0] == threading.get_ident()) == (asked == "1")
        assert hands_here() == int(asked)


def test_what_fails_beside_other_work_fails_where_it_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda process: {0, 1}, raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    result = beside(lambda: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        result()
