"""How well faults are spotted: one planted fault a kind and song, and the same songs untouched.

Conventions: a fault is *found* where its kind is among what ``spot`` reports and lies within a bar of where it was
planted. A *false alarm* is an untouched song for which anything is reported. Songs at even places taught the ear
(``spot_training``); the figures that count are those of the songs at odd places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial

from libretto.bench.intervals import wilson
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.score import Score
from libretto.tasks.faults import plant
from libretto.tasks.spot import FAULT_KINDS, spot

__all__ = ["SpotRow", "bench_spot", "spot_song", "spotting_lines"]

_FOUND, _FALSE = 0.90, 0.05  # the marks


@dataclass(frozen=True)
class SpotRow:
    """One song: for every kind whether the planted fault was found (None: no place for it), and its false alarms."""

    name: str
    found: dict[str, bool | None] = field(default_factory=dict)
    named_otherwise: dict[str, bool] = field(default_factory=dict)
    alarms: tuple[str, ...] = ()


def spot_song(name: str, score: Score, seed: int, kinds: Sequence[str] = FAULT_KINDS) -> SpotRow:
    """Plant one fault a kind in a song and see which are found; listen to the song as it is, too."""
    found: dict[str, bool | None] = {}
    otherwise: dict[str, bool] = {}
    for kind in kinds:
        planted = plant(score, kind, seed)
        if planted is None:
            found[kind] = None
            continue
        near = [one for one in spot(planted.score) if abs(one.bar - planted.bar) <= 1]
        found[kind] = any(one.kind == kind for one in near)
        otherwise[kind] = bool(near)
    return SpotRow(name, found, otherwise, tuple(one.kind for one in spot(score)))


def _row(seed: int, path: str) -> SpotRow | None:
    try:
        return spot_song(path, read(path), seed)
    except LibrettoError:
        return None


def bench_spot(
    files: Iterable[str], seeds: int = 1, jobs: int = 1, step: Callable[[str], None] = lambda _: None
) -> list[SpotRow]:
    """A row for each song and seed; files that cannot be read are left out."""
    paths, rows = list(files), []
    for seed in range(seeds):
        if jobs == 1:
            results: Iterable[SpotRow | None] = map(partial(_row, seed), paths)
            rows += _kept(results, len(paths), step)
        else:
            with ProcessPoolExecutor(jobs or None) as pool:
                rows += _kept(pool.map(partial(_row, seed), paths), len(paths), step)
    return rows


def _kept(results: Iterable[SpotRow | None], total: int, step: Callable[[str], None]) -> list[SpotRow]:
    kept = []
    for number, row in enumerate(results, 1):
        step(f"{number}/{total}")
        if row is not None:
            kept.append(row)
    return kept


def spotting_lines(rows: Sequence[SpotRow]) -> list[str]:
    """The table: for each kind how many were planted, found and located, found as anything, and false alarms."""
    lines = [f"{'kind':<12} planted  found  95% interval   found as any  false alarms"]
    total = found_total = 0
    for kind in FAULT_KINDS:
        tried = [row for row in rows if row.found.get(kind) is not None]
        found = sum(bool(row.found[kind]) for row in tried)
        anything = sum(row.named_otherwise.get(kind, False) for row in tried)
        alarms = sum(kind in row.alarms for row in rows)
        total, found_total = total + len(tried), found_total + found
        lines.append(_line(kind, found, len(tried), anything, alarms, len(rows)))
    songs = sum(bool(row.alarms) for row in rows)
    anything = sum(sum(row.named_otherwise.values()) for row in rows)
    lines.append(_line("all", found_total, total, anything, songs, len(rows)))
    good = found_total >= _FOUND * max(total, 1), songs <= _FALSE * max(len(rows), 1)
    lines.append(f"marks: found at least {_FOUND:.0%}: {_word(good[0])}; alarms at most {_FALSE:.0%}: {_word(good[1])}")
    return lines


def _line(kind: str, found: int, tried: int, anything: int, alarms: int, songs: int) -> str:
    if not tried:
        return f"{kind:<12} {0:7d}      -"
    between = wilson(found / tried, tried)
    share = f"{found / tried:6.1%}  {between.low:5.1%}-{between.high:6.1%}  {anything / tried:12.1%}"
    return f"{kind:<12} {tried:7d} {share}  {alarms:5d} of {songs}"


def _word(good: bool) -> str:
    return "met" if good else "missed"
