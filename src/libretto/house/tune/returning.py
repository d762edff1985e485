"""A tune that has been heard, brought back: the same, varied, higher, with another close, or its head alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from libretto.errors import LibrettoError
from libretto.house.core.dice import dice
from libretto.house.tune.laying import Slot, lay_out, rows_of
from libretto.house.tune.making import Making, making_of, scale_steps
from libretto.house.tune.ornaments import ornamented
from libretto.house.tune.places import ground_of
from libretto.house.tune.rhythms import changed_bars
from libretto.house.tune.room import Grown, Room
from libretto.house.tune.singing import Taste, sung
from libretto.house.tune.themes import Theme, TuneNote
from libretto.score.keys import Key

__all__ = ["WAYS", "again"]

#: How a tune can come back.
WAYS = ("same", "varied", "higher", "answer", "fragment")
_GRIPS = {"same": 2.0, "varied": 1.6, "higher": 1.2, "answer": 1.8, "fragment": 0.8}
_ORNAMENTS = {"same": 0.08, "varied": 0.25, "higher": 0.45, "answer": 0.1, "fragment": 0.0}
_KEPT = {"same": 1.0, "varied": 0.5, "higher": 1.0, "answer": 0.7, "fragment": 1.0}  # how much of it is held
_OCTAVE, _HALF_OCTAVE = 12, 6
_LIFTS, _LIFT = range(5), 0.3  # steps a stretch may be lifted, and what each is worth
_UNIT = 2  # bars of such a stretch
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
    leaning = {slot.start for slot in grown.ideas if slot.lean}
    slots = [replace(slot, lean=slot.lean or (slot.start in leaning and not slot.close)) for slot in slots]
    held: list[int | None] = [
        _in_range(slot.pitch, room) if slot.start < _KEPT[how] * room.ticks and slot.close != "last" else None
        for slot in slots
    ]
    if how == "higher":
        held = _lifted(slots, held, room, seed)
    sung_again = sung(slots, room, f"{seed}/{how}", Taste(leap=room.leap, grip=_GRIPS[how]), held, crowned=False)
    notes = ornamented(sung_again.notes, room, _ORNAMENTS[how], seed)
    return replace(sung_again, notes=notes)


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


def _lifted(slots: Sequence[Slot], held: Sequence[int | None], room: Room, seed: int) -> list[int | None]:
    """The pitches higher: by an octave where there is room, else stretch by stretch as far as the chords let them."""
    highest = max(pitch for pitch in held if pitch is not None)
    if highest + _OCTAVE <= room.high:
        return [None if pitch is None else pitch + _OCTAVE for pitch in held]
    ground = ground_of(slots, room, seed, crowned=False)
    result = list(held)
    for unit in range(-1, room.bars, _UNIT):
        places = [index for index, slot in enumerate(slots) if unit <= slot.bar < unit + _UNIT and held[index] is not None]
        if not places:
            continue
        moved = {shift: [_stepped(held[index] or 0, shift, room) for index in places] for shift in _LIFTS}
        prices = {
            shift: sum(float(ground.prices[index, pitch - room.low]) for index, pitch in zip(places, line, strict=True))
            for shift, line in moved.items()
            if max(line) <= room.high
        }
        best = min(prices, key=lambda shift: prices[shift] - _LIFT * shift * len(places), default=0)
        for index, pitch in zip(places, moved[best], strict=True):
            result[index] = pitch
    return result


def _stepped(pitch: int, shift: int, room: Room) -> int:
    """A pitch moved by steps of the key."""
    wanted = scale_steps(pitch, room.key) + shift
    direction = 1 if shift > 0 else -1
    while shift and direction * (wanted - scale_steps(pitch, room.key)) > 0:
        pitch += direction
    return pitch


def _fragments(theme: Theme, room: Room, seed: int) -> Theme:
    """A theme made of the head of another, moved step by step, that ends on a long note."""
    ticks = room.meter.ticks
    head = _head(theme)
    unit = max(1, -(-max(note.end for note in head) // ticks))
    direction = dice(seed, "fragment").choice((-1, -1, 1))
    notes: list[TuneNote] = []
    for number, start in enumerate(range(0, room.bars - 1, unit)):
        for note in head:
            moved = TuneNote(note.start + start * ticks, note.length, _stepped(note.pitch, direction * number, room))
            if moved.start < (room.bars - 1) * ticks and (not notes or moved.start >= notes[-1].end):
                notes.append(replace(moved, pitch=_in_range(moved.pitch, room)))
    final = TuneNote((room.bars - 1) * ticks, ticks, notes[-1].pitch if notes else head[0].pitch)
    return Theme("", room.meter, room.key, room.bars, (*notes, final), ())


def _head(theme: Theme) -> list[TuneNote]:
    """The notes of the first bar with its pickup, or of two where there are few."""
    ticks = theme.meter.ticks
    first = [note for note in theme.notes if note.start < ticks]
    return first if len(first) >= _FEW_NOTES else [note for note in theme.notes if note.start < 2 * ticks] or first


