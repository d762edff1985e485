"""From what was heard to an answer: pure functions that would rather say nothing than guess.

Conventions: a ruling is an answer, or *undecidable* (``answer`` is None) with the reason. Undecidable is an outcome of
its own and is never right. Strict functions follow the definition to the letter. Tolerant ones allow for a few wrong
notes; what they say is reported beside the strict answer and never in its place. What ``lines`` refuses never
arrives here; empty lists are undecidable all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt

__all__ = [
    "QUALITIES",
    "SAME_BELOW",
    "SYNCOPATIONS",
    "Ruling",
    "chord_quality_2",
    "chord_quality_4",
    "contour",
    "edit_distance",
    "interval_distance",
    "offbeats",
    "syncopation_pair",
    "syncopation_score",
    "tolerant_chord_quality_2",
    "tolerant_contour",
    "tolerant_transposition",
    "transposition",
]

#: Semitones above the lowest note, and the letter of the quality.
QUALITIES: dict[tuple[int, ...], str] = {(0, 4, 7): "A", (0, 3, 7): "B", (0, 4, 7, 10): "C", (0, 3, 6): "D"}
#: Two melodies count as one, tolerantly, where less than this part of their intervals differs.
SAME_BELOW = 0.5
#: Off-beats, and the letter of their class.
SYNCOPATIONS = {0: "A", 2: "B", 4: "C", 6: "D", 8: "E"}
_MAJOR_THIRD, _MINOR_THIRD = 4, 3  # semitones
_CLEAR = 0.5  # a shape explains a line of pitches where it correlates more than this
_EQUAL = 1e-9  # correlations that differ by no more are equally good


@dataclass(frozen=True)
class Ruling:
    """An answer and why; None is undecidable."""

    answer: str | None
    why: str


def offbeats(slots: Sequence[int]) -> int:
    """How many different even slots there are.

    >>> offbeats([1, 2, 3, 4, 4])
    2
    """
    return sum(slot % 2 == 0 for slot in set(slots))


def syncopation_score(slots: Sequence[int]) -> Ruling:
    """A to E for 0, 2, 4, 6 and 8 off-beats; nothing for other counts, nor for no onsets.

    >>> syncopation_score([1, 4, 5, 8]).answer, syncopation_score([2]).answer, syncopation_score([]).answer
    ('B', None, None)
    """
    if not slots:
        return Ruling(None, "no onsets")
    count = offbeats(slots)
    return Ruling(SYNCOPATIONS.get(count), f"{count} off-beats")


def syncopation_pair(first: Sequence[int], second: Sequence[int]) -> Ruling:
    """Which of two rhythms has more off-beats; nothing where they have as many."""
    if not first or not second:
        return Ruling(None, "no onsets")
    one, two = offbeats(first), offbeats(second)
    return Ruling(None if one == two else "1" if one > two else "2", f"{one} and {two} off-beats")


def transposition(first: Sequence[int], second: Sequence[int]) -> Ruling:
    """Yes where the steps from note to note are the same, no where they are not; a single note has no steps.

    >>> transposition([60, 62, 64], [65, 67, 69]).answer, transposition([60, 62], [60, 62, 64]).answer
    ('yes', 'no')
    """
    if min(len(first), len(second)) < 2:
        return Ruling(None, "fewer than two notes")
    same = _steps(first) == _steps(second)
    return Ruling("yes" if same else "no", "the same steps" if same else "other steps")


def interval_distance(first: Sequence[int], second: Sequence[int]) -> float:
    """How many steps must be put in, left out or changed to make one melody the other, as a part of the longer one.

    >>> interval_distance([60, 62, 64, 65], [60, 62, 64, 64, 65])
    0.25
    """
    return edit_distance(_steps(first), _steps(second))


def edit_distance(one: Sequence[int], two: Sequence[int]) -> float:
    """How many values must be put in, left out or changed to make one row the other, as a part of the longer one.

    >>> edit_distance([0, 5, 7, 0], [0, 14, 7, 0])
    0.25
    """
    row = list(range(len(two) + 1))
    for at, step in enumerate(one, 1):
        before, row = row, [at]
        for other, value in enumerate(two, 1):
            row.append(min(before[other] + 1, row[-1] + 1, before[other - 1] + (step != value)))
    return row[-1] / max(len(one), len(two), 1)


def tolerant_transposition(first: Sequence[int], second: Sequence[int]) -> Ruling:
    """Yes where less than half of the steps differ."""
    if min(len(first), len(second)) < 2:
        return Ruling(None, "fewer than two notes")
    distance = interval_distance(first, second)
    return Ruling("yes" if distance < SAME_BELOW else "no", f"distance {distance:.2f}")


def chord_quality_4(pitches: Sequence[int]) -> Ruling:
    """Major, minor, dominant or diminished (A to D) above the lowest note; nothing for any other set of notes.

    >>> chord_quality_4([60, 64, 67, 72]).answer, chord_quality_4([56, 60, 64, 67]).answer
    ('A', None)
    """
    above = _above(pitches)
    return Ruling(QUALITIES.get(above), _spelled(above))


def chord_quality_2(pitches: Sequence[int]) -> Ruling:
    """Major or minor: exactly that triad above the lowest note."""
    above = _above(pitches)
    return Ruling({"A": "major", "B": "minor"}.get(QUALITIES.get(above, "")), _spelled(above))


def tolerant_chord_quality_2(pitches: Sequence[int]) -> Ruling:
    """Major or minor by the third above the lowest note alone; nothing where both or neither are heard."""
    above = _above(pitches)
    major, minor = (third in above for third in (_MAJOR_THIRD, _MINOR_THIRD))
    return Ruling(None if major == minor else "major" if major else "minor", _spelled(above))


def contour(pitches: Sequence[int]) -> Ruling:
    """Asc, Desc, Arch (up, then down) or InvArch (down, then up); repeated notes do not count, more turns are nothing.

    >>> contour([60, 62, 64, 64, 62]).answer, contour([60, 62, 61, 63]).answer
    ('Arch', None)
    """
    ways = [step > 0 for step in _steps(pitches) if step]
    if not ways:
        return Ruling(None, "no step up or down")
    turns = sum(one != two for one, two in pairwise(ways))
    answer = {0: "Asc" if ways[0] else "Desc", 1: "Arch" if ways[0] else "InvArch"}.get(turns)
    return Ruling(answer, f"{turns} turns")


def tolerant_contour(pitches: Sequence[int]) -> Ruling:
    """The shape with which the pitches correlate best: a rise, a fall, a roof or a valley; nothing below a half."""
    last = len(pitches) - 1
    if last < 2:
        return contour(pitches)
    rise = [2 * at / last - 1 for at in range(last + 1)]
    roof = [-abs(x) for x in rise]
    slope, bend = _correlation(rise, pitches), _correlation(roof, pitches)
    likeness = {"Asc": slope, "Desc": -slope, "Arch": bend, "InvArch": -bend}
    best = max(likeness, key=lambda name: likeness[name])
    clear = likeness[best] > _CLEAR and abs(abs(slope) - abs(bend)) > _EQUAL
    return Ruling(best if clear else None, f"{best} {likeness[best]:.2f}")


def _steps(pitches: Sequence[int]) -> list[int]:
    return [two - one for one, two in pairwise(pitches)]


def _above(pitches: Sequence[int]) -> tuple[int, ...]:
    """Pitch classes above the lowest note."""
    root = min(pitches, default=0)
    return tuple(sorted({(pitch - root) % 12 for pitch in pitches}))


def _spelled(above: Sequence[int]) -> str:
    return f"{', '.join(map(str, above))} above the lowest note" if above else "no notes"


def _correlation(one: Sequence[float], two: Sequence[float]) -> float:
    """Pearson's correlation; 0 where something does not move."""
    centre_one, centre_two = sum(one) / len(one), sum(two) / len(two)
    pairs = [(a - centre_one, b - centre_two) for a, b in zip(one, two, strict=True)]
    power = sqrt(sum(a * a for a, _ in pairs) * sum(b * b for _, b in pairs))
    return sum(a * b for a, b in pairs) / power if power else 0.0
