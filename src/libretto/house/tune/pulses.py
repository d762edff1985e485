"""Rhythms as real tunes have them: bar by bar, a new one beat by beat or that of some bars before.

Conventions: a beat is twelve slots, and what it holds is a number whose bits are the slots with an onset; notes last
until the next one. Counts lie beside this file (``pulses.json``), by meter and kind of tune; what was never counted
leans on what was counted for less.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from libretto.house.core.dice import Dice, dice
from libretto.house.tune.leaning import is_pop
from libretto.house.tune.views import LAGS, kind_of
from libretto.score.time import Meter

__all__ = ["SLOTS", "Counts", "beats_of", "chances", "family", "pulses", "read_counts"]

SLOTS = 12  #: of a beat: enough for quarters and thirds of it
_DATA = "pulses.json"
#: Counts by place: what stood there, how often.
Counts = Mapping[str, Mapping[str, int]]
_CUT_TIME = Meter(2, 2)
_AS_REAL = 0.7  # the heat at which rhythms are as varied as real ones
_PERIOD = 8  # bars after which places in a tune are counted anew
_NEW = "0"  # a bar that repeats none before


@dataclass(frozen=True)
class _Place:
    """Where a beat stands: its number in the bar, what the beat before holds, and whether its bar closes a phrase."""

    beat: int
    before: int
    closing: bool

    def names(self) -> tuple[str, ...]:
        """The place as it is counted, from the roughest name to the most exact."""
        closing = "c" if self.closing else "o"
        return f"{self.beat}", f"{self.beat}{closing}", f"{self.beat}{closing}{self.before}"


@lru_cache(maxsize=1)
def read_counts() -> Mapping[str, Counts]:
    """The counts as they are shipped, by meter and kind."""
    read: Mapping[str, Counts] = json.loads(files(__package__).joinpath(_DATA).read_text(encoding="utf-8"))["counts"]
    return read


def beats_of(meter: Meter) -> tuple[int, int]:
    """How many beats a bar has, and the ticks of one; cut time is counted in four."""
    beat = meter.beat // 2 if meter == _CUT_TIME else meter.beat
    return meter.ticks // beat, beat


def family(meter: Meter, kind: str) -> tuple[str, ...]:
    """The tables that speak for a meter and a kind, the rougher first."""
    name = f"{beats_of(meter)[0]}{'c' if meter.is_compound else ''}"
    plain = "pop" if is_pop(kind) else kind_of(kind)
    return (name, f"{name}/{plain}") if plain else (name,)


def chances(tables: Sequence[Counts], names: Sequence[str]) -> dict[str, float]:
    """How likely each thing is at a place, longer names leaning on shorter ones, and kinds on all tunes."""
    shares: dict[str, float] = {}
    for name in names:
        for table in tables:
            counted = table.get(name)
            if not counted:
                continue
            total = sum(counted.values()) + len(counted)
            shares = {what: share * len(counted) / total for what, share in shares.items()}
            for what, count in counted.items():
                shares[what] = shares.get(what, 0.0) + count / total
    return shares


def pulses(
    bars: int, meter: Meter, seed: int, *, kind: str = "", phrase: int = 4, heat: float = 0.7
) -> list[tuple[int, int]]:
    """Onsets and lengths, in ticks, of a tune of so many bars in phrases of so many, the same for the same seed."""
    counted = read_counts()
    tables = [counted[name] for name in family(meter, kind) if name in counted]
    beats, beat = beats_of(meter)
    chance = dice(seed, "pulses")
    told: list[tuple[int, ...]] = []
    for bar in range(bars):
        closing = bar % phrase == phrase - 1 or bar == bars - 1
        copied = int(_draw(chances(tables, _copies(bar, closing)), chance, heat) or _NEW)
        if copied in LAGS and copied <= bar:
            told.append(told[bar - copied])
            continue
        cells: list[int] = []
        for number in range(beats):
            place = _Place(number, cells[-1] if cells else 0, closing)
            cells.append(int(_draw(chances(tables, place.names()), chance, heat) or "1"))
        told.append(tuple(cells))
    return _notes([cell for cells in told for cell in cells], beat)


def _copies(bar: int, closing: bool) -> tuple[str, str]:
    """The names under which it is counted how many bars back a rhythm comes from."""
    return "bars", f"bar{bar % _PERIOD}{'c' if closing else 'o'}"


def _draw(shares: Mapping[str, float], chance: Dice, heat: float) -> str:
    """One of several things; "" where there is nothing to go by."""
    if not shares:
        return ""
    ordered = sorted(shares)
    return chance.choices(ordered, [round(shares[what] ** (_AS_REAL / heat), 9) for what in ordered])[0]


def _notes(cells: Sequence[int], beat: int) -> list[tuple[int, int]]:
    """Beats as onsets and lengths; a tune begins with a note."""
    onsets = [
        number * beat + slot * beat // SLOTS
        for number, cell in enumerate(cells)
        for slot in range(SLOTS)
        if cell >> slot & 1
    ]
    onsets = onsets if onsets and not onsets[0] else [0, *onsets]
    ends = [*onsets[1:], len(cells) * beat]
    return [(onset, end - onset) for onset, end in zip(onsets, ends, strict=True)]
