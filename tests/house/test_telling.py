"""The teller of tunes: the same for the same arguments, within its range, obedient to what is forbidden."""

from __future__ import annotations

import math
from dataclasses import replace

from libretto.house.tune.telling import Step, tell
from libretto.score.chords import parse_chord
from libretto.score.keys import Key
from libretto.score.time import QUARTER, Meter

KEY, METER, LOW, HIGH = Key.parse("D major"), Meter(4, 4), 60, 81


def steps(bars: int = 8) -> list[Step]:
    """Eighths, with a quarter at the end of every fourth bar."""
    half, made = QUARTER // 2, []
    for place in range(bars * 8):
        bar = place // 8
        if bar % 4 == 3 and place % 8 == 7:
            continue
        chord = parse_chord(("D", "G", "A7", "D")[bar % 4])
        phrase = bar // 4 * 4 * METER.ticks
        length = QUARTER if bar % 4 == 3 and place % 8 == 6 else half
        made.append(Step(place * half, length, chord, phrase, phrase + 4 * METER.ticks))
    return made


def test_the_same_arguments_tell_the_same_tune() -> None:
    assert tell(steps(), KEY, METER, LOW, HIGH, 3) == tell(steps(), KEY, METER, LOW, HIGH, 3)
    assert len({tuple(tell(steps(), KEY, METER, LOW, HIGH, seed)) for seed in range(5)}) == 5


def test_a_tune_stays_in_its_range() -> None:
    for seed in range(4):
        told = tell(steps(), KEY, METER, 65, 72, seed, heat=1.5)
        assert len(told) == len(steps())
        assert all(65 <= pitch <= 72 for pitch in told)


def test_what_is_forbidden_is_not_sung() -> None:
    only = tuple(0.0 if pitch in (62, 69) else -math.inf for pitch in range(LOW, HIGH + 1))
    bound = [replace(step, bias=only) if index % 3 == 0 else step for index, step in enumerate(steps())]
    told = tell(bound, KEY, METER, LOW, HIGH, 1)
    assert all(told[index] in (62, 69) for index in range(0, len(told), 3))
