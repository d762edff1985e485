"""Put the edits of a Score into the MIDI file that it was read from: what was not edited keeps its ticks and bytes.

Conventions: voices are known by their names. A note that is in both Scores stays as it was played, off the grid or
not; a note that is new stands on the clock of the Score.
"""

from __future__ import annotations

from libretto.errors import FormatError
from libretto.formats.midi.events import events_of
from libretto.formats.midi.splicing.aligning import clock_of
from libretto.formats.midi.splicing.difference import difference
from libretto.formats.midi.splicing.pairs import Notes, notes_of
from libretto.formats.midi.splicing.plan import Plan
from libretto.formats.midi.splicing.voices import Fresh, Sounding, alter, fresh_notes, move, proved, put_in, take_out
from libretto.score.model import Score
from libretto.score.voice import Voice

__all__ = ["splice"]

_INDEPENDENT = 2  # the format of a file whose tracks are pieces of their own


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
    sounding = Sounding(file)
    fresh: list[Fresh] = []
    for number, voice in enumerate(before.voices):
        fresh += _voice(plan, notes, number, voice, _heir(after, voice), sounding)
    sounding.settle()
    put_in(plan, fresh, sounding)
    return proved(plan.result(), sounding, len(plan.tracks))


def _heir(after: Score, voice: Voice) -> Voice | None:
    """The voice of that name, unless it is percussion now and was not, or the other way round."""
    return next((one for one in after.voices if one.name == voice.name and one.drums == voice.drums), None)


def _voice(plan: Plan, notes: Notes, number: int, old: Voice, new: Voice | None, sounding: Sounding) -> list[Fresh]:
    """Change the events of one voice; returns its new notes."""
    part, rows = notes.parts[number], notes.rows[number]
    change = difference(old.array, old.array[:0] if new is None else new.array, plan.clock)
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
