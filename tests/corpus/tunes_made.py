"""Small pieces of our own making, as files: tunes by chance over a bass, each from its seed."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from lab.scale.making import Line, midi_bytes

_SCALE = np.array([0, 2, 4, 5, 7, 9, 11])


def tune(seed: int, bars: int = 12) -> Line:
    """A tune in eighths and quarters, and a bass in halves."""
    dice = np.random.default_rng(seed)
    starts, rows, degree = 0, [], 7
    while starts < bars * 192:
        length = int(dice.choice([24, 48, 48, 72]))
        degree = int(np.clip(degree + dice.integers(-3, 4), 0, 20))
        rows.append((starts, length, 60 + 12 * (degree // 7) + int(_SCALE[degree % 7]), 80, 0))
        starts += length
    for bar in range(bars * 2):
        rows.append((bar * 96, 96, 36 + int(_SCALE[int(dice.integers(0, 7))]), 70, 1))
    return np.array(sorted(rows), dtype=np.int64)


def moved(line: Line, steps: int) -> Line:
    """The same, higher."""
    return np.asarray(line + np.array([0, 0, steps, 0, 0]))


def folder_of_tunes(folder: Path, count: int = 18, bars: int = 12) -> Path:
    """Tunes in two genres, with a copy in another key, the same bytes twice, and two files that cannot be read."""
    for number in range(count):
        home = folder / ("jazz" if number % 2 else "folk")
        home.mkdir(parents=True, exist_ok=True)
        (home / f"t{number:03}.mid").write_bytes(midi_bytes(tune(number, bars), f"tune {number}"))
    (folder / "jazz" / "u1.mid").write_bytes(midi_bytes(moved(tune(0, bars), 5), "another key"))
    (folder / "jazz" / "u2.mid").write_bytes((folder / "folk" / "t002.mid").read_bytes())
    (folder / "jazz" / "v1.mid").write_bytes(b"not music")
    (folder / "jazz" / "v2.mid").write_bytes(midi_bytes(tune(0)[:0], "silence"))
    return folder
