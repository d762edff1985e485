"""Cells whose rhythm stays: only pitches, accidentals, ties and loudness of their note elements change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from libretto.formats.musicxml.splice.cells import Segment
from libretto.formats.musicxml.splice.document import Document
from libretto.formats.musicxml.splice.inplace import (
    Edit,
    as_written,
    dynamics,
    repitched,
    resigned,
    retied,
    signs_needed,
)
from libretto.formats.musicxml.splice.silence import silenced
from libretto.formats.musicxml.splice.walk import Measure, XmlNote
from libretto.notation.staves import WrittenPitch, written_pitch
from libretto.score import Note
from libretto.score.pitch import parse_letter

__all__ = ["repitch"]

_SHARP = 7  # fifths from a letter to its sharp


@dataclass
class _Change:
    """One element and the segments that it belongs to, before and after."""

    note: XmlNote
    old: Segment
    new: Segment | None  # None where it rings no more
    first: bool  # the segment begins with this element
    last: bool


def repitch(
    document: Document,
    measure: Measure,
    pairs: Sequence[tuple[Segment, Segment | None]],
    graces: Mapping[int, Note],
    signs: bool,
) -> list[Edit] | None:
    """The edits that turn the old segments of a measure into the new; None where its elements are not those segments.

    ``graces`` are the grace notes that stay, by where they start; ``signs`` says whether the part writes accidentals.
    """
    changes = _assigned([note for note in measure.notes if not note.grace], pairs)
    if changes is None:
        return None
    edits: list[Edit] = []
    heights: dict[int, WrittenPitch] = {}
    moved: set[int] = set()
    gone = {change.note.node.start for change in changes if change.new is None}
    edits += silenced(document, measure.node, gone)
    for change in changes:
        node = change.note.node
        if change.new is None:
            continue
        if (change.old.pitch, change.old.spelling) != (change.new.pitch, change.new.spelling):
            moved.add(node.start)
            heights[node.start] = as_written(change.note, change.new.pitch, change.new.spelling)
        edits += _held(document, change, change.new)
    for note in measure.notes:
        grace = graces.get(note.node.start)
        if grace is not None and grace.pitch != note.pitch:
            moved.add(note.node.start)
            heights[note.node.start] = as_written(note, grace.pitch, grace.spelling)
    return edits + _moved(document, measure, heights, moved, signs)


def _held(document: Document, change: _Change, new: Segment) -> list[Edit]:
    """The edits of an element's ties and loudness."""
    edits: list[Edit] = []
    node, old = change.note.node, change.old
    if change.first and old.tie_in != new.tie_in:
        edits += retied(document, node, "stop", new.tie_in)
    if change.last and old.tie_out != new.tie_out:
        edits += retied(document, node, "start", new.tie_out)
    if old.velocity != new.velocity:
        edits += dynamics(document, node, new.velocity)
    return edits


def _moved(
    document: Document, measure: Measure, heights: Mapping[int, WrittenPitch], moved: set[int], signs: bool
) -> list[Edit]:
    """The edits that give notes other pitches, with the accidentals they need there."""
    if not moved:
        return []
    notes = [(note, height) for note in measure.notes if (height := heights.get(note.node.start) or _height(note))]
    needed = signs_needed(notes, measure.start.key)
    edits: list[Edit] = []
    for (note, height), sign in zip(notes, needed, strict=True):
        if note.node.start in moved:
            edits += repitched(document, note.node, height)
            if signs or note.node.find("accidental") is not None:
                edits += resigned(document, note.node, sign)
    return edits


def _height(note: XmlNote) -> WrittenPitch | None:
    """What an element says of its pitch."""
    step, alter = note.node.said("pitch/step") or "", note.node.said("pitch/alter") or "0"
    letter = parse_letter(step[:1])
    if letter is None or note.pitch is None:
        return None
    whole = round(float(alter))
    pitch = note.pitch - note.chromatic
    return written_pitch(Note(0, 1, pitch, spelling=letter + _SHARP * whole))


def _assigned(notes: Sequence[XmlNote], pairs: Sequence[tuple[Segment, Segment | None]]) -> list[_Change] | None:
    """Each element with its segments; None where elements and segments are not the same music.

    A segment may be several elements that are tied inside the bar.
    """
    reached = [old.at for old, _ in pairs]
    changes = []
    for note in sorted(notes, key=lambda note: note.at):
        best = min(
            (
                index
                for index, (old, _) in enumerate(pairs)
                if old.pitch == note.pitch
                and reached[index] == note.at
                and note.at + note.length <= old.at + old.length
            ),
            key=lambda index: _misfit(note, pairs[index][0]),
            default=None,
        )
        if best is None:
            return None
        old, new = pairs[best]
        reached[best] += note.length
        changes.append(_Change(note, old, new, note.at == old.at, reached[best] == old.at + old.length))
    done = all(reached[index] == old.at + old.length for index, (old, _) in enumerate(pairs))
    return changes if done else None


def _misfit(note: XmlNote, old: Segment) -> tuple[bool, bool, bool]:
    """How badly an element fits a segment: another length, other ties."""
    return note.length != old.length, note.tie_in != old.tie_in, note.tie_out != old.tie_out
