"""What the gates let through and what they refuse, by forces and length: the table of ``docs/gates.md``.

Conventions: some artists are held out; a cloud is calibrated on all others and judges excerpts of theirs (one of each
size and length that a song holds). Of the ear for parts only trees listen that have not met the artist. *Real* are
excerpts as they are under their own label; *random* the same with notes drawn at random; *other genre* the same under a
label drawn from the others; and every damage of ``libretto.bench.damage``. Searching for copies is left out: it has its
own figures. A share stands with Wilson's interval and the number of pieces. The same folder, limit and seed give the
same table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from libretto.bench.damage import damage, damages
from libretto.bench.spotting import group_mark
from libretto.corpus import Cloud, assemble
from libretto.corpus.build import Gathered, gather_songs
from libretto.corpus.forces import LENGTHS, SIZES, Cell, Forces, excerpt
from libretto.corpus.labels import find_songs
from libretto.corpus.shaking import WAYS, shaken
from libretto.corpus.sketch import sketch_piece
from libretto.corpus.statistics import wilson
from libretto.errors import LibrettoError
from libretto.faults.parts.ear import parts_ear
from libretto.formats import read
from libretto.gates import case_of, gates
from libretto.score import Score, played

__all__ = ["Judging", "bench_judge", "calibrated_lines", "judged_song"]

_REAL, _RANDOM, _OTHER = "real", "random", "other genre"
_LEAST_REAL, _MOST_WRONG, _MOST_OTHER = 0.78, 0.15, 0.35  # the marks
_FEWEST_SONGS = 40  # to calibrate on
_PHRASE = LENGTHS[0]  # fewer bars than anybody asks for; not held to the marks


@dataclass(frozen=True)
class Judging:
    """Passed and judged, by cell (size and length) and kind of piece; and how often each gate refused real pieces."""

    songs: int
    counts: Mapping[tuple[str, str], tuple[int, int]] = field(repr=False)
    refused: Mapping[str, int] = field(default_factory=dict)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of pieces, as columns."""
        return (_REAL, _RANDOM, _OTHER, *damages)

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells there are, as rows."""
        there = {cell for cell, _ in self.counts}
        return tuple(f"{size} {length}" for length in LENGTHS for size in SIZES if f"{size} {length}" in there)

    @property
    def missed(self) -> tuple[str, ...]:
        """The marks that are missed, in words."""
        lines = []
        for cell in self.cells:
            for kind in self.kinds:
                passed, count = self.counts.get((cell, kind), (0, 0))
                if count and not cell.endswith(_PHRASE) and not _met(kind, passed / count):
                    lines.append(f"{cell}: {kind} {passed / count:.0%}")
        return tuple(lines)

    def to_dict(self) -> dict[str, Any]:
        """The table as plain data."""
        counts = [
            {"cell": cell, "kind": kind, "passed": passed, "of": count}
            for (cell, kind), (passed, count) in sorted(self.counts.items())
        ]
        return {"songs": self.songs, "counts": counts, "refused": dict(self.refused), "missed": list(self.missed)}

    def lines(self) -> list[str]:
        """The table in Markdown, and what missed its mark."""
        head = ["cell", *self.kinds]
        rows = [head, ["---"] * len(head)]
        for cell in [*self.cells, "all but phrases"]:
            rows.append([cell, *(self._cell(cell, kind) for kind in self.kinds)])
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        refused = ", ".join(f"{name} {count}" for name, count in self.refused.items())
        lines += ["", f"{self.songs} songs of artists held out. Real pieces refused by: {refused or 'no gate'}."]
        bounds = f"real at least {_LEAST_REAL:.0%}, damaged and random at most {_MOST_WRONG:.0%}, "
        bounds += f"other genre at most {_MOST_OTHER:.0%}"
        lines.append(f"Marks ({bounds}) missed: {'; '.join(self.missed) or 'none'}.")
        return lines

    def _cell(self, cell: str, kind: str) -> str:
        passed, count = self.counts.get((cell, kind), (0, 0))
        if cell not in self.cells:
            there = [pair for (name, what), pair in self.counts.items() if what == kind and not name.endswith(_PHRASE)]
            passed, count = sum(pair[0] for pair in there), sum(pair[1] for pair in there)
        return f"{wilson(passed / count, count).percent} of {count}" if count else "-"


def _met(kind: str, share: float) -> bool:
    if kind == _REAL:
        return share >= _LEAST_REAL
    return share <= (_MOST_OTHER if kind == _OTHER else _MOST_WRONG)


def bench_judge(
    folder: str,
    *,
    limit: int = 140,
    seed: int = 0,
    jobs: int = 1,
    kept: str | None = None,
    step: Callable[[int, int], None] = lambda _, __: None,
) -> Judging:
    """Hold out artists with about so many songs, calibrate on the others, and judge excerpts of those held out.

    What is measured of the songs stays in the folder ``kept``, if there is one, for another run.
    """
    there = find_songs(folder)
    with TemporaryDirectory() as place:
        built = gather_songs(there, Path(kept or place) / "judge", sketch_piece, jobs=jobs, quiet=True)
    held = _held_out(built.songs, limit, seed)
    rest = [one.row for one in built.songs if one.row.group not in held]
    if len(rest) < _FEWEST_SONGS:
        raise LibrettoError(f"{len(rest)} songs are left to calibrate on; lower --limit or take a larger folder")
    cloud = assemble("held", rest)
    ear = parts_ear()
    asked = [
        _Asked(str(there.folder / one.song.path), one.song.genre, ear.fold_of(group_mark(one.row.group)), seed)
        for one in built.songs
        if one.row.group in held
    ]
    tally: dict[tuple[str, str], tuple[int, int]] = {}
    refused: dict[str, int] = {}
    for number, song in enumerate(_judged(asked, cloud, jobs), 1):
        for cell, kind, failed in song:
            passed, count = tally.get((cell, kind), (0, 0))
            tally[cell, kind] = passed + (not failed), count + 1
            if kind == _REAL and not cell.endswith(_PHRASE):
                refused.update({name: refused.get(name, 0) + 1 for name in failed})
        step(number, len(asked))
    return Judging(len(asked), tally, dict(sorted(refused.items())))


def _held_out(songs: Sequence[Gathered], limit: int, seed: int) -> set[str]:
    """Artists in an order of chance until they have so many songs."""
    sizes: dict[str, int] = {}
    for one in songs:
        sizes[one.row.group] = sizes.get(one.row.group, 0) + 1
    groups = sorted(sizes)
    Random(f"held out {seed}").shuffle(groups)
    held: set[str] = set()
    count = 0
    for group in groups:
        if count < limit:
            held.add(group)
            count += sizes[group]
    return held


class _Asked(NamedTuple):
    """A song to judge: its file, its genre, the trees of the ear for parts that have not met its artist, a seed."""

    path: str
    genre: str
    unheard: int | None
    seed: int


_state: dict[str, Cloud] = {}


def _prepare(text: str) -> None:
    _state["cloud"] = Cloud.from_json(text)


def _judged(asked: Sequence[_Asked], cloud: Cloud, jobs: int) -> Iterator[list[tuple[str, str, tuple[str, ...]]]]:
    """The verdicts of every song, in order."""
    if jobs == 1:
        _state["cloud"] = cloud
        yield from map(_song, asked)
        return
    with ProcessPoolExecutor(jobs or None, initializer=_prepare, initargs=(cloud.to_json(),)) as pool:
        yield from pool.map(_song, asked)


def _song(asked: _Asked) -> list[tuple[str, str, tuple[str, ...]]]:
    try:
        score = played(read(asked.path))
        return list(judged_song(score, asked.genre, _state["cloud"], asked.seed, asked.unheard))
    except LibrettoError:
        return []


def judged_song(
    score: Score, genre: str, cloud: Cloud, seed: int = 0, unheard: int | None = None
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """For every cell that a song holds and every kind of piece: the gates that refuse it, none where it passes.

    Of the ear for parts only the group of trees ``unheard`` listens, where one is named.
    """
    dice = Random(f"{score.digest} {seed}")
    others = [label for label in cloud.labels if label != genre]
    for size in SIZES:
        for length in LENGTHS:
            cut = excerpt(score, size, length, f"judged {seed}")
            if cut is None:
                continue
            cell = f"{size} {length}"
            for kind, piece, label in _pieces(cut, genre, others, seed, dice):
                yield cell, kind, _failed(piece, label if label in cloud.labels else "", cloud, unheard)


def _pieces(cut: Score, genre: str, others: Sequence[str], seed: int, dice: Random) -> Iterable[tuple[str, Score, str]]:
    yield _REAL, cut, genre
    yield _RANDOM, shaken(cut, dice.choice(WAYS)), genre
    if others and genre:
        yield _OTHER, cut, dice.choice(others)
    for kind in damages:
        if damaged := damage(cut, kind, seed):
            yield kind, damaged.score, genre


def _failed(score: Score, genre: str, cloud: Cloud, unheard: int | None) -> tuple[str, ...]:
    """The gates that refuse a piece; nobody is told why, which would take longer than judging."""
    case = replace(case_of(score, cloud, genre), located=False, unheard=unheard)
    outcomes = {name: gates[name](case) for name in gates}
    return tuple(name for name, outcome in outcomes.items() if outcome is not None and not outcome.passed)


def calibrated_lines(cloud: Cloud) -> list[str]:
    """What calibration counted on artists held out, in Markdown: by size and length, with percussion and without.

    Only the gates that were calibrated by cell are counted: degeneracy, order and genre fit.
    """
    cells = cloud.gauges.cells if cloud.gauges else None
    if cells is None:
        raise LibrettoError(f"the cloud {cloud.name} was not calibrated by forces and length")
    names = ("real", "degeneracy", "order", "fit", "random", "other")
    lines = [
        "| cell | pieces | real passes | degeneracy | order | genre fit | random passes | other genre passes |",
        "|" + " --- |" * (len(names) + 2),
    ]
    for length in LENGTHS:
        for size in SIZES:
            there = {cells.of(Cell(Forces(size, beaten), length)) for beaten in (False, True)}
            counted = [kin.passing for kin in there if kin.passing is not None and kin.passing.count]
            pieces = sum(one.count for one in counted)
            shares = [
                sum(one.count * (getattr(one, name) or 0.0) for one in counted) / max(1, pieces) for name in names
            ]
            told = " | ".join(wilson(share, pieces).percent for share in shares)
            lines.append(f"| {size}, {length} | {pieces} | {told} |")
    return lines
