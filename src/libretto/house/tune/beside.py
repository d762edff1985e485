"""Lines beside a tune: replies in its rests and long notes, and a counter-line that moves where it holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from libretto.house.core.dice import dice
from libretto.house.tune.laying import Slot
from libretto.house.tune.making import scale_steps
from libretto.house.tune.moves import Taste
from libretto.house.tune.room import Grown, Room
from libretto.house.tune.singing import sung
from libretto.house.tune.themes import TuneNote, metrical_weight
from libretto.score.table import Floats

__all__ = ["answer", "counter"]

_LONG = 2.0  # beats; so long a note leaves time for a reply after its first beat
_ROOM = 1.0  # beats; less is no time to reply
_REPLIES = 0.9  # of the places with time for one get one
_MOTIF = (3, 6)  # notes of a motif
_HEAD = 2  # bars in which the motif is looked for
_LONGEST_END = 2.0  # beats; the last note of a reply is no longer
_MOVING = 2  # onsets in half a bar from which on a tune moves; with more its other line is held over the middle
_HELD = 1  # marks a slot that may be held over the middle of a bar
_AGAINST = {0: 0.7, 1: 2.6, 2: 1.6, 3: 0.0, 4: 0.0, 5: 0.7, 6: 1.6, 7: 0.35, 8: 0.0, 9: 0.0, 10: 1.2, 11: 2.2}
_CLOSE_BY = 3  # semitones; nearer than this two lines are one
_TOO_CLOSE = 1.5
_RESTS = 0.2  # of the stretches in which a counter-line is silent at the start of a phrase
_PHRASE = 4  # bars
_STRONG = 0.6


def answer(grown: Grown, room: Room, seed: int) -> Grown:
    """Short replies by another instrument in the rests and long notes of a tune, from its own motif."""
    motif = _motif(grown.notes, room)
    slots: list[Slot] = []
    source = dice(seed, "answer")
    for start, stop in _openings(grown.notes, room):
        if source.random() < _REPLIES:
            slots += _reply(motif, start, stop, room)
    taste = Taste(room.leap, contour=1.4, recites=0.0)
    beside = _against(slots, grown.notes, room)
    return sung(slots, room, f"{seed}/answer", taste, crowned=False, extra=beside)


def _openings(notes: Sequence[TuneNote], room: Room) -> list[tuple[int, int]]:
    """From when to when a tune rests or holds a note long enough for a reply."""
    beat = room.meter.beat
    edges = [*notes, TuneNote(room.ticks, 1, 0)]
    openings = []
    for note, after in pairwise(edges):
        start = note.start + beat if note.length >= _LONG * beat else note.end
        start = -(-start // (beat // 2)) * (beat // 2)
        if after.start - start >= _ROOM * beat and start >= 0:
            openings.append((start, after.start))
    return openings


def _motif(notes: Sequence[TuneNote], room: Room) -> list[TuneNote]:
    """A few notes of the head of a tune that go together and do not take long."""
    head = [note for note in notes if note.start < _HEAD * room.meter.ticks] or list(notes)
    least, most = _MOTIF
    spans = [
        (head[stop - 1].start - head[start].start - room.meter.beat // 2 * (stop - start), start, stop)
        for start in range(len(head))
        for stop in range(start + least, min(len(head), start + most) + 1)
    ]
    if not spans:
        return head
    _, start, stop = min(spans)
    return head[start:stop]


def _reply(motif: Sequence[TuneNote], start: int, stop: int, room: Room) -> list[Slot]:
    """The slots of one reply: the motif's rhythm as far as there is time, else a few even notes; the last is longer."""
    if not motif:
        return []
    beat, first = room.meter.beat, motif[0].start
    phase = first % beat  # a motif that begins off the beat does so again
    late = (phase - start) % beat
    at = start + late if start + late + beat < stop else start
    notes = [
        replace(note, start=note.start - first + at) for note in motif if note.start - first + at + beat // 2 < stop
    ]
    if len(notes) < _MOTIF[0]:
        notes = _even(motif, start, stop, room)
    slots: list[Slot] = []
    for index, note in enumerate(notes):
        before = notes[index - 1] if index else None
        last = index == len(notes) - 1
        longest = min(stop - note.start, int(_LONGEST_END * beat))
        length = max(min(note.length, longest), min(beat, longest))
        if not last:
            length = min(note.length, notes[index + 1].start - note.start)
        step = scale_steps(note.pitch, room.key) - scale_steps(before.pitch, room.key) if before else None
        bar, close = note.start // room.meter.ticks, "half" if last else ""
        slots.append(Slot(note.start, length, bar, note.pitch, step=step, breath=before is None, close=close))
    return slots if len(slots) > 1 else []


