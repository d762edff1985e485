"""Studies on rhythms: the figure in every bar but the last, on a line that goes by step: only the rhythm is new."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from libretto.house.drill.meters import beats_of
from libretto.house.drill.sheet import DrillSheet, Measure
from libretto.house.drill.studies.study import Played, StudyAsk, agreeing, bar_of, names_of, own_chords, studies
from libretto.score import QUARTER

__all__ = ["cell_study", "even_study", "grouped_study"]

_OCTAVE = 12
_EIGHTH = 8  # the unit of meters that are counted in eighths
_TWELVE = 12  # parts of a quarter by which the length of a figure is read
_EARLY = 1 / 6  # how often the line turns before it must
_TOP = 5  # rungs above the tonic between which the line goes
_ROUND = 336  # ticks: a part of a quarter that its thirds, fifths and eighths are whole numbers of


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


@studies.register("grouped_bars")
def grouped_study(ask: StudyAsk, condition: Mapping[str, Any]) -> DrillSheet | None:
    """The groups of a meter in every bar but the last, each begun with a stress, whole or divided in turn."""
    groups = [round(group * QUARTER) for group in condition["groups"]]
    if str(ask.meter) not in condition["meters"] or sum(groups) != ask.meter.ticks or len(ask.concept.detector) > 1:
        return None
    pulse = min(ask.meter.pulse, QUARTER) if ask.meter.unit >= _EIGHTH else QUARTER
    starts = list(accumulate(groups[:-1], initial=0))
    rows = []
    for number in range(ask.bars - 1):
        row: list[int] = []
        for place, group in enumerate(groups):
            divided = (number + place) % 2 == 0 or group <= pulse
            row += [pulse] * (group // pulse) if divided else [group - pulse, pulse]
        rows.append(row)
    return _walked(ask, rows, starts)


def _walked(ask: StudyAsk, rows: Sequence[Sequence[int]], stressed: Sequence[int] = ()) -> DrillSheet | None:
    """Rhythms on a line that walks the first notes of the scale up and down; now and then it turns early."""
    scale = sorted((tone - ask.home) % _OCTAVE for tone in ask.key.classes)
    tonics = [pitch for pitch in range(ask.low, ask.high - _OCTAVE + 1) if pitch % _OCTAVE == ask.home]
    base = min(tonics, key=lambda pitch: (abs(pitch + _TOP - ask.middle), pitch), default=None)
    if base is None or len(scale) <= _TOP:
        return None
    names = names_of(scale, ask.key, ask.model)
    chords = own_chords(scale, ask.key, names)
    rungs = _walk(ask)
    bars: list[Measure] = []
    for row in rows:
        places = list(accumulate(row[:-1], initial=0))
        line = [Played(at, length, base + scale[next(rungs)]) for at, length in zip(places, row, strict=True)]
        bars.append(bar_of(line, agreeing(line, ask.meter, chords, ask.home), ask, names, stressed))
    ending = [Played(0, ask.meter.ticks, base)]
    home = {name: tones for name, tones in chords.items() if tones >= {ask.home, (ask.home + 7) % _OCTAVE}}
    bars.append(bar_of(ending, agreeing(ending, ask.meter, home, ask.home), ask, names))
    return ask.model._replace(bars=tuple(bars), first_bar=1)


def _walk(ask: StudyAsk) -> Iterator[int]:
    """Rungs from the tonic up and down by step, turning at the ends and now and then between."""
    rung, way = 0, 1
    while True:
        yield rung
        if not 0 <= rung + way <= _TOP or (rung > 1 and ask.rng.random() < _EARLY):
            way = -way
        rung += way
