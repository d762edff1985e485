"""What chord four notes are, by how they are spelled; and which of its tones pull somewhere.

Conventions: tones are places on the line of fifths (C = 0, G = 1, F = -1), so that an interval is a difference: a
fifth 1, a major third 4, a minor third -3, a minor seventh -2. Only what is a triad or a seventh chord for certain is
named: all its tones and no others, the fifth alone may be missing. Everything else is no chord, and no rule about
chords is held against it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from libretto.score.keys import Key

__all__ = ["DOMINANT", "LEADING", "SURE", "Sonority", "leading_note", "resolves_to", "seventh_of", "sonority_of"]

LEADING = 5  #: from a tonic up to its leading note, in fifths
_FIFTH, _MAJOR_THIRD, _SIXTH = 1, 4, 3
_FLAT_SIXTH = -4
#: Seventh chords with a major third: whatever the key, they are somebody's dominant.
DOMINANT = "dominant seventh"
_DIMINISHED = ("diminished", "half-diminished seventh", "diminished seventh")
#: Chords with a tritone in them: what they want is beyond doubt.
SURE = (DOMINANT, *_DIMINISHED)
_KINDS: dict[str, tuple[int, ...]] = {
    "major": (0, 4, 1),
    "minor": (0, -3, 1),
    "diminished": (0, -3, -6),
    "augmented": (0, 4, 8),
    DOMINANT: (0, 4, 1, -2),
    "minor seventh": (0, -3, 1, -2),
    "major seventh": (0, 4, 1, 5),
    "half-diminished seventh": (0, -3, -6, -2),
    "diminished seventh": (0, -3, -6, -9),
}
_WITHOUT_FIFTH = ("major", "minor", DOMINANT)
_BY_TONES = {frozenset(tones): kind for kind, tones in _KINDS.items()} | {
    frozenset(tone for tone in _KINDS[kind] if tone != _FIFTH): kind for kind in _WITHOUT_FIFTH
}
_SEVENTHS = {kind: tones[3] for kind, tones in _KINDS.items() if len(tones) > 3}


class Sonority(NamedTuple):
    """A chord: its root as a spelling and its kind."""

    root: int
    kind: str


def sonority_of(spellings: Iterable[int]) -> Sonority | None:
    """The triad or seventh chord that some notes are, or None.

    >>> sonority_of([1, 5, 2, -1])
    Sonority(root=1, kind='dominant seventh')
    """
    tones = set(spellings)
    for root in sorted(tones):
        kind = _BY_TONES.get(frozenset(tone - root for tone in tones))
        if kind is not None:
            return Sonority(root, kind)
    return None


def seventh_of(chord: Sonority) -> int | None:
    """The seventh of a chord as a spelling; None in a triad."""
    return chord.root + _SEVENTHS[chord.kind] if chord.kind in _SEVENTHS else None


def leading_note(chord: Sonority, key: Key) -> int | None:
    """The tone of a chord that leads upwards, or None.

    It is the third of the dominant and of every dominant seventh, the root of a diminished chord on the leading note,
    and a third or a root of such chords that is raised out of the key.
    """
    if chord.kind == DOMINANT:
        return chord.root + _MAJOR_THIRD
    if chord.kind == "major":
        third = chord.root + _MAJOR_THIRD
        return third if third == key.tonic + LEADING or third > max(key.scale) else None
    if chord.kind in _DIMINISHED:
        return chord.root if chord.root == key.tonic + LEADING or chord.root > max(key.scale) else None
    return None


def resolves_to(leading: int, chord: Sonority) -> bool:
    """Whether a chord is home for a leading note: the tonic, or the sixth degree in its place."""
    tonic = leading - LEADING
    home = chord.root == tonic and chord.kind in ("major", "minor")
    return home or chord in (Sonority(tonic + _SIXTH, "minor"), Sonority(tonic + _FLAT_SIXTH, "major"))
