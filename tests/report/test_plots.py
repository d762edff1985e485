"""Plots show what is there, come out the same every time, and say what they need."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from small_clouds import AXES, GENRES, small_cloud
from tunes import tune

from libretto import write
from libretto.corpus import Cloud
from libretto.errors import FileExists, FormatError, MissingExtra
from libretto.report import plots
from libretto.report.plots import (
    axis_correlations,
    confusion_matrix,
    draw_all,
    genre_composition,
    genre_heatmap,
    piece_heatmap,
    typical_songs,
)
from libretto.report.plots import style as plot_style
from libretto.report.plots.files import check_plots, write_plots
from libretto.report.plots.radar import genre_means, genre_overlay, genre_radars
from libretto.report.plots.style import families_of

PNG = b"\x89PNG\r\n\x1a\n"
NAMES = ["correlations", "genres", "radars", "overlay", "confusion", "pieces", "composition"]


@pytest.fixture(scope="module")
def small() -> Cloud:
    return small_cloud()


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[matplotlib.figure.Figure]:
    """The figures behind the pictures."""
    kept: list[matplotlib.figure.Figure] = []
    real = plot_style.picture

    def keep(figure, kind="png"):  # type: ignore[no-untyped-def]
        kept.append(figure)
        return real(figure, kind)

    monkeypatch.setattr(plots, "picture", keep)
    monkeypatch.setattr("libretto.report.plots.radar.picture", keep)
    return kept


def texts(figure: matplotlib.figure.Figure) -> list[str]:
    return [text.get_text() for text in figure.findobj(matplotlib.text.Text) if text.get_text()]


def test_every_picture_of_a_cloud_is_drawn(small: Cloud) -> None:
    found = dict(draw_all(small))
    assert list(found) == NAMES
    assert all(data.startswith(PNG) and len(data) > 5_000 for data in found.values())
    bare = replace(small, genres=("",) * len(small.genres), classifier=None, gauges=None)
    assert [name for name, _ in draw_all(bare)] == ["correlations"]


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_the_same_cloud_gives_the_same_bytes_whatever_the_user_prefers(small: Cloud, kind: str) -> None:
    first = confusion_matrix(small, kind)
    with matplotlib.rc_context({"axes.facecolor": "black", "font.size": 20, "savefig.dpi": 30}):
        assert confusion_matrix(small, kind) == first
    assert confusion_matrix(replace(small, version=2), kind) != first


def test_svg_is_svg_and_other_kinds_are_refused(small: Cloud) -> None:
    data = axis_correlations(small, "svg")
    assert data.startswith(b"<?xml")
    assert b"<dc:date>" not in data
    with pytest.raises(FormatError, match="png or svg"):
        axis_correlations(small, "gif")


def test_confusions_are_shares_of_the_row(small: Cloud, drawn: list[matplotlib.figure.Figure]) -> None:
    confusion_matrix(small)
    table = drawn[0].axes[0].images[0].get_array()
    assert table.shape == (3, 3)
    assert np.asarray(table).sum(axis=1) == pytest.approx(np.full(3, 100.0))
    assert {f"{genre} (24)" for genre in GENRES} <= set(texts(drawn[0]))


def test_correlations_leave_out_songs_to_which_an_axis_does_not_apply(small: Cloud) -> None:
    shares = small.shares(small.values)
    table = plots._agreement(shares)
    known = ~np.isnan(shares[:, 7])
    assert not known.all()
    assert table[7, 0] == table[0, 7] == pytest.approx(np.corrcoef(shares[known, 7], shares[known, 0])[0, 1])
    assert np.diag(table) == pytest.approx(np.ones(len(AXES)))
    assert plots._agreement(np.full((5, 2), 0.5)) == pytest.approx(np.zeros((2, 2)))


def test_means_of_genres_are_over_the_songs_an_axis_applies_to(small: Cloud) -> None:
    means = genre_means(small)
    jazz = [genre == "jazz" for genre in small.genres]
    values = [small.percentile("backbeat", v) for v in small.values[jazz, 7] if not np.isnan(v)]
    assert means[1, 7] == pytest.approx(np.mean(values), abs=0.6)
    silent = small.values.copy()
    silent[jazz, 7] = np.nan
    assert np.isnan(genre_means(replace(small, values=silent))[1, 7])
    assert genre_radars(replace(small, values=silent)).startswith(PNG)


def test_radars_name_every_genre_and_axis(small: Cloud, drawn: list[matplotlib.figure.Figure]) -> None:
    genre_radars(small)
    genre_heatmap(small)
    said = "\n".join(texts(drawn[0]))
    assert all(f"{genre} (24)" in said for genre in GENRES)
    for number, axis in enumerate(AXES, start=1):
        assert f"{number} {axis.replace('_', ' ')}" in said
        assert axis.replace("_", " ") in texts(drawn[1])


def test_the_overlay_names_every_genre_once_and_draws_an_outline_for_each(
    small: Cloud, drawn: list[matplotlib.figure.Figure]
) -> None:
    assert genre_overlay(small).startswith(PNG)
    said = texts(drawn[0])
    assert all(said.count(genre) == 1 for genre in GENRES)
    lines = [line for line in drawn[0].findobj(matplotlib.lines.Line2D) if line.get_label() in GENRES]
    assert len(lines) >= len(GENRES)


def test_families_are_runs_of_axes() -> None:
    assert families_of(AXES)[0] == ("rhythm", 0, 2)
    assert [family for family, _, _ in families_of(AXES)] == ["rhythm", "harmony", "melody", "texture", "groove"]
    assert families_of(("no_such_axis",)) == [("other", 0, 1)]


def test_the_heatmap_marks_extremes(small: Cloud, drawn: list[matplotlib.figure.Figure]) -> None:
    middle: dict[str, float | None] = dict.fromkeys(AXES, 0.0)
    far = {**middle, "tempo": 99.0, "swing": -99.0, "backbeat": None}
    pieces = [("usual", small.place(middle)), ("unusual", small.place(far))]
    piece_heatmap(pieces)
    plot = drawn[0].axes[0]
    dots = {(int(x), int(y)) for x, y in plot.collections[0].get_offsets()}
    assert {(AXES.index("tempo"), 1), (AXES.index("swing"), 1)} <= dots
    assert np.ma.masked_invalid(plot.images[0].get_array()).mask[1, AXES.index("backbeat")]
    assert f"unusual ({len(pieces[1][1].extremes)})" in texts(drawn[0])


def test_a_bar_adds_up_and_names_its_genres(small: Cloud, drawn: list[matplotlib.figure.Figure]) -> None:
    pieces = typical_songs(small)
    assert [name for name, _ in pieces] == [f"a typical {genre} song" for genre in GENRES]
    for _, fingerprint in pieces:
        assert sum(fingerprint.genres.values()) == pytest.approx(1.0)
    genre_composition(pieces)
    bars = [patch for patch in drawn[0].axes[0].patches if patch.get_width() > 0]
    ends = [max(bar.get_x() + bar.get_width() for bar in bars if round(bar.get_y() + 0.4) == row) for row in range(3)]
    assert ends == pytest.approx([1.0] * 3)
    assert set(GENRES) <= set(texts(drawn[0]))


def test_missing_matplotlib_prints_the_pip_line(small: Cloud, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)  # type: ignore[arg-type]
    with pytest.raises(MissingExtra, match=r"pip install 'libretto\[plots\]'"):
        axis_correlations(small)
    with pytest.raises(MissingExtra):
        check_plots(tmp_path, [small])


def test_plots_are_written_and_kept(small: Cloud, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []

    def quick(cloud, pieces):  # type: ignore[no-untyped-def]
        seen.append([name for name, _ in pieces])
        return ((name, f"{cloud.full_name} {name}".encode()) for name in NAMES)

    monkeypatch.setattr("libretto.report.plots.files.draw_all", quick)
    music = [tmp_path / "a $1 tune$.mid", tmp_path / "broken.mid"]
    write(tune(1), music[0])
    music[1].write_bytes(b"no music")
    folder = tmp_path / "new" / "plots"
    odd = replace(small, name="../odd name")
    written = list(write_plots(folder, [small, odd], music))
    assert [path.name for path in written] == [
        f"{stem}-{name}.png" for stem in ("small", "___odd_name") for name in NAMES
    ]
    assert sorted(folder.iterdir()) == sorted(written)
    assert seen == [["a $1 tune$"]] * 2
    before = written[0].read_bytes()
    with pytest.raises(FileExists, match="--force"):
        list(write_plots(folder, [small]))
    written[0].write_bytes(b"old")
    assert list(write_plots(folder, [small], force=True)) == written[: len(NAMES)]
    assert written[0].read_bytes() == before


def test_names_of_pieces_are_not_formulas(small: Cloud, drawn: list[matplotlib.figure.Figure]) -> None:
    placed = small.place(dict.fromkeys(AXES, 0.0))
    piece_heatmap([("$\\frac{$ and a name that is much too long for its place", placed)])
    assert any(text.startswith("$\\frac{$ and") and "…" in text for text in texts(drawn[0]))


def test_a_folder_that_is_a_file_is_refused(small: Cloud, tmp_path: Path) -> None:
    (tmp_path / "plots").write_text("precious")
    with pytest.raises(FormatError, match="plots"):
        list(write_plots(tmp_path / "plots", [small]))
    assert (tmp_path / "plots").read_text() == "precious"
