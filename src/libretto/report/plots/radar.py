"""Genres as radars: a spoke an axis, families as sectors, the mean percentile as distance from the middle."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, pi
from typing import Any

import numpy as np

from libretto.corpus.cloud import Cloud
from libretto.report.plots.style import INK, PALE, PALETTE, TITLE, canvas, families_of, picture, words
from libretto.score.table import Floats

__all__ = ["genre_means", "genre_overlay", "genre_radars"]


_ACROSS, _FAMILIES_ACROSS = 4, 6
_RADAR, _LINE = 2.95, 0.135  # inches: a radar's side, a line of the key
_RINGS, _MIDDLE, _NUMBERS, _RIM = (25, 50, 75), 50, 93, 100  # percentiles: rings, the thick one, numbers, the edge
_ROUND = 181  # points of a ring
_OVERLAY = 7.0  # inches: the side of the radar that holds all genres
_DASHES = ("-", "--", ":")  # of outlines, once the colours are used up


def genre_means(cloud: Cloud) -> Floats:
    """The mean percentile of every genre (rows) on every axis, over its songs to which the axis applies; else NaN."""
    shares, genres = 100 * cloud.shares(cloud.values), np.array(cloud.genres)
    known = ~np.isnan(shares)
    means = np.full((len(cloud.labels), len(cloud.axes)), np.nan)
    for row, genre in enumerate(cloud.labels):
        count = known[genres == genre].sum(axis=0)
        total = np.nansum(shares[genres == genre], axis=0)
        means[row, count > 0] = total[count > 0] / count[count > 0]
    return means


def genre_radars(cloud: Cloud, kind: str = "png") -> bytes:
    """One radar a genre: how far out its songs lie on every axis on average, the thick ring being 50 (figure 3)."""
    means = np.nan_to_num(genre_means(cloud), nan=float(_MIDDLE))
    down = ceil(len(cloud.labels) / _ACROSS)
    runs = families_of(cloud.axes)
    blocks = [runs[at : at + _FAMILIES_ACROSS] for at in range(0, len(runs), _FAMILIES_ACROSS)]
    heights = [_LINE * (2.5 + max(stop - first for _, first, stop in block)) for block in blocks]
    with canvas(_RADAR * _ACROSS, _RADAR * down + sum(heights) + 0.45) as figure:
        parts = figure.subfigures(1 + len(blocks), 1, height_ratios=[_RADAR * down, *heights], squeeze=False)[:, 0]
        for index, genre in enumerate(cloud.labels):
            plot = parts[0].add_subplot(down, _ACROSS, index + 1, projection="polar")
            plot.set_title(f"{words(genre)} ({cloud.genres.count(genre)})", fontsize=9, fontweight="bold", pad=6)
            _radar(plot, cloud.axes, means[index])
        for part, block in zip(parts[1:], blocks, strict=True):
            _key(part, cloud.axes, block)
        title = f"Mean percentile of each genre of {cloud.full_name} (songs); rings are 25, 50 and 75"
        figure.suptitle(title, fontsize=TITLE)
        return picture(figure, kind)


def genre_overlay(cloud: Cloud, kind: str = "png") -> bytes:
    """All genres on one radar, an outline each: where they differ and where they do not (figure A.1)."""
    means = np.nan_to_num(genre_means(cloud), nan=float(_MIDDLE))
    count = len(cloud.axes)
    angles = np.append(2 * pi * np.arange(count) / count, 0.0)
    runs = families_of(cloud.axes)
    blocks = [runs[at : at + _FAMILIES_ACROSS] for at in range(0, len(runs), _FAMILIES_ACROSS)]
    heights = [_LINE * (2.5 + max(stop - first for _, first, stop in block)) for block in blocks]
    with canvas(_RADAR * _ACROSS, _OVERLAY + sum(heights) + 0.45) as figure:
        parts = figure.subfigures(1 + len(blocks), 1, height_ratios=[_OVERLAY, *heights], squeeze=False)[:, 0]
        plot = parts[0].add_subplot(projection="polar")
        _radar(plot, cloud.axes, np.full(count, float(_MIDDLE)))
        for index, genre in enumerate(cloud.labels):
            outline = np.append(means[index], means[index][:1])
            colour, dashes = PALETTE[index % len(PALETTE)], _DASHES[index // len(PALETTE) % len(_DASHES)]
            plot.plot(angles, outline, color=colour, linestyle=dashes, linewidth=1.4, label=words(genre))
        plot.legend(loc="center left", bbox_to_anchor=(1.08, 0.5), fontsize=8, frameon=False)
        for part, block in zip(parts[1:], blocks, strict=True):
            _key(part, cloud.axes, block)
        title = f"Mean percentile of every genre of {cloud.full_name}, overlaid; rings are 25, 50 and 75"
        figure.suptitle(title, fontsize=TITLE)
        return picture(figure, kind)


def _radar(plot: Any, names: Sequence[str], values: Floats) -> None:
    """The polygon of one genre over sectors for the families."""
    count = len(names)
    angles = 2 * pi * np.arange(count) / count
    for index, (_, first, stop) in enumerate(families_of(names)):
        if index % 2 == 0:
            middle, width = pi * (first + stop - 1) / count, 2 * pi * (stop - first) / count
            plot.bar(middle, _RIM, width=width, color=PALE, linewidth=0, zorder=0)
    round_trip = np.append(angles, angles[:1])
    outline = np.append(values, values[:1])
    for ring in _RINGS:
        plot.plot(
            np.linspace(0, 2 * pi, _ROUND), np.full(_ROUND, ring), color=INK, linewidth=0.9 if ring == _MIDDLE else 0.3
        )
    plot.fill(round_trip, outline, color=PALETTE[0], alpha=0.3, linewidth=0)
    plot.plot(round_trip, outline, color=PALETTE[0], linewidth=1.3, marker="o", markersize=1.8)
    for number, angle in enumerate(angles, start=1):
        plot.text(angle, _NUMBERS, f"{number}", fontsize=4.6, ha="center", va="center")
    plot.set_theta_zero_location("N")
    plot.set_theta_direction(-1)
    plot.set_ylim(0, _RIM)
    plot.set_xticks([])
    plot.set_yticks([])
    plot.grid(False)
    plot.spines["polar"].set_linewidth(0.4)


def _key(part: Any, names: Sequence[str], block: Sequence[tuple[str, int, int]]) -> None:
    """Which number is which axis, family by family."""
    plot = part.add_subplot()
    plot.axis("off")
    for column, (family, first, stop) in enumerate(block):
        lines = [f"{number} {words(name)}" for number, name in enumerate(names[first:stop], start=first + 1)]
        where = column / _FAMILIES_ACROSS
        shared = {"transform": plot.transAxes, "ha": "left", "va": "top"}
        plot.text(where, 1.0, family, fontsize=7.5, fontweight="bold", **shared)
        plot.text(where, 1.0, "\n" + "\n".join(lines), fontsize=6.8, linespacing=1.3, **shared)
