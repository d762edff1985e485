"""Pads that drift: where one voice of a held chord moves, the others sound on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from libretto.house.charts.signs import Placed
from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import Sketch

__all__ = ["drifting"]

_REACHES = "T"


def drifting(plan: Plan, placed: Sequence[Placed], notes: Sequence[Sketch]) -> list[Sketch]:
    """The notes of a pad; where its signs have a top note that moves, what is struck again under the same chord is held
    in place of that, and of a root just above its great seventh one is left out."""
    high = {item.start for item in placed if item.sign.head == _REACHES}
    if not high:
        return list(notes)
    made: list[Sketch] = []
    ends: dict[tuple[int, int], int] = {}  # where the notes stand that end somewhere, by pitch and end
    for note in _without_rubs(plan, notes, high):
        place = ends.pop((note.pitch, note.onset), None)
        if place is not None and plan.chord_at(note.onset).start < note.onset:
            made[place] = made[place]._replace(duration=note.onset + note.duration - made[place].onset)
        else:
            place = len(made)
            made.append(note)
        ends[note.pitch, note.onset + note.duration] = place
    return made


def _without_rubs(plan: Plan, notes: Sequence[Sketch], high: set[int]) -> list[Sketch]:
    """Notes without those that rub all through a chord: the root just above its seventh, which a bass has; where that
    is the top note, the seventh. Notes at ``high`` times have a top that moves on."""
    chords: dict[int, set[int]] = defaultdict(set)
    for note in notes:
        if note.onset not in high:
            chords[plan.chord_at(note.onset).start].add(note.pitch)
    out = set()
    for start, pitches in chords.items():
        root = plan.chord_at(start).root
        for pitch in pitches:
            if pitch % 12 == root and pitch - 1 in pitches:
                out.add((start, pitch - 1 if pitch == max(pitches) else pitch))
    return [note for note in notes if (plan.chord_at(note.onset).start, note.pitch) not in out]
