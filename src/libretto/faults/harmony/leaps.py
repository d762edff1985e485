"""One voice alone: leaps that are hard to sing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from libretto.faults.harmony.reading import Lines, Sound
from libretto.faults.harmony.styles import PartFault

__all__ = ["leap_faults"]

_OCTAVE, _SEVENTHS = 12, (10, 11)  # semitones
_LEAP, _STEP = 3, 2  # semitones: from here on it is a leap; up to here a step
_AUGMENTED = 6  # fifths upwards: an augmented fourth, and all beyond
_SECOND = 9  # an augmented second


def leap_faults(lines: Lines, strict: bool) -> Iterator[PartFault]:
    """Augmented and diminished leaps, sevenths, and leaps beyond the octave; not over the end of a phrase."""
    for number, line in enumerate(lines.sounds):
        for a, b in pairwise(line):
            if a.end != b.onset or a.rests or abs(b.pitch - a.pitch) < _LEAP:
                continue
            told = _told(lines, number, a, b, strict)
            if told is not None:
                bar, beat = lines.place(b.onset)
                yield PartFault(told[0], bar, beat, (lines.names[number],), f"{a.name} leaps to {b.name}", told[1])


def _told(lines: Lines, number: int, a: Sound, b: Sound, strict: bool) -> tuple[str, str] | None:
    up = b.pitch > a.pitch
    size, fifths = abs(b.pitch - a.pitch), (b.spelling - a.spelling) * (1 if up else -1)
    if fifths >= _AUGMENTED and (strict or fifths == _SECOND):
        return "augmented leap", "go the other way round, or by step"
    if fifths <= -_AUGMENTED and strict and not _turns(lines, number, b, up):
        return "diminished leap", "turn back by step after it"
    if size > _OCTAVE or (strict and size in _SEVENTHS):
        return "wide leap", "take the note in another octave"
    return None


def _turns(lines: Lines, number: int, sound: Sound, up: bool) -> bool:
    after = lines.after(number, sound)
    return after is None or ((after.pitch < sound.pitch) == up and abs(after.pitch - sound.pitch) <= _STEP)
