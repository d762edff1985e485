"""What the challenge of a theory entry asks, as data: bars, meter, intervals heard, and how it closes.

It stands in an entry's head as ``[challenge]`` and says what can be counted of the section ``## Challenge``; the rest
of that section is for the detector. Degrees are semitones above the tonic, so that a challenge holds in every key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from libretto.errors import LibrettoError

__all__ = ["Challenge", "HeardInterval", "read_challenge"]

_FIELDS = ("approach", "bars", "close", "intervals", "meter")
_MOST_BARS, _MOST_TIMES, _WIDEST, _DEGREES = 64, 64, 24, 12


@dataclass(frozen=True)
class HeardInterval:
    """A step from note to note that must be heard so often: of so many semitones, or between two degrees."""

    times: int
    semitones: int = 0
    between: tuple[int, int] | None = None


@dataclass(frozen=True)
class Challenge:
    """What can be counted; what is empty is not asked. ``most`` of 0 bars is no limit."""

    least: int = 0
    most: int = 0
    meter: str = ""
    intervals: tuple[HeardInterval, ...] = ()
    close: tuple[int, ...] = ()
    approach: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return self != Challenge()


def read_challenge(data: Mapping[str, Any], where: str) -> Challenge:
    """The challenge of an entry's head; anything else there is an error that names the entry.

    >>> read_challenge({"bars": [4, 8], "close": [0]}, "theory/x").most
    8
    """
    unknown = sorted(set(data) - set(_FIELDS))
    if unknown:
        raise LibrettoError(f"{where}: {unknown[0]!r} is no field of a challenge; there are {', '.join(_FIELDS)}")
    bars = _numbers(data.get("bars", [0, 0]), where, "bars", _MOST_BARS)
    if len(bars) != 2 or (bars[1] and bars[1] < bars[0]):
        raise LibrettoError(f"{where}: bars of a challenge are two numbers, the fewest and the most (0: no limit)")
    if not isinstance(data.get("meter", ""), str) or not isinstance(data.get("intervals", []), list):
        raise LibrettoError(f"{where}: meter of a challenge is text such as '7/8', intervals are tables")
    return Challenge(
        *bars,
        meter=data.get("meter", ""),
        intervals=tuple(_interval(table, where) for table in data.get("intervals", [])),
        close=_numbers(data.get("close", []), where, "close", _DEGREES - 1),
        approach=_numbers(data.get("approach", []), where, "approach", _DEGREES - 1),
    )


def _interval(table: object, where: str) -> HeardInterval:
    if not isinstance(table, dict) or set(table) not in ({"times", "semitones"}, {"times", "between"}):
        raise LibrettoError(f"{where}: an interval of a challenge has times, and semitones or between")
    times, size = _numbers([table["times"], table.get("semitones", 0)], where, "intervals", _MOST_TIMES)
    between = _numbers(table.get("between", [0, 0]), where, "between", _DEGREES - 1)
    if len(between) != 2 or times < 1 or size > _WIDEST:
        raise LibrettoError(f"{where}: an interval is heard once or more, and lies between two degrees")
    return HeardInterval(times, size, (between[0], between[1]) if "between" in table else None)


def _numbers(values: object, where: str, name: str, most: int) -> tuple[int, ...]:
    """Whole numbers from 0 to the most."""
    if not isinstance(values, list) or not all(type(value) is int and 0 <= value <= most for value in values):
        raise LibrettoError(f"{where}: {name} of a challenge are whole numbers from 0 to {most}")
    return tuple(values)
