"""How many rewards a second one core gives for pieces of 32 bars, in processor time: python benchmarks/reward.py.

Pieces are composed by the house for one to four players, and rewarded as texts and as Scores; with the calibration
music beside the checkout, windows of 32 bars of real songs are, too, as they were played and as they look on paper.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

for _threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_threads] = "1"  # one core, also inside numpy
ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))

from libretto import LibrettoError, Score, compose, notate, parse, played, read, reward_of
from libretto.score import take_bars
from libretto.score.paper import on_paper

BRIEFS = (
    "A reel for solo violin in D major, 32 bars",
    "A waltz for accordion and violin in A minor, 32 bars",
    "A folk trio: mandolin, guitar and bass, 32 bars in D",
    "A string quartet in C minor, 32 bars",
    "A reggae groove for guitar, organ, bass and drums, 32 bars",
)
BARS, SONGS, TIMES, ASKED = 32, 24, 5, 100


def rate(pieces: list[str | Score]) -> float:
    for piece in pieces[:2]:
        reward_of(piece)
    start = time.process_time()
    for _ in range(TIMES):
        for piece in pieces:
            reward_of(piece)
    return TIMES * len(pieces) / (time.process_time() - start)


def windows(way: Callable[[Score], Score]) -> Iterator[Score]:
    folder = ROOT.parent / "shared" / "corpus" / "midi"
    for path in sorted(folder.rglob("*.mid"), key=lambda path: path.name[::-1])[:SONGS]:
        try:
            song = played(read(str(path)))
            if song.bars >= BARS + 8:
                yield way(take_bars(song, song.numbers[8], song.numbers[7 + BARS]))
        except LibrettoError:
            continue


def as_texts(scores: list[Score]) -> list[str | Score]:
    return [notate(score) for score in scores]


def main() -> None:
    house = [played(compose(brief, rounds=1).score) for brief in BRIEFS]
    classes: dict[str, list[str | Score]] = {"house, texts": as_texts(house), "house, Scores": list(house)}
    written = list(windows(on_paper))
    if written:
        classes |= {"songs on paper, texts": as_texts(written), "songs on paper, Scores": list(written)}
        classes |= {"songs as played, texts": as_texts(list(windows(lambda window: window)))}
    print(f"{'pieces of 32 bars':24s} {'pieces':>6s} {'characters':>10s} {'rewards a second and core':>26s}")
    for name, pieces in classes.items():
        for piece in pieces:
            if isinstance(piece, Score):
                _ = piece.table
        size = sum(len(piece) if isinstance(piece, str) else 0 for piece in pieces) // len(pieces)
        print(f"{name:24s} {len(pieces):6d} {size:10,d} {rate(pieces):26.0f}", flush=True)
    text = classes["house, texts"][1]
    start = time.process_time()
    for _ in range(40):
        parse(str(text))
    print(f"reading alone, a duo: {40 / (time.process_time() - start):.0f} a second; {ASKED} rewards are asked for")


if __name__ == "__main__":
    main()
