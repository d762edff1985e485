"""A tune that has been heard, brought back: the same, varied, higher, with another close, or its head alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from libretto.errors import LibrettoError
from libretto.house.core.dice import dice
from libretto.house.tune.laying import Slot, lay_out, rows_of
from libretto.house.tune.making import Making, making_of, scale_steps
from libretto.house.tune.ornaments import ornamented
from libretto.house.tune.places import Ground, ground_of
from libretto.house.tune.rhythms import changed_bars
from libretto.house.tune.room import Grown, Room
from libretto.house.tune.singing import Held, sung, taste_of
from libretto.house.tune.themes import Theme, TuneNote
from libretto.score.keys import Key
from libretto.score.table import Floats

__all__ = ["WAYS", "again"]

#: How a tune can come back.
WAYS = ("same", "varied", "higher", "answer", "fragment")
_SAME_CHORD, _OTHER_CHORD = 2.0, 0.6  # how firmly a note is kept, over its old chord and over another
_LIFTED = 0.45  # how firmly a pitch is kept to which the chords have let a note be lifted
_ORNAMENTS = {"same": 0.08, "varied": 0.25, "higher": 0.45, "answer": 0.1, "fragment": 0.0}
_KEPT = {"same": 1.0, "varied": 0.5, "higher": 1.0, "answer": 0.6, "fragment": 1.0}  # how much of it is held
_OLD, _OLD_CLOSE = 0.8, 4.0  # what the old note costs where a tune is to go on in another way, and where it closes
_OCTAVE, _HALF_OCTAVE = 12, 6
_LIFTS, _LIFT = range(5), 0.3  # steps a stretch may be lifted, and what each is worth
_UNIT = 2  # bars of such a stretch
_SEQUENCES = ((0, 1, 2, 4), (0, -1, -2, 1), (0, 2, 1, 3), (0, 1, -1, 2))  # steps by which heads follow one another
_WHOLE_HEADS = 2  # before they are shortened
_FEW_NOTES = 3  # a head with fewer takes another bar


def again(grown: Grown, room: Room, seed: int, how: str) -> Grown:
    """A tune that has been heard, brought back in one of the ways of ``WAYS``, in another room if need be."""
    if how not in WAYS:
        raise LibrettoError(f"a tune does not come back {how!r}; it does {', '.join(WAYS)}")
    if not grown.notes:
        return grown
    theme = _as_theme(grown, room)
    if how == "fragment":
        theme = _fragments(theme, room, seed)
    slots = _slots(theme, room, seed, how)
    if how != "fragment":
        slots = _leaning(slots, grown)
    held = _held(slots, grown, room, how)
    if how == "higher":
        held = _lifted(slots, held, room, seed)
    extra = None if how in ("same", "higher", "fragment") else _otherwise(slots, held, room)
    taste = taste_of(room) if how != "same" else replace(taste_of(room), told=0.0)
    sung_again = sung(slots, room, f"{seed}/{how}", taste, held, crowned=False, extra=extra)
    return replace(sung_again, notes=ornamented(sung_again.notes, room, _ORNAMENTS[how], seed))


def _leaning(slots: Sequence[Slot], grown: Grown) -> list[Slot]:
    """The slots that lean where they did when the tune was first heard."""
    leaning = {slot.start for slot in grown.ideas if slot.lean}
    return [replace(slot, lean=slot.origin in leaning and not slot.close) for slot in slots]


def _held(slots: Sequence[Slot], grown: Grown, room: Room, how: str) -> list[Held | None]:
    """The pitches that are kept: firmly over the chord they had, else where they fit."""
    chords = {slot.start: slot.chord for slot in grown.ideas}
    held: list[Held | None] = []
    for slot in slots:
        if slot.start >= _KEPT[how] * room.ticks or slot.close == "last":
            held.append(None)
            continue
        chord, before = room.chord(slot.start), chords.get(slot.origin)
        same = how != "fragment" and chord is not None and before is not None and chord.classes == before.classes
        held.append(Held(_in_range(slot.pitch, room), _SAME_CHORD if same else _OTHER_CHORD))
    return held


def _otherwise(slots: Sequence[Slot], held: Sequence[Held | None], room: Room) -> Floats:
    """What it costs to say the old notes where the tune is to go on in another way."""
    prices = np.zeros((len(slots), room.high - room.low + 1))
    for index, (slot, kept) in enumerate(zip(slots, held, strict=True)):
        if kept is None and slot.close != "last" and room.low <= slot.pitch <= room.high:
            prices[index, slot.pitch - room.low] = _OLD_CLOSE if slot.close else _OLD
    return prices


def _as_theme(grown: Grown, room: Room) -> Theme:
    """The tune as a template in the key of the room, moved by octaves into its range."""
    away = (room.key.tonic_class - grown.key.tonic_class + _HALF_OCTAVE) % _OCTAVE - _HALF_OCTAVE
    highest = max(note.pitch for note in grown.notes) + away
    lowest = min(note.pitch for note in grown.notes) + away
    while highest > room.high and lowest - _OCTAVE >= room.low:
        away, highest, lowest = away - _OCTAVE, highest - _OCTAVE, lowest - _OCTAVE
    while lowest < room.low and highest + _OCTAVE <= room.high:
        away, highest, lowest = away + _OCTAVE, highest + _OCTAVE, lowest + _OCTAVE
    turned = grown.key.mode != room.key.mode
    notes = tuple(
        replace(note, pitch=_in_mode(note.pitch, grown.key, room.key, away) if turned else note.pitch + away)
        for note in grown.notes
    )
    return Theme("", room.meter, room.key, max(1, grown.bars), notes, ())


def _in_mode(pitch: int, old: Key, new: Key, away: int) -> int:
    """The same degree in a key of another mode."""
    wanted = scale_steps(pitch, old)
    near = range(pitch + away - 2, pitch + away + 3)
    moved = round((away - (new.tonic_class - old.tonic_class)) / _OCTAVE) * len(new.classes)
    return min(near, key=lambda held: (abs(scale_steps(held, new) - wanted - moved), abs(held - pitch - away)))


def _in_range(pitch: int, room: Room) -> int:
    """The pitch, by octaves in the room's range."""
    while pitch > room.high:
        pitch -= _OCTAVE
    while pitch < room.low:
        pitch += _OCTAVE
    return min(pitch, room.high)


