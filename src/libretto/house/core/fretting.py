"""Frets: which notes one hand can hold at once on the strings of a guitar and its kin."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, pairwise

from libretto.house.core.voicing import Pitches

__all__ = ["held", "playable", "strummed"]

_ADDED = 2  # tones below a chord that a full stroke has besides
_MUD, _OPEN = 48, 5  # C3, below which what is narrower than a fourth blurs
_FRETS = 24  # on the longest necks
_HAND = 4  # frets between the lowest and the highest that a hand holds
_SMALL_FROM, _SMALL_HAND = 55, 6  # the lowest string of instruments with short necks, and frets within reach on them


@lru_cache(maxsize=16384)
def playable(pitches: Pitches, strings: Pitches, bottom: int = 0) -> bool:
    """Whether a hand can hold those pitches at once, each on a string of its own: open, or on frets within its reach.
    What lies below the lowest string is played on that, tuned down, as far as the instrument goes (``bottom``)."""
    lowest = min(strings)
    if min(pitches) < bottom:
        return False
    notes = sorted({max(pitch, lowest) for pitch in pitches})
    reach = _SMALL_HAND if lowest >= _SMALL_FROM else _HAND
    ways = combinations(sorted(strings), len(notes))
    return any(_in_reach([note - string for note, string in zip(notes, way, strict=True)], reach) for way in ways)


def _in_reach(frets: Sequence[int], reach: int) -> bool:
    """Whether a hand reaches those frets, of which 0 is an open string."""
    stopped = [fret for fret in frets if fret]
    on_neck = min(frets) >= 0 and max(frets) <= _FRETS
    return on_neck and (not stopped or max(stopped) - min(stopped) <= reach)


@lru_cache(maxsize=4096)
def held(pitches: Pitches, strings: Pitches) -> Pitches:
    """What a hand holds of notes that it cannot hold together: the highest, the lowest or its octave, and as many of
    the others as go with them."""
    notes = tuple(sorted(set(pitches)))
    if len(notes) < 2 or playable(notes, strings):
        return notes
    *lower, top = notes
    raised = lower[0] + 12
    ways = [(*rest, top) for size in range(len(lower) + 1) for rest in combinations(lower, size)]
    ways += [tuple(sorted((raised, *rest, top))) for size in range(len(lower)) for rest in combinations(lower[1:], size)
             if raised < top and raised not in rest]  # fmt: skip
    able = [way for way in ways if playable(way, strings)]
    return max(
        able,
        key=lambda way: (min(way) % 12 == lower[0] % 12 and len(way) > 1, lower[0] in way, len(way), way),
        default=notes,
    )


@lru_cache(maxsize=4096)
def strummed(chord: Pitches, root: int, low: int, strings: Pitches) -> Pitches:
    """A chord with tones of it on free strings below, as a full stroke sounds: down to its root where a hand reaches
    that, in wide steps where thirds would blur."""
    classes = {pitch % 12 for pitch in chord}
    below = [pitch for pitch in range(low, chord[0]) if pitch % 12 in classes]
    ways = [(*added, *chord) for size in range(_ADDED + 1) for added in combinations(below, size)]
    able = [way for way in ways if len(way) <= len(strings) and _is_clear(way) and playable(way, strings)]
    return max(able, key=lambda way: (len(way) > len(chord), way[0] % 12 == root, len(way), way[0]), default=chord)


def _is_clear(way: Pitches) -> bool:
    """Whether nothing narrow lies where it blurs."""
    return all(above - pitch >= _OPEN for pitch, above in pairwise(way) if pitch < _MUD)
