"""Find concepts in a piece: where each is seen, by its detector alone.

A concept is shown where all its conditions hold: each condition finds at least ``least`` sightings (1 unless it says
otherwise), or covers at least ``share`` of the bars. The places are those of the first condition. A condition with
``absent = true`` holds where nothing is seen.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from libretto.errors import LibrettoError
from libretto.knowledge.concept import Concept
from libretto.knowledge.detectors import detectors
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import Score

__all__ = ["check_detector", "detect", "find_in", "shows"]

_OURS = ("kind", "least", "share", "absent")


def check_detector(concept: Concept) -> None:
    """Refuse conditions of an unknown kind, and settings that their kind does not have."""
    for condition in concept.detector:
        kind = condition["kind"]
        if kind not in detectors:
            raise LibrettoError(f"{concept.key}: no detector {kind!r}; there are {', '.join(detectors)}")
        known = list(inspect.signature(detectors[kind]).parameters)[1:]
        for setting in condition:
            if setting not in known and setting not in _OURS:
                raise LibrettoError(
                    f"{concept.key}: the detector {kind} has no setting {setting!r}; it has {', '.join(known)}"
                )


def detect(score: Score | Sight, concept: Concept) -> list[Sighting]:
    """Where a piece shows a concept; nothing where it does not."""
    sight = score if isinstance(score, Sight) else Sight(score)
    places: list[Sighting] = []
    for number, condition in enumerate(concept.detector):
        sightings = _seen(sight, condition)
        if sightings is None:
            return []
        if number == 0:
            places = sightings
    return places


def shows(score: Score | Sight, concept: Concept) -> bool:
    """Whether a piece shows a concept."""
    return bool(detect(score, concept))


def _seen(sight: Sight, condition: Mapping[str, Any]) -> list[Sighting] | None:
    """The sightings of one condition; None where it does not hold."""
    settings = {name: value for name, value in condition.items() if name not in _OURS}
    detector = detectors[condition["kind"]]
    sightings = sight.once((detector, repr(sorted(settings.items()))), lambda: detector(sight, **settings))
    if condition.get("absent"):
        return None if sightings else [sight.at(0, sight.bars - 1)]
    enough = len(sightings) >= condition.get("least", 1) and _share(sight, sightings) >= condition.get("share", 0.0)
    return sightings if sightings and enough else None


def _share(sight: Sight, sightings: Sequence[Sighting]) -> float:
    bars = {bar for place in sightings for bar in range(place.first, place.last + 1)}
    return len(bars) / max(1, sight.bars)


def find_in(score: Score, concepts: Iterable[Concept]) -> list[tuple[Concept, list[Sighting]]]:
    """The concepts that a piece shows, with the places, those seen in fewest bars last."""
    sight = Sight(score)
    shown = [(concept, places) for concept in concepts if (places := detect(sight, concept))]
    return sorted(shown, key=lambda pair: (pair[0].base, -_share(sight, pair[1]), pair[0].name))
