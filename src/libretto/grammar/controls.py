"""Controllers, pitch bend and pressure on a voice's line, point by point: ``cc7@1=100,9=80``, ``bend@5=2000,9=0``.

The compact text says the same in fewer letters. Points that lie between the slots of the bar may have a grid of their
own (``bend:768@1=96,5=160``: in slots of 1/768 of a whole note), and a value alone comes as long after the last one as
that came after the one before it (``cc11@1=90,17=85,80,75``). Every value stands there, so that no text says more
points than it has letters for.

A control is a mark here whose kind is ``=cc7``, ``=bend`` or ``=press``, until the Score is put together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import gcd

from libretto.errors import ScoreError
from libretto.grammar.lines import parse_grid
from libretto.score.marks import BEND, CONTROLLERS, PRESSURE, Mark
from libretto.score.time import WHOLE, Grid

__all__ = [
    "Point",
    "control_kind",
    "control_points",
    "control_tokens",
    "explain_control",
    "is_control",
    "length_in_slots",
    "read_controls",
    "short_control_tokens",
    "ticks_of",
    "too_far",
]

_CONTROL = re.compile(r"(cc\d{1,3}|bend|press)(?::(\d{1,6}))?@(\d[\d+/]*+=[\d+/=,-]++)\Z", re.ASCII)
_MEANT = re.compile(r"(?:cc\d++|bend|press)(?::\d*+)?@", re.ASCII)
_POINT = re.compile(r"(?:(\d{1,9})(?:\+(\d{1,8})/(\d{1,8}))?=)?(-?\d{1,5})\Z", re.ASCII)
_LOWEST, _HIGHEST_BEND, _HIGHEST = -8192, 8191, 127
_MOST_SLOTS = 999_999_999  # that a place may be written in
_FARTHEST = _MOST_SLOTS * WHOLE  # ticks from the start of a bar
_KINDS = {"bend": BEND, "press": PRESSURE}

Point = tuple[int, int, int]  # ticks from the start of a bar, kind, value


def ticks_of(slots: str, part: str | None, of: str | None, grid: Grid) -> int | None:
    """So many slots and a part of one in ticks; None where that is no whole number of them."""
    slot = grid.slot
    if part is None or of is None:
        return int(slots) * slot
    parts, whole = int(part), int(of)
    if not 0 < parts < whole or slot * parts % whole:
        return None
    return int(slots) * slot + slot * parts // whole


def length_in_slots(ticks: int, grid: Grid) -> str:
    """So many ticks as slots, with a part of one where they are no whole number of them."""
    slot = grid.slot
    slots, rest = divmod(ticks, slot)
    if not rest:
        return str(slots)
    common = gcd(rest, slot)
    return f"{slots}+{rest // common}/{slot // common}"


def control_kind(name: str) -> int | None:
    """The kind of control that a mark of that kind stands for; None where it stands for none."""
    if name[0] != "=":
        return None
    return _KINDS.get(name[1:]) or int(name.removeprefix("=cc"))


def is_control(word: str) -> bool:
    """Whether a word is meant as controls, right or wrong."""
    return _MEANT.match(word) is not None


def read_controls(word: str, grid: Grid) -> list[Mark] | None:
    """The points of a token of controls, in ticks from the start of a bar of that grid; None where it is none."""
    points = control_points(word, grid)
    if points is None:
        return None
    name = f"={_name(points[0][1])}"
    return [Mark(tick, name, str(value)) for tick, _, value in points]


def control_points(word: str, grid: Grid) -> list[Point] | None:
    """The same as ticks, kinds and values."""
    read = _CONTROL.match(word)
    if read is None:
        return None
    name, own, points = read.groups()
    kind = _KINDS.get(name) or int(name.removeprefix("cc"))
    if kind >= CONTROLLERS and name not in _KINDS:
        return None
    try:
        places = parse_grid(own) if own else grid
    except ScoreError:
        return None
    return _points(kind, points, places)


def too_far(points: Sequence[Mark] | Sequence[Point], grid: Grid) -> bool:
    """Whether controls of a bar of that grid stand further on than some would be that are counted in whole notes."""
    return max((point[0] for point in points), default=0) > _FARTHEST // grid.division


def _points(kind: int, points: str, grid: Grid) -> list[Point] | None:
    lowest, highest = (_LOWEST, _HIGHEST_BEND) if kind == BEND else (0, _HIGHEST)
    rows: list[Point] = []
    last = before = -1  # ticks of the last point, and between the last two
    for point in points.split(","):
        read = _POINT.match(point)
        if read is None:
            return None
        slots, part, of, said = read.groups()
        value = int(said)
        at = _after(last, before) if slots is None else _place(slots, part, of, grid)
        if not 0 <= at <= _FARTHEST or not lowest <= value <= highest:
            return None
        before = at - last if rows else -1
        last = at
        rows.append((at, kind, value))
    return rows


def _after(last: int, before: int) -> int:
    """As far behind the last point as that stands behind the one before it; less than 0 where it does not."""
    return last + before if before >= 0 else -1


def _place(slots: str, part: str | None, of: str | None, grid: Grid) -> int:
    """Ticks from the start of the bar, less than 0 where there is no such place."""
    ticks = ticks_of(slots, part, of, grid)
    return -1 if ticks is None else ticks - grid.slot


def control_tokens(rows: Sequence[tuple[int, int, int]], grid: Grid) -> Iterator[str]:
    """Tokens for the controls of one bar: ticks from its start, kind, value; one token a kind."""
    for name, points in _by_kind(rows):
        yield f"{name}@{','.join(f'{length_in_slots(tick + grid.slot, grid)}={value}' for tick, value in points)}"


def short_control_tokens(rows: Sequence[tuple[int, int, int]], grid: Grid) -> Iterator[str]:
    """The same in as few letters as can be."""
    for name, points in _by_kind(rows):
        ways = [f"{name}@{_short(points, grid)}"]
        own = Grid(WHOLE // gcd(WHOLE, *(tick for tick, _ in points)), False)  # the coarsest that holds all points
        if own.division != grid.division and points[-1][0] // own.slot < _MOST_SLOTS:
            ways.append(f"{name}:{own.division}@{_short(points, own)}")
        yield min(ways, key=len)


def _short(points: Sequence[tuple[int, int]], grid: Grid) -> str:
    """Points, of which those as far from the last as that from the one before are values alone."""
    said: list[str] = []
    last, before = 0, -1
    for tick, value in points:
        alone = said and tick - last == before and tick <= _FARTHEST
        said.append(str(value) if alone else f"{length_in_slots(tick + grid.slot, grid)}={value}")
        last, before = tick, tick - last if said[1:] else -1
    return ",".join(said)


def _by_kind(rows: Sequence[tuple[int, int, int]]) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """The name of each kind of control, and its points."""
    points: dict[int, list[tuple[int, int]]] = {}
    for tick, kind, value in rows:
        points.setdefault(kind, []).append((tick, value))
    for kind, places in sorted(points.items()):
        yield _name(kind), places


def _name(kind: int) -> str:
    return {BEND: "bend", PRESSURE: "press"}.get(kind, f"cc{kind}")


def explain_control(word: str) -> tuple[str, str] | None:
    """What belongs where a wrong token of controls stands, and what is wrong with it; None where none is meant."""
    if not is_control(word):
        return None
    expected = "controls such as cc7@1=100,9=80, bend@5=-200,9=0 or cc11:96@1=90,5=85,80"
    name, _, points = word.partition("@")
    kind, own, division = name.partition(":")
    if kind[:2] == "cc" and int(kind[2:6]) >= CONTROLLERS:
        return expected, f"controllers are cc0 to cc{CONTROLLERS - 1}"
    if own:
        try:
            parse_grid(division)
        except ScoreError as error:
            return expected, str(error)
    if any("=" not in point for point in points.split(",", 2)[:2]):
        return expected, "a value stands alone only behind two points that have places"
    highest = f"{_LOWEST} to {_HIGHEST_BEND}" if kind == "bend" else f"0 to {_HIGHEST}"
    return expected, f"each point is place=value; places count from 1, values are {highest}"
