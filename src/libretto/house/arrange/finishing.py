"""What is done to parts when all are written: beats that vary, notes let go in time, levels, and the last bar."""

from __future__ import annotations

from bisect import bisect_right

from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER

__all__ = ["closed", "lasting", "let_go", "leveled", "swelling", "varied"]

_LOUDER = {
    "lead": 8, "double": -2, "answer": 2, "counter": -4, "riff": -2, "stabs": -4, "comping": -12, "arpeggio": -12,
    "pad": -18, "drone": -18, "bass": 4, "drums": 0, "percussion": -10,
}  # fmt: skip
_LONGER = 0.4  # what the knob of lengths does
_EARLY = QUARTER // 2  # a note so shortly before a chord belongs to it
_IN_A_ROW = 4  # bars of a beat that are the same
_UNDER = 10  # how much softer a stroke is that leads on
_SWELL, _MOST_SWELL = 0.5, 6  # how much louder a tune is by semitones above its middle


def closed(plan: Plan, player: Player, notes: list[Sketch], led: bool) -> list[Sketch]:
    """A part whose last bar ends the piece: what is struck first in it is held, and nothing follows but a tune's own
    last notes; drums strike once."""
    start = (plan.bars - 1) * plan.meter.ticks
    last = [note for note in notes if note.onset >= start]
    if not last or led or plan.ending == "fade":
        return notes
    return [note for note in notes if note.onset < start] + _last_stroke(plan, player, last, start)


def _last_stroke(plan: Plan, player: Player, last: list[Sketch], start: int) -> list[Sketch]:
    """What is struck first in a last bar, held to its end unless the piece is cut off; drums strike once."""
    first = min(note.onset for note in last)
    kept = [note for note in last if note.onset == first or (player.drums and note.onset < start + QUARTER // 2)]
    if not player.drums and plan.ending != "button":
        kept = [note._replace(duration=start + plan.meter.ticks - note.onset) for note in kept]
    return kept


def varied(plan: Plan, notes: list[Sketch]) -> list[Sketch]:
    """A beat of which no bar comes more than four times in a row: the next one is lifted by its last beat."""
    ticks = plan.meter.ticks
    bars: list[list[Sketch]] = [[] for _ in range(plan.bars + 1)]
    for note in sorted(notes):
        bars[min(plan.bars, note.onset // ticks)].append(note)
    made: list[Sketch] = []
    last: frozenset[tuple[int, int]] = frozenset()
    times = 0
    for number, bar in enumerate(bars):
        shape = frozenset((note.onset - number * ticks, note.pitch) for note in bar)
        times = times + 1 if bar and shape == last else 1
        last = shape
        made += _lifted(bar, (number + 1) * ticks) if times % _IN_A_ROW == 0 else bar
    return made


def _lifted(bar: list[Sketch], end: int) -> list[Sketch]:
    """A bar of drums whose last beat leads on: its lowest drum once more on the last eighth, softly, or not at all
    where it is struck there."""
    low = min(note.pitch for note in bar)
    place = end - QUARTER // 2
    if any(note.onset == place and note.pitch == low for note in bar):
        return [note for note in bar if not (note.onset == place and note.pitch == low)]
    return sorted([*bar, Sketch(place, QUARTER // 4, low, -_UNDER)])


def let_go(plan: Plan, notes: list[Sketch]) -> list[Sketch]:
    """The same notes, each let go where a chord comes to which it does not belong."""
    made = []
    for note in notes:
        span = plan.chord_at(note.onset)
        end = note.onset + note.duration
        while span.end < end and span.end < plan.bars * plan.meter.ticks:
            after = plan.chord_at(span.end)
            if note.pitch % 12 not in after.chord.classes and span.end > note.onset + _EARLY:
                end = span.end
            span = after
        made.append(note._replace(duration=max(1, end - note.onset)))
    return made


def lasting(plan: Plan, notes: list[Sketch]) -> list[Sketch]:
    """The same notes held longer or shorter, as the knob of lengths is turned."""
    factor = 1 + _LONGER * plan.controls.lengths
    return [note._replace(duration=max(1, round(note.duration * factor))) for note in notes] if factor != 1 else notes


def leveled(plan: Plan, name: str, notes: list[Sketch]) -> list[Sketch]:
    """A part as loud as what it does in each stretch."""
    usual = next(player.role for player in plan.players if player.name == name)
    levels = []
    for number, stretch in enumerate(plan.stretches):
        duties = plan.duties[name][number]
        role = duties[0].role if duties else usual
        level = _LOUDER.get(role, -8) - _LOUDER.get(usual, -8)
        levels.append((stretch.section.end * plan.meter.ticks, level))
    ends = [end for end, _ in levels]
    return [
        note._replace(accent=note.accent + levels[min(len(levels) - 1, bisect_right(ends, note.onset))][1])
        for note in sorted(notes)
    ]


def swelling(notes: list[Sketch]) -> list[Sketch]:
    """A tune that is louder where it is higher."""
    if not notes:
        return notes
    middle = sum(note.pitch for note in notes) / len(notes)
    return [
        note._replace(accent=note.accent + max(-_MOST_SWELL, min(_MOST_SWELL, round((note.pitch - middle) * _SWELL))))
        for note in notes
    ]
