"""Learn what the reward goes by, with how often it is right: ``python -m lab.reward MUSIC [--write]``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path

import numpy as np

from lab.checkout import arguments_of, compact_json, package_of, run
from lab.merit.pieces import sources
from lab.reward.learning import Table, column_level, held_out, learnt, level_of, plain, table_of, tails_of, told_apart
from lab.reward.remembering import memory_level, song_turns
from lab.reward.rows import bases, kept_rows
from libretto.formats import write_bytes
from libretto.merit import merit_of
from libretto.reward.memory import KEPT, Memory
from libretto.reward.standards import Level

__all__ = ["main"]

_DIGITS = 5
_RARE = 0.995  # of real pieces have fewer extremes
_WEIGHED = 60  # songs whose stretches are weighed in full, for where real music lies there


def _levels(table: Table, sense: np.ndarray, ordering: np.ndarray) -> dict[str, Level]:
    tails = tails_of(table)
    extremes = np.array(
        [
            sum(not low <= row.numbers.get(name, low) <= high for name, (low, high) in tails.items())
            for row, real in zip(table.rows, table.real, strict=True)
            if real
        ],
        dtype=np.float64,
    )
    budget = Level(
        0.0, float(np.median(extremes)), float(np.quantile(extremes, _RARE)), max(float(extremes.std()), 1.0)
    )
    return {
        "sense": level_of(sense[table.real]),
        "ordering": level_of(ordering[table.real]),
        "extremes": budget,
        "idle": column_level(table, "material.idle"),
        "parts.rub_worst": column_level(table, "parts.rub_worst"),
        "parts.rub_apart": column_level(table, "parts.rub_apart"),
    }


def main(arguments: Sequence[str]) -> None:
    """Measure, learn and print; with ``--write`` put what was learnt into the package."""
    parser = arguments_of("Learn what the reward goes by.", "the folder that holds corpus/ and tunes/", check=False)
    parser.add_argument("--write", action="store_true", help="put what was learnt into the package")
    parser.add_argument("--kept", type=Path, default=Path("reward_rows.jsonl"), help="where rows are kept")
    parser.add_argument("--songs", type=int, default=None, help="so many songs (default: all)")
    parser.add_argument("--tunes", type=int, default=150, help="so many tunes of each collection")
    asked = parser.parse_args(arguments)
    table = table_of(kept_rows(asked.music, asked.kept, asked.songs, asked.tunes))
    print(f"{int(table.real.sum())} real pieces, {len(table.rows)} rows, {len(table.names)} numbers", flush=True)
    sense, ordering = held_out(table, "sense"), held_out(table, "ordering")
    for title, worth, kind in (("sense", sense, "attack"), ("ordering", ordering, "worse")):
        print(f"\n{title}: right of a hundred, artists held out")
        for what, share in told_apart(table, worth, kind).items():
            print(f"  {what:45s} {100 * share:6.2f}")
    levels = _levels(table, sense, ordering)
    if asked.write:
        _write(asked.music, package_of(asked.checkout) / "reward", table, levels, asked.songs)


def _write(music: Path, package: Path, table: Table, levels: dict[str, Level], songs: int | None) -> None:
    every = np.ones(len(table.rows), dtype=np.bool_)
    turns = song_turns(sources(music))
    some = list(bases(music, sources(music)[: min(songs or _WEIGHED, _WEIGHED)], 20))
    levels["memory"] = memory_level(turns, some)
    levels["merit"] = level_of(np.array([merit_of(score).value for _, _, score in some]))
    data = {
        "sense": plain(learnt(table, "sense", every)),
        "ordering": plain(learnt(table, "ordering", every)),
        "levels": {name: [float(f"{v:.{_DIGITS}g}") for v in astuple(level)] for name, level in levels.items()},
        "tails": {name: [float(f"{v:.{_DIGITS}g}") for v in pair] for name, pair in tails_of(table).items()},
    }
    write_bytes(compact_json(data), package / "standards.json", force=True)
    memory = Memory.of_turns([marks for _, marks in turns], KEPT)
    write_bytes(memory.to_bytes(), package / "memory.bin", force=True)
    print(f"\nwrote standards.json and memory.bin ({len(memory.marks):,} marks of {len(memory)} songs): {levels}")


if __name__ == "__main__":
    run(main, sys.argv[1:])
