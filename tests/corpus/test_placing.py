"""Percentiles: a stored song has exactly the percentiles of its stored values, and like is compared with like."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from libretto import measure, parse, read
from libretto.axes import grid_of
from libretto.corpus import build_cloud, describe_cloud, load_cloud
from libretto.corpus.cloud import Cloud, of_profiles
from libretto.gates import appraise
from libretto.score import QUARTER, Note, Score, Voice

HEAD = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: 4\nVOICES: A\n"


def piece(seed: int) -> Score:
    """Four bars played a little off the grid, another piece for every seed."""
    notes = [
        Note((n * QUARTER) // 2 + (n * seed * 131) % 900, QUARTER // 3 + 7 * seed, 48 + 12 * ((n * seed) % 4))
        for n in range(32)
    ]
    return Score.build([Voice.of("A", notes), Voice.of("B", notes[::3])])


def check_rows(cloud: Cloud, songs: list[tuple[int, Score]]) -> None:
    """Every song, measured again, against the row that is stored for it."""
    for row, song in songs:
        placed = cloud.place(measure(song, grid=cloud.grid))
        stored = cloud.shares(cloud.values[row : row + 1])[0]
        wanted = {
            axis: None if np.isnan(share) else round(100 * share)
            for axis, share in zip(cloud.axes, stored.tolist(), strict=True)
        }
        assert placed.percentiles == wanted, row
        shares = cloud.shares(cloud.row(measure(song, grid=cloud.grid)))[0]
        assert np.array_equal(shares, stored, equal_nan=True), row


def test_songs_of_a_cloud_have_their_own_percentiles() -> None:
    songs = [piece(seed) for seed in range(1, 40)]
    cloud = of_profiles("made", [measure(song) for song in songs], ["a", "b", "c"] * 13)
    assert Cloud.from_json(cloud.to_json()).to_json() == cloud.to_json()
    for one in (cloud, Cloud.from_json(cloud.to_json())):
        check_rows(one, list(enumerate(songs)))
        assert one.grid == "paper"


def _published(shared: Path) -> list[Path]:
    return sorted((shared / "corpus" / "paper314").glob("*.txt"))


def test_published_songs_have_their_stored_percentiles(shared: Path) -> None:
    paths = _published(shared)
    check_rows(load_cloud("paper314"), [(row, read(path)) for row, path in list(enumerate(paths))[::12]])


@pytest.mark.slow
def test_all_stored_songs_have_their_stored_percentiles(shared: Path) -> None:
    """Every song of both shipped clouds, through the public path."""
    check_rows(load_cloud("paper314"), [(row, read(path)) for row, path in enumerate(_published(shared))])
    default = load_cloud("default")
    by_values = {tuple(np.nan_to_num(row, nan=-1.0).tolist()): number for number, row in enumerate(default.values)}
    paths = sorted((shared / "corpus" / "midi").rglob("*.mid"))
    found = 0
    for path in paths:
        song = read(path)
        row = by_values.get(tuple(np.nan_to_num(default.row(measure(song))[0], nan=-1.0).tolist()))
        if row is not None:
            check_rows(default, [(row, song)])
            found += 1
    assert found >= 0.95 * len(paths)  # the rest are copies, which a cloud leaves out


def test_profiles_know_their_grid_and_clouds_theirs() -> None:
    song = piece(5)
    assert [grid_of(measure(song, grid=grid)) for grid in ("exact", "paper", "score")] == ["exact", "paper", "score"]
    exact, paper = measure(song, grid="exact"), measure(song)
    assert exact["syncopation_rate"] != paper["syncopation_rate"]
    cloud = of_profiles("made", [paper, measure(piece(6))], ["", ""])
    assert any(value is not None for value in cloud.place(paper).percentiles.values())
    other = cloud.place(exact)
    assert set(other.percentiles.values()) == {None}
    assert other.extremes == ()
    assert other.values["syncopation_rate"] == exact["syncopation_rate"]
    assert (other.grid, cloud.place(paper).grid) == ("exact", "paper")


def test_clouds_that_do_not_say_are_exact_and_pieces_are_measured_alike() -> None:
    songs = [piece(seed) for seed in range(1, 12)]
    cloud = of_profiles("old", [measure(song, grid="exact") for song in songs], ["a"] * 11, grid="exact")
    text = cloud.to_json()
    assert '"grid":"exact"' in text
    placed = appraise(songs[3], cloud=cloud, original=False).fingerprint
    assert placed.grid == "exact"
    check_rows(cloud, list(enumerate(songs)))


def test_built_clouds_say_their_grid(tmp_path: Path) -> None:
    from libretto import write

    for seed in range(1, 4):
        write(piece(seed), tmp_path / "music" / f"{seed}.mid") if seed > 1 else (tmp_path / "music").mkdir()
    build_cloud(tmp_path / "music", str(tmp_path / "mine"), quiet=True)
    assert describe_cloud(tmp_path / "mine")["grid"] == "paper"


def test_shipped_clouds_are_on_paper() -> None:
    assert {load_cloud(name).grid for name in ("paper314", "default")} == {"paper"}


def test_music_on_sixteenths_is_measured_as_it_stands() -> None:
    song = parse(HEAD + "\n".join(f"@{bar} [C]\nA: C4@1>3 E4@4>2 G4@7>1 C5@11>4" for bar in range(1, 5)))
    assert measure(song) == measure(song, grid="exact")
