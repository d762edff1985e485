"""What every concept of both bases promises."""

from __future__ import annotations

from functools import cache

import pytest
from unrelated import unrelated_drills

from libretto.knowledge import Sight, all_concepts, problems_of, shows
from libretto.knowledge.concept import COMMONNESS

CONCEPTS = all_concepts()
THEORY = sorted(key for key, concept in CONCEPTS.items() if concept.base == "theory")


@cache
def _drills() -> tuple[Sight, ...]:
    return tuple(Sight(drill) for drill in unrelated_drills())


@pytest.mark.parametrize("part", range(4))  # so that several cores share the work
def test_a_concept_keeps_its_promises(part: int) -> None:
    wrong = {key: problems for key in sorted(CONCEPTS)[part::4] if (problems := problems_of(CONCEPTS[key]))}
    assert wrong == {}


@pytest.mark.parametrize("part", range(4))
def test_a_detector_accepts_no_more_unrelated_drills_than_is_plausible(part: int) -> None:
    wrong = {}
    for key in THEORY[part::4]:
        share = sum(shows(drill, CONCEPTS[key]) for drill in _drills()) / len(_drills())
        if share > COMMONNESS[CONCEPTS[key].common]:
            wrong[key] = f"{share:.0%} of unrelated drills"
    assert wrong == {}


def test_related_concepts_exist() -> None:
    lost = [
        (key, other)
        for key, concept in CONCEPTS.items()
        for other in concept.related
        if other not in CONCEPTS and f"{concept.base}/{other}" not in CONCEPTS
    ]
    assert lost == []
