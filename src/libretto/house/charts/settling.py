"""Where the notes of a tune come to rest over chords that it was not written for: what comes early belongs to the chord
that comes, and a long note that would rub against a chord goes to the tone below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from libretto.house.charts.signs import Placed, Sign
from libretto.house.compose.plan import Plan
from libretto.house.core.tones import ChordSpan
from libretto.score import QUARTER

__all__ = ["Line", "settled"]

_SUNG, _LEANS = "@ckud+-=~", "xy"  # signs of tunes, and those that lean on the next
_RUB = 1  # semitones: what lies so far above a tone of the chord rubs
_STEP, _NEAR = 2, 4  # semitones that resolve a note, and how far it is moved at most
_SUSPENDED = 2  # beats from which on a note that is held over a change goes on for one before it resolves

Under = Callable[[str, int, ChordSpan], list[int]]  # what is played under a note, by its sign, over a chord


class Line(NamedTuple):
    """The signs of a part, the notes of each, how much louder than usual it is, and the note that what leans on it is
    beside: the one on top, or the last one that stood alone."""

    placed: list[Placed]
    notes: list[list[int]]
    louder: list[int]
    tops: list[int | None]


def settled(plan: Plan, line: Line, under: Under) -> Line:
    """A tune none of whose notes stands half a tone above a chord for a beat and more, unless a step resolves it; what
    is held over a change goes on as a suspension does."""
    made = Line([*line.placed], [*line.notes], [*line.louder], [*line.tops])
    moved: tuple[int, int] | None = None  # what was moved last, from where and to where: it may be struck again
    before: int | None = None
    for number, item in enumerate(line.placed):
        pitches = list(line.notes[number])
        if pitches and _sings(item.sign):
            moved = moved if moved and item.sign.head == "=" and pitches[-1] == moved[0] else None
            to = moved[1] if moved else _at_rest(plan, line, number, before)
            moved = moved or ((pitches[-1], to) if to != pitches[-1] else None)
            if to != pitches[-1]:
                span = _mostly(plan, item, _held_to(line.placed, number)[0])
                pitches = [*under(item.sign.under, to, span), to]
                made.notes[number], made.tops[number] = pitches, to
        before = pitches[-1] if pitches else before
    for number in reversed(range(len(made.placed))):
        _resolve(plan, made, number, under)
    return made


def _sings(sign: Sign) -> bool:
    """Whether a sign is a note of a tune that goes with the chords: no blue note and no other one that is fixed."""
    return sign.head[0] in _SUNG and sign.head[:2] not in ("kb", "k#")


def _held_to(placed: Sequence[Placed], number: int) -> tuple[int, int]:
    """Until when a note sounds, and the place of the sign after it."""
    after = number + 1
    while after < len(placed) and placed[after].sign.head == "_" and placed[after].start == placed[after - 1].end:
        after += 1
    return placed[after - 1].end, after


def _rubs(pitch: int, span: ChordSpan) -> bool:
    """Whether a note lies half a tone above a tone of a chord that it does not belong to."""
    classes = span.chord.classes
    return pitch % 12 not in classes and (pitch - _RUB) % 12 in classes


def _is_resolved(plan: Plan, line: Line, after: int, pitch: int, end: int) -> bool:
    """Whether a note goes on by a step, at once or after less than a beat."""
    for item, notes in zip(line.placed[after:], line.notes[after:], strict=True):
        if item.start - end >= _beat(plan):
            return False
        if item.sign.head in _LEANS:
            return True
        if notes:
            return 0 < abs(notes[-1] - pitch) <= _STEP
    return False


def _at_rest(plan: Plan, line: Line, number: int, before: int | None) -> int:
    """The pitch of a note, or the tone of the chord nearest to it where it would rub; another than those beside it,
    where there is one."""
    item, pitch = line.placed[number], line.notes[number][-1]
    end, after = _held_to(line.placed, number)
    span = _mostly(plan, item, end)
    short = min(end, span.end) - max(item.start, span.start) < _beat(plan)
    if short or not _rubs(pitch, span) or _is_resolved(plan, line, after, pitch, end):
        return pitch
    if end > span.end and pitch % 12 in plan.chord_at(span.end).chord.classes:
        return pitch  # it was early
    beside = (before, next((notes[-1] for notes in line.notes[after:] if notes), None))
    tones = [tone for tone in range(pitch - _NEAR, pitch + _NEAR + 1) if tone % 12 in span.chord.classes]
    return min(tones, key=lambda tone: (tone in beside, abs(tone - pitch)))


def _mostly(plan: Plan, item: Placed, end: int) -> ChordSpan:
    """The chord that a note belongs to: that in which it begins, or the next one where it comes less than a beat before
    that and is held for longer."""
    span = plan.chord_at(item.start)
    ahead = span.end - item.start
    return plan.chord_at(span.end) if ahead < _beat(plan) and end - span.end > ahead else span


def _beat(plan: Plan) -> int:
    """How long a note is at least, in ticks, that is heard as a rub."""
    return max(plan.meter.beat, QUARTER)


def _resolve(plan: Plan, line: Line, number: int, under: Under) -> None:
    """What is held over a change and would rub then, led down by half a tone: after a beat where it lasts longer."""
    item, pitches = line.placed[number], line.notes[number]
    if not pitches or not _sings(item.sign):
        return
    end, after = _held_to(line.placed, number)
    beat, change = _beat(plan), plan.chord_at(item.start).end
    span = plan.chord_at(change)
    resolved = _is_resolved(plan, line, after, pitches[-1], end)
    if end - change < beat or change - item.start < beat or resolved or not _rubs(pitches[-1], span):
        return
    at = change + beat if end - change >= _SUSPENDED * beat else change
    place = next(place for place in range(number, after) if line.placed[place].end > at)
    tone = pitches[-1] - _RUB
    down = [*under(item.sign.under, tone, span), tone]
    old = line.placed[place]
    new = Placed(at, old.end, Sign(old.sign.start, old.sign.length, "=", item.sign.under))
    if old.start == at:
        line.placed[place], line.notes[place], line.tops[place] = new, down, tone
        return
    line.placed[place : place + 1] = [old._replace(end=at), new]
    line.notes[place : place + 1] = [line.notes[place], down]
    line.louder[place : place + 1] = [line.louder[place]] * 2
    line.tops[place : place + 1] = [line.tops[place], tone]
