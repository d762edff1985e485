"""Gates are calibrated by forces and length, and a small corpus still has something for every piece."""

from __future__ import annotations

import json

import numpy as np
import pytest
from test_calibrate import song

from libretto.corpus.calibrate import assemble
from libretto.corpus.cells import CELLS, POINTS, Cells, pools, shares_among
from libretto.corpus.cloud import Cloud
from libretto.corpus.excerpts import Excerpts, excerpts_of
from libretto.corpus.forces import Cell, cell_of
from libretto.corpus.rows import SongRow, row_of
from libretto.corpus.shaking import shaken
from libretto.corpus.traits import TRAITS, traits_of
from libretto.errors import FormatError
from libretto.gates import case_of, gates, judge
from libretto.score import Score


@pytest.fixture(scope="module")
def cloud() -> Cloud:
    """Two genres of solos, eighty bars each."""
    rows = [
        row_of(song(genre, seed, bars=80), genre, f"{genre} {seed % 6}")
        for genre in ("fast", "slow")
        for seed in range(12)
    ]
    return assemble("two", rows)


def test_every_cell_has_kin_and_thin_ones_share_theirs(cloud: Cloud) -> None:
    assert cloud.gauges is not None
    cells = cloud.gauges.cells
    assert cells is not None
    assert set(cells.where) == {cell.key for cell in CELLS}
    solo, band = (cells.of(Cell.of_key(key)) for key in ("solo short", "band+ short"))
    assert solo.passing is not None
    assert solo.passing.count >= 40
    assert solo.passing.real >= 0.6, "real music of artists held out passes"
    assert solo.passing.random <= 0.15
    assert band.percentiles.shape == (len(cloud.axes), POINTS)


def test_real_pieces_pass_and_random_and_foreign_ones_do_not(cloud: Cloud) -> None:
    passed = [judge(song("fast", 60 + n, bars=16), "fast", cloud=cloud, original=False).passed for n in range(6)]
    assert sum(passed) >= 4
    for number in range(4):
        piece = song("fast", 70 + number, bars=16)
        noise = judge(shaken(piece, "anything"), "fast", cloud=cloud, original=False)
        assert not noise.passed
        assert not judge(piece, "slow", cloud=cloud, original=False).outcomes["genre fit"].passed


def test_a_cloud_with_cells_survives_its_text(cloud: Cloud) -> None:
    again = Cloud.from_json(cloud.to_json())
    assert again.to_json() == cloud.to_json()
    piece = song("fast", 90, bars=16)
    for name in ("degeneracy", "order", "genre fit"):
        one, two = (gates[name](case_of(piece, home, "fast")) for home in (cloud, again))
        assert one is not None
        assert two is not None
        assert one.margin == pytest.approx(two.margin, abs=1e-3)


def test_damaged_cells_are_refused(cloud: Cloud) -> None:
    assert cloud.gauges is not None
    assert cloud.gauges.cells is not None
    data = cloud.gauges.cells.to_dict()
    data["where"]["solo short"] = 99
    with pytest.raises(ValueError, match="cells"):
        Cells.from_dict(data)
    body = json.loads(cloud.to_json())
    body["gauges"]["cells"]["where"].popitem()
    with pytest.raises(FormatError):
        Cloud.from_json(json.dumps(body))


def test_the_published_rule_knows_no_cells() -> None:
    rows = [row_of(song(genre, seed, bars=40), genre) for genre in ("fast", "slow") for seed in range(8)]
    published = assemble("two", rows, rule="at or below")
    assert published.gauges is not None
    assert published.gauges.cells is None
    assert judge(song("fast", 1, bars=40), "fast", cloud=published, original=False).feedback


def test_cells_are_pooled_until_there_are_enough() -> None:
    chosen = pools({"duo short": 100, "duo+ short": 10, "trio whole": 70}, 60)
    assert chosen[Cell.of_key("duo short")] == ("duo short",)
    assert set(chosen[Cell.of_key("duo+ short")]) == {"duo short", "duo+ short"}
    assert "duo short" in chosen[Cell.of_key("trio short")]
    assert "trio whole" in chosen[Cell.of_key("solo whole")]
    assert set(pools({"duo short": 3}, 60)[Cell.of_key("band phrase")]) == {cell.key for cell in CELLS}


def test_equal_values_stand_in_the_middle() -> None:
    points = np.array([[1 / 3] * 30 + [0.5] * 11, np.linspace(0, 1, 41)])
    kept = np.round(points, 6)
    shares = shares_among(kept, np.array([[1 / 3, 0.5], [0.5, 0.0], [0.6, 2.0], [np.nan, 0.25]]))
    assert shares[0].tolist() == pytest.approx([14.5 / 40, 0.5])
    assert shares[1].tolist() == pytest.approx([35 / 40, 0.0])
    assert shares[2].tolist() == pytest.approx([1.0, 1.0])
    assert np.isnan(shares[3, 0])


def test_excerpts_survive_their_text_and_are_repeatable() -> None:
    piece = song("fast", 3, bars=80)
    one = excerpts_of(piece)
    assert Excerpts.from_dict(json.loads(json.dumps(one.to_dict()))) == one == excerpts_of(piece)
    assert one.cells[0] == cell_of(piece).key
    assert {"solo short", "solo middle", "solo whole", "solo phrase"} <= set(one.cells)
    assert one.traits.shape == (len(one.cells), TRAITS)
    row = row_of(piece, "fast", "x")
    assert SongRow.from_dict(json.loads(json.dumps(row.to_dict()))) == row


def test_traits_say_what_is_played() -> None:
    fast, slow = traits_of(song("fast", 1)), traits_of(song("slow", 1))
    assert fast[0] == pytest.approx(1.0), "all of it on the first program"
    assert slow[40] == pytest.approx(1.0)
    assert np.isfinite(traits_of(Score.build([], bars=4))).all()


def test_a_duo_is_held_against_duos(cloud: Cloud) -> None:
    case = case_of(song("slow", 5, bars=16), cloud, "slow")
    assert case.cell == Cell.of_key("solo short")
    assert cloud.gauges is not None
    assert cloud.gauges.cells is not None
    assert case.kin is cloud.gauges.cells.of(case.cell)
    assert case.budget == case.kin.budget
