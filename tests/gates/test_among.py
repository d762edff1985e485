"""Axes within the genre: a piece stands among its genre's songs beside where it stands among all."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from libretto import LibrettoError, load_cloud, read
from libretto.axes import measure
from libretto.cli.app import app
from libretto.gates import appraise
from libretto.gates.among import percentiles_in_genre, songs_of_genre
from libretto.mcp.answers import answer
from libretto.mcp.desk import Desk, tools
from libretto.workspace import Workspace

SONG = Path(__file__).parents[2] / "examples" / "night_bus.libretto"
GENRE = "metal"


def test_a_percentile_counts_the_songs_of_the_genre_that_lie_below() -> None:
    cloud = load_cloud()
    profile = measure(read(SONG), grid=cloud.grid)
    among = percentiles_in_genre(cloud, GENRE, profile)
    mine = np.array([genre == GENRE for genre in cloud.genres])
    for index, axis in enumerate(cloud.axes):
        value, column = profile.get(axis), cloud.values[mine, index]
        known = column[~np.isnan(column)]
        if value is None or not len(known):
            assert among[axis] is None
            continue
        share = float(np.mean(known < value) + np.mean(known == value) / 2)
        assert among[axis] == pytest.approx(100 * share, abs=1.0), axis


def test_it_differs_from_the_place_among_all_songs() -> None:
    appraisal = appraise(read(SONG), GENRE, original=False)
    overall = appraisal.fingerprint.percentiles
    assert sum(overall[axis] != place for axis, place in appraisal.in_genre.items()) > len(overall) // 2
    assert len(songs_of_genre(load_cloud(), GENRE).genres) == load_cloud().genres.count(GENRE)
    with pytest.raises(LibrettoError, match="there is no genre 'polka'; there are"):
        songs_of_genre(load_cloud(), "polka")


def test_measure_shows_both_and_says_which_is_which() -> None:
    spoken = CliRunner().invoke(app, ["measure", str(SONG), "--genre", GENRE, "--no-original"])
    assert "first among all songs, then among those of metal alone" in spoken.stdout
    typed = CliRunner().invoke(app, ["measure", str(SONG), "--genre", GENRE, "--no-original", "--json"])
    data = json.loads(typed.stdout)
    assert data["genre"] == GENRE
    appraisal = appraise(read(SONG), GENRE, original=False)
    for axis, row in data["axes"].items():
        assert row["percentile"] == appraisal.fingerprint.percentiles[axis]
        assert row["percentile_in_genre"] == appraisal.in_genre[axis]
    without = CliRunner().invoke(app, ["measure", str(SONG), "--no-original", "--json"])
    assert "percentile_in_genre" not in without.stdout


def test_axes_place_a_piece_without_judging_it() -> None:
    typed = CliRunner().invoke(app, ["axes", str(SONG), "--genre", GENRE, "--json"])
    data = json.loads(typed.stdout)
    assert data["verdict"] is None
    assert data["axes"]["tempo"]["percentile_in_genre"] == appraise(read(SONG), GENRE, original=False).in_genre["tempo"]
    assert "among those of metal alone" in CliRunner().invoke(app, ["axes", str(SONG), "--genre", GENRE]).stdout
    assert CliRunner().invoke(app, ["axes", "--genre", GENRE]).exit_code != 0


def test_the_server_says_the_same(tmp_path: Path) -> None:
    desk = Desk(Workspace(tmp_path))
    assert answer(tools["open"], desk, {"piece": "bus", "text": SONG.read_text(encoding="utf-8")})["ok"]
    told = answer(tools["measure"], desk, {"piece": "bus", "genre": GENRE})
    appraisal = appraise(read(SONG), GENRE, original=False)
    assert told["genre"] == GENRE
    assert told["in_genre"] == {name: value for name, value in appraisal.in_genre.items() if value is not None}
    assert "in_genre" not in answer(tools["measure"], desk, {"piece": "bus"})
