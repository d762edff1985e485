"""Put the edits of a Score into the MIDI file that it was read from: what was not edited keeps its ticks and bytes.

Conventions: voices are known by their names; one that has the place and the notes of another was renamed. A note that
is in both Scores stays as it was played, off the grid or not; a note that is new stands on the clock of the Score. Bars
may have been put in anywhere, and all that comes later moves by their length: notes with their start, everything else
by its tick. What a file sets up at its very beginning stays there.

Left out: bars that were taken out, other lengths of bars, and what MIDI does not hold (spelling, chord labels, grids).
"""

from __future__ import annotations

from libretto.errors import FormatError
from libretto.formats.midi.bytes import NOTE_OFF, NOTE_ON, PROGRAM
from libretto.formats.midi.events import events_of
from libretto.formats.midi.splicing.aligning import clock_of
from libretto.formats.midi.splicing.changes import change_metas, rename
from libretto.formats.midi.splicing.difference import Difference, difference
from libretto.formats.midi.splicing.newcomers import add_parts
from libretto.formats.midi.splicing.pairs import Notes, Part, notes_of
from libretto.formats.midi.splicing.plan import BEFORE, Plan, with_data
from libretto.formats.midi.splicing.playing import centre_bends, choose_programs, go_on
from libretto.formats.midi.splicing.voices import Fresh, Sounding, alter, fresh_notes, move, proved, put_in, take_out
from libretto.score.model import Score
from libretto.score.voice import Voice

__all__ = ["splice"]

_INDEPENDENT = 2  # the format of a file whose tracks are pieces of their own
_KEY_PRESSURE = 0xA0
_TOP = 127


def splice(data: bytes, before: Score, after: Score, *, at: int | None = None) -> bytes:
    """The file whose Score was ``before``, changed only so far as ``after`` differs; ``before == decode(data)``.

    ``at`` is the index of the bar before which ``after`` has new bars, where that is known. A FormatError says what
    cannot be put into the file; then it has to be written anew.
    """
    if before == after:
        return data
    file = events_of(data)
    if file.format >= _INDEPENDENT:
        raise FormatError("the tracks of the file are pieces of their own")
    notes = notes_of(data, file, before)
    plan = Plan(file, clock_of(file.division, before, after, at))
    heirs = _heirs(before, after)
    changes = [
        difference(old.array, old.array[:0] if new is None else new.array, plan.clock)
        for old, new in zip(before.voices, heirs, strict=True)
    ]
    intervals = [_interval(old, new, change) for old, new, change in zip(before.voices, heirs, changes, strict=True)]
    _move_strays(plan, notes, intervals)
    sounding = Sounding(file)
    fresh: list[Fresh] = []
    for number, change in enumerate(changes):
        fresh += _voice(plan, notes, number, before.voices[number], heirs[number], change, sounding)
    pitched = {interval for interval, voice in zip(intervals, before.voices, strict=True) if not voice.drums}
    change_metas(plan, before, after, transposed=len(pitched) < 2 and pitched.isdisjoint({None, 0}))
    known = {voice.name for voice in heirs if voice is not None}
    newcomers = [voice for voice in after.voices if voice.name not in known and len(voice.array)]
    fresh += add_parts(plan, newcomers)
    sounding.settle()
    lines = [plan.clock.file_tick(line) for line in after.bar_lines]
    fresh = put_in(plan, fresh, sounding, notes.stray)
    choose_programs(plan, fresh, sounding)
    centre_bends(plan, fresh, sounding, lines)
    go_on(plan, fresh, sounding, lines)
    return proved(plan.result(), sounding, len(plan.tracks))


def _heirs(before: Score, after: Score) -> list[Voice | None]:
    """For every voice what became of it: that of its name, or a renamed one in its place that plays the same."""
    there = {voice.name: voice for voice in after.voices}
    old = {voice.name for voice in before.voices}
    heirs: list[Voice | None] = []
    for number, voice in enumerate(before.voices):
        heir = there.get(voice.name)
        if heir is None and len(after.voices) == len(before.voices):
            other = after.voices[number]
            same = other.name not in old and other.array.tobytes() == voice.array.tobytes()
            heir = other if same else None
        heirs.append(heir if heir is not None and heir.drums == voice.drums else None)
    return heirs


def _interval(old: Voice, new: Voice | None, change: Difference) -> int | None:
    """By how much a whole voice was transposed; None where it was changed otherwise."""
    if change.is_nothing:
        return 0
    if new is None or change.stay or change.gone or change.new:
        return None
    steps = {int(new.array["pitch"][other]) - int(old.array["pitch"][row]) for row, other in change.altered}
    return steps.pop() if len(steps) == 1 else None


def _voice(
    plan: Plan, notes: Notes, number: int, old: Voice, new: Voice | None, change: Difference, sounding: Sounding
) -> list[Fresh]:
    """Change the events of one voice; returns its new notes."""
    part, rows = notes.parts[number], notes.rows[number]
    if new is not None and new.name != old.name:
        if sum(other.track == part.track for other in notes.parts) > 1:
            raise FormatError(f"{old.name} shares its track with other voices, and a track has one name")
        rename(plan, part.track, new.name)
    if new is not None and (new.program or 0) != (old.program or 0):
        part = _reprogram(plan, part, new.program or 0)
    start, end = plan.clock.gap
    later = [(end - start) * int(onset >= plan.clock.cut) for onset in old.array["onset"].tolist()]
    for row in change.stay:
        for note in rows[row]:
            move(plan, part, note, later[row], sounding)
    for row in change.gone:
        for note in rows[row]:
            take_out(plan, part, note)
    if new is None:
        return []
    for row, other in change.altered:
        for note in rows[row]:
            alter(plan, part, note, later[row], old.array[row], new.array[other], sounding)
    return fresh_notes(plan, part, change, new.array)


def _reprogram(plan: Plan, part: Part, program: int) -> Part:
    """Another program for a part: wherever its own is stated or, where nothing is, from the beginning."""
    stated = False
    for index, event in enumerate(plan.file.tracks[part.track].events):
        if event.kind == PROGRAM and event.channel == part.channel:
            stated = True
            if min(event.data[0], _TOP) == part.program:
                plan.changed[part.track, index] = with_data(event, bytes((program,)))
    first = next(
        (
            e.kind
            for e in plan.file.tracks[part.track].events
            if e.channel == part.channel and e.kind in (NOTE_ON, PROGRAM)
        ),
        PROGRAM,
    )
    if part.program == 0 and (not stated or first == NOTE_ON):
        plan.add(part.track, 0, bytes((PROGRAM | part.channel, program)), BEFORE)
    return part._replace(program=program)


def _move_strays(plan: Plan, notes: Notes, intervals: list[int | None]) -> None:
    """Transpose what belongs to no note, too: starts and stops without a partner, and pressure on single keys."""
    steps: dict[tuple[int, int], set[int | None]] = {}
    for part, interval in zip(notes.parts, intervals, strict=True):
        steps.setdefault((part.track, part.channel), set()).add(interval)
    moving = {where: some.copy().pop() for where, some in steps.items() if len(some) == 1}
    if not any(moving.values()):
        return
    stray = set(notes.stray)
    for track, index, event in list(plan.events()):
        step = moving.get((track, event.channel))
        is_note = event.kind in (NOTE_ON, NOTE_OFF) and (track, index) in stray
        if step and (is_note or event.kind == _KEY_PRESSURE):
            pitch = min(_TOP, max(0, event.data[0] + step))
            plan.changed[track, index] = with_data(event, bytes((pitch,)) + event.data[1:])
