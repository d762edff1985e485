"""How easily ours are told from real songs, and how alike ours are among themselves.

Conventions: excerpts of equal length, on one grid, without velocities, tempo and instruments. Per genre as many real
songs as pieces of ours, where there are so many. The *control* is real songs against other real songs of other artists,
told apart by the same classifier. *Spread* is the median over features of the standard deviation of ours in a genre as
a part of that of real songs; its control is one half of the real songs against the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

import numpy as np

from libretto.bench.real.pieces import Excerpt, our_excerpts, real_excerpts, real_songs
from libretto.bench.real.telling import area, areas_by_feature, held_out_scores, spread_ratios
from libretto.contract import GENRES
from libretto.errors import LibrettoError
from libretto.score.table import Bools, Floats

__all__ = ["GenreRow", "Sign", "Telling", "bench_real", "compare", "even", "halves", "real_lines", "table_of"]

_MOST_AREA, _LEAST_SPREAD = 0.85, 0.60  # the marks
_ALL = "all"
_SIGNS = 12  # features that are named
_STRONG = 0.20  # above or below 0.5, from where on a feature tells alone
_FEWEST = 4  # pieces of a kind in a genre, fewer are not told as a genre


class Sign(NamedTuple):
    """A feature that gives ours away: its area under the curve (above 0.5 real songs have more), both medians."""

    feature: str
    area: float
    ours: float
    real: float


class GenreRow(NamedTuple):
    """A genre, or all of them: pieces of ours and real songs, both areas, both spreads."""

    genre: str
    ours: int
    real: int
    area: float
    control: float
    spread: float
    spread_control: float


@dataclass(frozen=True)
class Telling:
    """Everything that was measured.

    ``strong`` counts the features that tell alone, for ours and for the control: it still moves where areas are at 1.
    """

    rows: tuple[GenreRow, ...]
    signs: tuple[Sign, ...]
    features: int
    bars: int
    length: int
    strong: tuple[int, int] = (0, 0)

    @property
    def passed(self) -> bool:
        """Whether both marks are met over all genres."""
        return all(row.area <= _MOST_AREA and row.spread >= _LEAST_SPREAD for row in self.rows if row.genre == _ALL)

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain data; what could not be told is None."""
        return {
            "bars": self.bars,
            "length": self.length,
            "features": self.features,
            "strong": list(self.strong),
            "genres": [{name: _plain(value) for name, value in row._asdict().items()} for row in self.rows],
            "signs": [{name: _plain(value) for name, value in sign._asdict().items()} for sign in self.signs],
        }


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not np.isfinite(value) else value


def table_of(excerpts: Sequence[Excerpt]) -> tuple[list[str], Floats]:
    """The names of the features, and a row of them for every excerpt."""
    names = list(excerpts[0].features) if excerpts else []
    rows = [[excerpt.features[name] for name in names] for excerpt in excerpts]
    return names, np.asarray(rows, dtype=np.float64).reshape(len(rows), len(names))


def bench_real(
    music: str,
    *,
    seeds: int = 20,
    genres: Sequence[str] = (),
    bars: int = 32,
    length: int = 32,
    jobs: int = 0,
    step: Callable[[int, int], None] = lambda done, total: None,
) -> Telling:
    """Compose so many pieces a genre and hold them beside as many real songs of a folder, and those beside others."""
    if length < bars:
        raise LibrettoError(f"excerpts of {bars} bars cannot be cut from pieces of {length}; ask for longer ones")
    wanted = list(genres) or list(GENRES)
    folder, songs = real_songs(music, wanted, 2 * seeds)
    real = real_excerpts(folder, songs, bars, jobs, step)
    there = [genre for genre in wanted if sum(one.genre == genre for one in real) >= _FEWEST]
    if not there:
        raise LibrettoError(f"{music} has no genre with {_FEWEST} songs of {bars} bars; name a folder with labels")
    ours = our_excerpts(there, seeds, length, bars, jobs, step)
    return compare(ours, [one for one in real if one.genre in there], seeds, bars, length)


