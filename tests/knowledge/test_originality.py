"""The examples are ours: no dozen notes in a row of any of them stand in any song of the calibration music.

The slide score says little of a few bars (chance gives a dozen notes nearly everything), so runs are compared exactly:
twelve consecutive notes of one voice with the same intervals and the same rhythm, at any pitch and speed. Runs that
are mere figures, in even notes or with hardly any variety of interval and rhythm, belong to everybody and are left out:
the broken chords and boogie basses of accompaniments.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from libretto import LibrettoError, Score, parse, read
from libretto.knowledge import all_concepts

NOTES, LEAST_INTERVALS, LEAST_KINDS = 12, 4, 6
Longs = NDArray[np.uint64]


def _runs(score: Score) -> Longs:
    """One number for every run of twelve notes of every voice, by intervals and by ratios of rhythm."""
    found = []
    for voice in score.voices:
        if voice.drums or len(voice.array) < NOTES:
            continue
        onset, first = np.unique(voice.array["onset"][::-1], return_index=True)
        pitch = voice.array["pitch"][::-1][first].astype(np.int64)  # the highest note of each onset
        if len(pitch) < NOTES:
            continue
        moves, gaps = np.diff(pitch), np.diff(onset).astype(np.float64)
        ratio = np.rint(8 * np.log2(gaps[1:] / gaps[:-1])).astype(np.int64)
        cells = np.stack([moves[1:] + 128, ratio + 256], axis=1)
        windows = np.lib.stride_tricks.sliding_window_view(cells, NOTES - 2, axis=0)  # (runs, 2, notes - 2)
        intervals = np.lib.stride_tricks.sliding_window_view(moves, NOTES - 1)
        distinct = (np.diff(np.sort(intervals, axis=1), axis=1) != 0).sum(axis=1) + 1
        kinds = np.sort(windows[:, 0] * 1024 + windows[:, 1], axis=1)
        uneven = (windows[:, 1] != 256).any(axis=1)
        rich = uneven & (distinct >= LEAST_INTERVALS) & ((np.diff(kinds, axis=1) != 0).sum(axis=1) + 1 >= LEAST_KINDS)
        total = np.zeros(len(windows), dtype=np.uint64)
        for place in range(NOTES - 2):
            for part in range(2):
                total = total * np.uint64(1_099_511_628_211) + windows[:, part, place].astype(np.uint64)
        head = (moves[: len(windows)] + 128).astype(np.uint64)
        found.append((total * np.uint64(1_099_511_628_211) + head)[rich])
    return np.unique(np.concatenate(found)) if found else np.empty(0, np.uint64)


def _among(runs: Longs, songs: Longs) -> NDArray[np.bool_]:
    """Which runs stand in a sorted array of runs."""
    place = np.minimum(np.searchsorted(songs, runs), len(songs) - 1)
    return np.asarray(songs[place] == runs)


def _runs_of(path: str) -> Longs:
    try:
        return _runs(read(path))
    except LibrettoError:
        return np.empty(0, np.uint64)


def test_a_quotation_would_be_found() -> None:
    for concept in list(all_concepts().values())[::40]:
        score = parse(concept.example)
        runs = _runs(score)
        assert not len(runs) or _among(runs, runs).all()


@pytest.mark.slow
def test_no_example_quotes_a_song(shared: Path) -> None:
    files = [str(path) for path in sorted((shared / "corpus").rglob("*")) if path.suffix in (".mid", ".midi", ".txt")]
    assert len(files) > 2_000
    with ProcessPoolExecutor() as pool:
        songs = np.unique(np.concatenate(list(pool.map(_runs_of, files, chunksize=16))))
    quoted, seen = [], 0
    for key, concept in all_concepts().items():
        for text in (concept.example, concept.plain):
            runs = _runs(parse(text))
            seen += len(runs)
            if _among(runs, songs).any():
                quoted.append(key)
    assert seen > 1_000
    assert not quoted, quoted
