"""How well a damaged part is heard: five kinds of damage to one part of real songs, and the same songs untouched.

Conventions: damage is *noticed* where the gate ``parts`` refuses the song or ``spot`` reports a fault of pitch or time,
and the voice is *right* where the surest of these names it. An untouched song is *alarmed* where either says such a
thing of it. Artists are held out: songs of artists who taught the ear for places are left out, and of the ear for parts
only the trees listen that have not met the artist. Songs of three or four parts are counted apart, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from libretto.bench.damage import damage, damages
from libretto.bench.spotting import group_mark, number_of
from libretto.corpus.forces import forces_of
from libretto.corpus.identity import group_of
from libretto.corpus.labels import find_songs
from libretto.corpus.statistics import wilson
from libretto.errors import LibrettoError
from libretto.faults.ear import taught_groups
from libretto.faults.find import spot
from libretto.faults.parts.ear import parts_ear
from libretto.faults.parts.listening import Listening
from libretto.formats import read
from libretto.score import Score, played

__all__ = ["MARKS", "PartRow", "bench_parts", "parting_dict", "parting_lines", "parting_passed", "songs_to_hear"]

#: The least share of each kind of damage that is to be noticed.
MARKS = {"semitone": 0.90, "tritone": 0.95, "semitone for 8 bars": 0.80, "half a beat late": 0.80, "wrong notes": 0.60}
_ALARMS, _RIGHT = 0.06, 0.80  # the marks: most untouched songs alarmed, least share of voices that are right
_REASONS = ("clash", "out-of-key", "wrong-bass", "foreign-bar", "meter")
_SMALL = ("trio", "quartet")


@dataclass(frozen=True)
class PartRow:
    """One song: its forces; by kind of damage whether it was noticed and the voice right; what is said untouched."""

    name: str
    size: str
    noticed: dict[str, bool] = field(default_factory=dict)
    right: dict[str, bool] = field(default_factory=dict)
    alarms: tuple[str, ...] = ()


def songs_to_hear(folder: str) -> list[tuple[str, int | None]]:
    """The songs below a folder whose artists did not teach the ear for places, in an order of chance; each with the
    group of trees that has not met its artist (None where none has)."""
    there, taught, ear = find_songs(folder), taught_groups(), parts_ear()
    songs = []
    for song in sorted(there.songs, key=lambda song: (number_of(song.path), song.path)):
        mark = group_mark(group_of(song.artist, song.title)) if song.artist or song.title else ""
        if mark not in taught:
            songs.append((str(there.folder / song.path), ear.fold_of(mark) if mark else None))
    return songs


def _said(score: Score, without: int | None) -> list[tuple[float, str, str]]:
    """What is said against a song: how sure, the kind, the voice; the surest first."""
    remarks = [(one.confidence, one.kind, one.voice) for one in Listening(played(score), without).remarks]
    faults = [(one.confidence, one.kind, one.voice or "") for one in spot(score, kinds=_REASONS)]
    return sorted(remarks, reverse=True) + sorted(faults, reverse=True)


def _row(seed: int, asked: tuple[str, int | None]) -> PartRow | None:
    path, without = asked
    try:
        score = read(path)
    except LibrettoError:
        return None
    noticed: dict[str, bool] = {}
    right: dict[str, bool] = {}
    for kind in damages:
        done = damage(score, kind, seed)
        if done is not None:
            said = _said(done.score, without)
            noticed[kind] = bool(said)
            right[kind] = bool(said) and said[0][2] == done.voice
    untouched = tuple(kind for _, kind, _ in _said(score, without))
    return PartRow(path, forces_of(score).size, noticed, right, untouched)


def bench_parts(
    songs: Sequence[tuple[str, int | None]],
    seed: int = 0,
    jobs: int = 1,
    step: Callable[[int, int], None] = lambda _, __: None,
) -> list[PartRow]:
    """A row for each song; files that cannot be read are left out."""
    rows = []
    with ProcessPoolExecutor(jobs or None) as pool:
        measured = map(partial(_row, seed), songs) if jobs == 1 else pool.map(partial(_row, seed), songs, chunksize=2)
        for number, row in enumerate(measured, 1):
            step(number, len(songs))
            if row is not None:
                rows.append(row)
    return rows


def _shares(rows: Sequence[PartRow], kind: str) -> tuple[int, int, int]:
    """How many songs were damaged so, in how many it was noticed, and in how many of these the voice was right."""
    mine = [row for row in rows if kind in row.noticed]
    return len(mine), sum(row.noticed[kind] for row in mine), sum(row.right[kind] for row in mine)


def _right(rows: Sequence[PartRow]) -> tuple[int, int]:
    counts = [_shares(rows, kind) for kind in damages]
    return sum(right for _, _, right in counts), sum(noticed for _, noticed, _ in counts)


def parting_passed(rows: Sequence[PartRow]) -> bool:
    """Whether all marks are met."""
    if not rows:
        return False
    enough = all(noticed >= MARKS[kind] * count for kind in MARKS for count, noticed, _ in (_shares(rows, kind),))
    right, noticed = _right(rows)
    return enough and sum(bool(row.alarms) for row in rows) <= _ALARMS * len(rows) and right >= _RIGHT * noticed


def parting_dict(rows: Sequence[PartRow]) -> dict[str, Any]:
    """The table as data, for all songs and for those of three and four parts."""

    def table(some: Sequence[PartRow]) -> dict[str, Any]:
        kinds = {kind: dict(zip(("songs", "noticed", "right"), _shares(some, kind), strict=True)) for kind in damages}
        return {"songs": len(some), "alarmed": sum(bool(row.alarms) for row in some), "kinds": kinds}

    small = [row for row in rows if row.size in _SMALL]
    return {"all": table(rows), "three or four parts": table(small), "passed": parting_passed(rows)}


def parting_lines(rows: Sequence[PartRow]) -> list[str]:
    """The table: what is noticed of each kind of damage, with intervals, marks, and whether the voice is right."""
    lines = []
    for name, some in (("all songs", rows), ("three or four parts", [row for row in rows if row.size in _SMALL])):
        if not some:
            continue
        lines.append(f"{name + ':':<22} songs  noticed  95% interval   mark  voice right")
        for kind in damages:
            count, noticed, right = _shares(some, kind)
            if count:
                between = wilson(noticed / count, count)
                named = f"{right / noticed:6.1%}" if noticed else "     -"
                share = f"{noticed / count:7.1%}  {between.low:5.1%}-{between.high:6.1%}  {MARKS[kind]:5.0%}"
                lines.append(f"{kind:<22} {count:5d}  {share}  {named}")
        alarms = sum(bool(row.alarms) for row in some)
        between = wilson(alarms / len(some), len(some))
        share = f"{alarms / len(some):7.1%}  {between.low:5.1%}-{between.high:6.1%}"
        lines.append(f"{'untouched, alarmed':<22} {len(some):5d}  {share}  {_ALARMS:5.0%}")
    right, noticed = _right(rows)
    lines.append(f"the voice is right in {right} of {noticed}; marks {'met' if parting_passed(rows) else 'missed'}")
    return lines