def _slots(theme: Theme, room: Room, seed: int, how: str) -> list[Slot]:
    """The slots of the tune in its new room; only what is varied has new rhythms, in its second half."""
    making = making_of(theme)
    bars = list(making.bars)
    if how == "varied":
        half = theme.bars // 2
        bars[half + 1 :] = changed_bars(making, None, room.busy, seed)[half + 1 :]
    rows = rows_of(theme.bars, room.bars, making.ends)
    slots = lay_out(_alone(making), bars, rows, pickup=room.first > 0, last=room.last)
    return [replace(slot, move=None) for slot in slots]


def _alone(making: Making) -> Making:
    """A making whose bars owe nothing to one another: what comes back is held by its own notes."""
    return replace(making, relations=tuple(None for _ in making.relations))


def _lifted(slots: Sequence[Slot], held: Sequence[Held | None], room: Room, seed: int) -> list[Held | None]:
    """The pitches higher: by an octave where there is room, else stretch by stretch as far as the chords let them."""
    highest = max((kept.pitch for kept in held if kept), default=room.high)
    if highest + _OCTAVE <= room.high:
        return [kept._replace(pitch=kept.pitch + _OCTAVE) if kept else None for kept in held]
    ground = ground_of(slots, room, seed, crowned=False)
    result = list(held)
    for unit in range(-1, room.bars, _UNIT):
        lines = [
            (index, kept.pitch) for index, kept in enumerate(held) if kept and unit <= slots[index].bar < unit + _UNIT
        ]
        moved = {shift: [_stepped(pitch, shift, room) for _, pitch in lines] for shift in _LIFTS}
        best = _best_lift(ground, [index for index, _ in lines], moved, room)
        for (index, _), pitch in zip(lines, moved[best], strict=True):
            result[index] = Held(pitch, _LIFTED if best else _SAME_CHORD)
    return result


def _best_lift(ground: Ground, places: Sequence[int], moved: Mapping[int, Sequence[int]], room: Room) -> int:
    """By how many steps a line in some places of a tune is lifted: as far as its chords and its room let it."""
    prices = {
        shift: _price(ground, places, line, room) for shift, line in moved.items() if line and max(line) <= room.high
    }
    return min(prices, key=lambda shift: prices[shift] - _LIFT * shift * len(places), default=0)


def _price(ground: Ground, places: Sequence[int], line: Sequence[int], room: Room) -> float:
    """What it costs to sing a line in some places of a tune."""
    return sum(float(ground.prices[index, up - room.low]) for index, up in zip(places, line, strict=True))


def _stepped(pitch: int, shift: int, room: Room) -> int:
    """A pitch moved by steps of the key."""
    wanted = scale_steps(pitch, room.key) + shift
    direction = 1 if shift > 0 else -1
    while shift and direction * (wanted - scale_steps(pitch, room.key)) > 0:
        pitch += direction
    return pitch


def _fragments(theme: Theme, room: Room, seed: int) -> Theme:
    """A theme made of the head of another, moved step by step and then shortened, that ends on a long note."""
    ticks = room.meter.ticks
    head = _head(theme)
    unit = max(1, -(-max(note.end for note in head) // ticks))
    shifts = dice(seed, "fragment").choice(_SEQUENCES)
    starts = range(0, room.bars - 1, unit)
    notes: list[TuneNote] = []
    for number, start in enumerate(starts):
        shortened = number >= _WHOLE_HEADS and number >= len(starts) // 2
        said = head[: max(_FEW_NOTES, len(head) * 2 // 3)] if shortened else head
        for note in said:
            moved = TuneNote(
                note.start + start * ticks, note.length, _stepped(note.pitch, shifts[number % len(shifts)], room)
            )
            if moved.start < (room.bars - 1) * ticks and (not notes or moved.start >= notes[-1].end):
                notes.append(replace(moved, pitch=_in_range(moved.pitch, room)))
    final = TuneNote((room.bars - 1) * ticks, ticks, notes[-1].pitch if notes else head[0].pitch)
    return Theme("", room.meter, room.key, room.bars, (*notes, final), ())


def _head(theme: Theme) -> list[TuneNote]:
    """The notes of the first bar with its pickup, or of two where there are few."""
    ticks = theme.meter.ticks
    first = [note for note in theme.notes if note.start < ticks]
    return first if len(first) >= _FEW_NOTES else [note for note in theme.notes if note.start < 2 * ticks] or first
