"""Studies on intervals: every size from one note, sung or struck, and one size from the notes of the key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from libretto.house.drill.meters import beats_of
from libretto.house.drill.sheet import DrillSheet, Measure
from libretto.house.drill.studies.study import Played, StudyAsk, bar_of, names_of, studies

__all__ = ["feature_study", "row_study"]

_SIZES = {1: (1, 2, 3, 4, 2, 7, 4), 2: (1, 2, 3, 4, 5, 6, 7), 3: (2, 4, 1, 6, 3, 5, 7)}  # rungs above the first note
_OCTAVE = 12


def _scale(ask: StudyAsk) -> list[int]:
    return sorted((tone - ask.home) % _OCTAVE for tone in ask.key.classes)


def _lowest(ask: StudyAsk) -> int | None:
    """A tonic in the middle of the staff with an octave above it."""
    tonics = [pitch for pitch in range(ask.low, ask.high - _OCTAVE + 1) if pitch % _OCTAVE == ask.home]
    return min(tonics, key=lambda pitch: (abs(pitch + _OCTAVE // 2 - ask.middle), pitch), default=None)


def _half(ask: StudyAsk) -> int:
    """Where the bar is divided: at the beat nearest to its middle from below, at least one beat in."""
    at, beats = 0, beats_of(ask.meter)
    for beat in beats:
        if at and (at + beat) * 2 > ask.meter.ticks:
            break
        at += beat
    return at if at < ask.meter.ticks else ask.meter.ticks // 2


@studies.register("interval_row")
def row_study(ask: StudyAsk, condition: Mapping[str, Any]) -> DrillSheet | None:
    """Every interval from the tonic, one a bar, one note after the other or both at once; then the tonic."""
    base, scale = _lowest(ask), _scale(ask)
    if base is None:
        return None
    names = names_of(scale, ask.key, ask.model)
    half, ticks = _half(ask), ask.meter.ticks
    head, *rest = _SIZES[ask.level]
    ask.rng.shuffle(rest)
    sizes = [head, *rest]
    bars: list[Measure] = []
    for number in range(ask.bars - 1):
        size = sizes[number % len(sizes)]
        other = base + _OCTAVE * (size // len(scale)) + scale[size % len(scale)]
        if condition.get("together"):
            line = [
                Played(at, length, pitch) for at, length in ((0, half), (half, ticks - half)) for pitch in (base, other)
            ]
        else:
            line = [Played(0, half, base), Played(half, ticks - half, other)]
        bars.append(bar_of(line, "-", ask, names))
    last = (base, base + _OCTAVE) if condition.get("together") else (base,)
    bars.append(bar_of([Played(0, ticks, pitch) for pitch in last], "-", ask, names))
    return ask.model._replace(bars=tuple(bars), first_bar=1)


@studies.register("feature_interval")
def feature_study(ask: StudyAsk, condition: Mapping[str, Any]) -> DrillSheet | None:
    """One interval from every note of the key that has it, there and back, beat by beat; the tonic at the end."""
    base, scale = _lowest(ask), _scale(ask)
    sizes = set(condition.get("sizes", ()))
    if base is None or len(sizes) != 1:
        return None
    size = sizes.pop()
    lows = [
        base + step - shift
        for shift in (0, _OCTAVE)
        for step in scale
        if (step + size) % _OCTAVE in scale
        and ask.low <= base + step - shift
        and base + step - shift + size <= ask.high
    ]
    lows = sorted(
        {low for low in lows if base - 5 <= low <= base + _OCTAVE - size // 2}, key=lambda low: abs(low - base)
    )
    if not lows:
        return None
    names = names_of(scale, ask.key, ask.model)
    beats = beats_of(ask.meter)
    order = lows[:4]
    ask.rng.shuffle(order)
    bars: list[Measure] = []
    for number in range(ask.bars - 1):
        low = order[number % len(order)]
        at, line = 0, []
        ends = (low, low + size) if (number // len(order)) % 2 == 0 else (low + size, low)
        for place, beat in enumerate(beats):
            line.append(Played(at, beat, ends[place % 2]))
            at += beat
        bars.append(bar_of(line, "-", ask, names))
    bars.append(bar_of([Played(0, ask.meter.ticks, base)], "-", ask, names))
    return ask.model._replace(bars=tuple(bars), first_bar=1)
