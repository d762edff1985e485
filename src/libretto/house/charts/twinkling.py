"""Twinkling: bells that have a pad let it twinkle, as none of them can hold a chord."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from libretto.house.charts.stand import Stand
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER

__all__ = ["twinkled"]

_BELLS = frozenset((8, 9, 10, 98, 112))  # celesta, glockenspiel, music box, crystal and tinkling bells
_HELD = frozenset(("sustained", "floats"))  # manners that are asked for of who is to hold chords
_EIGHTH, _OCTAVE = QUARTER // 2, 12
_LONG = 3 * _EIGHTH  # of a chord that nobody would strike and leave
_HIGHEST = 96  # the pitch up to which they go an octave higher
_RINGS = 2 * QUARTER
_CLEARER, _LIGHTER = 10, 4  # velocities: than a pad, and of every note after the first
# Which tones of a chord come, from below, and from where in it on, in quarters of its length: chord by chord.
_FLICKERS = (((0, 1, 2), 0), ((2, 1), 2), ((1, 2), 1), ((2, 0, 1), 2))


def twinkled(stand: Stand, part: str, notes: Sequence[Sketch]) -> list[Sketch]:
    """The notes of a part; what bells would hold as a pad is broken up high, a few tones of every chord and a rest,
    each time at another place. Who was asked to hold chords does."""
    player, plan = stand.player, stand.plan
    if part != "pad" or player.program not in _BELLS or _HELD & set(plan.manners.get(player.name, ())):
        return list(notes)
    chords: dict[int, list[Sketch]] = defaultdict(list)
    for note in sorted(notes):
        chords[note.onset].append(note)
    top = min(player.high, _HIGHEST)
    made: list[Sketch] = []
    for number, chord in enumerate(chords.values()):
        short = max(note.duration for note in chord) < _LONG or chord[0].onset // plan.meter.ticks == plan.bars - 1
        made += chord if short else _flicker(chord, number, top)
    return made


def _flicker(chord: Sequence[Sketch], number: int, top: int) -> list[Sketch]:
    """A few tones of a held chord, one after the other, as high as they go."""
    tones, quarter = _FLICKERS[number % len(_FLICKERS)]
    length = max(note.duration for note in chord)
    start = chord[0].onset + length * quarter // 4 // _EIGHTH * _EIGHTH
    end = chord[0].onset + length
    lift = max(0, (top - max(note.pitch for note in chord)) // _OCTAVE) * _OCTAVE
    made: list[Sketch] = []
    for place, tone in enumerate(tones):
        onset = start + place * _EIGHTH
        note = chord[min(tone, len(chord) - 1)]
        if onset < end and (not made or made[-1].pitch != note.pitch + lift):
            accent = note.accent + _CLEARER - (_LIGHTER if place else 0)
            made.append(Sketch(onset, min(_RINGS, end - onset), note.pitch + lift, accent))
    return made
