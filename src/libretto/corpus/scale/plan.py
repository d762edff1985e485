"""Which files are measured together: made once when a build begins, kept beside it, and read partition by partition.

A build that goes on reads the plan that it began with, so that what is finished stays finished, whatever has come into
the folder since. Another place, other labels or another way of measuring make a new plan and begin anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from libretto.about import own_version
from libretto.axes import ordered_axes
from libretto.corpus.excerpts import SEEDS
from libretto.corpus.labels import Song, one_line, shown
from libretto.corpus.rows import GRID, WINDOW_BARS
from libretto.corpus.scale.extra import arrow, parquet
from libretto.corpus.scale.leaf import Task
from libretto.corpus.scale.parts import PARTS, write_whole
from libretto.corpus.scale.places import Place, Refuse
from libretto.corpus.traits import TRAITS
from libretto.corpus.vectors.marks import KEPT
from libretto.errors import FormatError

__all__ = ["FILES_A_PART", "Plan", "make_plan", "open_plan", "tasks"]

FILES_A_PART = 500  #: files of a partition: what is lost at most of each process that is killed
_PLAN, _FILES = "plan.json", "files.parquet"
_COLUMNS = ("file", "genre", "artist", "title")
_MOST_SKIPPED = 10_000  # files passed over in the listing that are named


@dataclass(frozen=True)
class Plan:
    """What is to be measured: how many files in how many partitions, how deep, and what passed over in the listing."""

    key: str
    base: str
    depth: str
    files: int
    size: int
    share: float
    skipped: tuple[tuple[str, str], ...] = ()

    @property
    def parts(self) -> int:
        """How many partitions there are."""
        return -(-self.files // self.size)

    def rows_of(self, number: int) -> int:
        """How many files a partition has."""
        return min(self.size, self.files - number * self.size)


def _gauge(depth: str) -> str:
    """What measures: the package's version, the grid, the axes, and what else decides a row."""
    parts = [own_version(), GRID, depth, *(axis.name for axis in ordered_axes()), *map(str, WINDOW_BARS), str(KEPT)]
    return "\n".join([*parts, *(f"{length} {seeds}" for length, seeds in SEEDS.items()), str(TRAITS)])


def _key(place: Place, labels: str | os.PathLike[str] | None, depth: str, size: int, sample: float) -> str:
    asked = [place.asked, place.base, str(labels), str(size), str(sample), _gauge(depth)]
    return hashlib.sha256("\n".join(asked).encode("utf-8", "surrogatepass")).hexdigest()


def open_plan(folder: Path) -> Plan | None:
    """The plan that a build began with; None where there is none, or it is damaged."""
    try:
        body: dict[str, Any] = json.loads((folder / _PLAN).read_text(encoding="utf-8"))
        skipped = tuple((str(path), str(why)) for path, why in body.pop("skipped"))
        return Plan(**body, skipped=skipped) if (folder / _FILES).is_file() else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def make_plan(
    place: Place,
    folder: Path,
    *,
    labels: str | os.PathLike[str] | None = None,
    depth: str = "song",
    size: int = FILES_A_PART,
    sample: float = 0,
) -> Plan:
    """List the files of a place into partitions; the plan that is there already where it was made for the same.

    ``sample`` is how many songs are measured in full; below 1, which share of them.
    """
    key = _key(place, labels, depth, size, sample)
    there = open_plan(folder)
    if there is not None and there.key == key:
        return there
    shutil.rmtree(folder, ignore_errors=True)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / PARTS).mkdir(exist_ok=True)
    except OSError as error:
        raise FormatError(f"cannot write {shown(str(folder))}: {error.strerror}") from None
    skipped: list[tuple[str, str]] = []
    files = _list_files(place, folder / _FILES, size, skipped)
    if not files:
        shutil.rmtree(folder, ignore_errors=True)
        raise FormatError(f"there is no music in {shown(place.asked)}")
    share = sample if sample < 1 else min(1.0, sample / files)
    plan = Plan(key, place.base, depth, files, size, share, tuple(skipped[:_MOST_SKIPPED]))
    write_whole(folder / _PLAN, json.dumps(asdict(plan)).encode())
    return plan


def _list_files(place: Place, path: Path, size: int, skipped: list[tuple[str, str]]) -> int:
    """Write the files of a place down, a partition a group of rows; how many there are."""

    def refuse(file: str, why: str) -> None:
        if len(skipped) < _MOST_SKIPPED:
            skipped.append((one_line(file), why))

    pa, pq = arrow(), parquet()
    schema = pa.schema([(name, pa.string()) for name in _COLUMNS])
    files = 0
    with pq.ParquetWriter(path, schema) as writer:
        for songs in _in_groups(place.walk(refuse), size, refuse):
            columns = [[getattr(song, "path" if name == "file" else name) for song in songs] for name in _COLUMNS]
            writer.write_table(pa.table(dict(zip(_COLUMNS, columns, strict=True)), schema=schema))
            files += len(songs)
    return files


def _in_groups(songs: Iterator[Song], size: int, refuse: Refuse) -> Iterator[list[Song]]:
    group: list[Song] = []
    for song in songs:
        try:
            song.path.encode()
        except UnicodeEncodeError:  # a name that is not text cannot be kept as text
            refuse(shown(song.path), "its name is not text; rename it")
            continue
        group.append(song)
        if len(group) == size:
            yield group
            group = []
    if group:
        yield group


def tasks(plan: Plan, folder: Path, wanted: list[int]) -> Iterator[Task]:
    """What is to be measured of some partitions, one after another."""
    with parquet().ParquetFile(folder / _FILES) as file:
        for number in wanted:
            table = file.read_row_group(number, use_threads=False).to_pydict()
            songs = tuple(Song(*row) for row in zip(*(table[name] for name in _COLUMNS), strict=True))
            yield Task(number, plan.base, songs, plan.depth, plan.share)
