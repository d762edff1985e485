"""Grace notes: elements that a Score tells as short notes, followed from one version to the next.

A grace note before the first note of a measure sounds at the end of the bar before, but is written in its own: it
stays with the measure in which it is written.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from libretto.formats.musicxml.splice.walk import GRACE, Measure, XmlNote
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


def follow_graces(
    measures: Sequence[Measure], old: Voice, new: Voice, lines: Sequence[int], new_lines: Sequence[int]
) -> Graces:
    """Find the grace notes of a part in both versions."""
    written = [(bar, note) for bar, measure in enumerate(measures) for note in measure.notes if note.grace]
    if not written:
        return Graces(old, new)
    mine, theirs = _short(old), _short(new)
    graces = Graces(old, new)
    left_old, left_new = list(old.notes), list(new.notes)
    for bar, note in sorted(written, key=lambda entry: (entry[0], entry[1].at, entry[1].pitch or 0)):
        before = _take(mine.get(lines[bar] + note.at, []), note)
        if before is None:
            continue
        left_old.remove(before)
        candidates = theirs.get(new_lines[bar] + note.at, [])
        ranked = len(mine[lines[bar] + note.at]) + 1 == len(candidates)
        after = next((other for other in candidates if other.pitch == note.pitch), None)
        if after is None and ranked and candidates:
            after = candidates[0]
        if after is None:
            graces.gone.add(note.node.start)
            continue
        candidates.remove(after)
        left_new.remove(after)
        graces.stay[note.node.start] = after
    graces.old, graces.new = old.with_notes(left_old), new.with_notes(left_new)
    return graces


def _short(voice: Voice) -> dict[int, list[Note]]:
    """The notes as long as a grace note, by when they start, in order of pitch."""
    notes: defaultdict[int, list[Note]] = defaultdict(list)
    for note in voice.notes:
        if note.duration == GRACE:
            notes[note.onset].append(note)
    return notes


def _take(notes: list[Note], written: XmlNote) -> Note | None:
    for note in notes:
        if note.pitch == written.pitch:
            notes.remove(note)
            return note
    return None
