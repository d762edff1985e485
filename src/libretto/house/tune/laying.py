"""A template laid out over the bars of a room: every note to come as a slot that knows what it returns to.

A room of fewer bars takes the opening of the template and its close; a room of more says the template again, its first
half as it was and its second anew, with a contrast in between where there is time for one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from libretto.house.tune.making import Event, Making, Relation
from libretto.house.tune.themes import metrical_weight
from libretto.score.chords import Chord
from libretto.score.time import Meter

__all__ = ["Row", "Slot", "lay_out", "rows_of"]

_CLOSE = 2  # bars of a close
_PHRASE = 4
_ENOUGH_FOR_CONTRAST = 3  # statements of a template from which on one of them is a contrast
_LONG = 1.5  # beats
_BEAT_WEIGHT = 0.6


class Row(NamedTuple):
    """A bar of the room: which bar of the template it has, and which earlier bar of the room it returns to, if any."""

    bar: int
    returns: int = -1
    contrast: bool = False
    anew: int = -1  # from which bar of the room on a statement goes its own way, -1 where it does not


@dataclass(frozen=True)
class Slot:
    """A note to come: ``source`` is the slot it returns to (-1 for none), ``how`` and ``shift`` in what way.

    ``group`` numbers the stretches that move as one; ``close`` says that a phrase ends there: half, full or last.
    ``origin`` is where it starts in the template, ``chord`` what sounded with it once it was sung, ``unlike`` the slot
    whose note it should not say again.
    """

    start: int
    length: int
    bar: int
    pitch: int
    accent: int = 0
    step: float | None = None
    move: int | None = None
    lean: bool = False
    breath: bool = False
    source: int = -1
    how: str = ""
    shift: int = 0
    group: int = -1
    close: str = ""
    contrast: bool = False
    chord: Chord | None = None
    origin: int = 0
    unlike: int = -1


def rows_of(template: int, bars: int, ends: frozenset[int], share: float = 0.5) -> list[Row]:
    """Which bar of a template of so many bars stands in each bar of a room; of what returns a share is as it was."""
    if bars <= template:
        return [Row(bar) for bar in _cut(template, bars, ends)]
    rows = [Row(bar) for bar in range(template)]
    whole = -(-bars // template)
    statement = 1
    while len(rows) < bars:
        left = bars - len(rows)
        if left < min(_PHRASE, template):
            return _extended(rows, left)
        contrast = whole >= _ENOUGH_FOR_CONTRAST and statement == whole - 2
        block = _cut(template, min(template, left), ends)
        if contrast:
            turned = block[len(block) // 2 :] + block[: len(block) // 2]
            rows += [Row(bar, contrast=True) for bar in turned]
        else:
            same = int(len(block) * share)
            own = len(rows) + same
            rows += [Row(bar, bar) for bar in block[:same]] + [Row(bar, anew=own) for bar in block[same:]]
        statement += 1
    return rows


def _cut(template: int, bars: int, ends: frozenset[int]) -> list[int]:
    """So many bars of a template: its opening, and its close unless a phrase ends there anyway."""
    if bars >= template or (bars >= _PHRASE and bars - 1 in ends):
        return list(range(min(bars, template)))
    close = min(_CLOSE, bars // 2)
    return [*range(bars - close), *range(template - close, template)]


def _extended(rows: list[Row], left: int) -> list[Row]:
    """A few bars more before the close: what stands there is said again."""
    at = max(1, len(rows) - _CLOSE)
    for place in range(left):
        before = at + place - min(left, at)
        rows.insert(at + place, Row(rows[before].bar, before))
    return rows


def lay_out(
    making: Making,
    bars: Sequence[tuple[Event, ...]],
    rows: Sequence[Row],
    *,
    pickup: bool,
    last: bool,
    later: Sequence[tuple[Event, ...]] = (),
) -> list[Slot]:
    """The slots of a room: the events of its rows in time, with what each returns to and where phrases end.

    ``later`` are the bars of a statement that goes its own way, where they differ.
    """
    meter = making.theme.meter
    slots: list[Slot] = []
    if pickup:
        slots += [_slot(event, -1, meter) for event in bars[0]]
    for place, row in enumerate(rows):
        if place and row.bar == 0:
            slots = _with_pickup(slots, bars[0], place, meter)
        slots += [
            replace(_slot(event, place, meter), contrast=row.contrast, origin=row.bar * meter.ticks + event.offset)
            for event in (later if later and row.anew >= 0 else bars)[row.bar + 1]
        ]
    slots = _trimmed(_closed(slots, making, rows, last, meter), len(rows) * meter.ticks)
    return _grouped(_anew(_related(slots, making, rows, meter)))


def _slot(event: Event, bar: int, meter: Meter) -> Slot:
    start = bar * meter.ticks + event.offset
    return Slot(
        start, event.length, bar, event.pitch, event.accent, event.step, event.move, event.lean, event.breath,
        origin=event.offset - meter.ticks if bar < 0 else start,
    )  # fmt: skip


def _with_pickup(slots: list[Slot], pickup: Sequence[Event], bar: int, meter: Meter) -> list[Slot]:
    """The pickup before a new statement, where the bar before has room for it after its last note."""
    if not pickup or not slots:
        return slots
    start = (bar - 1) * meter.ticks + pickup[0].offset
    last = slots[-1]
    if last.start + meter.beat > start:
        return slots
    kept = min(last.length, start - last.start)
    return [*slots[:-1], replace(last, length=kept), *(_slot(event, bar - 1, meter) for event in pickup)]


def _trimmed(slots: Sequence[Slot], end: int) -> list[Slot]:
    """Every note ends before the next begins, and before the end."""
    stops = [slot.start for slot in slots[1:]] + [end]
    return [
        replace(slot, length=min(slot.length, stop - slot.start))
        for slot, stop in zip(slots, stops, strict=True)
        if stop > slot.start
    ]


def _closed(slots: Sequence[Slot], making: Making, rows: Sequence[Row], last: bool, meter: Meter) -> list[Slot]:
    """The slots with the close of every phrase marked; the very last is held to the end where the piece ends."""
    result = list(slots)
    if last:
        result = _settled(result, len(rows), meter)
    for place, row in enumerate(rows):
        final = place == len(rows) - 1
        if not final and row.bar not in making.ends:
            continue
        index = _closing(result, place, meter)
        if index is not None:
            kind = "full" if final or (place + 1) % (2 * _PHRASE) == 0 else "half"
            result[index] = replace(result[index], close="last" if final and last else kind, lean=False)
            if final and _rests(result, index, meter):
                result = result[: index + 1]  # what would lead on is the next tune's to say
    return result


def _settled(slots: list[Slot], bars: int, meter: Meter) -> list[Slot]:
    """The last bar comes to rest: one of its notes before the middle is held to the end."""
    start, end = (bars - 1) * meter.ticks, bars * meter.ticks
    kept = [slot for slot in slots if slot.start <= start + meter.ticks // 2]
    if kept and kept[-1].start >= start:
        return [*kept[:-1], replace(kept[-1], length=end - kept[-1].start)]
    pitch = kept[-1].pitch if kept else 0
    return [*kept, Slot(start, meter.ticks, bars - 1, pitch)]


def _closing(slots: Sequence[Slot], bar: int, meter: Meter) -> int | None:
    """Which slot of a bar ends the phrase: the last that is long or has a rest after it, else the last on a beat."""
    mine = [index for index, slot in enumerate(slots) if slot.bar == bar]
    if not mine:
        return None
    resting = [index for index in mine if _rests(slots, index, meter)]
    on_beat = [index for index in mine if metrical_weight(slots[index].start, meter) >= _BEAT_WEIGHT]
    return (resting or on_beat or mine)[-1]


def _rests(slots: Sequence[Slot], index: int, meter: Meter) -> bool:
    """Whether a note is long or has a rest after it."""
    slot = slots[index]
    if index + 1 == len(slots) or slot.length >= _LONG * meter.beat:
        return True
    return slots[index + 1].start - slot.start - slot.length >= meter.beat // 2


def _related(slots: Sequence[Slot], making: Making, rows: Sequence[Row], meter: Meter) -> list[Slot]:
    """The slots with what they return to: the same place in the bar that theirs is made after."""
    places = {(slot.bar, slot.start - slot.bar * meter.ticks): index for index, slot in enumerate(slots)}
    result = list(slots)
    owed = [_owed(making, rows, place) for place in range(len(rows))]
    for index, slot in enumerate(slots):
        within = slot.start - slot.bar * meter.ticks
        relation = owed[slot.bar] if slot.bar >= 0 else None
        following = owed[slot.bar + 1] if slot.bar + 1 < len(rows) else None
        if following and meter.ticks - within <= following.lead:
            relation, bar = following, following.of - 1
        elif relation and (
            not relation.agree or within in relation.agree or within not in _offsets(making, rows[slot.bar])
        ):
            bar = relation.of
        else:
            continue
        source = places.get((bar, within), -1)
        if 0 <= source < index and relation.how != "rhythm":
            result[index] = replace(slot, source=source, how=relation.how, shift=relation.shift)
    return result


def _offsets(making: Making, row: Row) -> frozenset[int]:
    """The places of a bar that its template has notes on; on others there was nothing to agree about."""
    return frozenset(event.offset for event in making.bar(row.bar))


def _owed(making: Making, rows: Sequence[Row], place: int) -> Relation | None:
    """What a bar of the room owes to an earlier bar of it."""
    row = rows[place]
    if row.returns >= 0:
        lead = meter.ticks // 2 if (meter := making.theme.meter) and row.bar == 0 else 0
        return Relation(row.returns, "exact", 0, frozenset(), lead)
    relation = making.relations[row.bar]
    if relation is None:
        return None
    before = [earlier for earlier in range(max(0, row.anew), place) if rows[earlier].bar == relation.of]
    if not before:
        return None
    return Relation(before[-1], relation.how, relation.shift, relation.agree, relation.lead)


def _anew(slots: Sequence[Slot]) -> list[Slot]:
    """The slots that say a place of the template again without returning to it marked: they say it otherwise."""
    first: dict[int, int] = {}
    result = list(slots)
    for index, slot in enumerate(slots):
        before = first.setdefault(slot.origin, index)
        if before < index and slot.source < 0 and not slot.close:
            result[index] = replace(slot, unlike=before)
    return result


def _grouped(slots: Sequence[Slot]) -> list[Slot]:
    """The slots with stretches numbered that return to a stretch of the same distance in the same way."""
    result: list[Slot] = []
    group, before = -1, None
    for index, slot in enumerate(slots):
        now = (index - slot.source, slot.how, slot.shift) if slot.source >= 0 else None
        if now and now != before:
            group += 1
        before = now
        result.append(replace(slot, group=group if now else -1))
    return result
