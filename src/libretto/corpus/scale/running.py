"""Measure what is missing of a plan: partition by partition, each kept as soon as it is done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from libretto.corpus.progress import Progress
from libretto.corpus.scale.engines import Engine, Means, choose_engine
from libretto.corpus.scale.leaf import DIED, Task, refused_leaf
from libretto.corpus.scale.parts import PARTS, Parts, encode, join_encoded, measure_task, write_part
from libretto.corpus.scale.plan import Plan, tasks

__all__ = ["measure_missing"]


def measure_missing(plan: Plan, folder: Path, means: Means, quiet: bool = False) -> int:
    """Measure the partitions that are not there yet; how many files these had."""
    there = Parts(folder / PARTS)
    missing = [number for number in range(plan.parts) if number not in there.paths]
    _clear(folder / PARTS, there)
    total = sum(plan.rows_of(number) for number in missing)
    progress = Progress(total, before=plan.files - total, quiet=quiet)
    engine = choose_engine(means)
    for task, data in engine(measure_task, tasks(plan, folder, missing), means):
        whole = data if data is not None else _one_by_one(task, engine, means)
        write_part(folder / PARTS, task.number, whole)
        progress.step(len(task.songs))
    return total


def _clear(folder: Path, there: Parts) -> None:
    """Take away what was half written or does not fit its checksum."""
    kept = set(there.paths.values())
    for path in folder.iterdir():
        if path not in kept and (path.suffix == ".parquet" or path.suffix == ".writing"):
            path.unlink(missing_ok=True)


def _one_by_one(task: Task, engine: Engine, means: Means) -> bytes:
    """A partition in which a file takes its process down: the others are measured, and it is known which it was."""

    def singles() -> Iterator[Task]:
        for number, song in enumerate(task.songs):
            yield replace(task, number=number, songs=(song,))

    rows: dict[int, bytes] = {}
    for single, data in engine(measure_task, singles(), means):
        refused = encode([refused_leaf(single.songs[0], DIED)], task.depth) if data is None else data
        rows[single.number] = refused
    return join_encoded([rows[number] for number in sorted(rows)])
