"""A part of a model piece, note by note, and the same notes over the chords of a new piece."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from typing import NamedTuple

from libretto.edits.relative import moved, root_move
from libretto.house.compose.plan import Plan
from libretto.house.core.tones import short_way
from libretto.house.repertoire.layout import Stretch
from libretto.house.repertoire.piece import Piece
from libretto.score import QUARTER, Chord, parse_chord

__all__ = ["Event", "Told", "events_of", "tell_part"]

_EARLY = QUARTER // 2  # so long before a chord a note may already belong to it
_LOUD, _USUAL = 0.5, 80  # how much of a model's loudness is kept, and what is usual there


class Event(NamedTuple):
    """One note of a model piece: where in its bar, how long, how high and how loud it is."""

    bar: int
    start: int
    length: int
    pitch: int
    accent: int


@lru_cache(maxsize=1024)
def events_of(piece: Piece, part: str) -> tuple[tuple[Event, ...], ...]:
    """The notes of a part of a model piece, by bars."""
    ticks = piece.meter.ticks
    bars: list[list[Event]] = [[] for _ in range(piece.bars)]
    for onset, length, pitch, velocity in _rows(piece, part):
        bar, start = divmod(onset, ticks)
        if bar < len(bars):
            bars[bar].append(Event(bar, start, length, pitch, round((velocity - _USUAL) * _LOUD)))
    return tuple(tuple(sorted(events, key=lambda event: (event.start, event.pitch))) for events in bars)


def _rows(piece: Piece, part: str) -> list[tuple[int, int, int, int]]:
    voice = piece.score.voice(part)
    array = voice.array
    columns = (array["onset"], array["duration"], array["pitch"], array["velocity"])
    return list(zip(*(column.tolist() for column in columns), strict=True))


@lru_cache(maxsize=1024)
def _spans(piece: Piece) -> tuple[tuple[int, ...], tuple[Chord | None, ...]]:
    """Where the chords of a model piece begin, and what they are."""
    starts: list[int] = []
    chords: list[Chord | None] = []
    for bar in range(piece.bars):
        for start, _, label in piece.score.chord_spans(bar):
            chord = parse_chord(label)
            if chord is None and chords:
                chord = chords[-1]
            if not chords or chord != chords[-1]:
                starts.append(start)
                chords.append(chord)
    return tuple(starts), tuple(chords)


def _old_chord(piece: Piece, event: Event) -> tuple[Chord | None, int]:
    """The chord that a note of a model belongs to, and by how many ticks it comes before it."""
    starts, chords = _spans(piece)
    tick = event.bar * piece.meter.ticks + event.start
    place = bisect_right(starts, tick) - 1
    chord = chords[max(0, place)]
    if place + 1 < len(starts):
        until = starts[place + 1] - tick
        after = chords[place + 1]
        held = event.length > until or until <= _EARLY // 2
        if (
            0 < until <= _EARLY
            and held
            and after is not None
            and (chord is None or _belongs(event.pitch, chord, after))
        ):
            return after, until
    return chord, 0


def _belongs(pitch: int, chord: Chord, after: Chord) -> bool:
    """Whether a pitch is of the next chord and not of this one."""
    tone = pitch % 12
    return tone in after.classes and tone not in chord.classes


class Told(NamedTuple):
    """A note of a model over the new chords: when, how long, how high, how loud; the old note, and its new chord."""

    onset: int
    duration: int
    pitch: int
    accent: int
    event: Event
    span: int  # where the new chord that it belongs to begins
    belonged: bool = True  # whether it was a tone of its chord


def tell_part(plan: Plan, stretch: Stretch, part: str) -> list[Told]:
    """A part of a model in a stretch of the new piece, each note over the chord that holds there now."""
    piece = stretch.piece
    ticks = plan.meter.ticks
    bars = events_of(piece, part)
    shift = short_way(plan.key.tonic_class - piece.key.tonic_class)
    old_scale = frozenset(piece.key.classes)
    told: list[Told] = []
    for place, source in enumerate(stretch.bars):
        bar = stretch.section.first + place
        follows = place + 1 < len(stretch.bars) and stretch.bars[place + 1] == source + 1
        for event in bars[source]:
            onset = bar * ticks + event.start
            room = ticks - event.start
            length = event.length if follows else min(event.length, room)
            old, early = _old_chord(piece, event)
            span = plan.chord_at(min(onset + early, plan.bars * ticks - 1)) if early else plan.chord_at(onset)
            if old is None:
                told.append(Told(onset, length, event.pitch + shift, event.accent, event, span.start))
                continue
            new = span.chord
            by = root_move(old, new, shift)
            pitch = moved(event.pitch, old, old_scale, new, plan.scale_at(span), by)
            belonged = event.pitch % 12 in old.classes
            told.append(Told(onset, length, pitch, event.accent, event, span.start, belonged))
    return told
