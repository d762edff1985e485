"""``libretto bench representation``: tables 1 and 2 of the paper, row by row, the published figure beside ours.

Every figure is measured when it is asked for: on the clouds named, on the music given, on five tunes of our own. A
cloud of the published axes alone is there to reproduce the paper and is held to no mark; one with axes of ours is.
The generated-output column of table 2 belongs to the tasks that generate, and is not here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from libretto.bench.representation.axes import axis_entries, genre_entries, logistic_entries
from libretto.bench.representation.gates import GenreLine, gate_entries, genre_lines
from libretto.bench.representation.music import measure_music, music_entries, tune_entries
from libretto.bench.representation.rows import HERE, Check, Mark, TableRow, merge, row_lines
from libretto.corpus import Cloud
from libretto.corpus.statistics import Estimate

__all__ = ["Representation", "check_marks", "represent", "representation_lines"]

_TITLES = ("Table 1: representation and metric validation", "Table 2: gate calibration and discrimination")


@dataclass(frozen=True)
class Representation:
    """Both tables, what the gates do genre by genre in each cloud, and the music that was refused."""

    clouds: tuple[str, ...]
    first: tuple[TableRow, ...]
    second: tuple[TableRow, ...]
    genres: Mapping[str, tuple[GenreLine, ...]] = field(default_factory=dict)
    refused: tuple[tuple[str, str], ...] = ()

    @property
    def marks(self) -> list[Mark]:
        """Every mark, in the order of the tables."""
        return [mark for row in (*self.first, *self.second) for mark in row.marks]

    @property
    def passed(self) -> bool:
        """Whether every mark is met."""
        return all(mark.met for mark in self.marks)

    def to_dict(self) -> dict[str, Any]:
        """The tables as plain data."""
        return {
            "passed": self.passed,
            "clouds": list(self.clouds),
            "table_1": [row.to_dict() for row in self.first],
            "table_2": [row.to_dict() for row in self.second],
            "genres": {name: [line.to_dict() for line in lines] for name, lines in self.genres.items()},
            "marks": [mark.to_dict() for mark in self.marks],
            "refused": [{"file": file, "why": why} for file, why in self.refused],
        }


def represent(
    clouds: Sequence[Cloud], music: Sequence[Path] = (), progress: Callable[[int, int], None] | None = None
) -> Representation:
    """Measure both tables on some clouds and, where files of music are given, on those.

    ``progress`` is told after each file how many are done, and of how many.
    """
    named, checks = _named(clouds), list(Check)
    rows = measure_music(music, progress)
    columns = {
        name: [*axis_entries(cloud), *logistic_entries(cloud), *genre_entries(cloud)] for name, cloud in named.items()
    }
    first = merge({HERE: [*tune_entries(rows), *music_entries(rows)], **columns})
    return Representation(
        tuple(named),
        tuple(sorted(first, key=lambda row: checks.index(Check(row.check)))),
        merge({name: list(gate_entries(cloud)) for name, cloud in named.items()}),
        {name: tuple(genre_lines(cloud)) for name, cloud in named.items()},
        tuple((row["file"], row["refused"]) for row in rows if "refused" in row),
    )


def _named(clouds: Sequence[Cloud]) -> dict[str, Cloud]:
    """Each cloud once, under a name that no other has."""
    named: dict[str, Cloud] = {}
    for cloud in clouds:
        if not any(cloud is other for other in named.values()):
            same = sum(cloud.full_name == other.full_name for other in named.values())
            named[f"{cloud.full_name} ({same + 1})" if same else cloud.full_name] = cloud
    return named


def check_marks(cloud: Cloud) -> list[Mark]:
    """Every mark that a cloud is held to, with the figure it reaches; none for a cloud that reproduces the paper."""
    entries = chain(axis_entries(cloud), genre_entries(cloud), gate_entries(cloud))
    return [entry.cell.mark for entry in entries if entry.cell.mark is not None]


def representation_lines(result: Representation) -> list[str]:
    """Both tables for a terminal, the genres of each cloud, and whether all marks are met."""
    lines = row_lines(_TITLES[0], result.first, result.clouds)
    lines += ["", *row_lines(_TITLES[1], result.second, result.clouds)]
    for name, genres in result.genres.items():
        lines += ["", f"{name}, genre by genre, held out", *_genre_table(genres)]
    lines += ["", *(f"refused: {file}: {why}" for file, why in result.refused)]
    missed = [mark for mark in result.marks if not mark.met]
    lines += [f"missed: {mark.name} ({mark.where}): {mark.figure:.4g}, {mark}" for mark in missed]
    lines.append(f"every one of {len(result.marks)} marks is met" if result.passed else "some marks are missed")
    return lines


def _genre_table(genres: Sequence[GenreLine]) -> list[str]:
    width = max([len(line.genre) for line in genres] + [len("genre")]) + 2
    head = f"  {'genre':<{width}}{'songs':>5}{'extremes':>10}{'budget':>8}  "
    lines = [head + f"{'own label passes':<18}{'wrong one passes':<18}{'all gates':<16}{'ceiling':>7}"]
    for line in genres:
        numbers = f"{line.songs:>5}{line.extremes:>10.1f}{'-' if line.budget is None else line.budget:>8}  "
        shares = f"{_percent(line.own):<18}{_percent(line.wrong):<18}{_percent(line.together):<16}"
        ceiling = "-" if line.ceiling is None else f"{line.ceiling:.2f}"
        lines.append(f"  {line.genre:<{width}}{numbers}{shares}{ceiling:>7}")
    return lines


def _percent(share: Estimate | None) -> str:
    return "-" if share is None else share.percent
