"""What every concept of both bases promises."""

from __future__ import annotations

from functools import cache

import pytest
from unrelated import unrelated_drills

from libretto.knowledge import Concept, Sight, all_concepts, problems_of, shows
from libretto.knowledge.concept import COMMONNESS

CONCEPTS = all_concepts()
THEORY = sorted(key for key, concept in CONCEPTS.items() if concept.base == "theory")


@cache
def _drills() -> tuple[Sight, ...]:
    return tuple(Sight(drill) for drill in unrelated_drills())


@pytest.mark.parametrize("key", sorted(CONCEPTS))
def test_a_concept_keeps_its_promises(key: str) -> None:
    assert problems_of(CONCEPTS[key]) == []


@pytest.mark.parametrize("key", THEORY)
def test_a_detector_accepts_no_more_unrelated_drills_than_is_plausible(key: str) -> None:
    concept = CONCEPTS[key]
    share = sum(shows(drill, concept) for drill in _drills()) / len(_drills())
    assert share <= COMMONNESS[concept.common], f"{share:.0%} of unrelated drills"


@pytest.mark.parametrize("key", sorted(CONCEPTS))
def test_related_concepts_exist(key: str) -> None:
    concept: Concept = CONCEPTS[key]
    for other in concept.related:
        assert other in CONCEPTS or f"{concept.base}/{other}" in CONCEPTS, other
