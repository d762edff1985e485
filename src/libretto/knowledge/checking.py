"""What every concept promises: its examples are sound, its detector tells them apart, its advice does what it says.

Used by whoever adds a concept (``libretto concept NAME --check``) and by the tests over all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.axes import axes, measure
from libretto.contract import instrument_of_program
from libretto.errors import LibrettoError
from libretto.grammar import parse
from libretto.knowledge.concept import Concept
from libretto.knowledge.detect import check_detector, shows
from libretto.score import Score

__all__ = ["moved", "problems_of"]

_BARS = (2, 8)
_LONG_FORMS = 32  # theory examples of form may need that many
_IN_KEY_NEAR = 0.15  # how much less of what sounds than another key the written one may hold
_RAISED = {9, 11}  # the sixth and the seventh degree as minor also has them
_DRUM_KEYS = (27, 87)
_WORDS_ABOUT, _WORDS_DOING = 25, 12
_SMALLEST_MOVE = 1e-6


def problems_of(concept: Concept) -> list[str]:
    """Everything wrong with a concept; nothing where it keeps its promises."""
    return list(_problems(concept))


def _problems(concept: Concept) -> Iterator[str]:
    try:
        check_detector(concept)
        example, plain = parse(concept.example), parse(concept.plain)
    except LibrettoError as error:
        yield str(error)
        return
    for words, score in (("the example", example), ("the plain version", plain)):
        yield from (f"{words} {fault}" for fault in _faults(concept, score))
    if not shows(example, concept):
        yield "the detector does not see the concept in its example"
    if shows(plain, concept):
        yield "the detector sees the concept in the plain version too"
    if concept.base == "composing":
        yield from _advice(concept, example, plain)
    elif len(example.voices) != 1 or len(plain.voices) != 1:
        yield "a theory example has one voice"
    if len(concept.about.split()) < _WORDS_ABOUT or len(concept.doing.split()) < _WORDS_DOING:
        yield f"says too little: at least {_WORDS_ABOUT} words of what it is and {_WORDS_DOING} of what to do"


def _faults(concept: Concept, score: Score) -> Iterator[str]:
    """What keeps music from being an example."""
    most = _LONG_FORMS if concept.base == "theory" else _BARS[1]
    if not _BARS[0] <= score.bars <= most:
        yield f"has {score.bars} bars, not {_BARS[0]} to {most}"
    for voice in score.voices:
        if not len(voice.array):
            yield f"has a voice that never plays: {voice.name}"
        elif voice.program is None and not voice.drums:
            yield f"does not say what instrument plays {voice.name}"
        else:
            yield from _out_of_range(voice.name, voice.program, voice.drums, voice.array)
    if not _in_key(score):
        yield f"is not in the key it says, {score.key}"


def _out_of_range(name: str, program: int | None, drums: bool, notes: NDArray[Any]) -> Iterator[str]:
    if drums:
        low, high = _DRUM_KEYS
    else:
        instrument = instrument_of_program(program or 0)
        low, high = instrument.low, instrument.high
    if notes["pitch"].min() < low or notes["pitch"].max() > high:
        yield f"leaves the range of {name}: {notes['pitch'].min()} to {notes['pitch'].max()}, not {low} to {high}"


def _in_key(score: Score) -> bool:
    """Whether no other key of the same mode holds clearly more of what sounds, and the tonic is among it."""
    table = score.table[~np.array([voice.drums for voice in score.voices])[score.table["voice"]]]
    if not len(table):
        return True
    mass = np.bincount(table["pitch"] % 12, table["duration"], minlength=12) / table["duration"].sum()
    home = score.key.tonic_class
    steps = {(tone - home) % 12 for tone in score.key.classes} | (_RAISED if score.key.is_minor else set())
    shares = [sum(mass[(tonic + step) % 12] for step in steps) for tonic in range(12)]
    return bool(mass[home] > 0 and shares[home] >= max(shares) - _IN_KEY_NEAR)


def _advice(concept: Concept, example: Score, plain: Score) -> Iterator[str]:
    """Axes that do not exist or do not move as the concept says."""
    if not concept.raises and not concept.lowers:
        yield "names no axis that it raises or lowers"
    unknown = [name for name in (*concept.raises, *concept.lowers) if name not in axes]
    if unknown:
        yield f"names axes that do not exist: {', '.join(unknown)}"
        return
    steps = moved(example, plain)
    for name, sign in [(name, 1) for name in concept.raises] + [(name, -1) for name in concept.lowers]:
        step = steps.get(name)
        if step is None or step * sign <= _SMALLEST_MOVE:
            yield f"does not {'raise' if sign > 0 else 'lower'} {name}: it moves by {step}"


def moved(example: Score, plain: Score) -> dict[str, float]:
    """How far the example lies from its plain version on every axis that applies to both."""
    one, other = measure(example), measure(plain)
    return {
        name: float(value) - float(base)
        for name, value in one.items()
        if value is not None and (base := other.get(name)) is not None
    }
