"""Grace notes: elements that a Score tells as short notes, followed from one version to the next.

A grace note before the first note of a measure sounds at the end of the bar before, but is written in its own: it
stays with the measure in which it is written. One that is tied to its main note is the beginning of that note.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from libretto.formats.musicxml.splice.walk import GRACE, Measure
from libretto.score import Note, Voice

__all__ = ["Graces", "follow_graces"]


@dataclass
class Graces:
    """What became of the grace notes of a part: those that stay, with their new notes, and those that are gone.

    ``old`` and ``new`` are the voices without them.
    """

    old: Voice
    new: Voice
    stay: dict[int, Note] = field(default_factory=dict)  # by where the element starts in the document
    gone: set[int] = field(default_factory=set)


class _Notes:
    """The notes of one version, by when they start; grace notes are taken out of them one by one."""

    def __init__(self, voice: Voice) -> None:
        self.voice = voice
        self.at: defaultdict[int, list[Note]] = defaultdict(list)
        for note in voice.notes:
            self.at[note.onset].append(note)

    def like(self, onset: int, length: int, tied: bool) -> list[Note]:
        """The notes that start there and are as long, or longer where the grace note is only their beginning."""
        return [note for note in self.at[onset] if note.duration == length or (tied and note.duration > GRACE)]

    def take(self, note: Note) -> None:
        """Take a grace note out; what it was tied to stays."""
        self.at[note.onset].remove(note)
        if note.duration > GRACE:
            rest = note._replace(onset=note.onset + GRACE, duration=note.duration - GRACE)
            self.at[rest.onset].append(rest)

    def left(self) -> Voice:
        """The voice without what was taken."""
        return self.voice.with_notes([note for notes in self.at.values() for note in notes])


def follow_graces(
    measures: Sequence[Measure], old: Voice, new: Voice, lines: Sequence[int], new_lines: Sequence[int]
) -> Graces:
    """Find the grace notes of a part in both versions."""
    written = [(bar, note) for bar, measure in enumerate(measures) for note in measure.notes if note.grace]
    graces = Graces(old, new)
    if not written:
        return graces
    mine, theirs = _Notes(old), _Notes(new)
    early = min([0, *(note.at for bar, note in written if bar == 0)])
    for bar, note in sorted(written, key=lambda entry: (entry[0], entry[1].at, entry[1].pitch or 0)):
        at = note.at - (early if bar == 0 and note.at < 0 else 0)  # as our reader moves them into the piece
        before = _same(mine.like(lines[bar] + at, GRACE, note.tie_out), note.pitch)
        if before is None:
            continue
        after = _twin(mine, theirs, before, new_lines[bar] + at)
        mine.take(before)
        if after is None:
            graces.gone.add(note.node.start)
        else:
            theirs.take(after)
            graces.stay[note.node.start] = after
    graces.old, graces.new = mine.left(), theirs.left()
    return graces


def _twin(mine: _Notes, theirs: _Notes, before: Note, onset: int) -> Note | None:
    """What became of a note: the one of its pitch, else, where as many start there as before, the next in order."""
    candidates = theirs.like(onset, before.duration, tied=False)
    same = _same(candidates, before.pitch)
    if same is None and candidates and len(mine.like(before.onset, before.duration, tied=False)) == len(candidates):
        return candidates[0]
    return same


def _same(notes: Sequence[Note], pitch: int | None) -> Note | None:
    return next((note for note in notes if note.pitch == pitch), None)
