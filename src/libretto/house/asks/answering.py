"""Who follows in a canon, and by how much: so that nobody is led beyond the range of its instrument."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.contract.following import interval_told
from libretto.house.asks.notes import range_of
from libretto.score import Voice

__all__ = ["Place", "in_range"]

#: A voice, and the pitches between which it sings.
Place = tuple[Voice, tuple[int, int]]
_OCTAVE, _OCTAVES = 12, (0, -1, 1, -2, 2)  # semitones, and by how many more of them somebody may follow
_LEAST = 7  # semitones that a line needs


def in_range(places: Sequence[Place], words: str) -> tuple[list[Place], list[int]]:
    """Where the voices of a canon sing, and by how many semitones each follows the one before it: by octaves, or those
    beyond the interval that the ``words`` tell, such that everybody can play the whole line; as it was asked where
    nothing would be left of it."""
    (leader, reach), *others = places
    told = interval_told(words)
    low, high = range_of(leader)
    if others[0][0].name == leader.name:  # one who plays both lines
        return list(places), [_usual(reach, others[0][1], words)]
    shifts, total, before = [], 0, reach
    for voice, under in others:
        usual = _usual(before, under, words)
        bottom, top = range_of(voice)
        room = {
            by: min(high, top - total - by) - max(low, bottom - total - by)
            for by in (usual + octave * _OCTAVE for octave in _OCTAVES)
            if by or told is None or told % _OCTAVE
        }
        wide = reach[1] - reach[0]
        by = next((by for by in room if room[by] >= wide), max(room, key=lambda by: room[by]))
        if room[by] < _LEAST:
            by = usual
        else:
            low, high = max(low, bottom - total - by), min(high, top - total - by)
        shifts.append(by)
        total, before = total + by, under
    return [(leader, _moved(reach, low, high)), *others], shifts


def _usual(reach: tuple[int, int], under: tuple[int, int], words: str) -> int:
    """By how many semitones a follower sings elsewhere: octaves, or those beyond the interval that is told."""
    told = (interval_told(words) or 0) % _OCTAVE
    return told - _OCTAVE * round((reach[0] + told - under[0]) / _OCTAVE)


def _moved(reach: tuple[int, int], low: int, high: int) -> tuple[int, int]:
    """A reach moved to lie between two pitches, as wide as there is room."""
    wide = min(reach[1] - reach[0], high - low)
    bottom = min(max(reach[0], low), high - wide)
    return bottom, bottom + wide
