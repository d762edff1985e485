"""How well faults are spotted: one planted fault a kind and song, and the same songs untouched.

Conventions: a fault is *found* where ``spot`` reports anything within a bar of where it was planted, and *named* where
its kind is among that. A *false alarm* is an untouched song for which anything is reported. Songs of artists who taught
the ear are left out, as far as a folder's table of labels names them. Songs are taken in an order of chance that is
always the same, so that the first hundred are a fair sample.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from libretto.corpus.identity import group_of
from libretto.corpus.labels import find_songs
from libretto.corpus.statistics import wilson
from libretto.errors import LibrettoError
from libretto.faults.ear import taught_groups
from libretto.faults.find import FAULT_KINDS, spot
from libretto.faults.plant import plant
from libretto.formats import read
from libretto.score import Score

__all__ = [
    "SpotRow",
    "bench_spot",
    "group_mark",
    "number_of",
    "songs_to_test",
    "spot_song",
    "spotting_dict",
    "spotting_lines",
    "spotting_passed",
]

_FOUND, _FALSE = 0.90, 0.05  # the marks: least of the faults, most of the songs


def number_of(name: str) -> int:
    """A number for an artist or a file, always the same."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")


def group_mark(group: str) -> str:
    """Eight letters for an artist, kept instead of the name."""
    return f"{number_of(group):016x}"[:8]


@dataclass(frozen=True)
class SpotRow:
    """One song: for every kind of fault planted whether it was found and named, and what is reported untouched."""

    name: str
    found: dict[str, bool] = field(default_factory=dict)
    named: dict[str, bool] = field(default_factory=dict)
    alarms: tuple[str, ...] = ()


def songs_to_test(folder: str) -> tuple[list[str], int]:
    """The songs below a folder whose artists did not teach the ear, in an order of chance; and how many did."""
    taught, there = taught_groups(), find_songs(folder)
    songs = [
        song
        for song in there.songs
        if not (song.artist or song.title) or group_mark(group_of(song.artist, song.title)) not in taught
    ]
    songs.sort(key=lambda song: (number_of(song.path), song.path))
    return [str(there.folder / song.path) for song in songs], len(there.songs) - len(songs)


def spot_song(
    name: str, score: Score, seed: int, degree: str = "plain", donor: Score | None = None, most: int = 5
) -> SpotRow:
    """Plant one fault a kind in a song and see which are found; listen to the song as it is, too."""
    spotted: dict[str, bool] = {}
    named: dict[str, bool] = {}
    for kind in FAULT_KINDS:
        planted = plant(score, kind, seed, degree=degree, donor=donor)
        if planted is None:
            continue
        near = [one for one in spot(planted.score, most) if abs(one.bar - planted.bar) <= 1]
        spotted[kind], named[kind] = bool(near), any(one.kind == kind for one in near)
    return SpotRow(name, spotted, named, tuple(one.kind for one in spot(score)))


def _row(seed: int, degree: str, paths: tuple[str, str]) -> SpotRow | None:
    try:
        score = read(paths[0])
    except LibrettoError:
        return None
    try:
        donor = read(paths[1])
    except LibrettoError:
        donor = None
    return spot_song(paths[0], score, seed, degree, donor)


def bench_spot(
    files: Sequence[str],
    seed: int = 0,
    degree: str = "plain",
    jobs: int = 1,
    step: Callable[[int, int], None] = lambda _, __: None,
) -> list[SpotRow]:
    """A row for each song; files that cannot be read are left out. Foreign bars come from the next song."""
    paths = [(path, files[(number + 1) % len(files)]) for number, path in enumerate(files)]
    measure = partial(_row, seed, degree)
    if jobs == 1:
        return _kept(map(measure, paths), len(paths), step)
    with ProcessPoolExecutor(jobs or None) as pool:
        return _kept(pool.map(measure, paths, chunksize=2), len(paths), step)


def _kept(results: Iterable[SpotRow | None], total: int, step: Callable[[int, int], None]) -> list[SpotRow]:
    kept = []
    for number, row in enumerate(results, 1):
        step(number, total)
        if row is not None:
            kept.append(row)
    return kept


class _Counts(NamedTuple):
    """How many faults were planted, found and named, and how many untouched songs gave an alarm."""

    planted: int
    found: int
    named: int
    alarms: int


def _counts(rows: Sequence[SpotRow], kind: str) -> _Counts:
    """The counts of one kind of fault."""
    tried = [row for row in rows if kind in row.found]
    found, named = sum(row.found[kind] for row in tried), sum(row.named[kind] for row in tried)
    return _Counts(len(tried), found, named, sum(kind in row.alarms for row in rows))


def _all(rows: Sequence[SpotRow]) -> _Counts:
    """The counts of all kinds together; a song with several alarms counts once."""
    kinds = [_counts(rows, kind) for kind in FAULT_KINDS]
    planted, found, named = (sum(column) for column in list(zip(*kinds, strict=True))[:3])
    return _Counts(planted, found, named, sum(bool(row.alarms) for row in rows))


def spotting_passed(rows: Sequence[SpotRow]) -> bool:
    """Whether both marks are met: at least 90% found, at most 5% of the untouched songs with an alarm."""
    total = _all(rows)
    return bool(rows) and total.found >= _FOUND * total.planted and total.alarms <= _FALSE * len(rows)


def spotting_dict(rows: Sequence[SpotRow]) -> dict[str, Any]:
    """The table as data."""
    kinds = {kind: _counts(rows, kind) for kind in FAULT_KINDS} | {"all": _all(rows)}
    names = ("planted", "found", "named", "songs with an alarm")
    alarms = {Path(row.name).name: list(row.alarms) for row in rows if row.alarms}
    table = {kind: dict(zip(names, counts, strict=True)) for kind, counts in kinds.items()}
    return {"songs": len(rows), "kinds": table, "alarms": alarms, "passed": spotting_passed(rows)}


def spotting_lines(rows: Sequence[SpotRow]) -> list[str]:
    """The table: for each kind how many were planted, found and located, named rightly, and false alarms."""
    lines = [f"{'kind':<12} planted  found  95% interval   named  songs with an alarm"]
    lines += [_line(kind, _counts(rows, kind), len(rows)) for kind in FAULT_KINDS]
    total = _all(rows)
    lines.append(_line("all", total, len(rows)))
    if rows:
        between = wilson(total.alarms / len(rows), len(rows))
        lines.append(f"false alarms: {total.alarms / len(rows):.1%} of songs ({between.low:.1%}-{between.high:.1%})")
    found, quiet = total.found >= _FOUND * max(total.planted, 1), total.alarms <= _FALSE * max(len(rows), 1)
    lines.append(f"marks: found at least {_FOUND:.0%}: {_word(found)}; alarms at most {_FALSE:.0%}: {_word(quiet)}")
    return lines


def _line(kind: str, counts: _Counts, songs: int) -> str:
    planted, found, named, alarms = counts
    if not planted:
        return f"{kind:<12} {0:7d}      -                     -  {alarms:5d} of {songs}"
    between = wilson(found / planted, planted)
    share = f"{found / planted:6.1%}  {between.low:5.1%}-{between.high:6.1%}  {named / planted:6.1%}"
    return f"{kind:<12} {planted:7d} {share}  {alarms:5d} of {songs}"


def _word(good: bool) -> str:
    return "met" if good else "missed"
