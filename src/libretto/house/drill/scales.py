"""Drills on scales, written from nothing: phrases of four bars over exactly those steps, a motif that comes back, a
run, and a close on the tonic."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

from libretto.house.core.dice import Dice
from libretto.house.core.line import Slot, ladder, sing
from libretto.house.drill.meters import beats_of
from libretto.house.drill.sheet import DrillSheet, Measure, spelled
from libretto.score import Key, Meter, Note
from libretto.score.pitch import letter_name

__all__ = ["bar_rhythm", "closing_rhythm", "scale_sheet"]

_TRIADS = (((0, 4, 7), ""), ((0, 3, 7), "m"))
_ROOM = {1: 9, 2: 13, 3: 17}  # semitones of a line, by level
_LOUDNESS, _CONTRAST, _GROWTH = 70, 6, 4  # of phrases: the first, every second one, and the last
_MID_PHRASE, _HIGH, _DOWNBEAT, _PLAIN, _SOFTEST, _LOUDEST = 10, 6, 4, 8, 40, 112  # of notes in them
_LATE, _ARCH_EDGE, _ARCH_HEIGHT, _VALLEY_EDGE, _VALLEY_DEPTH = 1.1, 0.15, 0.75, 0.85, 0.7  # parts of the register
_FIFTH, _HALF_OCTAVE = 7, 6  # semitones
_TONIC_STEPS, _OPEN_STEPS = (0, 3, 4, _FIFTH), (_FIFTH, 2, 4, 3)  # tones of the tonic, and what a phrase may rest on
_LEADING_HOME = (_FIFTH, 5, 10, 2, 1)  # steps whose chords lead home, the best first
_FEWEST_RUNGS = 5  # that a line can be sung on
_WIDEST = {1: 5, 2: 7, 3: 9}


def scale_sheet(
    steps: Sequence[int],
    marks: Sequence[int],
    key: Key,
    meter: Meter,
    bars: int,
    level: int,
    low: int,
    high: int,
    rng: Dice,
    names: dict[int, int],
    model: DrillSheet,
) -> DrillSheet:
    """A line over those steps above the tonic, ``marks`` among them heard clearly; ``names`` spells pitch classes."""
    home = key.tonic_class
    classes = frozenset((home + step) % 12 for step in steps)
    rungs = _register(ladder(classes, low, high), home, _ROOM[level], rng)
    dear = frozenset((home + step) % 12 for step in marks)
    motif = [bar_rhythm(meter, level, rng) for _ in range(3)]
    measures: list[Measure] = []
    before: int | None = None
    phrases = _phrases(bars)
    for number, size in enumerate(phrases):
        final = number == len(phrases) - 1
        rhythms = [motif[index % 2] if number % 2 == 0 else motif[2 - index % 2] for index in range(size - 1)]
        rhythms.append(closing_rhythm(meter, level, rng, final))
        labels = _harmony(steps, key, size, final, rng, names)
        pitches = _phrase(rhythms, labels, rungs, rng, home, steps, final, number, level, before, dear)
        before = pitches[-1][-1]
        top = _LOUDNESS + _CONTRAST * (number % 2) + _GROWTH * number // max(1, len(phrases) - 1)
        for index, (rhythm, line) in enumerate(zip(rhythms, pitches, strict=True)):
            notes = [
                Note(onset, length, pitch, _loud(top, index, size, onset, pitch, rungs), spelled(pitch, key, names))
                for (onset, length), pitch in zip(rhythm, line, strict=True)
            ]
            measures.append(Measure(meter.ticks, tuple(notes), (labels[index][0],), key, meter))
    return model._replace(bars=tuple(measures), first_bar=1)


def _phrases(bars: int) -> list[int]:
    """Phrases of four bars; what is over joins the last where it is one bar, else stands first among equals."""
    count, rest = divmod(bars, 4)
    if not count:
        return [bars]
    sizes = [4] * count
    if rest == 1:
        sizes[-1] += 1
    elif rest:
        sizes.append(rest)
    return sizes


def _register(rungs: list[int], home: int, width: int, rng: Dice) -> list[int]:
    """About so many semitones of the ladder, around a tonic, in the middle of the range."""
    if not rungs or rungs[-1] - rungs[0] <= width:
        return rungs
    middle = (rungs[0] + rungs[-1]) / 2
    tonics = [pitch for pitch in rungs if pitch % 12 == home and pitch + 12 <= rungs[-1]] or rungs[:1]
    low = min(tonics, key=lambda pitch: abs(pitch + _HALF_OCTAVE - middle))
    under = rng.choice((0, 3, 5)) if width > 12 else rng.choice((0, 2))
    inside = [pitch for pitch in rungs if low - under <= pitch <= low - under + width]
    return inside if len(inside) >= _FEWEST_RUNGS else rungs


def _harmony(
    steps: Sequence[int], key: Key, size: int, final: bool, rng: Dice, names: dict[int, int]
) -> list[tuple[str, frozenset[int]]]:
    """A chord for every bar out of the scale's own triads: home, away, the dominant or what stands for it, home."""
    home = key.tonic_class
    own = _triads(steps, key, names)
    if 0 not in own:
        tonic = frozenset((home + step) % 12 for step in steps if step in _TONIC_STEPS)
        return [("-", tonic)] * size
    away = [step for step in own if step not in (0, _FIFTH)] or [0]
    near = next((step for step in _LEADING_HOME if step in own), away[0])
    row = [own[0]] + [own[rng.choice(away)] for _ in range(size - 1)]
    if size >= 3:
        row[-2] = own[near if final else rng.choice(away)]
    row[-1] = own[0] if final else own[near]
    return row


