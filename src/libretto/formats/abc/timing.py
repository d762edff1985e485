"""Bars of an ABC tune that do not fill the meter, voice by voice: a Score has one length a bar and cannot tell.

A language model's tunes go wrong here: one voice has a beat more than the meter, or fewer bars than the others, and
what follows no longer lies under what it was written for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from libretto.formats.abc.measure import Measure, ticks_of
from libretto.formats.abc.read import first_tune
from libretto.formats.abc.repeats import visits
from libretto.formats.abc.text import text_of
from libretto.score.timing import OddBar, excused_bars

__all__ = ["TuneTiming", "tune_timing"]


@dataclass(frozen=True, slots=True)
class TuneTiming:
    """Bars that do not fill the meter, bars whose voices are not equally long, and voices with too few bars."""

    bars: tuple[OddBar, ...] = ()
    unaligned: tuple[int, ...] = ()
    short: tuple[tuple[str, int, int], ...] = ()

    @property
    def faults(self) -> int:
        """How many there are in all."""
        return len(self.bars) + len(self.unaligned) + len(self.short)

    @property
    def lines(self) -> tuple[str, ...]:
        """Every fault for a person, with its bar."""
        aligned = [f"bar {bar}: the voices are not equally long" for bar in self.unaligned]
        fewer = [f"{name} has {has} bars and the longest voice {most}" for name, has, most in self.short]
        return (*(odd.text for odd in self.bars), *aligned, *fewer)


def tune_timing(data: bytes) -> TuneTiming:
    """What is wrong with the bars of an ABC file's first tune; nothing where it has no meter."""
    tune = first_tune(text_of(data))
    voices = [
        (voice.name or f"voice {number}", voice.measures)
        for number, voice in enumerate(tune.voices.values(), start=1)
        if any(measure.length for measure in voice.measures)
    ]
    if tune.setting.meter is None or not voices:
        return TuneTiming()
    lengths = [[ticks_of(measure.length) for measure in measures] for _, measures in voices]
    pickup = lengths[0][0] < voices[0][1][0].meter.ticks and len(lengths[0]) > 1
    first = (0 if pickup else 1) if tune.first_bar is None else tune.first_bar
    odd: dict[tuple[int, int, int, int], list[str]] = {}
    for (name, measures), mine in zip(voices, lengths, strict=True):
        for place in _odd(measures, mine):
            meter = measures[place].meter
            odd.setdefault((place + first, mine[place], meter.ticks, meter.unit), []).append(name)
    most = max(map(len, lengths))
    unaligned = tuple(
        place + first for place in range(most) if len({mine[place] for mine in lengths if place < len(mine)}) > 1
    )
    short = tuple((name, len(m), most) for (name, _), m in zip(voices, lengths, strict=True) if len(m) < most)
    names = [name for name, _ in voices]
    bars = tuple(OddBar(*what, () if who == names else tuple(who)) for what, who in sorted(odd.items()))
    return TuneTiming(bars, unaligned, short)


def _odd(measures: Sequence[Measure], lengths: Sequence[int]) -> list[int]:
    """The measures of a voice that do not fill their meter without an excuse."""
    wanted = [measure.meter.ticks for measure in measures]
    order = [visit.measure for visit in visits(measures)]
    fine = excused_bars([lengths[index] for index in order], [wanted[index] for index in order])
    spared = {order[place] for place in fine}
    return [index for index in range(len(measures)) if lengths[index] != wanted[index] and index not in spared]