def compare(ours: Sequence[Excerpt], real: Sequence[Excerpt], most: int, bars: int = 32, length: int = 32) -> Telling:
    """Ours beside real excerpts, at most so many a genre and as many of each, and real ones beside each other."""
    genres = sorted({one.genre for one in real})
    mine, theirs = even(ours, real, most)
    names, table = table_of([*mine, *theirs])
    is_real = np.arange(len(table)) >= len(mine)
    both = [*mine, *theirs]
    scores = held_out_scores(table, is_real, [one.group for one in both], [one.genre for one in both])
    half = halves(real)
    _, other = table_of(real)
    control = held_out_scores(other, half, [one.group for one in real], [one.genre for one in real])
    rows = []
    for genre in [*genres, _ALL]:
        here = np.asarray([genre in (one.genre, _ALL) for one in both])
        aside = np.asarray([genre in (one.genre, _ALL) for one in real])
        spreads = [
            _spread(table, other, both, real, is_real, half, one) for one in (genres if genre == _ALL else [genre])
        ]
        rows.append(
            GenreRow(
                genre,
                int((here & ~is_real).sum()),
                int((here & is_real).sum()),
                area(scores[here], is_real[here]),
                area(control[aside], half[aside]),
                *np.nanmedian(np.asarray(spreads), axis=0).tolist(),
            )
        )
    areas = areas_by_feature(table, is_real, [one.genre for one in both])
    beside = areas_by_feature(other, half, [one.genre for one in real])
    strong = (int((np.abs(areas - 0.5) >= _STRONG).sum()), int((np.abs(beside - 0.5) >= _STRONG).sum()))
    return Telling(tuple(rows), _signs(names, table, is_real, areas), len(names), bars, length, strong)


def even(ours: Sequence[Excerpt], real: Sequence[Excerpt], most: int) -> tuple[list[Excerpt], list[Excerpt]]:
    """As many of ours as real ones in each genre of these, at most so many."""
    mine: list[Excerpt] = []
    theirs: list[Excerpt] = []
    for genre in sorted({one.genre for one in real}):
        one = [excerpt for excerpt in ours if excerpt.genre == genre]
        other = [excerpt for excerpt in real if excerpt.genre == genre]
        count = min(most, len(one), len(other))
        mine += one[:count]
        theirs += other[:count]
    return mine, theirs


def halves(real: Sequence[Excerpt]) -> Bools:
    """Artists of every genre dealt into two halves by chance; an artist of several genres stays in one."""
    half: dict[str, bool] = {}
    for genre in sorted({one.genre for one in real}):
        groups = sorted({one.group for one in real if one.genre == genre} - set(half))
        Random(f"halves {genre}").shuffle(groups)
        half.update({group: number % 2 == 0 for number, group in enumerate(groups)})
    return np.asarray([half[one.group] for one in real], dtype=np.bool_)


def _spread(
    table: Floats,
    other: Floats,
    both: Sequence[Excerpt],
    real: Sequence[Excerpt],
    is_real: Bools,
    half: Bools,
    genre: str,
) -> tuple[float, float]:
    """The median over features of how wide ours are beside real ones, and one half of these beside the other."""
    here = np.asarray([one.genre == genre for one in both])
    aside = np.asarray([one.genre == genre for one in real])
    ratios = spread_ratios(table[here & ~is_real], table[here & is_real])
    control = spread_ratios(other[aside & half], other[aside & ~half])
    return _median(ratios), _median(control)


def _median(values: Floats) -> float:
    there = values[np.isfinite(values)]
    return float(np.median(there)) if len(there) else float("nan")


def _signs(names: Sequence[str], table: Floats, is_real: Bools, areas: Floats) -> tuple[Sign, ...]:
    order = np.argsort(-np.abs(areas - 0.5), kind="stable")[:_SIGNS]
    return tuple(
        Sign(
            names[column],
            float(areas[column]),
            _median(table[~is_real, column]),
            _median(table[is_real, column]),
        )
        for column in order.tolist()
    )


def real_lines(result: Telling) -> list[str]:
    """The table for a terminal, then what gives ours away most."""
    lines = [
        f"{result.features} features of {result.bars} bars; ours composed with {result.length}",
        "| genre | ours | real | told apart (mark 0.85) | real from real | spread (mark 0.60) | real beside real |",
        "|" + " --- |" * 7,
    ]
    for row in result.rows:
        told = " | ".join(_told(value) for value in row[3:])
        lines.append(f"| {row.genre} | {row.ours} | {row.real} | {told} |")
    ours, control = result.strong
    lines += [
        "",
        f"{ours} features of {result.features} tell alone with 0.70 or more ({control} real from real). Most:",
    ]
    lines += ["| feature | told apart | ours | real |", "| --- | --- | --- | --- |"]
    for sign in result.signs:
        sure = max(sign.area, 1 - sign.area)
        lines.append(f"| {sign.feature} | {sure:.3f} | {sign.ours:.2f} | {sign.real:.2f} |")
    return [*lines, "", "marks met" if result.passed else "marks MISSED"]


def _told(value: float) -> str:
    return f"{value:.3f}" if np.isfinite(value) else "-"
