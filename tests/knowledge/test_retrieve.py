"""Retrieval by genre, finding and place: what is brought is what the measured effects say."""

from __future__ import annotations

import pytest

from libretto import measure, parse
from libretto.corpus import load_cloud
from libretto.errors import LibrettoError
from libretto.gates import Finding
from libretto.knowledge import all_concepts, find_concept, for_finding, retrieve, toward


@pytest.mark.parametrize("wanted", [1, -1])
@pytest.mark.parametrize("axis", ["syncopation_rate", "onset_density", "mean_simultaneity", "active_voice_density"])
def test_a_finding_brings_what_moves_its_axis(axis: str, wanted: int) -> None:
    finding = Finding("degeneracy", "heard", "advice", 1.0, axis=axis, wanted=wanted)
    for concept in for_finding(finding, limit=5):
        assert concept.effect[axis] * wanted > 0


def test_a_thin_texture_brings_concepts_that_thicken_it() -> None:
    found = for_finding(Finding("degeneracy", "", "", 1.0, axis="active_voice_density", wanted=1), limit=3)
    assert found


@pytest.mark.parametrize("genre", load_cloud().labels)
def test_a_genre_brings_its_own_idioms_first(genre: str) -> None:
    found = retrieve(genre=genre, limit=4)
    assert len(found) == 4
    assert all(concept.own == genre for concept in found)
    assert sum(concept.own == genre for concept in all_concepts().values()) >= 4


def test_what_was_shown_is_skipped_and_nothing_comes_twice() -> None:
    first = retrieve("bass", limit=5)
    again = retrieve("bass", limit=5, skip=[concept.key for concept in first])
    assert not {concept.key for concept in first} & {concept.key for concept in again}
    assert len({repr(concept.detector) for concept in first}) == len(first)


def test_toward_a_genre_follows_measured_effects() -> None:
    plain = measure(parse(find_concept("walking-bass").plain))
    found = toward(plain, "funk_soul_rnb", limit=5)
    assert found
    assert all(concept.base == "composing" and concept.effect for concept in found)


def test_filters_hold() -> None:
    assert all(concept.level == 1 for concept in retrieve(level=1, base="theory", limit=30))
    assert all("cadences" in concept.families for concept in retrieve(family="cadences", limit=30))
    with pytest.raises(LibrettoError, match="near it"):
        find_concept("walking-bas")


@pytest.mark.parametrize(
    "query", ["", "   ", '"', "AND OR NOT", "a* (b", "é ü 音楽", "x" * 5000, "NEAR/3", "col:val", "-"]
)
def test_any_query_is_answered_without_a_fault(query: str) -> None:
    assert isinstance(retrieve(query, limit=3), list)
