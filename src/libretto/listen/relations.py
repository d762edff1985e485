"""More solvers: two clips held against each other note by note, and what one clip says of its bars and its key.

Conventions as in ``solvers``: a ruling is an answer, or nothing where the lines decide nothing; strict functions follow
the definition to the letter, tolerant ones allow for a few things misheard.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from statistics import median_low

from libretto.listen.solvers import Ruling, edit_distance

__all__ = [
    "GROUPS",
    "key_modulation",
    "meter",
    "oddball",
    "pitch_shift",
    "progression_match",
    "rhythm_match",
    "tempo_pair",
    "tolerant_meter",
    "tolerant_oddball",
    "tolerant_pitch_shift",
    "tolerant_progression_match",
    "tolerant_rhythm_match",
]

#: Beats in a group, and the letter of the answer.
GROUPS = {3: "A", 4: "B", 5: "C"}
_SAME, _OTHER = "yes", "no"
_MOSTLY = 0.5  # more than this part of the groups must agree, tolerantly
_MISHEARD = 0.12  # of all strokes of two patterns: fewer that stand in one alone may be misheard, tolerantly
_FEWEST_NOTES = 2

# Keys: what a chord costs in a key, and what it costs to leave one. A step out of the key and back (one foreign chord)
# costs less than leaving; three chords of the new key or more cost more than that if the old one is kept.
_TONIC, _NEAR, _WITHIN, _FOREIGN, _LEAVING = 0.0, 0.15, 0.35, 1.5, 2.5
_MINOR = 12  # what is added to the root of a minor chord
#: Chords of a key by what they cost: semitones above the tonic, of a minor chord 12 more.
_CHORDS_OF_MAJOR = {0: _TONIC, 7: _NEAR, 5: _NEAR, 9 + _MINOR: _WITHIN, 2 + _MINOR: _WITHIN, 4 + _MINOR: _WITHIN}
_CHORDS_OF_MINOR = {
    0 + _MINOR: _TONIC, 7: _NEAR, 5 + _MINOR: _NEAR, 3: _WITHIN, 8: _WITHIN, 10: _WITHIN, 7 + _MINOR: _WITHIN,
}  # fmt: skip
_FEWEST_CHORDS = 4
_CHORDS_MISHEARD = 0.25  # of the chords of a row: no more may be misheard, tolerantly
_SHORTEST_STAY = 3  # chords: a key in which fewer stand was only passed through


def oddball(first: Sequence[int], second: Sequence[int]) -> Ruling:
    """Yes where both melodies have the same pitches in the same order, no where any differs.

    >>> oddball([60, 62, 64], [60, 62, 64]).answer, oddball([60, 62, 64], [60, 63, 64]).answer
    ('yes', 'no')
    """
    if min(len(first), len(second)) < _FEWEST_NOTES:
        return Ruling(None, "fewer than two notes")
    same = list(first) == list(second)
    return Ruling(_SAME if same else _OTHER, "the same pitches" if same else "other pitches")


def tolerant_oddball(first: Sequence[int], second: Sequence[int]) -> Ruling:
    """No where a note stands in the place of another; notes that only one of the two has may be misheard."""
    if min(len(first), len(second)) < _FEWEST_NOTES:
        return Ruling(None, "fewer than two notes")
    swapped = sum(min(b - a, d - c) for a, b, c, d in _changes(first, second))
    return Ruling(_OTHER if swapped else _SAME, f"{swapped} notes in the place of others")


def _changes(first: Sequence[int], second: Sequence[int]) -> list[tuple[int, int, int, int]]:
    """Where one melody has other notes than the other, both in the same place."""
    matcher = SequenceMatcher(None, list(first), list(second), autojunk=False)
    return [places for what, *places in matcher.get_opcodes() if what == "replace"]  # type: ignore[misc]


def pitch_shift(first: Sequence[int], second: Sequence[int]) -> Ruling:
    """Yes where every note is moved by the same interval, up or down; no where none is, or not all alike.

    >>> pitch_shift([60, 62], [61, 63]).answer, pitch_shift([60, 62], [60, 62]).answer
    ('yes', 'no')
    """
    if min(len(first), len(second)) < _FEWEST_NOTES:
        return Ruling(None, "fewer than two notes")
    if len(first) != len(second):
        return Ruling(_OTHER, "other notes")
    moves = {two - one for one, two in zip(first, second, strict=True)}
    shifted = len(moves) == 1 and 0 not in moves
    return Ruling(_SAME if shifted else _OTHER, f"moved by {', '.join(map(str, sorted(moves)))}")


def tolerant_pitch_shift(first: Sequence[int], second: Sequence[int]) -> Ruling:
    """Yes where the middle of the second melody lies higher or lower than that of the first."""
    if min(len(first), len(second)) < _FEWEST_NOTES:
        return Ruling(None, "fewer than two notes")
    move = median_low(second) - median_low(first)
    return Ruling(_SAME if move else _OTHER, f"the middle moved by {move}")


def rhythm_match(first: Sequence[int], second: Sequence[int]) -> Ruling:
    """Yes where both patterns have the same strokes of the same drums in the same places.

    >>> rhythm_match([101, 205], [205, 101]).answer, rhythm_match([101, 205], [101, 206]).answer
    ('yes', 'no')
    """
    if not first or not second:
        return Ruling(None, "no strokes")
    apart = len(set(first) ^ set(second))
    return Ruling(_OTHER if apart else _SAME, f"{apart} strokes stand in one of them alone")


def tolerant_rhythm_match(first: Sequence[int], second: Sequence[int]) -> Ruling:
    """Yes where no more than an eighth of all strokes stands in one pattern alone."""
    if not first or not second:
        return Ruling(None, "no strokes")
    apart = len(set(first) ^ set(second)) / (len(set(first)) + len(set(second)))
    return Ruling(_SAME if apart <= _MISHEARD else _OTHER, f"{apart:.2f} of the strokes stand in one alone")


def tempo_pair(first: Sequence[int], second: Sequence[int]) -> Ruling:
    """Which of two clips has more beats a minute; nothing where they have as many.

    >>> tempo_pair([120], [96]).answer
    '1'
    """
    if not first or not second:
        return Ruling(None, "no tempo")
    one, two = first[0], second[0]
    return Ruling(None if one == two else "1" if one > two else "2", f"{one} and {two} beats a minute")


def meter(beats: Sequence[int]) -> Ruling:
    """A, B or C for beats counted in threes, fours or fives throughout; the last group may be cut short.

    >>> meter([1, 2, 3, 1, 2, 3, 1]).answer, meter([1, 2, 3, 1, 2, 1]).answer
    ('A', None)
    """
    groups = _groups(beats)
    if not groups:
        return Ruling(None, "no two beats are counted as 1")
    sizes = sorted(set(groups))
    answer = GROUPS.get(sizes[0]) if len(sizes) == 1 else None
    return Ruling(answer, f"groups of {' and '.join(map(str, sizes))}")


def tolerant_meter(beats: Sequence[int]) -> Ruling:
    """The size that more than half of the groups have."""
    groups = _groups(beats)
    if not groups:
        return Ruling(None, "no two beats are counted as 1")
    size, count = Counter(groups).most_common(1)[0]
    return Ruling(GROUPS.get(size) if count > _MOSTLY * len(groups) else None, f"most often groups of {size}")


def _groups(beats: Sequence[int]) -> list[int]:
    """How many beats pass from each one that is counted as 1 to the next."""
    ones = [place for place, beat in enumerate(beats) if beat == 1]
    return [two - one for one, two in pairwise(ones)]


def key_modulation(chords: Sequence[int]) -> Ruling:
    """Yes where the chords are best explained by one key after another, no where one key explains them all.

    Every chord costs little where it belongs to the key and much where it does not; leaving a key costs more than one
    foreign chord. The cheapest way through all keys decides; a key of fewer than three chords is only passed through.

    >>> key_modulation([0, 21, 14, 7] * 2).answer, key_modulation([0, 21, 14, 7, 2, 23, 16, 9, 2, 23, 16, 9]).answer
    ('no', 'yes')
    """
    if len(chords) < _FEWEST_CHORDS:
        return Ruling(None, f"fewer than {_FEWEST_CHORDS} chords")
    stays = Counter(_keys(chords))
    established = [key for key, count in stays.items() if count >= _SHORTEST_STAY]
    changes = len(established) > 1
    return Ruling(_SAME if changes else _OTHER, f"{len(established)} keys in which chords stay")


def _keys(chords: Sequence[int]) -> list[int]:
    """The key of each chord (tonics 0-11 major, 12-23 minor) on the cheapest way through all keys."""
    costs = [_cost(chords[0], key) for key in range(2 * _MINOR)]
    back: list[list[int]] = []
    for chord in chords[1:]:
        cheapest = min(range(2 * _MINOR), key=costs.__getitem__)
        came = [key if costs[key] <= costs[cheapest] + _LEAVING else cheapest for key in range(2 * _MINOR)]
        costs = [
            costs[before] + (_LEAVING if before != key else 0.0) + _cost(chord, key) for key, before in enumerate(came)
        ]
        back.append(came)
    key = min(range(2 * _MINOR), key=costs.__getitem__)
    way = [key]
    for came in reversed(back):
        key = came[key]
        way.append(key)
    return way[::-1]


def _cost(chord: int, key: int) -> float:
    """What a chord costs in a key."""
    kind, above = chord // _MINOR, (chord - key) % _MINOR
    known = _CHORDS_OF_MINOR if key >= _MINOR else _CHORDS_OF_MAJOR
    return known.get(above + _MINOR * kind, _FOREIGN)


def progression_match(first: Sequence[int], second: Sequence[int]) -> Ruling:
    """Yes where both excerpts have the same chords in the same order, no where any differs.

    >>> progression_match([0, 5, 7, 0], [0, 5, 7, 0]).answer, progression_match([0, 5, 7, 0], [0, 14, 7, 0]).answer
    ('yes', 'no')
    """
    if min(len(first), len(second)) < _FEWEST_CHORDS:
        return Ruling(None, f"fewer than {_FEWEST_CHORDS} chords")
    same = list(first) == list(second)
    return Ruling(_SAME if same else _OTHER, "the same chords" if same else "other chords")


def tolerant_progression_match(first: Sequence[int], second: Sequence[int]) -> Ruling:
    """Yes where no more than a quarter of the chords must be put in, left out or changed."""
    if min(len(first), len(second)) < _FEWEST_CHORDS:
        return Ruling(None, f"fewer than {_FEWEST_CHORDS} chords")
    distance = edit_distance(first, second)
    return Ruling(_SAME if distance <= _CHORDS_MISHEARD else _OTHER, f"distance {distance:.2f}")
