"""Plans of long pieces: which sections one has, how long they are, and how each is played."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

__all__ = ["Blueprint", "Slot", "blueprint_of", "fitted"]

_SEMITONES = re.compile(r"[+-]\d+")
_MORE = ("A", "B", "C", "S")  # what may be longer than it is written
_BRIEF = frozenset(("beat", "enter", "leave", "bare", "hush"))  # how nothing is played for long
_LEAD_IN, _LIFTED = "open", "lift"
_SEVERAL = 3
_TWICE = 2  # how much longer than written a section may be, round by round


class Slot(NamedTuple):
    """A section of a plan: what it plays, how many bars, from which rank on it is there, and how it is played."""

    role: str
    bars: int
    rank: int
    how: frozenset[str]

    def semitones(self, lift: int) -> int:
        """How far from home its key is, where a ``lift`` goes up by so much."""
        return next((int(word) for word in self.how if _SEMITONES.fullmatch(word)), lift * (_LIFTED in self.how))


@cache
def _read() -> Mapping[str, Mapping[str, Sequence[object]]]:
    """All plans by name, as they are written."""
    plans: Mapping[str, Mapping[str, Sequence[object]]] = tomllib.loads(
        (files(__package__) / "blueprints.toml").read_text("utf-8")
    )
    return plans


class Blueprint(NamedTuple):
    """A plan: its sections, and those that grow first where there is room."""

    slots: tuple[Slot, ...]
    grows: str

    @property
    def improvises(self) -> bool:
        """Whether most of a long piece is solos."""
        return sum(slot.role == "S" for slot in self.slots) >= _SEVERAL


def blueprint_of(names: Sequence[str], genre: str) -> Blueprint:
    """The plan of a style by its names, the nearest first; else that of its genre, else the first of all."""
    plans = _read()
    by_style = (plan for name in names for plan in plans.values() if name in plan.get("styles", ()))
    by_genre = (plan for plan in plans.values() if genre in plan.get("genres", ()))
    plan = next(by_style, None) or next(by_genre, None) or next(iter(plans.values()))
    return Blueprint(tuple(_slot(row) for row in plan["slots"]), "".join(map(str, plan.get("grows", ()))))


def _slot(row: object) -> Slot:
    """One row of a plan."""
    role, bars, rank, *how = row if isinstance(row, list) else []
    return Slot(str(role), int(bars), int(rank), frozenset(map(str, how)))


def fitted(plan: Blueprint, bars: int, close: int, lacking: Collection[str]) -> tuple[Slot, ...]:
    """A plan over exactly so many bars, the last ``close`` of them its end, without sections that a chart is
    ``lacking``: what has the lowest rank is there first, then sections become longer, and what is left is a lead-in."""
    slots = plan.slots
    able = [slot._replace(bars=close) if slot.role == "Z" else slot for slot in slots if slot.role not in lacking]
    sizes = [0 if slot.rank else slot.bars for slot in able]
    left = bars - sum(sizes)
    order = sorted(range(len(able)), key=lambda place: able[place].rank)
    for place in order:
        if not sizes[place] and able[place].bars <= left:
            sizes[place] = able[place].bars
            left -= sizes[place]
    order.sort(key=lambda place: able[place].role not in plan.grows)
    left = _grown(able, sizes, order, left)
    made = [slot._replace(bars=size) for slot, size in zip(able, sizes, strict=True) if size > 0]
    return _led_in(made, left, opens=_LEAD_IN not in lacking)


def _grown(slots: Sequence[Slot], sizes: list[int], order: Sequence[int], left: int) -> int:
    """Sections made longer by what they are long, one after the other and round after round; how many bars are left."""
    for turn in range(_TWICE, left + _TWICE):
        before = left
        for place in order:
            own = slots[place].bars
            steady = slots[place].role in _MORE and not slots[place].how & _BRIEF
            if steady and sizes[place] and own <= left and sizes[place] < turn * own:
                sizes[place] += own
                left -= own
        if left == before:
            break
    return left


def _led_in(slots: list[Slot], left: int, *, opens: bool) -> tuple[Slot, ...]:
    """The sections with what is left before them, or in the middle where nothing may stand before the first; what is
    too much is taken from the longest."""
    if left > 0 and not opens:
        place = len(slots) // 2
        slots[place] = slots[place]._replace(bars=slots[place].bars + left)
    elif left > 0 and slots[0].role == _LEAD_IN:
        slots[0] = slots[0]._replace(bars=slots[0].bars + left)
    elif left > 0:
        slots.insert(0, Slot(_LEAD_IN, left, 0, frozenset()))
    while left < 0:
        size = max(slot.bars for slot in slots[:-1])
        place = next(at for at, slot in enumerate(slots) if slot.bars == size)
        gone = min(-left, size - 1)
        slots[place] = slots[place]._replace(bars=size - gone)
        left += gone
    return tuple(slots)
