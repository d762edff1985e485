"""Table 2: what the gates let through, as the cloud's calibration measured it on artists that were held out.

Conventions: every genre counts the same in a mean over genres. ``floors set on other artists`` repeats genre fit with
the floor of each fold taken from the other folds, so that neither the classifier nor the floor has met the song: this
is what new music meets. It is held to no mark, since in a genre of twenty songs one song more or less is five points.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from libretto.axes import published_axes
from libretto.bench.representation.printed import printed_entries
from libretto.bench.representation.rows import DIGITS, UNCALIBRATED, Cell, Entry, Mark, held_to_marks, of_axes
from libretto.corpus import Cloud, load_cloud, usual_extremes
from libretto.corpus.gauging import Gauge, Regions
from libretto.corpus.rows import WINDOW_BARS
from libretto.corpus.statistics import Estimate, hold_out, wilson
from libretto.gates.paper import CLOUD, paper_fit

__all__ = ["GenreLine", "fit_on_other_artists", "gate_entries", "genre_lines"]

_OWN, _WRONG = 0.85, 0.35  # marks: least of the own, most of a wrong genre that passes genre fit
_TOGETHER, _RANDOM = 0.75, 0.05  # least of real music, most of random notes that pass all gates
_MANY = 90  # the percentile that stands for many extremes
_REGION_ROWS = {
    "real windows pass, any genre": "not printed; by its gates 12 of 50, measured by us",
    "real windows pass, own genre": "not said",
    "random notes pass": "not said",
    "a wrong genre passes genre fit": "not said",
}
_DEGENERACY, _FIT, _COPY, _ALL = "Degeneracy", "Genre fit", "Copy risk", "All gates together"


@dataclass(frozen=True)
class GenreLine:
    """What the gates do to one genre; None where the cloud has no gauge for it."""

    genre: str
    songs: int
    extremes: float
    budget: int | None = None
    own: Estimate | None = None
    wrong: Estimate | None = None
    ceiling: float | None = None
    together: Estimate | None = None

    def to_dict(self) -> dict[str, Any]:
        """The line as plain data."""
        shares = {name: getattr(self, name) for name in ("own", "wrong", "together")}
        return {
            "genre": self.genre,
            "songs": self.songs,
            "extremes": round(self.extremes, 3),
            "budget": self.budget,
            "ceiling": self.ceiling,
            **{name: None if share is None else share.to_dict() for name, share in shares.items()},
        }


def genre_lines(cloud: Cloud) -> list[GenreLine]:
    """Genre by genre: extremes of songs by artists held out, budget, and what passes, each with its interval."""
    genres, extremes = np.array(cloud.genres), hold_out(cloud).extremes
    labelled = int(np.count_nonzero(genres != ""))
    lines = []
    for genre in cloud.labels:
        songs, usual = cloud.genres.count(genre), float(extremes[genres == genre].mean())
        gauge = cloud.gauges.songs.get(genre) if cloud.gauges else None
        if gauge is None:
            lines.append(GenreLine(genre, songs, usual))
            continue
        lines.append(
            GenreLine(
                genre,
                songs,
                usual,
                gauge.budget,
                _estimate(gauge.accepted, gauge.count),
                _estimate(gauge.mistaken, labelled - songs),
                gauge.ceiling,
                _estimate(gauge.together, gauge.count),
            )
        )
    return lines


def _estimate(share: float | None, count: int) -> Estimate | None:
    return None if share is None else wilson(share, count)


def gate_entries(cloud: Cloud) -> Iterator[Entry]:
    """Every row of the table for one cloud, by check; without gauges only what its songs say themselves."""
    entries = list(_entries(cloud))
    checks = list(dict.fromkeys(entry.check for entry in entries))
    yield from sorted(entries, key=lambda entry: checks.index(entry.check))


def _entries(cloud: Cloud) -> Iterator[Entry]:
    yield from _degeneracy(cloud)
    yield from _fit(cloud)
    yield from printed_entries(cloud)
    ceilings = _range(cloud, lambda gauge: gauge.ceiling, "{:.2f}")
    yield Entry(_COPY, "ceilings by genre", "near 0.30 (90th percentile 0.29)", ceilings)
    yield Entry("Novelty", "drills against the shown example", "mean 0.065, at most 0.127", Cell("not measured here"))
    yield from _together(cloud)
    for length in WINDOW_BARS:
        yield from _region(cloud, length)


def _degeneracy(cloud: Cloud) -> Iterator[Entry]:
    published = [axis.name for axis in published_axes() if axis.name in cloud.axes]
    usual = usual_extremes(of_axes(cloud, published))
    text = f"{usual['mean']:.1f}, {usual['median']:g}, {usual['ninetieth']:g} of {len(published)}"
    yield Entry(_DEGENERACY, "extremes a song: mean, median, 90th", "3.4, 3, 7 of 29", Cell(text, usual))
    counts = hold_out(cloud).extremes
    held = {"mean": float(counts.mean()), "median": float(np.median(counts))}
    held["ninetieth"] = float(np.percentile(counts, _MANY))
    text = f"{held['mean']:.1f}, {held['median']:g}, {held['ninetieth']:g} of {len(cloud.axes)}"
    yield Entry(_DEGENERACY, "  all axes, held out", "not said", Cell(text, held))
    budgets = _range(cloud, lambda gauge: gauge.budget, "{}", f" of {len(cloud.axes)}")
    yield Entry(_DEGENERACY, "budgets by genre", "4-6 of 29", budgets)


def _gauges(cloud: Cloud) -> dict[str, Gauge]:
    """The gauges of the genres, without the one for any."""
    return {genre: gauge for genre, gauge in cloud.gauges.songs.items() if genre} if cloud.gauges else {}


def _range(cloud: Cloud, of: Callable[[Gauge], float], shape: str, tail: str = "") -> Cell:
    """From the least to the most over the genres."""
    values = {genre: of(gauge) for genre, gauge in _gauges(cloud).items()}
    if not values:
        return Cell(UNCALIBRATED)
    low, high = shape.format(min(values.values())), shape.format(max(values.values()))
    return Cell((low if low == high else f"{low}-{high}") + tail, values)


def _share(cloud: Cloud, name: str, shares: Mapping[str, float], bound: float | None, at_least: bool = True) -> Cell:
    """The mean over genres, the worst genre, and the mark, if there is a bound."""
    if not shares:
        return Cell(UNCALIBRATED)
    mean = float(np.mean(list(shares.values())))
    worst = (min if at_least else max)(shares, key=shares.__getitem__)
    mark = None
    if bound is not None and held_to_marks(cloud):
        mark = Mark(name, cloud.full_name, mean, bound, at_least)
    data = {"mean": round(mean, DIGITS), "genres": {genre: round(share, DIGITS) for genre, share in shares.items()}}
    return Cell(f"{mean:.1%} ({worst} {shares[worst]:.0%})", data, mark)


def _fit(cloud: Cloud) -> Iterator[Entry]:
    gauges = _gauges(cloud)
    own = {genre: gauge.accepted for genre, gauge in gauges.items() if gauge.accepted is not None}
    wrong = {genre: gauge.mistaken for genre, gauge in gauges.items() if gauge.mistaken is not None}
    name = "own label passes"
    yield Entry(_FIT, name, _measured_here(own_label=True), _share(cloud, name, own, _OWN))
    name = "wrong label passes"
    yield Entry(_FIT, name, _measured_here(own_label=False), _share(cloud, name, wrong, _WRONG, at_least=False))
    own, wrong = fit_on_other_artists(cloud)
    yield Entry(_FIT, "  own, floors set on other artists", "not said", _share(cloud, "", own, None))
    yield Entry(
        _FIT, "  wrong, floors set on other artists", "not said", _share(cloud, "", wrong, None, at_least=False)
    )


@lru_cache(maxsize=2)
def _measured_here(*, own_label: bool) -> str:
    """What the printed rule of genre fit does to the published corpus; the paper does not print it."""
    labels = load_cloud(CLOUD).labels
    passed = [share for genre in labels for label, share in paper_fit(genre).items() if (label == genre) == own_label]
    return f"not printed; its rule here {sum(passed) / len(passed):.0%}"


def fit_on_other_artists(cloud: Cloud) -> tuple[dict[str, float], dict[str, float]]:
    """By genre the parts of its own songs and of other songs that pass floors which no song of their fold has set."""
    gauges = {genre: gauge for genre, gauge in _gauges(cloud).items() if gauge.accepted is not None}
    held, genres, quantile = hold_out(cloud), np.array(cloud.genres), _quantile(gauges.values())
    own: dict[str, float] = {}
    wrong: dict[str, float] = {}
    for genre in gauges:
        column, mine = held.logs[:, held.genres.index(genre)], genres == genre
        passed = np.zeros(len(genres), dtype=np.bool_)
        for fold in np.unique(held.fold):
            seen, asked = mine & (held.fold != fold) & ~np.isnan(column), held.fold == fold
            floor = np.quantile(column[seen], quantile) if seen.any() else -np.inf
            passed[asked] = column[asked] >= floor
        own[genre] = float(passed[mine].mean())
        others = ~mine & (genres != "")
        if others.any():
            wrong[genre] = float(passed[others].mean())
    return own, wrong


def _quantile(gauges: Collection[Gauge]) -> float:
    """At which quantile of their songs the genres' floors were set, as far as how many fall below them tells."""
    below = sum(round(gauge.count * (1 - (gauge.accepted or 0.0))) - 0.5 for gauge in gauges)
    return min(1.0, max(0.0, below / max(1, sum(gauge.count - 1 for gauge in gauges))))


