"""Build a cloud of very many songs: list, measure by partitions, leave out copies, learn, index, keep.

What a build is made of lies in ``NAME.partial`` until it is complete, and then takes its place by renaming. A build
that was killed, at any moment, goes on there. The same files give the same bytes, whoever measured them and in whatever
order: engines, workers and interruptions leave no trace.
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.corpus.labels import shown
from libretto.corpus.scale.copies import HOW, Copies, find_copies
from libretto.corpus.scale.engines import Means
from libretto.corpus.scale.learning import learn_cloud
from libretto.corpus.scale.parts import PARTS, Parts, read_columns, write_whole
from libretto.corpus.scale.places import find_place
from libretto.corpus.scale.plan import FILES_A_PART, Plan, make_plan
from libretto.corpus.scale.running import measure_missing
from libretto.corpus.store import check_free, place_folder, target_folder
from libretto.corpus.vectors.large import CODES, LARGE, MARKS, SONGS
from libretto.corpus.vectors.marks import MARK
from libretto.corpus.vectors.postings import write_postings
from libretto.errors import FormatError
from libretto.score.table import Bools, Ints

__all__ = ["IN_FULL", "LargeBuild", "build_large"]

IN_FULL = 1_000  #: songs that are measured in full, by which gates are calibrated
_COPIES, _REFUSED, _CLOUD = "copies.csv", "refused.csv", "cloud.json"
_NAMED = 20  # files that are named on a terminal; the rest is in the tables


@dataclass(frozen=True)
class LargeBuild:
    """What a large build came to; copies and refused files are named in tables in its folder."""

    folder: Path
    files: int
    songs: int
    genres: dict[str, int]
    copies: dict[str, int]
    refused: int
    partitions: int
    measured: int
    in_full: int
    first_refused: tuple[tuple[str, str], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The build as plain data."""
        return {**asdict(self), "folder": str(self.folder)}

    def lines(self) -> list[str]:
        """The build for a terminal."""
        genres = len(set(self.genres) - {""})
        lines = [
            f"{shown(str(self.folder))}: {self.songs:,} songs of {self.files:,} files, {genres} genres, "
            f"{self.partitions:,} partitions, {self.in_full:,} songs measured in full"
        ]
        lines += [f"left out: {count:,}: {how} another ({_COPIES})" for how, count in self.copies.items() if count]
        lines += [f"skipped: {shown(file)}: {why}" for file, why in self.first_refused]
        more = self.refused - len(self.first_refused)
        return [*lines, f"skipped: {more:,} more ({_REFUSED})"] if more > 0 else lines


def build_large(
    place: str | os.PathLike[str],
    target: str,
    *,
    labels: str | os.PathLike[str] | None = None,
    about: str = "",
    workers: int = 0,
    scheduler: str = "",
    force: bool = False,
    quiet: bool = False,
    size: int = FILES_A_PART,
    in_full: float = IN_FULL,
) -> LargeBuild:
    """Make a cloud of the music in a folder, behind an address or in a list, and keep it under a name or a path.

    ``workers`` are processes of this machine, 0 for one a core; ``scheduler`` is the address of a dask scheduler whose
    workers measure instead. ``size`` is the number of files of a partition, ``in_full`` how many songs are measured in
    full (below 1, which share of them).
    """
    if size < 1 or in_full < 0:
        raise FormatError("a partition has at least one file, and no fewer than no songs are measured in full")
    there = find_place(place, labels)
    goal = target_folder(target)
    check_free(goal, force)
    unfinished = goal.with_name(f"{goal.name}.partial")
    plan = make_plan(there, unfinished, labels=labels, size=size, sample=in_full)
    measured = measure_missing(plan, unfinished, Means(workers, scheduler), quiet)
    built = _finish(plan, unfinished, goal.name, about)
    place_folder(unfinished, goal, force)
    return LargeBuild(goal, **built, measured=measured)


def _finish(plan: Plan, folder: Path, name: str, about: str) -> dict[str, Any]:
    """All that is made of the partitions: the cloud, the index, the tables, and a list of it all with checksums."""
    _clear(folder)
    parts = Parts(folder / PARTS, check=False)
    copies = find_copies(parts, folder / CODES)
    songs = copies.kept
    if not len(songs):
        shutil.rmtree(folder, ignore_errors=True)
        raise FormatError("no file can be read: nothing to build a cloud of")
    is_song = np.zeros(len(copies.read), dtype=np.bool_)
    is_song[songs] = True
    cloud = learn_cloud(name, parts, is_song, about=about)
    write_whole(folder / _CLOUD, cloud.to_json().encode())
    _write_songs(parts, songs, folder)
    write_postings(lambda: _marks(parts, is_song), len(songs), folder / MARKS)
    tables = _write_tables(parts, copies, plan, folder)
    facts = {
        "files": plan.files,
        "songs": len(songs),
        "partitions": plan.parts,
        "copies": {how: int(np.count_nonzero((copies.first >= 0) & (copies.how == n))) for n, how in enumerate(HOW)},
        **tables,
    }
    sums = {path.relative_to(folder).as_posix(): _sha256(path) for path in sorted(folder.rglob("*")) if path.is_file()}
    sums.pop(LARGE, None)
    write_whole(folder / LARGE, json.dumps({**facts, "base": plan.base, "sha256": sums}, indent=0).encode())
    return facts


