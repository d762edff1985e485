"""Studies on rhythms: the figure in every bar but the last, on a line that goes by step: only the rhythm is new."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from libretto.house.drill.meters import beats_of
from libretto.house.drill.sheet import DrillSheet, Measure
from libretto.house.drill.studies.study import Played, StudyAsk, agreeing, bar_of, names_of, own_chords, studies
from libretto.score import QUARTER

__all__ = ["cell_study", "even_study"]

_OCTAVE = 12
_TWELVE = 12  # parts of a quarter by which the length of a figure is read
_TOP = 5  # rungs above the tonic between which the line goes
_ROUND = 336  # ticks: a part of a quarter that its thirds, fifths and eighths are whole numbers of
_SHORT_CELL = 1.0  # quarters; a figure of no more fills other beats too


@studies.register("rhythm_cell")
def cell_study(ask: StudyAsk, condition: Mapping[str, Any]) -> DrillSheet | None:
    """The figure from a beat as often as a bar holds it, plain beats for the rest of the bar."""
    if condition.get("start", "beat") != "beat" or condition.get("where", "any") != "any":
        return None
    meters = condition.get("meters", ())
    if meters and str(ask.meter) not in meters:
        return None
    lengths = [round(part * QUARTER / _ROUND) * _ROUND for part in condition["cell"]]
    beats, whole = beats_of(ask.meter), round(sum(condition["cell"]) * _TWELVE) * QUARTER // _TWELVE
    lengths[-1] += whole - sum(lengths)
    if whole > ask.meter.ticks or whole not in set(accumulate(beats)):
        return None
    span = next(count for count, length in enumerate(accumulate(beats), 1) if length == whole)
    times = max(int(condition.get("times", 1)), 1)
    if times * span > len(beats):
        return None
    rows = []
    for number in range(ask.bars - 1):
        most = len(beats) // span
        cells = most if ask.level == 3 or most == times else max(times, most - 1 - (ask.level == 1) * (number % 2 == 0))
        rows.append([*lengths * cells, *beats[cells * span :]])
    return _walked(ask, rows)


@studies.register("even_bars")
def even_study(ask: StudyAsk, condition: Mapping[str, Any]) -> DrillSheet | None:
    """Notes of one length through every bar but the last."""
    length = round(condition["length"] * QUARTER)
    meters = condition.get("meters", ())
    if (meters and str(ask.meter) not in meters) or ask.meter.ticks % length or len(ask.concept.detector) > 1:
        return None
    return _walked(ask, [[length] * (ask.meter.ticks // length) for _ in range(ask.bars - 1)])


def _walked(ask: StudyAsk, rows: Sequence[Sequence[int]]) -> DrillSheet | None:
    """Rhythms on a line that walks the first notes of the scale up and down; now and then it turns early."""
    scale = sorted((tone - ask.home) % _OCTAVE for tone in ask.key.classes)
    tonics = [pitch for pitch in range(ask.low, ask.high - _OCTAVE + 1) if pitch % _OCTAVE == ask.home]
    base = min(tonics, key=lambda pitch: (abs(pitch + _TOP - ask.middle), pitch), default=None)
    if base is None or len(scale) <= _TOP:
        return None
    names = names_of(scale, ask.key, ask.model)
    chords = own_chords(scale, ask.key, names)
    rung, way = 0, 1
    bars: list[Measure] = []
    for number, row in enumerate(rows):
        at, line = 0, []
        for length in row:
            line.append(Played(at, length, base + scale[rung]))
            at += length
            if rung + way > _TOP or rung + way < 0 or (rung > 1 and ask.rng.random() < 1 / 6):
                way = -way
            rung += way
        if number == len(rows) - 1 and rung > 2:
            way = -1
        bars.append(bar_of(line, agreeing(line, ask.meter, chords, ask.home), ask, names))
    ending = [Played(0, ask.meter.ticks, base)]
    home = {name: tones for name, tones in chords.items() if tones >= {ask.home, (ask.home + 7) % _OCTAVE}}
    bars.append(bar_of(ending, agreeing(ending, ask.meter, home, ask.home), ask, names))
    return ask.model._replace(bars=tuple(bars), first_bar=1)