def _together(cloud: Cloud) -> Iterator[Entry]:
    passing = {genre: gauge.together for genre, gauge in _gauges(cloud).items() if gauge.together is not None}
    name = "real songs pass all gates"
    yield Entry(_ALL, name, "not said", _share(cloud, name, passing, _TOGETHER))
    cell = Cell(UNCALIBRATED)
    if cloud.gauges is not None:
        cell = _random(cloud, "random notes pass as songs", cloud.gauges.order.fooled)
    yield Entry(_ALL, "random notes pass as songs", "not said", cell)


def _random(cloud: Cloud, name: str, share: float) -> Cell:
    mark = Mark(name, cloud.full_name, share, _RANDOM, at_least=False) if held_to_marks(cloud) else None
    return Cell(f"{share:.1%}", share, mark)


def _region(cloud: Cloud, length: int) -> Iterator[Entry]:
    """What windows of one length do; what the paper's gates do to them it does not print."""
    check = f"Regions of {length} bars"
    regions = cloud.gauges.regions if cloud.gauges else ()
    region = next((region for region in regions if region.bars == length), None)
    cells = _region_cells(cloud, region, check) if region else [Cell(UNCALIBRATED)] * len(_REGION_ROWS)
    for (name, published), cell in zip(_REGION_ROWS.items(), cells, strict=True):
        yield Entry(check, name, published, cell)


def _region_cells(cloud: Cloud, region: Regions, check: str) -> list[Cell]:
    any_row, own_row, random_row, _ = (f"{check}: {name}" for name in _REGION_ROWS)
    gauges = {genre: gauge for genre, gauge in region.gauges.items() if genre}
    passing = {genre: gauge.together for genre, gauge in gauges.items() if gauge.together is not None}
    wrong = {genre: gauge.mistaken for genre, gauge in gauges.items() if gauge.mistaken is not None}
    overall = region.gauges[""].together or 0.0
    any_genre = wilson(overall, region.gauges[""].count)
    mark = Mark(any_row, cloud.full_name, overall, _TOGETHER) if held_to_marks(cloud) else None
    return [
        Cell(any_genre.percent, any_genre.to_dict(), mark),
        _share(cloud, own_row, passing, _TOGETHER),
        _random(cloud, random_row, region.order.fooled),
        _share(cloud, "", wrong, None, at_least=False),
    ]
