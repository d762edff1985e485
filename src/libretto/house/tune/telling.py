"""Telling a tune: pitches for a rhythm that is decided.

Conventions: times are ticks; pitches are MIDI numbers; a chord is a preference, not a command. What is forbidden is
said by a bias of minus infinity, what is wished for by a larger one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from libretto.house.core.dice import dice
from libretto.score.chords import Chord
from libretto.score.keys import Key
from libretto.score.time import Meter

__all__ = ["Step", "bits", "tell"]

#: How willingly a tune moves by so many semitones, up or down.
_MOVES = {0: 0.12, 1: 0.25, 2: 0.3, 3: 0.12, 4: 0.1, 5: 0.06, 7: 0.03, 8: 0.01, 9: 0.01, 12: 0.01}
_RARE = 0.001  # any other move
_OUTSIDE = 0.03  # a note outside the scale, beside one within it
_CHORD_TONE = {True: 3.0, False: 1.4}  # how much likelier a chord tone is on a beat, and elsewhere
_TONIC_AT_END = 20.0
_PULL = 0.06  # how strongly the middle of the range draws, a semitone


@dataclass(frozen=True)
class Step:
    """One note of a tune whose rhythm is decided.

    ``bias`` goes by pitch from ``low`` to ``high`` and is added to the model's log-probability: minus infinity forbids
    a pitch, () says nothing. ``echo`` is the index of the earlier step that this one answers, -1 for none.
    """

    onset: int
    length: int
    chord: Chord | None
    phrase: int
    close: int
    bias: tuple[float, ...] = ()
    echo: int = -1


def tell(
    steps: Sequence[Step],
    key: Key,
    meter: Meter,
    low: int,
    high: int,
    seed: int,
    *,
    kind: str = "",
    heat: float = 0.7,
    beam: int = 8,
) -> list[int]:
    """Pitches from ``low`` to ``high`` for those steps, the same for the same arguments."""
    told: list[int] = []
    for index, step in enumerate(steps):
        scores = [math.log(weight) for weight in _weights(steps, index, told, key, meter, low, high)]
        if step.bias:
            scores = [score + bias for score, bias in zip(scores, step.bias, strict=True)]
        best = max(scores)
        weights = [math.exp(round((score - best) / heat, 9)) if score > -math.inf else 0.0 for score in scores]
        told.append(dice(seed, "tune", index).choices(range(low, high + 1), weights)[0])
    return told


def _weights(
    steps: Sequence[Step], index: int, told: Sequence[int], key: Key, meter: Meter, low: int, high: int
) -> list[float]:
    """How willingly the tune goes to each pitch of the range."""
    step = steps[index]
    middle = (low + high) / 2
    before = told[-1] if told else round(middle)
    on_beat = step.onset % meter.beat == 0
    weights = []
    for pitch in range(low, high + 1):
        weight = _MOVES.get(abs(pitch - before), _RARE) * math.exp(-_PULL * abs(pitch - middle))
        if pitch % 12 not in key.classes:
            weight *= _OUTSIDE
        if step.chord and pitch % 12 in step.chord.classes:
            weight *= _CHORD_TONE[on_beat]
        if index == len(steps) - 1 and pitch % 12 == key.tonic_class:
            weight *= _TONIC_AT_END
        weights.append(weight)
    return weights


def bits(steps: Sequence[Step], pitches: Sequence[int], key: Key, meter: Meter, kind: str = "") -> float:
    """Bits a note that the model needs for that tune."""
    if not pitches:
        return 0.0
    low, high = min(pitches), max(pitches)
    total = 0.0
    for index, pitch in enumerate(pitches):
        weights = _weights(steps, index, pitches[:index], key, meter, low, high)
        total -= math.log2(weights[pitch - low] / sum(weights))
    return total / len(pitches)
