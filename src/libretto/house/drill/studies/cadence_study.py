"""Studies on cadences: the close again and again, every two bars, in four parts, each time reached in another way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from libretto.grammar import parse
from libretto.house.core.dice import Dice
from libretto.house.drill.meters import beats_of
from libretto.house.drill.sheet import DrillSheet, Measure
from libretto.house.drill.studies.harmony_study import Triad, led, named_in, triads_of
from libretto.house.drill.studies.study import Played, StudyAsk, bar_of, studies
from libretto.score import parse_chord

__all__ = ["cadence_study"]

_OCTAVE = 12
_MAJOR = {"I": 0, "ii": 1, "iii": 2, "IV": 3, "V": 4, "vi": 5}
_MINOR = {"i": 0, "bIII": 2, "iv": 3, "V": 4, "bVI": 5, "bVII": 6}
_BEFORE = (0, 3, 5)  # degrees that may lead to a close
_LOWEST, _HIGHEST = 40, 79  # E2 and G5, between which four parts lie
_HOME_CLOSE = (4, 0)
_LEAST_BEATS = 3  # of a bar that ends late: the close has two, and a breath one


@studies.register("cadence")
def cadence_study(ask: StudyAsk, condition: Mapping[str, Any]) -> DrillSheet | None:
    """Two bars a close: a chord that leads to it and its first chord, then its last one held, and a breath."""
    own = _close_of(ask, condition)
    if own is None or not _has_room(ask):
        return None
    closes = [own] * (ask.bars // 2)
    if own[1] != 0 and _ends_at_home(ask):
        closes[-1] = _HOME_CLOSE
    names = named_in(ask)
    triads = triads_of(ask, names)
    degrees = _led_to(closes, ask.rng)
    chords = [chord for degree in degrees if (chord := triads[degree]) is not None]
    tops = frozenset((ask.home + step) % _OCTAVE for step in condition.get("top", ()))
    wished = {3 * number + 2: tops for number, pair in enumerate(closes) if tops and pair == own}
    ways = led(chords, ask, wished, range(0, len(chords), 3)) if len(chords) == len(degrees) else None
    if ways is None:
        return None
    return _written_weak(ask, chords, ways, names) if condition.get("weak") else _written(ask, chords, ways, names)


def _close_of(ask: StudyAsk, condition: Mapping[str, Any]) -> tuple[int, int] | None:
    """The degrees of the two chords of a close, where they are plain triads of the key."""
    known = _MINOR if ask.key.is_minor else _MAJOR
    close = [degree for token in condition["chords"] if (degree := _degree(token, known)) is not None]
    plain = len(close) == 2 and len(condition["chords"]) == 2
    return (close[0], close[1]) if plain else None


def _has_room(ask: StudyAsk) -> bool:
    """Whether four parts have room, bars come in pairs, and the close is all that is asked."""
    return ask.low <= _LOWEST and ask.high >= _HIGHEST and ask.bars % 2 == 0 and len(ask.concept.detector) == 1


def _led_to(closes: Sequence[tuple[int, int]], rng: Dice) -> list[int]:
    """The degrees of three chords a close: one that leads to it, another each time where there are
    three, and the close itself."""
    degrees: list[int] = []
    last = -1
    for one, two in closes:
        leads = [degree for degree in _BEFORE if degree != one and (degree == 0 or degree != two)]
        fresh = [degree for degree in leads if degree != last]
        last = rng.choice(fresh if len(fresh) > 1 else leads)
        degrees += [last, one, two]
    return degrees


def _degree(token: str, known: Mapping[str, int]) -> int | None:
    """The degree of the first of several chords that the key has as a triad in root position."""
    for name in token.split("|"):
        plain, _, bass = name.partition(":")
        if plain in known and bass in ("", "0"):
            return known[plain]
    return None


def _ends_at_home(ask: StudyAsk) -> bool:
    """Whether the concept's example ends on its tonic chord."""
    example = parse(ask.concept.example)
    chord = parse_chord(example.chords[-1][-1])
    return chord is None or chord.root_class == example.keys[-1][1].tonic_class


def _written(
    ask: StudyAsk, chords: Sequence[Triad], ways: Sequence[Sequence[int]], names: Mapping[int, int]
) -> DrillSheet:
    """Three chords in every two bars: two halves of a bar, and one that is held until the last beat."""
    ticks, beats = ask.meter.ticks, beats_of(ask.meter)
    half = sum(beats[: (len(beats) + 1) // 2]) if len(beats) > 1 else ticks // 2
    parts = len(beats) if half * 2 != ticks else 2
    bars: list[Measure] = []
    for at in range(0, len(chords), 3):
        line = [Played(0, half, pitch) for pitch in ways[at]] + [Played(half, ticks - half, p) for p in ways[at + 1]]
        count = parts * half // ticks
        labels = [chords[at].label] * count + [chords[at + 1].label] * (parts - count)
        bars.append(bar_of(line, labels, ask, names))
        final = at + 3 >= len(chords)
        held = ticks if final else ticks - beats[-1] if len(beats) > 1 else ticks // 2
        bars.append(bar_of([Played(0, held, pitch) for pitch in ways[at + 2]], chords[at + 2].label, ask, names))
    return ask.model._replace(bars=tuple(bars), first_bar=1)


def _written_weak(
    ask: StudyAsk, chords: Sequence[Triad], ways: Sequence[Sequence[int]], names: Mapping[int, int]
) -> DrillSheet | None:
    """Two bars a close whose last chord comes late and softly: a chord that leads to it, struck twice, then the first
    chord of the close on the downbeat and the last one on the beat after it, and a breath."""
    ticks, beats = ask.meter.ticks, beats_of(ask.meter)
    if len(beats) < _LEAST_BEATS:
        return None
    half = sum(beats[: (len(beats) + 1) // 2])
    bars: list[Measure] = []
    for at in range(0, len(chords), 3):
        line = [Played(start, length, p) for p in ways[at] for start, length in ((0, half), (half, ticks - half))]
        bars.append(bar_of(line, chords[at].label, ask, names))
        held = ticks - beats[0] - (0 if at + 3 >= len(chords) else beats[-1])
        line = [Played(0, beats[0], pitch) for pitch in ways[at + 1]]
        line += [Played(beats[0], held, pitch) for pitch in ways[at + 2]]
        labels = [chords[at + 1].label] + [chords[at + 2].label] * (len(beats) - 1)
        bars.append(bar_of(line, labels, ask, names, stressed={0}))
    return ask.model._replace(bars=tuple(bars), first_bar=1)
