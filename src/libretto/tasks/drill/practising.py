"""What to practise after an answer: what was missed itself, and what the notes that went wrong are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from libretto.knowledge import Concept, all_concepts
from libretto.score import QUARTER, Score
from libretto.tasks.drill.mistakes import Mistake

__all__ = ["practise_next"]

_MOST = 3
#: What practises notes of a length, in quarters: the first that is not shorter than the note.
_VALUES = (
    (0.25, "sixteenth-notes"), (0.34, "eighth-triplets"), (0.5, "eighth-notes"), (0.67, "quarter-triplets"),
    (0.75, "dotted-eighth-sixteenth"), (1.0, "quarter-note-pulse"), (1.5, "dotted-quarter-eighth"),
)  # fmt: skip
#: What practises a step or a leap of so many semitones.
_LEAPS = {
    3: "minor-third-feature", 4: "major-third-feature", 5: "perfect-fourth-feature", 6: "tritone-feature",
    7: "perfect-fifth-feature", 8: "minor-sixth-feature", 9: "major-sixth-feature", 10: "minor-seventh-feature",
    12: "perfect-octave-feature",
}  # fmt: skip
_STEPS, _LONG, _WIDE = "conjunct-motion", "held-long-note", "disjunct-motion"
_OTHERS = {"parallels": "contrary-motion", "too short": "legato", "too long": "staccato"}
_LEAST_LEAP = 3  # semitones


def practise_next(
    drill: Score, wrong: Iterable[tuple[Mistake, int]], concept: Concept | None, heard: bool | None
) -> tuple[str, ...]:
    """What to practise, by title: the concept itself where it was missed, then what the notes that went wrong are,
    the commonest first: their lengths where they were left out or out of time, the way to them where another was
    played. After no mistake it is what the concept leads to. Each mistake comes with its row in the drill, -1 for none.
    """
    names = [concept.name] if concept is not None and heard is False else []
    listed = list(wrong)
    helpful = Counter(_helpful(drill, mistake, row) for mistake, row in listed)
    names += [name for name, _ in helpful.most_common()]
    if concept is not None and not listed:
        names += concept.related[:2]
    known = all_concepts()
    titles = [known[f"theory/{name}"].title for name in names if f"theory/{name}" in known]
    return tuple(dict.fromkeys(titles))[:_MOST]


def _helpful(drill: Score, mistake: Mistake, row: int) -> str:
    """The concept that practises what went wrong in one place."""
    other = _OTHERS.get(mistake.kind) or _OTHERS.get(mistake.played)
    if other or row < 0:
        return other or "quarter-note-pulse"
    table = drill.table
    if mistake.kind != "wrong note":
        length = float(table["duration"][row]) / QUARTER
        return next((name for most, name in _VALUES if length <= most), _LONG)
    before = np.flatnonzero(table["onset"] < table["onset"][row])
    if not len(before):
        return _STEPS
    leap = abs(int(table["pitch"][row]) - int(table["pitch"][before[-1]]))
    return _STEPS if leap < _LEAST_LEAP else _LEAPS.get(leap, _WIDE)
