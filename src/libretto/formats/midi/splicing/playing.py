"""What new notes are played with: the program of their part, no pitch bend of others, the pedal and volume in force."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median_low

from libretto.formats.midi.bytes import PROGRAM
from libretto.formats.midi.events import BEND, CONTROL
from libretto.formats.midi.splicing.pairs import Part
from libretto.formats.midi.splicing.plan import AFTER, BEFORE, Place, Plan
from libretto.formats.midi.splicing.voices import PLAYED, Fresh, Sounding

__all__ = ["centre_bends", "choose_programs", "go_on"]

Channel = tuple[int, int]  #: port and channel
_CENTRE = bytes((0x00, 0x40))
_PEDAL, _PEDAL_DOWN = 64, 64  # the controller, and from where on it is down
_LEVELS = (7, 11)  # volume and expression
#: What a channel is set up with: bank, volume, balance, expression, reverb and chorus.
_SETTINGS = (0, 32, 7, 10, 11, 91, 93)
_NEAR = 8  # notes that begin or end this part of a quarter from a bar line are taken as being on it
_LATEST = 2**62  # after all events of its tick


def choose_programs(plan: Plan, fresh: Sequence[Fresh], sounding: Sounding) -> None:
    """State the program of a part before new notes where another is in force, and the other before its own notes."""
    groups: dict[Place, list[Fresh]] = defaultdict(list)
    for note in fresh:
        groups[note.part.track, note.part.channel].append(note)
    for (track, channel), notes in groups.items():
        items = [(start, index, "old", program) for start, index, program in sounding.starts[track, channel]]
        items += [(note.start, _LATEST, "new", note.part.program) for note in notes]
        for index, event in enumerate(plan.file.tracks[track].events):
            if event.kind == PROGRAM and event.channel == channel:
                event = plan.changed.get((track, index), event)
                items.append((plan.tick(track, index), index, "stated", event.data[0]))
        now = usual = 0
        for tick, _, what, program in sorted(items):
            if what == "stated":
                now = usual = program
            elif now != program and what == "new":
                plan.add(track, tick, bytes((PROGRAM | channel, program)), AFTER, PLAYED - 1)
                now = program
            elif now != program:
                # As soon as the new notes are over.
                stopped = max((note.stop for note in notes if note.start < tick), default=tick)
                plan.add(track, min(tick, stopped), bytes((PROGRAM | channel, program)), BEFORE, PLAYED)
                now = program
        if now != usual:
            last = max(note.stop for note in notes)
            plan.add(track, last, bytes((PROGRAM | channel, usual)), BEFORE, PLAYED)


def centre_bends(plan: Plan, fresh: Sequence[Fresh], sounding: Sounding, lines: Sequence[int]) -> None:
    """In bars with new notes bends of their channel go, and what they had come to holds again after these bars.

    ``lines`` are the bar lines on the clock of the file. Where another part that stays as it is plays on the channel,
    its bends stay, too.
    """
    edited: dict[Channel, dict[int, set[Part]]] = defaultdict(lambda: defaultdict(set))
    for note in fresh:
        bar = max(bisect_right(lines, note.start) - 1, 0)
        edited[plan.file.tracks[note.part.track].port, note.part.channel][bar].add(note.part)
    near = max(1, plan.clock.division // _NEAR)
    bends = _messages(plan, BEND)
    for where, bars in edited.items():
        if not (curve := bends.get(where)):
            continue
        open_bars = [
            bar for bar, parts in sorted(bars.items()) if not _shared(sounding, where, parts, lines, bar, near)
        ]
        for first, last in _runs(open_bars):
            track = min(part.track for part in bars[first])
            end = lines[last + 1] if last + 1 < len(lines) else lines[-1]
            _flatten(plan, track, where, curve, lines[first], sounding.next_start(where, end - near, end))


def _shared(sounding: Sounding, where: Channel, parts: set[Part], lines: Sequence[int], bar: int, near: int) -> bool:
    """Whether a part without new notes plays on the channel in a bar."""
    start, end = lines[bar], lines[min(bar + 1, len(lines) - 1)]
    return any(
        one < end - near and other > start + near
        for part, spans in sounding.spans.items()
        if part not in parts and sounding.channel_of(part) == where
        for one, other in spans
    )


def _runs(bars: Sequence[int]) -> list[tuple[int, int]]:
    """Bars that follow each other, as first and last."""
    runs: list[tuple[int, int]] = []
    for bar in bars:
        if runs and runs[-1][1] == bar - 1:
            runs[-1] = runs[-1][0], bar
        else:
            runs.append((bar, bar))
    return runs


def _flatten(
    plan: Plan, track: int, where: Channel, curve: list[tuple[int, Place, bytes]], start: int, end: int
) -> None:
    """Take the bends between two ticks out, and let them come back after; what the file begins with tunes the part."""
    ticks = [tick for tick, _, _ in curve]
    low, high = bisect_left(ticks, max(start, 1)), bisect_left(ticks, end)
    plan.gone |= {place for _, place, data in curve[low:high] if data != _CENTRE}
    status = BEND | where[1]
    if start and low and curve[low - 1][2] != _CENTRE:
        plan.add(track, start, bytes((status,)) + _CENTRE, BEFORE, PLAYED)
    stated = high < len(curve) and ticks[high] == end
    if high > (0 if start else low) and curve[high - 1][2] != _CENTRE and not stated:
        plan.add(track, end, bytes((status,)) + curve[high - 1][2], BEFORE, PLAYED)


def _messages(plan: Plan, kind: int) -> dict[Channel, list[tuple[int, Place, bytes]]]:
    """Messages of a kind by channel: when they will be, which they are, and their data."""
    made: dict[Channel, list[tuple[int, Place, bytes]]] = defaultdict(list)
    for track, index, event in plan.events():
        if event.kind == kind:
            port = plan.file.tracks[track].port
            made[port, event.channel].append((plan.tick(track, index), (track, index), event.data))
    for rows in made.values():
        rows.sort(key=lambda row: row[:2])
    return made


def go_on(plan: Plan, fresh: Sequence[Fresh], sounding: Sounding, lines: Sequence[int]) -> None:
    """In bars that were put in, what a channel is set to goes on: settings that come later, pedal by bar, no fading."""
    if not plan.clock.more:
        return
    start, end = plan.clock.gap
    tracks: dict[Channel, int] = {}
    for note in fresh:
        if start <= note.start < end:
            where = plan.file.tracks[note.part.track].port, note.part.channel
            tracks[where] = min(tracks.get(where, note.part.track), note.part.track)
    controls = _messages(plan, CONTROL)
    for where, track in sorted(tracks.items()):
        curves: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for tick, _, data in controls.get(where, ()):
            curves[data[0]].append((tick, data[1]))
        status = CONTROL | where[1]
        for number, curve in sorted(curves.items()):
            held = [value for tick, value in curve if tick < start or (tick == start == 0)][-1:]
            if not held and number in _SETTINGS:
                plan.add(track, start, bytes((status, number, curve[0][1])), AFTER)
            if held and number == _PEDAL and held[0] >= _PEDAL_DOWN:
                for line in lines[bisect_left(lines, start) : bisect_left(lines, end)]:
                    plan.add(track, line, bytes((status, _PEDAL, 0)), BEFORE, PLAYED)
                    plan.add(track, line, bytes((status, _PEDAL, held[0])), BEFORE, PLAYED + 1)
            elif number == _PEDAL:
                for tick, value in _pedalled(curve, lines, start, end):
                    plan.add(track, tick, bytes((status, _PEDAL, value)), BEFORE, PLAYED)
            if held and number in _LEVELS and held[0] < (usual := _usual(curve, sounding, where)) // 2:
                plan.add(track, start, bytes((status, number, usual)), BEFORE, PLAYED)
                plan.add(track, end, bytes((status, number, held[0])), BEFORE, PLAYED)


def _pedalled(
    curve: Sequence[tuple[int, int]], lines: Sequence[int], start: int, end: int
) -> Iterator[tuple[int, int]]:
    """The pedal of the bar before some new bars, or after them where they are the first, in each that is as long.

    A bar that leaves it down is none to go by.
    """
    first, last = bisect_left(lines, start), bisect_left(lines, end)
    model = first - 1 if first else last
    if model + 1 >= len(lines):
        return
    size = lines[model + 1] - lines[model]
    strokes = [(tick - lines[model], value) for tick, value in curve if lines[model] <= tick < lines[model + 1]]
    lifted = bool(strokes) and strokes[-1][1] < _PEDAL_DOWN
    for line, after in pairwise(lines[first : last + 1]):
        if lifted and after - line == size:
            yield from ((line + tick, value) for tick, value in strokes)


def _usual(curve: list[tuple[int, int]], sounding: Sounding, where: Channel) -> int:
    """The level at which most notes of a channel begin: new bars after a fade-out are to be heard."""
    ticks = [tick for tick, _ in curve]
    places = (bisect_right(ticks, start) - 1 for start in sounding.starts_on(where))
    heard = [curve[place][1] for place in places if place >= 0]
    return median_low(heard) if heard else 0
