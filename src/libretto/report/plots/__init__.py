"""Pictures of a cloud and of pieces placed in it: where genres lie, how axes and genres overlap, what is extreme.

And of what the loop does to every single case of table 3, from its first round to its best.

Every function returns the bytes of a picture, PNG unless ``kind`` says ``svg``; the same input gives the same bytes.
They need matplotlib: ``pip install 'libretto[plots]'``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from libretto.corpus.cloud import BANDS, Cloud, Fingerprint
from libretto.corpus.statistics import Holdout, hold_out
from libretto.report.plots.radar import genre_means, genre_overlay, genre_radars
from libretto.report.plots.style import INK, PALE, PALETTE, SMALL, TITLE, canvas, label_families, picture, words
from libretto.score.table import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "axis_correlations",
    "confusion_matrix",
    "draw_all",
    "genre_composition",
    "genre_heatmap",
    "loop_effect",
    "piece_heatmap",
    "typical_songs",
]

Pieces = Sequence[tuple[str, Fingerprint]]
_LONGEST_NAME, _TAIL = 34, 12  # characters of a name, and of its end where it is cut
_LEAST = -3.0  # what fails by more is drawn at the edge
_NAMED = 0.085  # a part of a bar that is at least this long bears its genre's name
_CELL, _TIGHT_CELL, _CASE_TITLE = 7, 6, 10  # points of type: in a table, in a large one, above cases
_AXIS = 0.135  # inches that an axis takes in a square of axes
_SLANT = 45  # degrees of long names below a table
_PALEST = 15  # mean percentiles hardly go beyond this and its mirror
_DARK, _DARK_SHARE = 25, 55  # so far from the middle, or from this percentage on, a cell is dark and its text white
_DOT = 18  # square points
_NOTHING = 1e-12  # a spread below this is the arithmetic's
_HATCHES = ("", "////", "....")
_DEEP = (PALETTE[0], PALETTE[2], PALETTE[5])  # on these, text is white


def draw_all(cloud: Cloud, pieces: Pieces = (), kind: str = "png") -> Iterator[tuple[str, bytes]]:
    """Every picture of a cloud that can be drawn, with a name for its file.

    Pieces placed in the cloud are drawn if given; otherwise the most typical song of each genre.
    """
    yield "correlations", axis_correlations(cloud, kind)
    if cloud.labels:
        yield "genres", genre_heatmap(cloud, kind)
        yield "radars", genre_radars(cloud, kind)
        yield "overlay", genre_overlay(cloud, kind)
    if len(cloud.labels) > 1:
        yield "confusion", confusion_matrix(cloud, kind)
    shown = pieces or typical_songs(cloud)
    if shown:
        yield "pieces", piece_heatmap(shown, kind)
    if any(fingerprint.genres for _, fingerprint in shown):
        yield "composition", genre_composition(shown, kind)


def axis_correlations(cloud: Cloud, kind: str = "png") -> bytes:
    """How the axes' rankings agree, over the songs to which both axes of a pair apply, by family (figure 2, left)."""
    side = 3.2 + _AXIS * len(cloud.axes)
    with canvas(side + 1.2, side) as figure:
        plot = figure.subplots()
        image = plot.imshow(_agreement(cloud.shares(cloud.values)), cmap="RdBu_r", vmin=-1, vmax=1)
        _name_axes(plot, cloud.axes, rows=True)
        _name_axes(plot, cloud.axes, rows=False)
        _scale(figure, image, "correlation of the songs' percentiles")
        figure.suptitle(f"How the {len(cloud.axes)} axes of {cloud.full_name} agree", fontsize=TITLE)
        return picture(figure, kind)


def _agreement(shares: Floats) -> Floats:
    """The correlation of every two columns over the rows where both are known; 0 where there is none."""
    known = (~np.isnan(shares)).astype(np.float64)
    x = np.where(np.isnan(shares), 0.0, shares - 0.5)
    count = np.maximum(1.0, known.T @ known)
    mean = x.T @ known / count  # of each row's axis where the column's is known too
    spread = np.maximum(0.0, (x**2).T @ known / count - mean**2)
    scale = np.sqrt(spread * spread.T)
    return np.asarray(np.where(scale > _NOTHING, (x.T @ x / count - mean * mean.T) / np.maximum(scale, _NOTHING), 0.0))