def _clear(folder: Path) -> None:
    """Take away what a run that was killed had half written."""
    for path in [path for path in folder.rglob("*") if path.name.startswith(".") or path.suffix == ".writing"]:
        path.unlink(missing_ok=True)


def _sha256(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _marks(parts: Parts, is_song: Bools) -> Iterator[tuple[NDArray[Any], Ints]]:
    """The kept marks of the songs of each partition, in a row, and how many each song has."""
    at = 0
    for _, path in parts:
        column = read_columns(path, ("marks",))["marks"].to_pylist()
        mine = [column[row] for row in np.flatnonzero(is_song[at : at + len(column)]).tolist()]
        sizes = np.array([len(marks) // MARK.itemsize for marks in mine], dtype=np.int64)
        yield np.frombuffer(b"".join(mine), dtype=MARK), sizes
        at += len(column)


def _write_songs(parts: Parts, songs: Ints, folder: Path) -> None:
    """Where each song lies: its partition and its row there."""
    sizes = [read_columns(path, ("size",)).num_rows for _, path in parts]
    starts = np.concatenate(([0], np.cumsum(sizes)))
    part = np.searchsorted(starts, songs, side="right") - 1
    places = np.stack([part, songs - starts[part]], axis=1).astype("<u4")
    write_whole(folder / SONGS, places.tobytes())
    codes = np.memmap(folder / CODES, dtype=np.uint8, mode="r").reshape(int(starts[-1]), -1)
    with open(folder / f"{CODES}.writing", "wb") as file:
        for start in range(0, len(songs), 1 << 16):
            file.write(codes[songs[start : start + (1 << 16)]].tobytes())
    del codes
    os.replace(folder / f"{CODES}.writing", folder / CODES)


def _write_tables(parts: Parts, copies: Copies, plan: Plan, folder: Path) -> dict[str, Any]:
    """The files that were refused and those that repeat others, with the counts of what is left."""
    first: list[tuple[str, str]] = list(plan.skipped)
    refused, in_full, at = len(first), 0, 0
    genres: dict[str, int] = {}
    names = _Names(parts)
    with (
        open(folder / _REFUSED, "w", encoding="utf-8", newline="") as bad,
        open(folder / _COPIES, "w", encoding="utf-8", newline="") as again,
    ):
        bad_rows, copy_rows = csv.writer(bad, lineterminator="\n"), csv.writer(again, lineterminator="\n")
        bad_rows.writerow(("file", "why"))
        copy_rows.writerow(("file", "how", "of"))
        bad_rows.writerows((shown(file), why) for file, why in plan.skipped)
        for _, path in parts:
            table = read_columns(path, ("file", "genre", "refused", "detail"))
            full = table["detail"].is_valid().to_pylist()
            rows = zip(table["file"].to_pylist(), table["genre"].to_pylist(), table["refused"].to_pylist(), strict=True)
            for row, (file, genre, why) in enumerate(rows):
                number = at + row
                if why:
                    refused += 1
                    first += [(file, why)] if len(first) < _NAMED else []
                    bad_rows.writerow((shown(file), why))
                elif copies.first[number] >= 0:
                    earlier = names.of(int(copies.first[number]))
                    copy_rows.writerow((shown(file), HOW[int(copies.how[number])], shown(earlier)))
                else:
                    genres[genre or ""] = genres.get(genre or "", 0) + 1
                    in_full += full[row]
            at += table.num_rows
    return {
        "refused": refused,
        "genres": dict(sorted(genres.items())),
        "in_full": in_full,
        "first_refused": tuple(first[:_NAMED]),
    }


class _Names:
    """The file of a row by its number; partitions are read as they are asked for."""

    def __init__(self, parts: Parts) -> None:
        self._paths = [path for _, path in parts]
        sizes = [read_columns(path, ("size",)).num_rows for path in self._paths]
        self._starts = np.concatenate(([0], np.cumsum(sizes)))
        self._part, self._files = -1, [""]

    def of(self, number: int) -> str:
        part = int(np.searchsorted(self._starts, number, side="right")) - 1
        if part != self._part:
            self._part, self._files = part, read_columns(self._paths[part], ("file",))["file"].to_pylist()
        return self._files[number - int(self._starts[part])]
