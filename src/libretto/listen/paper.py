"""The solvers of the MUSE paper, mended so that they run, to set their answers beside ours.

Printed, their patterns are mangled (unbalanced brackets) and cannot be compiled. What is mended: the patterns only, in
the one way that lets the texts of the paper's own examples through. What they do is kept, faults and all:

- a line is searched for anywhere in a reply, so that prose, fences and an echoed example are read;
- names, identifiers, numbers and ranges are not checked; a melody is whatever digits stand in its list, so that
  ``65.0`` is 65 and 0, and ``[60-64-67]`` is 60, -64, -67;
- an empty rhythm has no off-beats and therefore scores A; off-beats said twice count twice; odd counts have no class;
- melodies of different length, an empty one included, are "No"; single notes are always "Yes".

Ours (``replies``, ``solvers``) differ in each of these points. The paper has no solver for pairs of rhythms, for two
qualities or for contours: those tasks have no answer here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from libretto.listen.replies import LONGEST_REPLY, RANGES
from libretto.listen.solvers import QUALITIES, SYNCOPATIONS

__all__ = ["PAPER_SOLVERS", "paper_chord", "paper_syncopation", "paper_transposition"]

_NAME = r"[A-Za-z0-9_.\-]{1,200}"
_RHYTHM = re.compile(r"rhythm\s{0,20}\(\s{0,20}[^\s,]{1,200}\s{0,20},\s{0,20}\[([\d,\s]*)\]\s{0,20}\)")
_MELODY = re.compile(
    rf"melody\s{{0,20}}\(\s{{0,20}}{_NAME}\s{{0,20}},\s{{0,20}}\[([^\]]*)\]\s{{0,20}}\)", re.IGNORECASE
)
_CHORD = re.compile(rf"chord\s{{0,20}}\(\s{{0,20}}{_NAME}\s{{0,20}},\s{{0,20}}\[([^\]]*)\]\s{{0,20}}\)", re.IGNORECASE)
_MOST_DIGITS = 9  # of a number that is read
_DIGITS = re.compile(rf"-?\d{{1,{_MOST_DIGITS}}}")


def paper_syncopation(text: str) -> str | None:
    """The letter that the paper's solver gives a rhythm; None where it finds none or the count has no class.

    >>> paper_syncopation("rhythm(any, [])")
    'A'
    """
    line = _RHYTHM.search(text[:LONGEST_REPLY])
    if line is None:
        return None
    parts = [part.strip() for part in line[1].split(",") if part.strip()]
    if not all(part.isdigit() and len(part) <= _MOST_DIGITS for part in parts):
        return None
    low, high = RANGES["rhythm"]
    count = sum(low <= int(part) <= high and int(part) % 2 == 0 for part in parts)
    return SYNCOPATIONS.get(count)


def paper_transposition(text: str) -> str | None:
    """Yes or no as the paper's solver says it of the first two melodies in a reply; None where there are not two."""
    bare = text[:LONGEST_REPLY].replace("'''", "").replace("`", "")
    melodies = [_numbers(line[1]) for line in _MELODY.finditer(bare)][:2]
    if len(melodies) < 2 or not any(melodies):
        return None
    one, two = melodies
    if len(one) != len(two):
        return "no"
    same = all(b - a == d - c for a, b, c, d in zip(one, one[1:], two, two[1:], strict=False))
    return "yes" if same else "no"


def paper_chord(text: str) -> str | None:
    """The letter that the paper's solver gives the first chord in a reply; None where it knows no such chord."""
    line = _CHORD.search(text[:LONGEST_REPLY].replace("```", ""))
    pitches = _numbers(line[1]) if line else []
    if not pitches:
        return None
    return QUALITIES.get(tuple(sorted({(pitch - min(pitches)) % 12 for pitch in pitches})))


def _numbers(text: str) -> Sequence[int]:
    return [int(part) for part in _DIGITS.findall(text)]


#: The paper's solvers by the task they belong to.
PAPER_SOLVERS: dict[str, Callable[[str], str | None]] = {
    "chord_quality_4": paper_chord,
    "syncopation_score": paper_syncopation,
    "transposition": paper_transposition,
}
