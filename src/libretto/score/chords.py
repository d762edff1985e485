"""Chord labels: which are legal, what they sound, and how they are moved.

A label is a root, a quality and perhaps a bass: ``Gm7``, ``F#m7b5``, ``Cmaj7/E``; ``-`` is no chord.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from libretto.score.pitch import letter_name, parse_letter, pitch_class_of

__all__ = ["NO_CHORD", "QUALITIES", "Chord", "is_chord", "parse_chord", "transpose_chord"]

NO_CHORD = "-"
_FLATTEST_ROOT, _SHARPEST_ROOT = -8, 11  # Fb and E#

#: Qualities and the semitones they sound above the root; the first spelling of a set is how we write it.
QUALITIES: dict[str, tuple[int, ...]] = {
    "": (0, 4, 7),
    "m": (0, 3, 7),
    "5": (0, 7),
    "dim": (0, 3, 6),
    "aug": (0, 4, 8),
    "sus4": (0, 5, 7),
    "sus2": (0, 2, 7),
    "6": (0, 4, 7, 9),
    "m6": (0, 3, 7, 9),
    "7": (0, 4, 7, 10),
    "maj7": (0, 4, 7, 11),
    "m7": (0, 3, 7, 10),
    "mMaj7": (0, 3, 7, 11),
    "m7b5": (0, 3, 6, 10),
    "dim7": (0, 3, 6, 9),
    "aug7": (0, 4, 8, 10),
    "7sus4": (0, 5, 7, 10),
    "69": (0, 2, 4, 7, 9),
    "m69": (0, 2, 3, 7, 9),
    "9": (0, 2, 4, 7, 10),
    "maj9": (0, 2, 4, 7, 11),
    "m9": (0, 2, 3, 7, 10),
    "mMaj9": (0, 2, 3, 7, 11),
    "11": (0, 2, 4, 5, 7, 10),
    "maj11": (0, 2, 4, 5, 7, 11),
    "m11": (0, 2, 3, 5, 7, 10),
    "13": (0, 2, 4, 7, 9, 10),
    "maj13": (0, 2, 4, 7, 9, 11),
    "m13": (0, 2, 3, 7, 9, 10),
}
_SAME = {
    "maj": "",
    "M": "",
    "major": "",
    "min": "m",
    "mi": "m",
    "minor": "m",
    "-": "m",
    "o": "dim",
    "°": "dim",
    "+": "aug",
    "sus": "sus4",
    "M7": "maj7",
    "ma7": "maj7",
    "Maj7": "maj7",
    "Δ": "maj7",
    "Δ7": "maj7",
    "min7": "m7",
    "mi7": "m7",
    "-7": "m7",
    "mmaj7": "mMaj7",
    "mM7": "mMaj7",
    "m(maj7)": "mMaj7",
    "ø": "m7b5",
    "ø7": "m7b5",
    "min7b5": "m7b5",
    "-7b5": "m7b5",
    "o7": "dim7",
    "°7": "dim7",
    "+7": "aug7",
    "6/9": "69",
    "m6/9": "m69",
    "M9": "maj9",
    "min9": "m9",
    "-9": "m9",
    "min6": "m6",
    "min11": "m11",
    "min13": "m13",
    "M13": "maj13",
    "9sus4": "7sus4",
    "9sus": "7sus4",
    "7sus": "7sus4",
    "7alt": "7",
}
_THIRDS = (3, 4, 5, 2)  # minor, major, and the fourth or second that may stand for them
_DEGREES = {"2": 2, "3": 4, "4": 5, "5": 7, "6": 9, "7": 10, "9": 2, "11": 5, "13": 9}
_NAMES = "|".join(map(re.escape, sorted([*QUALITIES, *_SAME], key=len, reverse=True)))
_CHORD = re.compile(
    rf"(?P<root>[A-G](?:##|bb|#|b)?)(?P<quality>{_NAMES})"
    r"(?P<extra>(?:\(?(?:add|omit|no)?[b#+-]?(?:13|11|2|3|4|5|6|7|9)\)?|sus[24]?+|,)*+)"
    r"(?:/(?P<bass>[A-G](?:##|bb|#|b)?))?\Z"
)
_EXTRA = re.compile(r"(add|omit|no|)([b#+-]?)(13|11|2|3|4|5|6|7|9)|sus([24]?)")


class Chord(NamedTuple):
    """What a label means: root and bass as spellings, quality as written, and the pitch classes."""

    root: int
    quality: str
    bass: int
    classes: frozenset[int]

    @property
    def root_class(self) -> int:
        """The root as a pitch class."""
        return pitch_class_of(self.root)

    @property
    def bass_class(self) -> int:
        """The bass as a pitch class: the root where no other is written."""
        return pitch_class_of(self.bass)

    @property
    def intervals(self) -> frozenset[int]:
        """Semitones of its tones above the root, the bass included.

        >>> chord = parse_chord("Cmaj7/E")
        >>> sorted(chord.intervals) if chord else []
        [0, 4, 7, 11]
        """
        return frozenset((tone - self.root_class) % 12 for tone in self.classes)

    @property
    def third(self) -> int | None:
        """The pitch class that says major or minor, or what stands in its place (a fourth, a second); None in a fifth.

        >>> [chord.third for label in ("Am", "A", "Asus4", "A5") if (chord := parse_chord(label))]
        [0, 1, 2, None]
        """
        held = self.intervals
        return next(((self.root_class + step) % 12 for step in _THIRDS if step in held), None)

    @property
    def is_minor(self) -> bool:
        """Whether its third is minor and no major third is in it."""
        return 3 in self.intervals and 4 not in self.intervals

    @property
    def is_major(self) -> bool:
        """Whether a major third is in it."""
        return 4 in self.intervals


@lru_cache(maxsize=8192)
def parse_chord(label: str) -> Chord | None:
    """Read a chord label; None where it is not one (``-`` is not one either).

    >>> sorted(parse_chord("Bm7b5").classes)
    [2, 5, 9, 11]
    """
    written = _CHORD.match(label)
    root = parse_letter(written["root"]) if written else None
    if not written or root is None:
        return None
    bass = parse_letter(written["bass"]) if written["bass"] else root
    tones = set(QUALITIES[_SAME.get(written["quality"], written["quality"])])
    _extend(tones, written["extra"])
    if bass is None:  # the pattern admits only letters that parse_letter reads
        return None
    base = pitch_class_of(root)
    classes = frozenset((base + tone) % 12 for tone in tones) | {pitch_class_of(bass)}
    return Chord(root, written["quality"] + written["extra"], bass, classes)


def _extend(tones: set[int], extra: str) -> None:
    """Apply alterations such as ``b9``, ``add9``, ``no3`` and ``sus4``."""
    for word, sign, degree, suspended in _EXTRA.findall(extra):
        if not degree:
            tones.difference_update((3, 4))
            tones.add(2 if suspended == "2" else 5)
            continue
        tone = (_DEGREES[degree] + {"b": -1, "-": -1, "#": 1, "+": 1}.get(sign, 0)) % 12
        if word in ("omit", "no"):
            tones.difference_update((tone, tone - 1) if degree == "3" else (tone,))
            continue
        if degree == "5" and sign:
            tones.discard(7)
        tones.add(tone)


def is_chord(label: str) -> bool:
    """Whether a text may stand between the brackets of a bar."""
    return label == NO_CHORD or parse_chord(label) is not None


@lru_cache(maxsize=8192)
def transpose_chord(label: str, fifths: int) -> str:
    """The label moved along the line of fifths.

    >>> transpose_chord("Cmaj7/E", 2)
    'Dmaj7/F#'
    """
    chord = parse_chord(label)
    if chord is None or not fifths:
        return label
    written = _CHORD.match(label)
    bass = "/" + letter_name(_root(chord.bass + fifths)) if written and written["bass"] else ""
    return letter_name(_root(chord.root + fifths)) + chord.quality + bass


def _root(spelling: int) -> int:
    """A root that keys have a use for: from Fb to E#."""
    while spelling < _FLATTEST_ROOT:
        spelling += 12
    while spelling > _SHARPEST_ROOT:
        spelling -= 12
    return spelling