def genre_heatmap(cloud: Cloud, kind: str = "png") -> bytes:
    """The mean percentile of every genre on every axis, family by family (figure 3 as a table)."""
    table = genre_means(cloud).T
    with canvas(4.6 + 0.36 * len(cloud.labels), 1.9 + 0.155 * len(cloud.axes)) as figure:
        plot = figure.subplots()
        plot.set_facecolor(PALE)
        image = plot.imshow(table, cmap="PuOr_r", vmin=_PALEST, vmax=100 - _PALEST, aspect="auto")
        for (row, column), value in np.ndenumerate(table):
            if not np.isnan(value):
                colour = "white" if abs(value - 50) > _DARK else INK
                plot.text(column, row, f"{value:.0f}", ha="center", va="center", fontsize=_TIGHT_CELL, color=colour)
        _name_axes(plot, cloud.axes, rows=True)
        plot.set_xticks(range(len(cloud.labels)), [words(genre) for genre in cloud.labels], rotation=_SLANT, ha="right")
        _scale(figure, image, "mean percentile of the genre's songs")
        figure.suptitle(f"Where the genres of {cloud.full_name} lie", fontsize=TITLE)
        return picture(figure, kind)


def confusion_matrix(cloud: Cloud, kind: str = "png") -> bytes:
    """As what the songs of each genre read when their artist was held out, in percent (figure 2, right)."""
    guesses, labels = hold_out(cloud).guesses(), cloud.labels
    table = np.zeros((len(labels), len(labels)))
    for genre, guess in zip(cloud.genres, guesses, strict=True):
        if genre and guess:
            table[labels.index(genre), labels.index(guess)] += 1
    songs = table.sum(axis=1)
    table = 100 * table / np.maximum(1, songs)[:, None]
    side = 2.4 + 0.42 * len(labels)
    with canvas(side + 1.0, side) as figure:
        plot = figure.subplots()
        image = plot.imshow(table, cmap="Blues", vmin=0, vmax=100)
        for (row, column), value in np.ndenumerate(table):
            if value >= 0.5:
                colour = "white" if value > _DARK_SHARE else INK
                plot.text(column, row, f"{value:.0f}", ha="center", va="center", fontsize=_CELL, color=colour)
        names = [words(genre) for genre in labels]
        plot.set_xticks(range(len(labels)), names, rotation=_SLANT, ha="right")
        plot.set_yticks(range(len(labels)), [f"{n} ({s:.0f})" for n, s in zip(names, songs, strict=True)])
        plot.set_xlabel("reads as")
        plot.set_ylabel("genre (songs)")
        _scale(figure, image, "% of the genre's songs")
        held = "artists" if cloud.groups else "songs"
        figure.suptitle(f"Genres of {cloud.full_name}, {held} held out", fontsize=TITLE)
        return picture(figure, kind)


