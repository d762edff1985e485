"""A partition: the rows of some hundred files as one Parquet file whose name holds its number and its checksum.

Conventions. A partition is written beside its place and moved there whole, so one that is there is complete; one whose
bytes do not fit the checksum in its name is as if it were not there. The same rows give the same bytes with the same
version of Arrow. Rows stand in groups of 100, so that a single song can be read without its partition. Any program that
reads Parquet reads them (pandas, polars, duckdb); columns are in ``libretto.corpus.scale.parts.schema``.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from libretto.axes import ordered_axes
from libretto.corpus.labels import shown
from libretto.corpus.scale.extra import arrow, parquet
from libretto.corpus.scale.leaf import DEPTHS, Row, Task, leaves
from libretto.corpus.vectors.marks import CODE_BYTES
from libretto.errors import FormatError

__all__ = [
    "GROUP",
    "PARTS",
    "Parts",
    "encode",
    "join_encoded",
    "measure_task",
    "read_columns",
    "schema",
    "write_part",
    "write_whole",
]

PARTS = "parts"  #: the folder of the partitions in a cloud's
GROUP = 100  #: rows that are read at a time
_DIGITS = 16  # of a checksum in a file's name


def schema(depth: str) -> Any:
    """The columns of a partition, in order."""
    pa = arrow()
    text, whole = pa.string(), pa.int64()
    columns = [("file", text), ("genre", text), ("artist", text), ("title", text), ("refused", text)]
    columns += [("size", whole), ("content", pa.binary())]
    columns += [("bars", pa.int32()), ("notes", pa.int32()), ("voices", pa.int32()), ("seconds", pa.float64())]
    columns += [(axis.name, pa.float64()) for axis in ordered_axes()]
    if depth == DEPTHS[1]:
        columns += [("music", pa.binary()), ("shape", pa.binary()), ("marks", pa.binary())]
        columns += [("code", pa.binary(CODE_BYTES)), ("track", pa.binary()), ("detail", pa.binary())]
    return pa.schema(columns)


def encode(rows: Sequence[Row], depth: str) -> bytes:
    """Rows as the bytes of a partition."""
    return _bytes_of(arrow().Table.from_pylist(list(rows), schema=schema(depth)))


def _bytes_of(table: Any) -> bytes:
    sink = arrow().BufferOutputStream()
    parquet().write_table(table, sink, row_group_size=GROUP, compression="zstd", store_schema=False)
    return bytes(sink.getvalue())


def join_encoded(pieces: Sequence[bytes]) -> bytes:
    """Partitions as one, in order."""
    pa, pq = arrow(), parquet()
    return _bytes_of(pa.concat_tables([pq.read_table(pa.BufferReader(piece)) for piece in pieces]))


def measure_task(task: Task) -> bytes:
    """Measure the files of a task: what a process or a machine of a cluster is asked to do."""
    return encode(leaves(task), task.depth)


def write_part(folder: Path, number: int, data: bytes) -> Path:
    """Keep a partition under its number and checksum, whole or not at all."""
    digest = hashlib.sha256(data).hexdigest()[:_DIGITS]
    path = folder / f"{number:06}-{digest}.parquet"
    write_whole(path, data)
    return path


def write_whole(path: Path, data: bytes) -> None:
    """Write a file beside its place, and move it there when all of it is on the disk."""
    part = path.with_name(f".{path.name}.writing")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(part, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        raise FormatError(f"cannot write {shown(str(path))}: {error.strerror}") from None


class Parts:
    """The partitions in a folder, by number, each checked against its name once."""

    def __init__(self, folder: Path, check: bool = True) -> None:
        self.paths: dict[int, Path] = {}
        for path in sorted(folder.glob("*.parquet")) if folder.is_dir() else []:
            number, _, digest = path.stem.partition("-")
            if number.isdigit() and (not check or _digest(path) == digest):
                self.paths[int(number)] = path

    def __len__(self) -> int:
        return len(self.paths)

    def __iter__(self) -> Iterator[tuple[int, Path]]:
        return iter(sorted(self.paths.items()))


def _digest(path: Path) -> str:
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:_DIGITS]
    except OSError:
        return ""


def read_columns(path: Path, columns: Sequence[str]) -> Any:
    """Some columns of a partition, as an Arrow table."""
    try:
        return parquet().read_table(path, columns=list(columns), use_threads=False, memory_map=True)
    except (OSError, ValueError) as error:  # Arrow's own errors are ValueErrors
        raise FormatError(f"the partition {shown(str(path))} cannot be read: {' '.join(str(error).split())}") from None
