"""Clouds: percentiles by either rule, frozen and checksummed, and the published statistics from our own numbers."""

from __future__ import annotations

import pytest

from libretto.corpus import cloud_names, genre_percentiles, independence, load_cloud, of_profiles, usual_extremes
from libretto.corpus.cloud import Cloud
from libretto.errors import FormatError


def small(rule: str) -> Cloud:
    return of_profiles("small", [{"a": v, "b": None} for v in (1.0, 2.0, 2.0, 4.0)], ["x", "x", "y", ""], rule=rule)


def test_ties_count_whole_by_the_published_rule_and_half_by_mid_ranks() -> None:
    assert [small("at or below").percentile("a", v) for v in (0, 1, 2, 3, 4)] == [0, 25, 75, 75, 100]
    assert [small("mid").percentile("a", v) for v in (0, 1, 2, 3, 4)] == [0, 8, 42, 67, 83]


def test_what_does_not_apply_has_no_percentile_and_is_never_extreme() -> None:
    found = small("mid").place({"a": None, "b": 3.0})
    assert found.percentiles == {"a": None, "b": None}
    assert found.extremes == ()
    assert small("mid").place({"a": 9.0, "b": None}).extremes == ("a",)


def test_a_cloud_comes_back_whole_or_not_at_all() -> None:
    text = small("mid").to_json()
    assert Cloud.from_json(text).to_json() == text
    with pytest.raises(FormatError, match="checksum"):
        Cloud.from_json(text.replace('"y"', '"z"'))
    for broken in ("", "[]", "{}", "null", '{"checksum": 1}'):
        with pytest.raises(FormatError):
            Cloud.from_json(broken)


def test_a_cloud_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        load_cloud("paper314").values[0, 0] = 1.0


def test_unknown_clouds_are_refused() -> None:
    assert "paper314" in cloud_names()
    with pytest.raises(FormatError, match="there is no cloud"):
        load_cloud("../secrets")


def test_the_published_statistics() -> None:
    cloud = load_cloud("paper314")
    assert cloud.values.shape == (314, 29)
    found = independence(cloud)
    assert found["pairs"] == 406
    assert found["mean"] == pytest.approx(0.157, abs=0.0005)
    assert found["above_half"] == 12
    assert found["largest"] == pytest.approx(0.77, abs=0.005)
    extremes = usual_extremes(cloud)
    assert (round(extremes["mean"], 1), extremes["median"], extremes["ninetieth"]) == (3.4, 3, 7)
    genres = genre_percentiles(cloud)
    assert genres["jazz"]["chromaticism"] == pytest.approx(75, abs=1)
    assert genres["jazz"]["diminished_augmented_color"] == pytest.approx(76, abs=1)
    assert genres["folk_country"]["chromaticism"] == pytest.approx(28, abs=1)
    assert genres["folk_country"]["diminished_augmented_color"] == pytest.approx(39, abs=1)
    assert genres["electronic_dance"]["self_similarity"] == pytest.approx(72, abs=1)
    assert genres["classical"]["self_similarity"] == pytest.approx(20, abs=1)
