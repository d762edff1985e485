"""Choirs: a choir that answers or accompanies sings in parts, where its line is written for one voice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from libretto.house.charts.skills import CHORDS
from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.line import ladder
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER

__all__ = ["in_parts", "is_choir"]

_CHOIRS = frozenset((52, 53, 54))  # programs of many voices
_OTHERS, _APART = 2, 3  # voices below the line, and semitones between voices at least
_SINGLE = 0.8  # of its strokes: a line with more single notes is written for one voice
_LIGHT = -6  # how much softer the voices below are
_SHORTEST = QUARTER // 2  # ticks of notes that are sung in parts


def is_choir(player: Player) -> bool:
    """Whether somebody is a choir that has not the tune of the piece."""
    return player.program in _CHOIRS and player.polyphony >= CHORDS and player.role in ("counter", "pad", "comping")


def in_parts(plan: Plan, player: Player, notes: Sequence[Sketch]) -> list[Sketch]:
    """The notes of a choir with tones of the chord below every one of them that stands alone."""
    strokes = Counter(note.onset for note in notes)
    if sum(count == 1 for count in strokes.values()) < _SINGLE * len(strokes):
        return list(notes)
    made = list(notes)
    for note in notes:
        if strokes[note.onset] > 1 or note.duration < _SHORTEST:
            continue
        rungs = ladder(plan.chord_at(note.onset).chord.classes, note.pitch - 12, note.pitch - _APART)
        below = [tone for tone in rungs if tone >= player.low][-_OTHERS:]
        made += [note._replace(pitch=tone, accent=note.accent + _LIGHT) for tone in below]
    return sorted(made)
