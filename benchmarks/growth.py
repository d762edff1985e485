"""How the cost of measuring grows with notes, bars and voices: each line is twice the one before.

    python benchmarks/growth.py

The last column is the growth of time for each doubling: 2 is linear, 4 is quadratic. Notes may cost n log n, bars n^2.
"""

from __future__ import annotations

import os
import random
import resource
import time

for _threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_threads] = "1"  # one core, also inside numpy

from libretto.axes import measure
from libretto.gates import judge
from libretto.score import QUARTER, Note, Score, Voice


def piece(notes: int, bars: int, voices: int, seed: int = 1) -> Score:
    """Notes of a scale at random places."""
    rng = random.Random(seed)
    parts = []
    for voice in range(voices):
        mine = set()
        for _ in range(notes // voices):
            pitch = 36 + 12 * (voice % 4) + rng.choice((0, 2, 4, 5, 7, 9, 11))
            onset = rng.randrange(bars * 16) * QUARTER // 4
            mine.add(Note(onset, QUARTER // 4, pitch, rng.randint(50, 100), (pitch * 7 + 5) % 12 - 5))
        parts.append(Voice.of(f"V{voice}", mine, program=voice % 96))
    return Score.build(parts, bars=bars)


def curve(name: str, pieces: list[tuple[int, Score]]) -> None:
    before = 0.0
    for size, score in pieces:
        start = time.perf_counter()
        measure(score)
        took = time.perf_counter() - start
        start = time.perf_counter()
        judge(score, "jazz", original=False)
        judged = time.perf_counter() - start
        growth = f"x{took / before:4.1f}" if before else "     "
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{name:<7} {size:>7,}  measure {1000 * took:9.1f} ms  {growth}  "
            f"judge {1000 * judged:9.1f} ms  {peak:7.0f} MB"
        )
        before = took


def main() -> None:
    measure(piece(1_000, 16, 4))
    curve("notes", [(n, piece(n, 128, 8)) for n in (1_000, 2_000, 4_000, 8_000, 16_000, 32_000)])
    curve("bars", [(n, piece(16_000, n, 8)) for n in (64, 128, 256, 512, 1024, 2048, 4096)])
    curve("voices", [(n, piece(16_000, 128, n)) for n in (2, 4, 8, 16, 32, 64)])


if __name__ == "__main__":
    main()
