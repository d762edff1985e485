"""Two bases of concepts, for composing and for theory: advice with examples, and detectors that find it in music."""

from typing import TYPE_CHECKING

from libretto.registry import lazy_names

if TYPE_CHECKING:
    from libretto.knowledge.concept import Concept, parse_concept
    from libretto.knowledge.detect import detect, find_in, problems_of, shows
    from libretto.knowledge.exemplars import Exemplar, Shown, exemplars
    from libretto.knowledge.library import all_concepts, check_filters, find_concept, load_concepts
    from libretto.knowledge.retrieve import for_finding, retrieve, toward
    from libretto.knowledge.sight import Sight, Sighting

__all__ = [
    "Concept",
    "Exemplar",
    "Shown",
    "Sight",
    "Sighting",
    "all_concepts",
    "check_filters",
    "detect",
    "exemplars",
    "find_concept",
    "find_in",
    "for_finding",
    "load_concepts",
    "parse_concept",
    "problems_of",
    "retrieve",
    "shows",
    "toward",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "concept": "Concept parse_concept",
        "detect": "detect find_in problems_of shows",
        "exemplars": "Exemplar Shown exemplars",
        "library": "all_concepts check_filters find_concept load_concepts",
        "retrieve": "for_finding retrieve toward",
        "sight": "Sight Sighting",
    },
)