def _triads(steps: Sequence[int], key: Key, names: dict[int, int]) -> dict[int, tuple[str, frozenset[int]]]:
    """The triads of a scale that its key has too where their sizes differ, by the steps they stand on."""
    home = key.tonic_class
    plain = {(tone - home) % 12 for tone in key.classes} if len(steps) != len(key.scale) else set(steps)
    usable = plain.intersection(steps)
    triads = {}
    for step in steps:
        for tones, name in _TRIADS:
            if usable.issuperset((step + tone) % 12 for tone in tones):
                root = (home + step) % 12
                label = f"{letter_name(spelled(root, key, names))}{name}"
                triads[step] = (label, frozenset((root + tone) % 12 for tone in tones))
    return triads


def _phrase(
    rhythms: list[list[tuple[int, int]]],
    labels: list[tuple[str, frozenset[int]]],
    rungs: list[int],
    rng: Dice,
    home: int,
    steps: Sequence[int],
    final: bool,
    number: int,
    level: int,
    before: int | None,
    dear: frozenset[int],
) -> list[list[int]]:
    """The pitches of one phrase: an arch or a valley, the third bar like the first, one bar that runs."""
    size = len(rhythms)
    valley, run = number % 2 == 1, rng.randrange(1, max(2, size - 1))
    way = 1 if valley else -1
    goal = frozenset({home}) if final else _rests(steps, home)
    lines: list[list[int]] = []
    moves: list[int] = []
    for index, rhythm in enumerate(rhythms):
        if index == 2 and rhythm == rhythms[0]:
            wishes = moves
        else:
            wishes = [way] * (len(rhythm) - 1) if index == run and len(rhythm) > 2 else []
        heights = [_height((index + place / len(rhythm)) / size, valley) for place in range(len(rhythm))]
        slots = _slots(rhythm, heights, labels[index][1], wishes)
        ends = goal if index == size - 1 else frozenset()
        starts = frozenset({home}) if number == 0 and index == 0 else frozenset()
        line = sing(slots, rungs, rng, first=starts, last=ends, widest=_WIDEST[level], before=before, dear=dear)
        before = line[-1]
        if index == 0:
            place_of = {pitch: row for row, pitch in enumerate(rungs)}
            moves = [place_of[two] - place_of[one] for one, two in itertools.pairwise(line)]
        lines.append(line)
    return lines


def _slots(
    rhythm: Sequence[tuple[int, int]], heights: Sequence[float], tones: frozenset[int], wishes: Sequence[int]
) -> list[Slot]:
    """The places of a bar to be sung, over one chord; ``wishes`` are the moves into the second and those after it."""
    moves = [None, *wishes, *([None] * len(rhythm))]
    return [
        Slot(heights[place], place == 0 or length >= rhythm[0][1], tones, moves[place])
        for place, (_, length) in enumerate(rhythm)
    ]


