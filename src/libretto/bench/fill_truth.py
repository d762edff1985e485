"""Fills of eight bars beside what was there, and beside copies: of the passage that fits best, and of the bars before.

Eight bars of every voice are taken out of a song and filled from the rest. The best-matching passage is chosen from the
context alone: that eight bars of the song around which the two bars on each side are most like those around the gap.
Songs teach, or are held out, by the hash of their artist's name.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from random import Random

import numpy as np

from libretto.bench import Figure
from libretto.bench.rivals import with_bars
from libretto.bench.truth import Nearness, nearness
from libretto.corpus.identity import normal_artist
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.house import Controls, write_fill
from libretto.house.fill.alike import alike
from libretto.score import Score
from libretto.score.table import Floats
from libretto.tasks import fill_task

__all__ = ["FillTruth", "TruthCase", "bench_truth", "best_passage", "songs_of", "truth_lines"]

_BARS = 8  # of a gap
_LEAST, _MOST = 40, 260  # bars of a song that is used
_AROUND = 2  # bars on each side that are compared
_SAME = 1e-9  # a difference that is none
_SPREAD = 7919  # orders the files by chance, the same each time
_WAYS = ("ours", "best passage", "eight before")


@dataclass(frozen=True)
class TruthCase:
    """One gap, and how near each way of filling it comes."""

    song: str
    first: int
    near: dict[str, Nearness]


@dataclass(frozen=True)
class FillTruth:
    """All gaps."""

    cases: tuple[TruthCase, ...] = field(repr=False)

    def mean(self, way: str) -> Nearness:
        """The mean nearness of one way of filling."""
        return Nearness(*np.mean([case.near[way] for case in self.cases], axis=0).tolist())

    @property
    def better(self) -> int:
        """In how many gaps ours comes nearer than the best passage."""
        return sum(case.near["ours"].mean > case.near["best passage"].mean + _SAME for case in self.cases)

    @property
    def worse(self) -> int:
        """In how many gaps the best passage comes nearer than ours."""
        return sum(case.near["best passage"].mean > case.near["ours"].mean + _SAME for case in self.cases)

    @property
    def passed(self) -> bool:
        """Whether ours comes nearer than both copies on the whole."""
        return bool(self.cases) and self.mean("ours").mean > max(self.mean(way).mean for way in _WAYS[1:])


def _teaches(artist: str) -> bool:
    return sha256(f"artist:{artist}".encode()).digest()[0] % 2 == 1


def songs_of(folder: Path, count: int, *, teaching: bool) -> Iterator[tuple[str, Score]]:
    """So many songs of a folder of MIDI files, by name: those that teach, or those that are held out."""
    artists: dict[str, str] = {}
    if (folder / "manifest.csv").is_file():
        with open(folder / "manifest.csv", encoding="utf-8", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row.get("file") and row.get("artist")]
        artists = {row["file"]: normal_artist(row["artist"]) for row in rows}
    names = sorted(str(path.relative_to(folder)) for path in folder.glob("**/*.mid"))
    Random(_SPREAD).shuffle(names)
    for name in names:
        if _teaches(artists.get(name, name)) != teaching:
            continue
        try:
            song = read(folder / name)
        except LibrettoError:
            continue
        if _LEAST <= song.bars <= _MOST and count > 0:
            count -= 1
            yield name, song
        if count <= 0:
            return


def best_passage(context: Score, span: tuple[int, int]) -> int | None:
    """The first bar (an index) of the passage whose surroundings are most like those of the gap; None without any."""
    table, length = alike(context, span), span[1] - span[0] + 1
    bars, lengths = table.whole, np.diff(context.bar_lines)
    gap = span[0] - table.first
    best: tuple[float, int] | None = None
    for start in range(len(bars) - length + 1):
        apart = start + length <= gap or start >= gap + length
        here, there = table.first + start, span[0]
        if not apart or not np.array_equal(lengths[here : here + length], lengths[there : there + length]):
            continue
        likes = [
            _side(bars, gap - 1, start - 1, -1, gap, length),
            _side(bars, gap + length, start + length, 1, gap, length),
        ]
        known = [like for like in likes if like is not None]
        if known and (best is None or sum(known) > best[0]):
            best = sum(known), here
    return best[1] if best else None


def _side(bars: Floats, here: int, there: int, step: int, gap: int, length: int) -> float | None:
    """How alike the bars on one side of a gap are to those on the same side of a passage, where both are known."""
    likes = []
    for away in range(_AROUND):
        one, two = here + step * away, there + step * away
        if 0 <= one < len(bars) and 0 <= two < len(bars) and not gap <= two < gap + length:
            likes.append(float(bars[one, two]))
    return sum(likes) / len(likes) if likes else None


def _copied(song: Score, context: Score, span: tuple[int, int], start: int) -> Score:
    """The song with the gap filled by the bars from one on, as they are."""
    low, high = song.bar_lines[start], song.bar_lines[start + span[1] - span[0] + 1]
    notes = {}
    for voice in context.voices:
        rows = voice.array[(voice.array["onset"] >= low) & (voice.array["onset"] < high)].copy()
        rows["onset"] -= low
        notes[voice.name] = rows
    return with_bars(context, [voice.name for voice in context.voices], span, notes)


def _case(name: str, song: Score) -> TruthCase | None:
    first = Random(song.digest).randrange(_BARS, song.bars - 2 * _BARS + 1)
    span = (first, first + _BARS - 1)
    task = fill_task(song, first + song.first_bar, span[1] + song.first_bar, original=False)
    context = task.context
    start = best_passage(context, span)
    if start is None:
        return None
    made = {
        "ours": write_fill(task, 0, Controls()),
        "best passage": _copied(song, context, span, start),
        "eight before": _copied(song, context, span, first - _BARS),
    }
    near = {way: nearness(score, song, span) for way, score in made.items()}
    return TruthCase(name, first + song.first_bar, near)


def bench_truth(
    folder: str,
    *,
    songs: int = 60,
    teaching: bool = False,
    step: Callable[[int, int], None] = lambda done, total: None,
) -> FillTruth:
    """Fill eight bars of so many songs: of those that were held out, or of those that taught the house."""
    cases = []
    for done, (name, song) in enumerate(songs_of(Path(folder), songs, teaching=teaching), start=1):
        try:
            case = _case(name, song)
        except LibrettoError:
            case = None  # too little music is left around the gap
        if case is not None:
            cases.append(case)
        step(done, songs)
    if not cases:
        raise LibrettoError(f"there are no songs of {_LEAST} to {_MOST} bars in {folder}")
    return FillTruth(tuple(cases))


def _figures(result: FillTruth) -> Sequence[Figure]:
    rows = []
    for way in _WAYS:
        near = result.mean(way)
        parts = ", ".join(f"{name} {value:.3f}" for name, value in zip(near._fields, near, strict=True))
        rows.append(Figure(way, f"{near.mean:.3f}  ({parts})", way != "ours" or result.passed))
    equal = len(result.cases) - result.better - result.worse
    told = f"nearer in {result.better}, as near in {equal}, less near in {result.worse} of {len(result.cases)}"
    return [*rows, Figure("ours beside the best passage", told)]


def truth_lines(result: FillTruth) -> list[str]:
    """The bench for a terminal."""
    return [f"{what:<36} {value}{'' if met else '   MISSED'}" for what, value, met in _figures(result)]
