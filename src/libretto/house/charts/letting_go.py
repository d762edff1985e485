"""What accompanies lets go at a change of chord: a tone that is held into a chord beside one of whose tones it lies."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER

__all__ = ["let_go"]

_STEP = 2  # semitones that resolve what is held
_DRONE = 2  # pitch classes that a drone has at most
_BESIDE = (1, 11)  # semitones, in any octave, at which two tones rub


def let_go(plan: Plan, notes: Sequence[Sketch]) -> list[Sketch]:
    """The notes of a part; what would sound for half a beat and more beside a tone of the next chord, half a tone away,
    ends with its own chord, unless it was early or a step resolves it. A drone sounds on."""
    if len({note.pitch % 12 for note in notes}) <= _DRONE:
        return list(notes)
    ordered = sorted(notes)
    return [_ended(plan, note, ordered) for note in ordered]


def _ended(plan: Plan, note: Sketch, notes: Sequence[Sketch]) -> Sketch:
    """A note, as long as it may sound."""
    change = plan.chord_at(note.onset).end
    end = note.onset + note.duration
    while change < end:
        span = plan.chord_at(change)
        over = min(end, span.end) - change
        early = change - note.onset < min(over, QUARTER)
        if not early and over >= QUARTER // 2 and _rubs(note.pitch, span.chord.classes) and not _goes_on(note, notes):
            return note._replace(duration=change - note.onset)
        if span.end <= change:
            break
        change = span.end
    return note


def _rubs(pitch: int, classes: frozenset[int]) -> bool:
    """Whether a pitch is no tone of a chord and lies half a tone from one, in whatever octave."""
    return pitch % 12 not in classes and any((pitch - one) % 12 in _BESIDE for one in classes)


def _goes_on(note: Sketch, notes: Sequence[Sketch]) -> bool:
    """Whether a step leads on where a note ends."""
    end = note.onset + note.duration
    return any(one.onset == end and 0 < abs(one.pitch - note.pitch) <= _STEP for one in notes)