def _height(part: float, valley: bool) -> float:
    """How high a line is wished at a part of its phrase: an arch with its top a little late, or a valley."""
    arch = 1 - abs(2 * part - _LATE)
    return _VALLEY_EDGE - _VALLEY_DEPTH * arch if valley else _ARCH_EDGE + _ARCH_HEIGHT * arch


def _rests(steps: Sequence[int], home: int) -> frozenset[int]:
    """Where a phrase within a drill may rest: the fifth and the third, else the tonic."""
    open_ends = {step for step in _OPEN_STEPS if step in steps}
    return frozenset((home + step) % 12 for step in open_ends or {0})


def _loud(top: int, index: int, size: int, onset: int, pitch: int, rungs: list[int]) -> int:
    """Louder towards the middle of a phrase, on the first beat and on high notes."""
    arch = 1 - abs(2 * (index + 0.5) / size - 1)
    high = (pitch - rungs[0]) / max(1, rungs[-1] - rungs[0])
    loud = top + _MID_PHRASE * arch + _HIGH * high + (_DOWNBEAT if onset == 0 else 0)
    return max(_SOFTEST, min(_LOUDEST, round(loud - _PLAIN)))


Cells = tuple[tuple[tuple[int, ...], float], ...]
# Figures of one beat as parts of it, with how likely they are, by level; compound beats have three pulses.
_SIMPLE: dict[int, Cells] = {
    1: (((1,), 3.0), ((1, 1), 2.0)),
    2: (((1,), 2.0), ((1, 1), 3.0), ((3, 1), 0.6), ((2, 1, 1), 0.4)),
    3: (((1,), 1.0), ((1, 1), 2.5), ((1, 1, 1, 1), 0.8), ((2, 1, 1), 0.8), ((1, 1, 2), 0.6), ((3, 1), 0.8)),
}  # fmt: skip
_COMPOUND: dict[int, Cells] = {
    1: (((1,), 2.5), ((2, 1), 2.0), ((1, 1, 1), 1.0)),
    2: (((1,), 1.5), ((2, 1), 2.0), ((1, 1, 1), 2.0), ((1, 2), 0.4)),
    3: (((1,), 1.0), ((2, 1), 1.5), ((1, 1, 1), 2.5), ((3, 1, 2), 0.6), ((2, 1, 1, 2), 0.5)),
}
_JOIN = {1: 0.35, 2: 0.25, 3: 0.15}


def bar_rhythm(meter: Meter, level: int, rng: Dice) -> list[tuple[int, int]]:
    """Onsets and lengths of one bar without rests."""
    rhythm: list[tuple[int, int]] = []
    at, beats = 0, beats_of(meter)
    number = 0
    while number < len(beats):
        size = beats[number]
        joined = len(beats) > 2 and number % 2 == 0 and number + 1 < len(beats) and rng.random() < _JOIN[level]
        if joined:
            size += beats[number + 1]
            table: Cells = ((1,), 1.0), ((3, 1), 1.0 if level > 1 else 0.0)
        else:
            table = (_COMPOUND if size == 3 * meter.pulse else _SIMPLE)[level]
        cell = rng.choices([parts for parts, _ in table], [weight for _, weight in table])[0]
        rhythm += _divided(at, size, cell)
        at += size
        number += 2 if joined else 1
    return rhythm


def _divided(start: int, size: int, cell: Sequence[int]) -> list[tuple[int, int]]:
    """Onsets and lengths of a stretch of time in the proportions of a cell."""
    edges = [start + Fraction(size * part, sum(cell)) for part in itertools.accumulate(cell, initial=0)]
    return [(round(one), round(two) - round(one)) for one, two in itertools.pairwise(edges)]


def closing_rhythm(meter: Meter, level: int, rng: Dice, final: bool) -> list[tuple[int, int]]:
    """A bar that comes to rest: a few notes and a long one, or, at the end, one long note."""
    beats = beats_of(meter)
    if final or len(beats) < 3:
        long = meter.ticks if final else meter.ticks - beats[-1] // 2
        return [(0, long)]
    lead = bar_rhythm(Meter(1, 4), 1, rng) if meter.unit == 4 and level > 1 else [(0, beats[0])]
    rest = sum(beats[1:-1])
    return [*lead, (beats[0], rest)]
