"""Chords as they change: heard from the notes, joined where they repeat, and asked for by degree.

Conventions: a token is a Roman numeral counted in the major scale of the tonic (in minor one writes ``bVI``), large for
a major third and small for a minor one; ``*`` is any chord and ``A|B`` either. After it may stand ``7`` (minor
seventh), ``maj7``, ``o`` (diminished fifth), ``+`` (augmented fifth), ``!`` (a bare triad); ``/V`` counts from that
degree, ``:4`` wants the bass so many semitones above the root. A chord that the notes do not support matches nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from typing import NamedTuple

import numpy as np

from libretto.knowledge.line import FIFTH, LOOSE, MAJOR_SEVENTH, MINOR_SEVENTH, SEVENTHS, THIRDS, TRITONE
from libretto.knowledge.sight import Sight, Sighting, SoundingChord, shared
from libretto.score.time import WHOLE

__all__ = [
    "ChordChange",
    "DegreeToken",
    "changes",
    "chord_at",
    "chord_span",
    "fits",
    "pickup",
    "read_tokens",
    "sounding",
]

_FIFTHS = {"o": TRITONE, "+": 8}  # by the sign after a numeral; a perfect one where there is none
_SEVENTH_SIGNS = {"7": MINOR_SEVENTH, "maj7": MAJOR_SEVENTH}
_OUTSIDE_TRIAD = frozenset((9, *SEVENTHS))  # sixths and sevenths
_TRIAD_TONES = frozenset((*THIRDS, TRITONE, FIFTH, 8))  # what makes two chords different
_LONGEST = 2 * WHOLE  # how far back a sounding bass may have been struck

_NUMERALS = {"i": 0, "ii": 2, "iii": 4, "iv": 5, "v": 7, "vi": 9, "vii": 11}
_TOKEN = re.compile(
    r"(?P<sign>[b#]?)(?P<roman>[IViv]+)(?P<kind>maj7|7|o|\+|!)?(?:/(?P<of>[b#]?[IViv]+))?(?::(?P<low>\d+))?\Z"
)


class ChordChange(NamedTuple):
    """A chord until the next different one: bars from 0, ticks, root, degree above the tonic (-1 where the notes do not
    support it), tones above the root, the pitch that sounds lowest at its start (-1 where none does), and whether that
    is a bass: struck with others, held for half the chord or far below the rest."""

    bar: int
    last: int
    start: int
    end: int
    root: int
    degree: int
    tones: frozenset[int]
    low: int
    firm: bool = False


class DegreeToken(NamedTuple):
    """What one place of a pattern asks for; None where it does not care."""

    degree: int | None
    major: bool | None
    kind: str
    low: int | None


@cache
def read_tokens(text: str) -> tuple[DegreeToken, ...]:
    """The alternatives of one place of a pattern."""
    tokens = []
    for word in text.split("|"):
        if word == "*":
            tokens.append(DegreeToken(None, None, "", None))
            continue
        match = _TOKEN.match(word)
        if match is None or match["roman"].lower() not in _NUMERALS:
            raise ValueError(f"{word!r} is no degree such as bVII7 or ii:3")
        of = match["of"] or "I"
        degree = _degree(match["sign"], match["roman"]) + _degree(
            of[: -len(of.lstrip("b#"))] if of[0] in "b#" else "", of.lstrip("b#")
        )
        low = int(match["low"]) if match["low"] else None
        tokens.append(DegreeToken(degree % 12, match["roman"].isupper(), match["kind"] or "", low))
    return tuple(tokens)


def _degree(sign: str, roman: str) -> int:
    return _NUMERALS[roman.lower()] + {"": 0, "b": -1, "#": 1}[sign]


def fits(change: ChordChange, text: str, shift: int = 0) -> bool:
    """Whether a chord is what a token asks for, the tonic moved up by ``shift`` semitones."""
    return any(_fits(change, token, shift) for token in read_tokens(text))


def _fits(change: ChordChange, token: DegreeToken, shift: int) -> bool:
    if change.degree < 0:
        return False
    if token.degree is None:
        return True
    right = (change.degree - shift) % 12 == token.degree and _has_third(change, token) and _has_bass(change, token)
    bare = token.kind != "!" or not change.tones & _OUTSIDE_TRIAD
    seventh = _SEVENTH_SIGNS.get(token.kind)
    full = _FIFTHS.get(token.kind, FIFTH) in change.tones and (seventh is None or seventh in change.tones)
    return right and bare and full


def _has_third(change: ChordChange, token: DegreeToken) -> bool:
    """Whether a chord is major or minor as asked; one with both thirds counts as major."""
    return 4 in change.tones if token.major else 3 in change.tones and (token.major is None or 4 not in change.tones)


def _has_bass(change: ChordChange, token: DegreeToken) -> bool:
    """Whether a chord stands on the bass that is asked for; another than the root must be a bass indeed."""
    if token.low is None:
        return True
    return change.low >= 0 and (change.low - change.root) % 12 == token.low and (not token.low or change.firm)


def changes(sight: Sight, inversions: bool = False) -> tuple[ChordChange, ...]:
    """The chords of a piece with repeated ones joined; ``inversions`` keeps those apart whose bass differs."""
    return _changes(sight, inversions)


@shared
def _changes(sight: Sight, inversions: bool) -> tuple[ChordChange, ...]:
    row: list[ChordChange] = []
    lows = _lows(sight)
    for chord, (low, firm) in zip(sight.harmony, lows, strict=True):
        degree = chord.degree if chord.supported or _bare_tonic(sight, chord) else -1
        now = ChordChange(chord.bar, chord.bar, chord.start, chord.end, chord.root, degree, chord.tones, low, firm)
        before = row[-1] if row else None
        if before is not None and _same(before, now) and (not inversions or (before.low - low) % 12 == 0):
            row[-1] = before._replace(last=now.bar, end=now.end, tones=before.tones | now.tones)
        else:
            row.append(now)
    return tuple(row)


def _bare_tonic(sight: Sight, chord: SoundingChord) -> bool:
    """Whether the chord is the tonic of its key and only its root (and fifth) sounds, as a line may end."""
    third = 3 if sight.minor[chord.bar] else 4
    if chord.degree or third not in chord.tones or chord.tones & _OUTSIDE_TRIAD:
        return False
    heard = {(tone - chord.root) % 12 for tone in sounding(sight, chord.start, chord.end)}
    return 0 in heard and heard <= {0, FIFTH}


def _same(one: ChordChange, other: ChordChange) -> bool:
    """Whether two chords in a row are one: same root, third and fifth, no time between."""
    return one.end == other.start and (one.root, one.degree, one.tones & _TRIAD_TONES) == (
        other.root,
        other.degree,
        other.tones & _TRIAD_TONES,
    )


@shared
def _lows(sight: Sight) -> list[tuple[int, bool]]:
    """The lowest pitch that sounds where each chord starts (or the first to come), and whether it is a bass."""
    notes = sight.notes
    basses = []
    for chord in sight.harmony:
        first, last = np.searchsorted(notes.onset, (chord.start - _LONGEST, chord.start + LOOSE), side="right")
        rows = first + np.flatnonzero(notes.end[first:last] > chord.start + LOOSE)
        if len(rows):
            low = rows[notes.pitch[rows].argmin()]
            held = 2 * (int(notes.end[low]) - chord.start) >= chord.end - chord.start
            basses.append((int(notes.pitch[low]), len(rows) > 1 or held or _apart(sight, chord, int(notes.pitch[low]))))
        else:
            comes = last < len(notes) and notes.onset[last] < chord.end
            basses.append((int(notes.pitch[last]) if comes else -1, False))
    return basses


def _apart(sight: Sight, chord: SoundingChord, low: int) -> bool:
    """Whether a note lies a fifth or more under all others of its chord's time."""
    first, last = np.searchsorted(sight.notes.onset, (chord.start - LOOSE, chord.end - LOOSE))
    others = sight.notes.pitch[first:last]
    others = others[others != low]
    return bool(len(others) and others.min() >= low + FIFTH)


def pickup(sight: Sight) -> int:
    """The bars before the first full one: 1 where the piece begins with an upbeat (bar 0), else 0."""
    return int(sight.score.first_bar == 0 and sight.bars > 1)


def chord_at(sight: Sight, tick: int, inversions: bool = False) -> int:
    """The row of ``changes`` that holds at a tick; -1 where none does."""
    row = changes(sight, inversions=inversions)
    number = bisect_right(_starts(sight, inversions), tick) - 1
    return number if number >= 0 and tick < row[number].end else -1


@shared
def _starts(sight: Sight, inversions: bool) -> list[int]:
    return [change.start for change in changes(sight, inversions=inversions)]


def sounding(sight: Sight, start: int, end: int) -> set[int]:
    """The pitch classes struck within a time."""
    first, last = np.searchsorted(sight.notes.onset, (start - LOOSE, end - LOOSE))
    return set((sight.notes.pitch[first:last] % 12).tolist())


def chord_span(sight: Sight, first: ChordChange, last: ChordChange) -> Sighting:
    """Where two chords and all between them stand."""
    return sight.at(first.bar, last.last)
