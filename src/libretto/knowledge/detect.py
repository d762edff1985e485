"""Find concepts in a piece: where each is seen, by its detector alone.

A concept is shown where all its conditions hold: each condition finds at least ``least`` sightings (1 unless it says
otherwise), or covers at least ``share`` of the bars. The places are those of the first condition. A condition with
``absent = true`` holds where nothing is seen.

Whether an entry keeps its own promises (``problems_of``) is checked here, too.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.axes import axes, measure
from libretto.contract import instrument_of_program
from libretto.errors import LibrettoError
from libretto.grammar import parse
from libretto.knowledge.concept import Concept
from libretto.knowledge.detectors import detectors
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import Score

__all__ = ["check_detector", "detect", "find_in", "moved", "problems_of", "shows"]

_OURS = ("kind", "least", "share", "absent")


def check_detector(concept: Concept) -> None:
    """Refuse conditions of an unknown kind, and settings that their kind does not have."""
    for condition in concept.detector:
        kind = condition["kind"]
        if kind not in detectors:
            raise LibrettoError(f"{concept.key}: no detector {kind!r}; there are {', '.join(detectors)}")
        known = list(inspect.signature(detectors[kind]).parameters)[1:]
        for setting in condition:
            if setting not in known and setting not in _OURS:
                raise LibrettoError(
                    f"{concept.key}: the detector {kind} has no setting {setting!r}; it has {', '.join(known)}"
                )


def detect(score: Score | Sight, concept: Concept) -> list[Sighting]:
    """Where a piece shows a concept; nothing where it does not."""
    sight = score if isinstance(score, Sight) else Sight(score)
    places: list[Sighting] = []
    for number, condition in enumerate(concept.detector):
        sightings = _seen(sight, condition)
        if sightings is None:
            return []
        if number == 0:
            places = sightings
    return places


def shows(score: Score | Sight, concept: Concept) -> bool:
    """Whether a piece shows a concept."""
    return bool(detect(score, concept))


def _seen(sight: Sight, condition: Mapping[str, Any]) -> list[Sighting] | None:
    """The sightings of one condition; None where it does not hold."""
    settings = {name: value for name, value in condition.items() if name not in _OURS}
    detector = detectors[condition["kind"]]
    sightings = sight.once((detector, repr(sorted(settings.items()))), lambda: detector(sight, **settings))
    if condition.get("absent"):
        return None if sightings else [sight.at(0, sight.bars - 1)]
    enough = len(sightings) >= condition.get("least", 1) and _share(sight, sightings) >= condition.get("share", 0.0)
    return sightings if sightings and enough else None


def _share(sight: Sight, sightings: Sequence[Sighting]) -> float:
    bars = {bar for place in sightings for bar in range(place.first, place.last + 1)}
    return len(bars) / max(1, sight.bars)


def find_in(score: Score, concepts: Iterable[Concept]) -> list[tuple[Concept, list[Sighting]]]:
    """The concepts that a piece shows, with the places, those seen in fewest bars last."""
    sight = Sight(score)
    shown = [(concept, places) for concept in concepts if (places := detect(sight, concept))]
    return sorted(shown, key=lambda pair: (pair[0].base, -_share(sight, pair[1]), pair[0].name))


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
