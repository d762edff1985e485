"""Tempos, meters, keys, sections and the title: only the meta events of what differs are touched.

An event that says again what holds already is left alone as long as the same holds in the edited piece. Where the
piece says another value, an event at that place takes it; where it says nothing any more, the event goes.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from libretto.errors import FormatError
from libretto.formats.midi.bytes import KEY, MARKER, METER, NOTE_ON, SEQUENCE_NAME, TEMPO, meta_event
from libretto.formats.midi.events import Event
from libretto.formats.midi.source import ticks_on_clock
from libretto.formats.midi.splicing.plan import BEFORE, Place, Plan, with_data
from libretto.score.keys import Key
from libretto.score.model import Score, in_force
from libretto.score.time import Meter

__all__ = ["change_metas", "rename"]

T = TypeVar("T")
_CLICK = bytes((24, 8))  # clocks a click, and 32nds a quarter: what every file says of its metronome
_MOST_SHARPS, _CIRCLE = 7, 12  # or flats, of a key signature; after how many fifths a key comes back


class _Kind(NamedTuple):
    """A kind of change: its meta event, how long that is at least, its name in a Score, and how it is written."""

    meta: int
    length: int
    name: str
    data: Callable[[Any, bytes], bytes]


def _tempo(micros: int, old: bytes) -> bytes:
    return micros.to_bytes(3, "big")


def _meter(meter: Meter, old: bytes) -> bytes:
    return bytes((meter.beats, meter.unit.bit_length() - 1)) + (old[2:] or _CLICK)


def _key(key: Key, old: bytes) -> bytes:
    return struct.pack(">bB", max(-_MOST_SHARPS, min(_MOST_SHARPS, key.signature)), key.is_minor)


_KINDS = (
    _Kind(TEMPO, 3, "tempos", _tempo),
    _Kind(METER, 2, "meters", _meter),
    _Kind(KEY, 2, "keys", _key),
)


def change_metas(plan: Plan, before: Score, after: Score, *, transposed: bool = False) -> None:
    """Whatever differs in tempos, meters, keys, sections and title.

    A key that nobody wrote into the file but that was heard is not written where everything was ``transposed``.
    """
    metas = [(track, index, event) for track, index, event in plan.events() if event.meta >= 0]
    for kind in _KINDS:
        places = [place for place in metas if place[2].meta == kind.meta and len(place[2].data) >= kind.length]
        if _later(plan, getattr(before, kind.name)) == getattr(after, kind.name):
            continue  # also where a reader heard otherwise than the file says
        if kind.meta == KEY and transposed:
            _transpose_keys(plan, places, before, after)
        else:
            _change(plan, kind, places, before, after)
    _sections(plan, [place for place in metas if place[2].meta == MARKER], before, after)
    if before.title != after.title:
        _title(plan, after.title)


def _later(plan: Plan, changes: Sequence[tuple[int, T]]) -> tuple[tuple[int, T], ...]:
    """Changes at their new time; what holds from the beginning goes on doing so."""
    cut, more = plan.clock.cut, plan.clock.more
    return tuple((tick + more * (tick >= cut and tick > 0), value) for tick, value in changes)


def _transpose_keys(plan: Plan, places: list[tuple[int, int, Event]], before: Score, after: Score) -> None:
    """Key signatures as far along the fifths as the keys of the piece, also those that the notes do not bear out."""
    for track, index, event in places:
        tick = ticks_on_clock(event.tick, plan.clock.division)
        by = in_force(after.keys, tick).signature - in_force(before.keys, tick).signature
        sharps = int.from_bytes(event.data[:1], "big", signed=True) + by
        if abs(sharps) > _MOST_SHARPS:
            sharps -= _CIRCLE if sharps > 0 else -_CIRCLE
        if abs(sharps) <= _MOST_SHARPS:  # what is no signature stays as it is
            plan.changed[track, index] = with_data(event, struct.pack(">b", sharps) + event.data[1:])


def _change(plan: Plan, kind: _Kind, places: list[tuple[int, int, Event]], before: Score, after: Score) -> None:
    old, new = getattr(before, kind.name), getattr(after, kind.name)
    division, explicit = plan.clock.division, {tick for tick, _ in old}
    wanted = dict(new)
    stated: dict[int, Any] = {}
    for track, index, event in sorted(places, key=lambda place: (place[2].tick, place[0])):
        was, now = ticks_on_clock(event.tick, division), ticks_on_clock(plan.tick(track, index), division)
        if was >= before.ticks:
            continue  # behind the music; no Score says anything of it
        value = in_force(new, now)
        if in_force(old, was) != value:
            if was in explicit and now not in wanted:
                plan.gone.add((track, index))
                continue
            plan.changed[track, index] = with_data(event, kind.data(value, event.data))
        stated[now] = value
    track = min((place[0] for place in places), default=0)
    for tick, value in new:
        if _held(stated, tick, value, kind, old) == value:
            continue
        stated[tick] = value
        plan.add(track, plan.clock.file_tick(tick), meta_event(kind.meta, kind.data(value, b"")), BEFORE)


def _held(stated: dict[int, T], tick: int, value: T, kind: _Kind, old: Sequence[tuple[int, T]]) -> T | None:
    """What a reader takes to hold at a tick, going by what is stated; None where it would hear or guess it."""
    ticks = sorted(stated)
    place = bisect_right(ticks, tick) - 1
    if place >= 0:
        return stated[ticks[place]]
    if kind.meta == KEY and ticks:
        return stated[ticks[0]]  # the first key holds from the beginning
    return old[0][1]  # as it was read without being stated


def _sections(plan: Plan, markers: list[tuple[int, int, Event]], before: Score, after: Score) -> None:
    """Markers go with the section that they name."""
    old, new = dict(before.sections), dict(after.sections)
    lines = np.array(before.bar_lines)
    middles = (lines[:-2] + lines[1:-1]) / 2
    start, end = plan.clock.gap
    kept = set()
    for track, index, event in markers:
        tick = ticks_on_clock(event.tick, plan.clock.division)
        line = int(lines[np.searchsorted(middles, tick)])
        if tick >= before.ticks or line not in old:
            continue
        late = line >= plan.clock.cut
        if late and plan.clock.more:
            plan.moved[track, index] = event.tick + end - start
        now = line + plan.clock.more * late
        if now not in new:
            plan.gone.add((track, index))
        elif new[now] != old[line]:
            plan.changed[track, index] = with_data(event, new[now].encode())
        kept.add(now)
    track = min((place[0] for place in markers), default=0)
    for tick, name in after.sections:
        if tick not in kept:
            plan.add(track, plan.clock.file_tick(tick), meta_event(MARKER, name.encode()), BEFORE)


def _title(plan: Plan, title: str) -> None:
    """The name of the first track, which is the title where that track plays nothing."""
    if any(event.kind == NOTE_ON for event in plan.file.tracks[0].events):
        raise FormatError("the first track of the file plays, so that its name is not the title")
    rename(plan, 0, title)


def rename(plan: Plan, track: int, name: str) -> None:
    """Another name for a track."""
    places: list[Place] = [
        (track, index) for index, event in enumerate(plan.file.tracks[track].events) if event.meta == SEQUENCE_NAME
    ]
    for place in places:
        plan.changed[place] = with_data(plan.file.tracks[track].events[place[1]], name.encode())
    if not places:
        plan.add(track, 0, meta_event(SEQUENCE_NAME, name.encode()), BEFORE)