def genre_composition(pieces: Pieces, kind: str = "png") -> bytes:
    """How much each piece is like each genre, as bars that add up to 100% (figure 2, middle)."""
    genres = sorted({genre for _, fingerprint in pieces for genre in fingerprint.genres})
    fills = {genre: (PALETTE[i % len(PALETTE)], _HATCHES[i // len(PALETTE) % 3]) for i, genre in enumerate(genres)}
    with canvas(9.5, 1.6 + 0.34 * len(pieces)) as figure:
        plot = figure.subplots()
        for genre, (colour, hatch) in fills.items():  # bars of no length, for the legend
            plot.barh(0, 0, color=colour, hatch=hatch, edgecolor="white", linewidth=0, label=words(genre))
        for row, (_, fingerprint) in enumerate(pieces):
            left = 0.0
            for genre, share in sorted(fingerprint.genres.items(), key=lambda item: (-item[1], item[0])):
                colour, hatch = fills[genre]
                plot.barh(row, share, left=left, color=colour, hatch=hatch, edgecolor="white", linewidth=0.6)
                if share >= _NAMED:
                    _tag(plot, left + share / 2, row, _fitting(words(genre), share), colour, hatch)
                left += share
        plot.set_yticks(range(len(pieces)), [_short(name) for name, _ in pieces])
        plot.set_ylim(len(pieces) - 0.5, -0.5)
        plot.set_xlim(0, 1)
        plot.set_xticks(np.linspace(0, 1, 5), ["0%", "25%", "50%", "75%", "100%"])
        plot.spines[["top", "right", "left"]].set_visible(False)
        plot.tick_params(axis="y", length=0)
        figure.legend(loc="outside lower center", ncols=6, frameon=False, fontsize=_CELL)
        figure.suptitle(f"What pieces are made of, by {_cloud_of(pieces)}", fontsize=TITLE)
        return picture(figure, kind)


def piece_heatmap(pieces: Pieces, kind: str = "png") -> bytes:
    """Pieces by axes: the colour is the percentile, a dot an extreme, grey an axis that does not apply (figure A.4)."""
    names = tuple(pieces[0][1].percentiles) if pieces else ()
    rows = [[fingerprint.percentiles.get(name) for name in names] for _, fingerprint in pieces]
    table = np.array([[np.nan if p is None else p for p in row] for row in rows], dtype=np.float64)
    with canvas(3.6 + 0.165 * len(names), 3.2 + 0.24 * len(pieces)) as figure:
        plot = figure.subplots()
        plot.set_facecolor(PALE)
        image = plot.imshow(table.reshape(len(rows), len(names)), cmap="PuOr_r", vmin=0, vmax=100, aspect="auto")
        extremes = [set(fingerprint.extremes) for _, fingerprint in pieces]
        dots = [(x, y) for y, names_there in enumerate(extremes) for x, name in enumerate(names) if name in names_there]
        if dots:
            across, down = zip(*dots, strict=True)
            plot.scatter(across, down, s=9, color="white", edgecolors=INK, linewidths=0.7)
        labels = [f"{_short(name)} ({len(extreme)})" for (name, _), extreme in zip(pieces, extremes, strict=True)]
        plot.set_yticks(range(len(pieces)), labels)
        _name_axes(plot, names, rows=False)
        _scale(figure, image, "percentile", BANDS)
        figure.suptitle(f"Pieces in {_cloud_of(pieces)}; dots (and their number) are extremes", fontsize=TITLE)
        return picture(figure, kind)


def typical_songs(cloud: Cloud) -> list[tuple[str, Fingerprint]]:
    """For each genre the song nearest its middle, as judged by a cloud without its artist."""
    held, genres = hold_out(cloud), np.array(cloud.genres)
    shares = np.where(np.isnan(cloud.values), 0.5, cloud.shares(cloud.values))
    songs = []
    for genre in cloud.labels:
        mine = np.flatnonzero(genres == genre)
        away = np.abs(shares[mine] - shares[mine].mean(axis=0)).mean(axis=1)
        songs.append((f"a typical {words(genre)} song", _song(cloud, held, int(mine[away.argmin()]))))
    return songs


def _song(cloud: Cloud, held: Holdout, index: int) -> Fingerprint:
    """A song of the cloud as a fingerprint, with its genres as judged without it."""
    values = {axis: None if np.isnan(v) else float(v) for axis, v in zip(cloud.axes, cloud.values[index], strict=True)}
    percentiles = {axis: cloud.percentile(axis, value) for axis, value in values.items()}
    logs = held.logs[index]
    genres = {g: float(np.exp(log)) for g, log in zip(held.genres, logs, strict=True) if not np.isnan(log)}
    return Fingerprint(cloud.full_name, values, percentiles, genres)


def _name_axes(plot: Axes, names: Sequence[str], *, rows: bool) -> None:
    """The names of the axes along one side, those of their families along the other."""
    labels = [words(name) for name in names]
    if rows:
        plot.set_yticks(range(len(names)), labels, fontsize=SMALL)
    else:
        plot.set_xticks(range(len(names)), labels, fontsize=SMALL, rotation=90)
    plot.tick_params(length=2, pad=2)
    label_families(plot, names, rows=rows)


def _scale(figure: Figure, image: Any, label: str, ticks: Sequence[int] | None = None) -> None:
    """What the colours mean."""
    figure.colorbar(image, shrink=0.6, aspect=28, pad=0.02, label=label, ticks=ticks)


def _tag(plot: Axes, x: float, y: float, text: str, colour: str, hatch: str) -> None:
    """A genre's name on its part of a bar, on paper of its own where that is hatched."""
    box = {"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.85} if hatch else None
    ink = "white" if colour in _DEEP and not hatch else INK
    plot.text(x, y, text, ha="center", va="center", fontsize=SMALL, color=ink, bbox=box, clip_on=True)


def _fitting(name: str, share: float) -> str:
    """A genre's name as far as it fits its part of the bar."""
    room = int(share * 100)
    return name if len(name) <= room else name[: max(1, room - 1)].rstrip() + "…"


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - _TAIL - 1]}…{name[-_TAIL:]}"


def _cloud_of(pieces: Pieces) -> str:
    return pieces[0][1].cloud if pieces else "no cloud"


def loop_effect(title: str, cases: Sequence[tuple[str, float, float, bool]], kind: str = "png") -> bytes:
    """A line a case from the margin of its first round to that of its best; right of 0 every gate is passed."""
    height = max(2.5, 0.18 * len(cases) + 1.2)
    with canvas(8, height) as figure:
        axes = figure.add_subplot(1, 1, 1)
        for row, (_, first, best, passed) in enumerate(cases):
            low, high = max(first, _LEAST), max(best, _LEAST)
            axes.plot([low, high], [row, row], color=PALETTE[-1], linewidth=1.5, zorder=1)
            axes.scatter([low], [row], s=_DOT, color="white", edgecolors=INK, zorder=2)
            axes.scatter([high], [row], s=_DOT, color=PALETTE[0] if passed else PALETTE[5], zorder=3)
        axes.axvline(0.0, color=INK, linewidth=0.8)
        axes.set_yticks(range(len(cases)), [name[:_LONGEST_NAME] for name, *_ in cases], fontsize=_TIGHT_CELL)
        axes.set_xlabel("margin at the gates: first round (open), best round (filled; blue where it passes)")
        axes.set_title(title, fontsize=_CASE_TITLE)
        axes.spines[["top", "right"]].set_visible(False)
        return picture(figure, kind)
