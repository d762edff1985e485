"""What the ear that spots faults is taught with: real songs as they are, and the same songs with one planted fault.

Conventions: an example of a song with a fault keeps only the places within two bars of it; all other places are as they
are in the untouched song, which is kept once. ``fault`` marks the places that are the fault itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from libretto.faults.evidence import EARS, Candidates, Seen, evidence, places_of
from libretto.faults.plant import plant
from libretto.faults.plant.fault import Planted
from libretto.score import Score
from libretto.score.facts import Facts
from libretto.score.table import Bools, Floats, Ints

__all__ = ["Example", "Heard", "Lesson", "lesson_of"]

_REACH = 2  # bars on each side of a fault in which other places may change
_WHOLE = ("foreign-bar", "meter")  # ears that hear whole bars
_VOICE_BITS, _PITCH_BITS = 50, 7  # a start needs less than 43 bits, a pitch seven
_NOTHING = Candidates(np.empty((0, 0)), np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))


@dataclass(frozen=True, eq=False)
class Heard:
    """Places of one ear: a row of evidence and a bar each, and which of them are the planted fault."""

    rows: Floats
    bar: Ints
    fault: Bools


@dataclass(frozen=True, eq=False)
class Example:
    """A planted fault: its kind and degree, its bar (an index), and what every ear has around it."""

    kind: str
    degree: str
    bar: int
    around: Mapping[str, Heard]


@dataclass(frozen=True, eq=False)
class Lesson:
    """A song: what every ear has of it as it is, and examples of faults in it."""

    name: str
    group: str
    clean: Mapping[str, Heard]
    examples: tuple[Example, ...]


def lesson_of(
    name: str, group: str, score: Score, donor: Score, seed: int, degrees: Sequence[str] = ("plain", "subtle")
) -> Lesson:
    """One song as it is and with one fault of every kind and degree for which it has a place."""
    before = Seen(score)
    clean = {ear: _heard(places_of(before, ear)) for ear in EARS}
    examples = []
    for degree in degrees:
        for kind in evidence:
            planted = plant(score, kind, seed, degree=degree, donor=donor)
            if planted is not None:
                examples.append(_example(planted, degree, before, score))
    return Lesson(name, group, clean, tuple(examples))


def _heard(places: Candidates, fault: Bools | None = None, which: Bools | None = None) -> Heard:
    mask = np.ones(len(places.bar), dtype=np.bool_) if which is None else which
    marked = np.zeros(len(places.bar), dtype=np.bool_) if fault is None else fault
    return Heard(places.rows[mask].astype(np.float32), places.bar[mask], marked[mask])


def _example(planted: Planted, degree: str, before: Facts, score: Score) -> Example:
    after, bar = Seen(planted.score), planted.bar - score.first_bar
    around = {}
    for ear, kinds in EARS.items():
        # One note hardly changes what is heard of a whole bar.
        places = _NOTHING if planted.voice is not None and ear in _WHOLE else places_of(after, ear)
        fault = np.zeros(len(places.bar), dtype=np.bool_)
        if planted.kind in kinds:
            fault = _is_fault(planted.kind, bar, places, before, after)
        around[ear] = _heard(places, fault, np.abs(places.bar - bar) <= _REACH)
    return Example(planted.kind, degree, bar, around)


def _is_fault(kind: str, bar: int, places: Candidates, before: Facts, after: Facts) -> Bools:
    if kind == "parallels":
        return np.asarray((np.abs(places.bar - bar) <= 1) & (places.rows[:, 0] >= 2))
    if kind in _WHOLE:
        return np.asarray(places.bar == bar)
    return np.asarray(~np.isin(_places(after), _places(before))[places.note])


def _places(facts: Facts) -> Ints:
    """Every note's voice, start and pitch as one number."""
    return np.asarray((facts.voice << _VOICE_BITS) + (facts.onset << _PITCH_BITS) + facts.pitch)
