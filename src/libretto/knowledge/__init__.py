"""Two bases of concepts, for composing and for theory: advice with examples, and detectors that find it in music."""

from libretto.knowledge.checking import problems_of
from libretto.knowledge.concept import Concept, parse_concept
from libretto.knowledge.detect import detect, shows
from libretto.knowledge.library import all_concepts, find_concept, load_concepts
from libretto.knowledge.sight import Sight, Sighting

__all__ = [
    "Concept",
    "Sight",
    "Sighting",
    "all_concepts",
    "detect",
    "find_concept",
    "load_concepts",
    "parse_concept",
    "problems_of",
    "shows",
]
