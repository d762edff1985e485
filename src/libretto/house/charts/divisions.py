"""Divisions: a tune that is played in quicker notes, as old players divided long ones and banjo players fill theirs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby, pairwise

from libretto.house.compose.plan import Plan
from libretto.house.core.line import ladder
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER

__all__ = ["crept", "divided", "hammered", "rolled", "shaken"]

_SIXTEENTH, _EIGHTH = QUARTER // 4, QUARTER // 2
_BRISK = 125  # quarters a minute from which on a roll goes in eighths
_BREATHLESS = 132  # and from which on a tune runs in the middle of its phrases only
_REACH = 24  # semitones around a note in which others are sought
_SOFTER = 10  # velocities by which what fills is softer than the tune
_LONGEST = 2 * QUARTER  # what is divided of a long note
_LINGERING = 100  # quarters a minute below which a roll goes in thirty-seconds and quarters are rolled, too
_CLEAR = 3  # semitones by which a roll lies below the tune
_WATCHFUL = 84  # quarters a minute below which half tones creep in sixteenths
_CREEPS = 3  # of these that a note lasts which creeps on
# Steps of the scale from a note, by how it goes on: up, down, or stays.
_UP = ((0, -1, 0, 1), (0, 1, -1, 0), (0, -2, -1, 0))
_DOWN = ((0, 1, 0, -1), (0, 1, 2, 1), (0, -1, 1, 0))
_STAY = ((0, 1, 0, -1), (0, -1, 0, 1))
_STROKES = 4  # sixteenths on one tone from which on a chart shakes it
_TREMBLING = (2 * QUARTER, 3 * QUARTER // 2, QUARTER)  # how long what is shaken is at least, the longest first
_LEAP = 3  # steps from which on a run leads to the next note


def divided(plan: Plan, notes: Sequence[Sketch], low: int, high: int) -> list[Sketch]:
    """A line whose longer notes are divided into sixteenths: turns where it goes on by step, runs where it leaps; the
    last bar stays, and of a fast tune the first and the last of every four."""
    line = sorted(notes)
    ends = [bar for bar in range(plan.bars) if bar % 4 in (0, 3)] if plan.tempo >= _BREATHLESS else []
    still = {plan.bars - 1, *ends}
    made: list[Sketch] = []
    for place, note in enumerate(line):
        after = line[place + 1] if place + 1 < len(line) else None
        count = min(note.duration, _LONGEST) // _SIXTEENTH
        if count < 2 or after is None or note.onset // plan.meter.ticks in still:
            made.append(note)
            continue
        rungs = ladder(plan.scale_at(plan.chord_at(note.onset)), note.pitch - _REACH, note.pitch + _REACH)
        here = min(range(len(rungs)), key=lambda rung: abs(rungs[rung] - note.pitch))
        there = min(range(len(rungs)), key=lambda rung: abs(rungs[rung] - after.pitch))
        for turn, step in enumerate(_steps(there - here, count, place)):
            pitch = note.pitch if step == 0 else rungs[min(max(here + step, 0), len(rungs) - 1)]
            pitch = pitch if low <= pitch <= high else note.pitch
            accent = note.accent - (0 if turn == 0 else _SOFTER // 2)
            made.append(Sketch(note.onset + turn * _SIXTEENTH, _SIXTEENTH, pitch, accent))
        rest = note.duration - count * _SIXTEENTH
        if rest > 0:
            made[-1] = made[-1]._replace(duration=_SIXTEENTH + rest)
    return made


def _steps(gap: int, count: int, turn: int) -> list[int]:
    """Steps of the scale, so many, from a note to one that is a gap away."""
    if abs(gap) >= _LEAP and count <= abs(gap) + 1:
        return [round(gap * place / count) for place in range(count)]
    kinds = _UP if gap > 0 else _DOWN if gap < 0 else _STAY
    steps: list[int] = []
    while len(steps) < count:
        steps += kinds[(turn + len(steps) // 4) % len(kinds)]
    return steps[:count]


def rolled(plan: Plan, notes: Sequence[Sketch], low: int) -> list[Sketch]:
    """A line with the tones of its chords between its notes, below them, so that the strings never rest; the last bar
    stays."""
    unit = _EIGHTH if plan.tempo >= _BRISK else _SIXTEENTH
    line = sorted(notes)
    struck = {note.onset for note in line}
    made: list[Sketch] = []
    for place, note in enumerate(line):
        end = line[place + 1].onset if place + 1 < len(line) else note.onset + note.duration
        end = min(end, (note.onset // plan.meter.ticks + 1) * plan.meter.ticks)
        if note.onset >= (plan.bars - 1) * plan.meter.ticks or end - note.onset <= unit:
            made.append(note)
            continue
        made.append(note._replace(duration=unit))
        for turn, onset in enumerate(range(note.onset + unit, end, unit)):
            tones = ladder(plan.chord_at(onset).chord.classes, note.pitch - 14, note.pitch - _CLEAR)
            tones = [tone for tone in tones if tone >= low]
            if tones and onset not in struck:
                pick = tones[-1 - (turn * 2 + place) % min(3, len(tones))]
                made.append(Sketch(onset, unit, pick, note.accent - _SOFTER))
    return made


def hammered(plan: Plan, line: Sequence[Sketch], low: int, high: int) -> list[Sketch]:
    """A line as two hammers play it: notes that are held are rolled, in quicker strokes where the piece is slow, softly
    at first; all others stay."""
    slow = plan.tempo < _LINGERING
    held = {note for note in line if note.duration > QUARTER or (slow and note.duration == QUARTER)}
    unit = _SIXTEENTH // 2 if slow else _SIXTEENTH
    return sorted([*(note for note in line if note not in held), *_swelling(shaken(plan, sorted(held), unit), held)])


def _swelling(strokes: Sequence[Sketch], held: Collection[Sketch]) -> list[Sketch]:
    """The strokes of rolled notes, which grow to the middle of each."""
    made = []
    for stroke in strokes:
        whole = next(note for note in held if note.onset <= stroke.onset < note.onset + note.duration)
        share = (stroke.onset - whole.onset) / whole.duration
        softer = round(_SOFTER * max(0.0, 1 - 2 * share)) if stroke.onset > whole.onset else 0
        made.append(stroke._replace(accent=stroke.accent - softer))
    return made


def shaken(plan: Plan, line: Sequence[Sketch], unit: int = 0) -> list[Sketch]:
    """A line whose long notes are struck again and again in sixteenths, of a slow piece in thirty-seconds, or another
    unit: as long ones as half of its bars have, so that shorter ones are struck once and the tune is heard; the last
    bar stays."""
    told, unit = bool(unit), unit or (_SIXTEENTH // 2 if plan.tempo < _LINGERING else _SIXTEENTH)
    last = (plan.bars - 1) * plan.meter.ticks
    whole = line if told else _unshaken(line)
    notes, close = [note for note in whole if note.onset < last], [note for note in whole if note.onset >= last]
    least = QUARTER if told else _trembles_from(notes, plan.meter.ticks)
    struck = [
        note._replace(onset=note.onset + turn * unit, duration=unit, accent=note.accent - 4 * (turn % 2))
        if note.duration >= least
        else note
        for note in notes
        for turn in range(note.duration // unit if note.duration >= least else 1)
    ]
    return [*struck, *close]


def _unshaken(line: Sequence[Sketch]) -> list[Sketch]:
    """A line in which tones that a chart shakes already are one note each."""
    made: list[Sketch] = []
    for pitch, group in groupby(sorted(line), key=lambda note: (note.pitch, note.duration)):
        strokes = list(group)
        ends = strokes[-1].onset + strokes[-1].duration
        joined = pitch[1] <= _SIXTEENTH and len(strokes) >= _STROKES
        joined = joined and ends - strokes[0].onset == sum(note.duration for note in strokes)
        made += [strokes[0]._replace(duration=ends - strokes[0].onset)] if joined else strokes
    return made


def _trembles_from(notes: Sequence[Sketch], ticks: int) -> int:
    """How long a note is at least that is shaken: as long as half of the bars of a line have one."""
    bars = {note.onset // ticks for note in notes}
    for least in _TREMBLING:
        if 2 * len({note.onset // ticks for note in notes if note.duration >= least}) >= len(bars):
            return least
    return _EIGHTH


def crept(plan: Plan, notes: Sequence[Sketch], low: int, high: int) -> list[Sketch]:
    """A line that creeps: in every bar its longest note goes on to the next by half tones, or sways to the half tone
    beside it where that is the same or far away; the last bar stays."""
    line, unit = sorted(notes), _SIXTEENTH if plan.tempo < _WATCHFUL else _EIGHTH
    made = list(line)
    for place, room in _longest(plan, line, _CREEPS * unit):
        note, after = line[place], line[place + 1]
        steps = _half_tones(after.pitch - note.pitch, _CREEPS)
        if low < note.pitch < high:
            start = note.onset + room - len(steps) * unit
            made[place] = note._replace(duration=start - note.onset)
            pitches = enumerate(note.pitch + step for step in steps)
            made += [Sketch(start + turn * unit, unit, tone, note.accent - _SOFTER // 2) for turn, tone in pitches]
    return sorted(made)


def _longest(plan: Plan, line: Sequence[Sketch], least: int) -> list[tuple[int, int]]:
    """The place of the longest note of every bar but the last, and how long it lasts at most before the next, where
    that is long enough."""
    rooms = [min(note.duration, after.onset - note.onset) for note, after in pairwise(line)]
    bars: dict[int, tuple[int, int]] = {}
    for place, room in enumerate(rooms):
        bar = line[place].onset // plan.meter.ticks
        if room >= least and bar < plan.bars - 1 and room > bars.get(bar, (0, 0))[1]:
            bars[bar] = (place, room)
    return list(bars.values())


def _half_tones(gap: int, most: int) -> list[int]:
    """Half tones on the way over a gap, so many at most; from nowhere and back where it is none, or a wide one."""
    if 2 <= abs(gap) <= most:
        return [step if gap > 0 else -step for step in range(1, abs(gap))]
    return [1, 0] if gap >= 0 else [-1, 0]
