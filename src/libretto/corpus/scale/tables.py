"""The axes of many files as one table for statistics of one's own: CSV, or Parquet that pandas and polars read.

It is measured as a cloud is: by partitions, on processes or a cluster, going on where it was stopped. A file that
cannot be read is a row whose ``refused`` says why. Columns: file, genre, artist, title, refused, size in bytes, sha256,
bars, notes, voices, seconds, and the axes, empty where one does not apply.
"""

from __future__ import annotations

import csv
import os
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from libretto.corpus.labels import shown
from libretto.corpus.scale.engines import Means
from libretto.corpus.scale.extra import arrow, parquet
from libretto.corpus.scale.parts import PARTS, Parts, read_columns, schema
from libretto.corpus.scale.places import find_place
from libretto.corpus.scale.plan import FILES_A_PART, make_plan
from libretto.corpus.scale.running import measure_missing
from libretto.errors import FileExists, FormatError, UnknownFormat

__all__ = ["Measurements", "measure_table"]

_CONTENT, _SHA = "content", "sha256"


@dataclass(frozen=True)
class Measurements:
    """A table that was written: how many files it has, how many of them were refused and how many measured now."""

    table: Path
    files: int
    refused: int
    measured: int

    def to_dict(self) -> dict[str, Any]:
        """What was written, as plain data."""
        return {**asdict(self), "table": str(self.table)}


def measure_table(
    place: str | os.PathLike[str],
    table: str | os.PathLike[str],
    *,
    labels: str | os.PathLike[str] | None = None,
    workers: int = 0,
    scheduler: str = "",
    force: bool = False,
    quiet: bool = False,
    size: int = FILES_A_PART,
) -> Measurements:
    """Measure the axes of all music in a place into a table; the suffix says which kind, .csv or .parquet."""
    target = Path(table)
    write = _WRITERS.get(target.suffix.lower())
    if write is None:
        raise UnknownFormat(f"a table is .csv or .parquet, not {shown(target.name)!r}")
    if target.exists() and not force:
        raise FileExists(f"{shown(str(target))} exists; use --force (force=True) to replace it")
    unfinished = target.with_name(f"{target.name}.partial")
    plan = make_plan(find_place(place, labels), unfinished, labels=labels, depth="axes", size=size)
    measured = measure_missing(plan, unfinished, Means(workers, scheduler), quiet)
    parts = Parts(unfinished / PARTS, check=False)
    part = target.with_name(f".{target.name}.writing")
    try:
        refused = write(parts, part)
        os.replace(part, target)
    except OSError as error:
        raise FormatError(f"cannot write {shown(str(target))}: {error.strerror}") from None
    shutil.rmtree(unfinished, ignore_errors=True)
    return Measurements(target, plan.files, refused, measured)


def _columns() -> list[str]:
    return [_SHA if name == _CONTENT else name for name in schema("axes").names]


def _hashed(table: Any) -> Any:
    """The columns of a partition, with hashes as text."""
    hashes = [content.hex() if content else "" for content in table[_CONTENT].to_pylist()]
    return table.set_column(table.schema.get_field_index(_CONTENT), _SHA, arrow().array(hashes, arrow().string()))


def _refused(table: Any) -> int:
    return sum(bool(why) for why in table["refused"].to_pylist())


def _write_csv(parts: Parts, path: Path) -> int:
    refused = 0
    with open(path, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(_columns())
        for _, part in parts:
            table = _hashed(read_columns(part, schema("axes").names))
            refused += _refused(table)
            columns = [table[name].to_pylist() for name in _columns()]
            rows.writerows(["" if cell is None else cell for cell in row] for row in zip(*columns, strict=True))
    return refused


def _write_parquet(parts: Parts, path: Path) -> int:
    refused, writer = 0, None
    for _, part in parts:
        table = _hashed(read_columns(part, schema("axes").names))
        refused += _refused(table)
        writer = writer or parquet().ParquetWriter(path, table.schema, compression="zstd", store_schema=False)
        writer.write_table(table)
    if writer is not None:
        writer.close()
    return refused


_WRITERS: dict[str, Callable[[Parts, Path], int]] = {".csv": _write_csv, ".parquet": _write_parquet}
