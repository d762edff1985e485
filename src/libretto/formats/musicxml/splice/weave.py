"""New layers and the children of a measure that stay, woven into one measure: everything at its time.

What stays keeps its bytes and its order. It stands before the new note of its time; where no note begins, a backup and
a forward lead to it and back. Divisions that are too coarse for the new notes hold for this measure only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from libretto.errors import FormatError
from libretto.formats.musicxml.splice.layers import Event, Layer
from libretto.formats.musicxml.written import Time, number
from libretto.score import QUARTER

__all__ = ["Kept", "beside", "rest_measure", "weave"]

_SCALED = re.compile(rb"(<(?:offset|duration)(?:\s[^>]*)?>)([^<]*)(</)")
_MOST_DIVISIONS = 2**24  # finer ones are nonsense, and programs count divisions in small numbers


@dataclass
class Kept:
    """A child that stays: when it stands, its bytes and the space before it; the last bar line stands last."""

    at: Time
    raw: bytes
    space: bytes
    last: bool = False
    divides: bool = False  # it sets the divisions


Print = Callable[[Event, int], bytes]  #: the bytes of an event whose layer is the so-manieth, all but its duration


@dataclass
class _Loom:
    divisions: Time
    space: bytes
    length: Time
    out: list[bytes] = field(default_factory=list)
    at: Time = 0
    factor: int = 1
    open: bool = False

    def units(self, ticks: Time) -> str:
        value = Fraction(ticks) * Fraction(self.divisions) * self.factor / QUARTER
        if value.denominator != 1:
            raise FormatError("a note that stays lies between the divisions of its measure")
        return str(value.numerator)

    def go(self, to: Time) -> None:
        """Move to a time of the measure."""
        if to == self.at:
            return
        self.begin()
        tag, step = ("forward", to - self.at) if to > self.at else ("backup", self.at - to)
        self.say(f"<{tag}><duration>{self.units(step)}</duration></{tag}>".encode())
        self.at = to

    def begin(self) -> None:
        """Before the first note: finer divisions where they are needed."""
        if not self.open and self.factor > 1:
            self.say(_divisions(Fraction(self.divisions) * self.factor))
        self.open = True

    def say(self, raw: bytes) -> None:
        self.out.append(self.space + raw)

    def keep(self, kept: Kept) -> None:
        if kept.divides and self.open and self.factor > 1:
            raise FormatError("a measure changes its divisions midway and the new notes need finer ones")
        raw = kept.raw
        if self.open and self.factor > 1:
            raw = _SCALED.sub(self._scaled, raw)
        self.out.append(kept.space + raw)

    def _scaled(self, match: re.Match[bytes]) -> bytes:
        value = Fraction(number(match[2].decode("ascii", "replace"), "offset")) * self.factor
        text = str(value.numerator) if value.denominator == 1 else f"{float(value):.9f}".rstrip("0")
        return match[1] + text.encode() + match[3]


def _divisions(value: Time) -> bytes:
    shown = str(value) if Fraction(value).denominator == 1 else f"{float(value):g}"
    return f"<attributes><divisions>{shown}</divisions></attributes>".encode()


def weave(
    layers: Sequence[Layer], kept: Sequence[Kept], divisions: Time, length: Time, space: bytes, printed: Print
) -> bytes:
    """What stands inside a measure: its new layers with all that stays."""
    loom = _Loom(divisions, space, length)
    loom.factor = _factor(layers, kept, divisions, length)
    waiting = [child for child in kept if not child.last]
    for index, layer in enumerate(layers):
        if index:
            loom.go(0)
        _lead(loom, layer, index, waiting, printed)
    for child in waiting:
        loom.go(child.at)
        loom.keep(child)
    loom.go(max(loom.at, length))
    if loom.open and loom.factor > 1:
        loom.say(_divisions(divisions))
    for child in kept:
        if child.last:
            loom.keep(child)
    return b"".join(loom.out)


def _lead(loom: _Loom, layer: Layer, index: int, waiting: list[Kept], printed: Print) -> None:
    """One layer, and beside it the children that stay, as far as they go forward in time."""
    reached: Time = 0

    def beside(until: Time) -> None:
        nonlocal reached
        here = loom.at
        while waiting and reached <= waiting[0].at <= until:
            child = waiting.pop(0)
            reached = child.at
            loom.go(child.at)
            loom.keep(child)
        if loom.at < here:
            loom.go(here)

    for event in layer.events:
        beside(event.at)
        loom.go(event.at)
        loom.begin()
        duration = loom.units(event.length).encode()
        loom.say(printed(event, index).replace(b"\0", duration))
        loom.at = event.at + event.length
    beside(loom.length)


def _factor(layers: Sequence[Layer], kept: Sequence[Kept], divisions: Time, length: Time) -> int:
    """By how much the divisions must be multiplied to write every time."""
    times = {event.at for layer in layers for event in layer.events}
    times |= {event.length for layer in layers for event in layer.events}
    times |= {child.at for child in kept} | {length}
    factor = lcm(*(Fraction(Fraction(time) * Fraction(divisions) / QUARTER).denominator for time in times), 1)
    if factor * divisions > _MOST_DIVISIONS:
        raise FormatError("the new notes need finer divisions than a program would read")
    return factor


def beside(layers: Sequence[Layer], divisions: Time, at: Time, length: Time, space: bytes, printed: Print) -> bytes:
    """More layers for a measure whose own music has come to ``at``."""
    loom = _Loom(divisions, space, length)
    loom.factor, loom.at = _factor(layers, [Kept(at, b"", b"")], divisions, length), at
    for index, layer in enumerate(layers):
        _lead(loom, layer, index, [], printed)
    loom.go(max(loom.at, length))
    if loom.open and loom.factor > 1:
        loom.say(_divisions(divisions))
    return b"".join(loom.out)


def rest_measure(
    names: Sequence[str], staves: bool, divisions: Time, length: Time, space: bytes, opening: Sequence[bytes]
) -> bytes:
    """What stands inside a measure in which all staves rest, each in the layer of that name."""
    loom = _Loom(divisions, space, length)
    loom.factor = _factor([], [], divisions, length)
    for raw in opening:
        loom.say(raw)
    loom.begin()
    for staff, name in enumerate(names, 1):
        loom.go(0)
        shown = f"<staff>{staff}</staff>" if staves else ""
        duration = f"<duration>{loom.units(length)}</duration>"
        loom.say(f'<note><rest measure="yes"/>{duration}<voice>{name}</voice>{shown}</note>'.encode())
        loom.at = length
    if loom.factor > 1:
        loom.say(_divisions(divisions))
    return b"".join(loom.out)