def _even(motif: Sequence[TuneNote], start: int, stop: int, room: Room) -> list[TuneNote]:
    """The first notes of a motif in even small values, as many as there is time for."""
    small = room.meter.beat // (3 if room.meter.is_compound else 2)
    count = min(len(motif), max(0, (stop - start) // small), _MOTIF[0] + 1)
    return [replace(motif[place], start=start + place * small, length=small) for place in range(count)]


def counter(grown: Grown, room: Room, seed: int) -> Grown:
    """A second line: it holds where the tune moves, moves where it holds, the other way, in thirds and sixths."""
    slots = _counter_slots(grown.notes, room, seed)
    if not slots:
        return Grown((), (), room.key, room.bars)
    taste = Taste(room.leap / 2, contour=0.9, recites=0.0)
    return sung(slots, room, f"{seed}/counter", taste, crowned=False, extra=_against(slots, grown.notes, room))


def _counter_slots(notes: Sequence[TuneNote], room: Room, seed: int) -> list[Slot]:
    """Where the notes of a counter-line stand, half a bar at a time."""
    meter = room.meter
    beats = meter.ticks // meter.beat
    half = meter.beat * (beats // 2) if beats % 2 == 0 and beats > 1 else meter.ticks
    middle = (room.low + room.high) // 2
    onsets = sorted(note.start for note in notes)
    slots: list[Slot] = []
    for start in range(0, room.ticks, half):
        inside = [onset for onset in onsets if start <= onset < start + half]
        source = dice(seed, "counter", start)
        if start % (_PHRASE * meter.ticks) == 0 and source.random() < _RESTS:
            continue
        if room.last and start + half >= room.ticks:
            slots.append(Slot(start, half, start // meter.ticks, middle))
        elif len(inside) >= _MOVING:
            slots.append(Slot(start, half, start // meter.ticks, middle, origin=_HELD if len(inside) > _MOVING else 0))
        else:
            slots += _moving(start, half, inside, room, middle, source.random())
    merged = _tied(slots, room)
    return _steered(merged, notes, room, seed)


def _moving(start: int, half: int, taken: Sequence[int], room: Room, middle: int, chance: float) -> list[Slot]:
    """Notes in the time that a tune leaves: on the beats after its own, now and then two in a beat."""
    beat = room.meter.beat
    places = [start + place for place in range(0, half, beat)]
    last = places[-1]
    if chance < _STRONG and beat // 2 and len(places) > 1:
        places.append(last + (beat * 2 // 3 if room.meter.is_compound else beat // 2))
    if taken and taken[0] == start and len(places) > 1:
        places = places[1:]
    ends = [*places[1:], start + half]
    return [Slot(at, end - at, at // room.meter.ticks, middle) for at, end in zip(places, ends, strict=True)]


def _tied(slots: Sequence[Slot], room: Room) -> list[Slot]:
    """Long notes joined over the middle of a bar where the chord stays."""
    result: list[Slot] = []
    for slot in slots:
        before = result[-1] if result else None
        joins = (
            before is not None
            and before.bar == slot.bar
            and before.start + before.length == slot.start
            and before.origin == slot.origin == _HELD
            and room.chord(before.start) == room.chord(slot.start)
        )
        if joins and before:
            result[-1] = replace(before, length=before.length + slot.length)
        else:
            result.append(slot)
    return result


def _steered(slots: Sequence[Slot], notes: Sequence[TuneNote], room: Room, seed: int) -> list[Slot]:
    """The slots with the wish to move against the tune by step, and with closes where the room ends."""
    result: list[Slot] = []
    for index, slot in enumerate(slots):
        now, before = _sounding(notes, slot.start), _sounding(notes, slots[index - 1].start) if index else None
        step = -1.0 if dice(seed, "turn", slot.start // room.meter.ticks).random() < _STRONG else 1.0
        if now and before and now.pitch != before.pitch:
            step = -1.0 if now.pitch > before.pitch else 1.0
        result.append(replace(slot, step=step if index else None, close="full" if index == len(slots) - 1 else ""))
    return result


def _sounding(notes: Sequence[TuneNote], tick: int) -> TuneNote | None:
    """The note of a tune that sounds at a tick, or the last that did within a bar."""
    before = [note for note in notes if note.start <= tick]
    return before[-1] if before else None


def _against(slots: Sequence[Slot], notes: Sequence[TuneNote], room: Room) -> Floats:
    """What each pitch costs beside the tune's: little in thirds and sixths, much in seconds and sevenths."""
    pitches = np.arange(room.low, room.high + 1)
    prices = np.zeros((len(slots), len(pitches)))
    by_class = np.array([_AGAINST[away] for away in range(12)])
    for index, slot in enumerate(slots):
        heard = [note for note in notes if note.start < slot.start + slot.length and note.end > slot.start]
        for note in heard:
            together = min(note.end, slot.start + slot.length) - max(note.start, slot.start)
            at = max(note.start, slot.start)
            weight = together / slot.length * (1.0 if metrical_weight(at, room.meter) >= _STRONG else 0.5)
            away = np.abs(pitches - note.pitch)
            prices[index] += weight * (by_class[away % 12] + np.where(away < _CLOSE_BY, _TOO_CLOSE, 0.0))
    return prices
