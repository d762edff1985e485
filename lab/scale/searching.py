"""Copies looked for among very many songs: ``python -m lab.scale.searching MUSIC --songs 1000000``.

An index is made of real songs and of made ones up to a number. Figures are as common among the made ones as among the
real: those that several real songs have are drawn as often as they come there, and the rest of a song's marks, which
only it has, are its own. Then real songs are asked for: moved to
another key and in time; and so with a third of their notes changed, in four ways (another pitch of the song, a step up
or down, left out, moved to another time and pitch). Printed: how often the song is among the candidates whose notes are
counted, how long the search for candidates takes, bytes a song; and, on a few songs, how often the candidates hold what
a search through all their notes puts first.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.corpus.labels import find_songs
from libretto.corpus.overlap import Starts, starts_of
from libretto.corpus.tracks import join_tracks, track_piece
from libretto.corpus.vectors.codes import nearest_codes
from libretto.corpus.vectors.marks import MARK, code_of, kept_marks, marks_of
from libretto.corpus.vectors.postings import Postings, open_postings, write_postings
from libretto.corpus.vectors.voting import votes
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.score import QUARTER, Score, played
from libretto.score.transposing import transpose

__all__ = ["WAYS", "changed", "main"]

#: How a third of the notes is changed.
WAYS = ("pitch", "step", "left out", "moved")
_BLOCK, _MARKS = 500, 384
_CANDIDATES, _BY_CODE = 8, 2
_THIRD = 1 / 3


def changed(line: Starts, way: str, dice: np.random.Generator) -> Starts:
    """A piece with a third of its notes changed."""
    onset, pitch = line.onset.copy(), line.pitch.copy()
    mine = dice.random(len(onset)) < _THIRD
    count = int(mine.sum())
    if way == "left out":
        return Starts(onset[~mine], pitch[~mine], line.bar[~mine])
    if way == "step":
        pitch[mine] += dice.choice([-3, -2, -1, 1, 2, 3], count)
    else:
        pitch[mine] = dice.choice(pitch, count)
    if way == "moved":
        onset[mine] = dice.integers(0, onset.max() * 4 // QUARTER + 1, count) * (QUARTER // 4)
    order = np.argsort(onset, kind="stable")
    return Starts(onset[order], pitch[order], line.bar[order])


def _songs(folder: Path, most: int) -> Iterator[Score]:
    names = find_songs(folder).songs
    for song in names[:: max(1, len(names) // most)][:most]:
        try:
            yield played(read(folder / song.path))
        except LibrettoError:
            continue


def _blocks(real: Sequence[NDArray[Any]], count: int) -> Iterator[tuple[NDArray[Any], NDArray[np.int64]]]:
    """The marks of the real songs, then those of made ones."""
    yield np.concatenate(real), np.array([len(one) for one in real], dtype=np.int64)
    every = np.concatenate(real)["figure"]
    _, back, counts = np.unique(every, return_inverse=True, return_counts=True)
    pool = every[counts[back] > 1]
    shared = len(pool) / len(every)
    for number, first in enumerate(range(len(real), count, _BLOCK)):
        songs = min(_BLOCK, count - first)
        dice = np.random.default_rng(number)
        marks = np.zeros(songs * _MARKS, dtype=MARK)
        own = dice.integers(0, 1 << 32, len(marks), dtype=np.uint32)
        marks["figure"] = np.where(
            dice.random(len(marks), dtype=np.float32) < shared, dice.choice(pool, len(marks)), own
        )
        marks["cell"], marks["pitch"] = dice.integers(0, 2_000, len(marks)), dice.integers(36, 96, len(marks))
        yield marks, np.full(songs, _MARKS, dtype=np.int64)


def _candidates(index: Postings, codes: NDArray[np.uint8], line: Starts) -> list[int]:
    by_code = nearest_codes(codes, code_of(kept_marks(marks_of(line))), _BY_CODE).tolist()
    return [*(vote.song for vote in votes(index, marks_of(line, asked=True), _CANDIDATES)), *by_code]


def _recall(index: Postings, codes: NDArray[np.uint8], asked: dict[int, Starts], way: str) -> None:
    dice = np.random.default_rng(7)
    hits, took = 0, []
    for song, line in asked.items():
        piece = Starts(line.onset + 5 * QUARTER, line.pitch + int(dice.integers(-6, 7)), line.bar)
        piece = piece if way == "as it is" else changed(piece, way, dice)
        start = time.process_time()
        hits += song in _candidates(index, codes, piece)
        took.append(1000 * (time.process_time() - start))
    share = f"{hits}/{len(asked)} = {hits / len(asked):.3f}"
    middle, most = np.median(took), max(took)
    print(f"{way:<10} among the candidates {share}; {middle:.0f} ms in the middle, {most:.0f} ms at most", flush=True)


def _exhaustive(scores: Sequence[Score], asked: int) -> None:
    """On a few songs: whether what all notes put first is among the candidates of the marks."""
    lines = [starts_of(score) for score in scores]
    kept = [kept_marks(marks_of(line)) for line in lines]
    exact = join_tracks([track_piece(score) for score in scores])
    codes = np.frombuffer(b"".join(map(code_of, kept)), dtype=np.uint8).reshape(len(kept), -1)
    with tempfile.TemporaryDirectory() as where:
        path = Path(where) / "marks.idx"
        write_postings(lambda: iter([(np.concatenate(kept), np.array([len(k) for k in kept]))]), len(kept), path)
        index = open_postings(path)
        hits = 0
        for number in range(asked):
            piece = transpose(scores[number], 3)
            best = exact.nearest(piece, 1)[0].song
            hits += best in _candidates(index, codes, starts_of(piece))
        print(f"what all notes of {len(scores)} songs put first is a candidate: {hits}/{asked}", flush=True)


def main(arguments: Sequence[str]) -> None:
    """Make the index, ask, and print."""
    parser = argparse.ArgumentParser(prog="python -m lab.scale.searching", description=__doc__)
    parser.add_argument("music", type=Path)
    parser.add_argument("--songs", type=int, default=1_000_000)
    parser.add_argument("--real", type=int, default=400)
    parser.add_argument("--asked", type=int, default=100)
    parser.add_argument("--exhaustive", type=int, default=20, help="songs that are searched through note by note")
    asked = parser.parse_args(arguments)
    scores = list(_songs(asked.music, asked.real))
    lines = [starts_of(score) for score in scores]
    kept = [kept_marks(marks_of(line)) for line in lines]
    dice = np.random.default_rng(1)
    codes = dice.integers(0, 256, (asked.songs, 128), dtype=np.uint8)
    codes[: len(kept)] = np.frombuffer(b"".join(map(code_of, kept)), dtype=np.uint8).reshape(len(kept), -1)
    with tempfile.TemporaryDirectory() as where:
        path = Path(where) / "marks.idx"
        start = time.process_time()
        write_postings(lambda: _blocks(kept, asked.songs), asked.songs, path)
        bytes_a_song = path.stat().st_size / asked.songs + codes.shape[1] + 8
        took = time.process_time() - start
        print(f"{asked.songs:,} songs: made in {took:.0f} s of one core, {bytes_a_song:.0f} bytes a song", flush=True)
        index = open_postings(path)
        chosen = {int(n): lines[n] for n in dice.choice(len(lines), min(asked.asked, len(lines)), replace=False)}
        for way in ("as it is", *WAYS):
            _recall(index, codes, chosen, way)
    _exhaustive(scores[: max(asked.exhaustive, 2) * 3], asked.exhaustive)


if __name__ == "__main__":
    main(sys.argv[1:])
