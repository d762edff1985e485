"""Two hundred drills of many kinds, made by rule from a seed: what a detector meets when nobody meant its concept.

Kinds: stepwise tunes, tunes with skips, arpeggio studies, rhythm on few notes, chromatic lines, chord studies, wide
leaps, bass lines; in all keys, five meters, major and minor.
"""

from __future__ import annotations

from functools import cache
from random import Random

from libretto import Score
from libretto.score import QUARTER, Key, Meter, Note, Voice, hear_chords
from libretto.score.pitch import pitch_class_of

__all__ = ["unrelated_drills"]

_METERS = (Meter(4, 4), Meter(4, 4), Meter(3, 4), Meter(2, 4), Meter(6, 8))
_CELLS = {  # rhythms of one beat in sixteenths, by how likely they are
    4: ((4,), (4,), (2, 2), (2, 2), (3, 1), (1, 1, 2), (2, 1, 1), (1, 1, 1, 1)),
    6: ((6,), (4, 2), (2, 2, 2), (2, 4), (3, 1, 2)),
}
_KINDS = ("steps", "skips", "arpeggio", "rhythm", "chromatic", "chords", "leaps", "bass")
_LOOPS = ((0, 3, 4, 0), (0, 5, 3, 4), (0, 4, 5, 3), (0, 1, 4, 0), (5, 3, 0, 4), (0, 2, 3, 4))


def _drill(number: int) -> Score:
    dice = Random(number * 7919 + 17)
    kind = _KINDS[number % len(_KINDS)]
    meter = _METERS[number // len(_KINDS) % len(_METERS)]
    key = Key.of_signature(dice.randint(-5, 6), dice.choice(("major", "major", "minor")))
    home = pitch_class_of(key.tonic) + (36 if kind == "bass" else 60)
    scale = sorted((pitch_class_of(each) - pitch_class_of(key.tonic)) % 12 for each in key.scale)

    def pitch(degree: int) -> int:
        return home + scale[degree % 7] + 12 * (degree // 7)

    loop, notes, tick, degree, bars = dice.choice(_LOOPS), [], 0, dice.choice((0, 2, 4)), 8
    for bar in range(bars):
        cell = 6 if meter.unit == 8 else 4
        beats = meter.ticks // (cell * QUARTER // 4)
        lengths = [part for _ in range(beats) for part in dice.choice(_CELLS[cell])]
        if kind in ("chords", "bass"):
            lengths = dice.choice(([cell] * beats, [cell * beats], lengths))
        if bar == bars - 1:
            lengths = [cell * beats]
        root = loop[bar % 4]
        for place, length in enumerate(lengths):
            degree = _next(kind, dice, degree, root, place, bar == bars - 1)
            struck = [root, root + 2, root + 4] if kind == "chords" else [degree]
            for each in struck:
                height = pitch(each) + (dice.choice((-1, 0, 1)) if kind == "chromatic" else 0)
                velocity = 76 + (8 if place == 0 else 0) + dice.randint(-3, 3)
                notes.append(Note(tick, length * QUARTER // 4, height, velocity, _spelling(height)))
            tick += length * QUARTER // 4
    voice = Voice.of("PIANO", notes, 0)
    score = Score.build([voice], meters=[(0, meter)], keys=[(0, key)], bars=bars)
    return Score.build([voice], meters=[(0, meter)], keys=[(0, key)], bars=bars, chords=hear_chords(score))


def _next(kind: str, dice: Random, degree: int, root: int, place: int, last: bool) -> int:
    """The next scale degree of a line of that kind."""
    if last:
        return 0
    steps = {
        "steps": (-1, 1, 1, -1, 2, -2),
        "skips": (-2, 2, 1, -1, 3, -3),
        "chromatic": (-1, 1, 0, 1, -1),
        "rhythm": (0, 0, 0, 1, -1),
        "leaps": (-5, 5, 4, -4, 7, -7, 1, -1),
    }
    if kind == "arpeggio":
        return root + (0, 2, 4, 7, 4, 2)[place % 6]
    if kind == "bass":
        return root + dice.choice((0, 0, 4, 2)) if place else root
    moved = degree + dice.choice(steps.get(kind, (0,)))
    return moved if -4 <= moved <= 11 else degree - (moved - degree)


def _spelling(height: int) -> int:
    return (height * 7 + 4) % 12 - 4


@cache
def unrelated_drills() -> tuple[Score, ...]:
    """The drills, always the same."""
    return tuple(_drill(number) for number in range(200))
