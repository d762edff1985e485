"""The notes of the voices that both versions have: each cell left alone, changed in place, or written anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from libretto.formats.musicxml.splice.cells import Pair, Segment, cells_of, paired
from libretto.formats.musicxml.splice.document import Document, Node
from libretto.formats.musicxml.splice.graces import follow_graces
from libretto.formats.musicxml.splice.habits import Habits
from libretto.formats.musicxml.splice.inplace import Edit
from libretto.formats.musicxml.splice.repitch import repitch
from libretto.formats.musicxml.splice.rewrite import Rewriting
from libretto.formats.musicxml.splice.walk import Measure, walk
from libretto.score import Score, Voice

__all__ = ["splice_notes"]

_NOWHERE = -(2**60)  # before every piece


def splice_notes(
    document: Document, before: Score, after: Score, source: Sequence[int | None], exact: bool
) -> Document:
    """The document with the notes of ``after``; both versions have the same voices in the same order.

    ``source`` says which bar of ``before`` each measure of the document is, None where it is new. In a file
    of our own writer (``exact``) a tie never leads from one layer to another.
    """
    for part, old, new in zip(document.root.all("part"), before.voices, after.voices, strict=True):
        if old.array.tobytes() != new.array.tobytes() or before.bar_lines != after.bar_lines:
            _Part(document, part, _Versions(before, after, old, new, source, exact)).splice()
    return document.renewed()


class _Versions(NamedTuple):
    """Both versions of a voice."""

    before: Score
    after: Score
    old: Voice
    new: Voice
    source: Sequence[int | None]
    exact: bool


class _Part:
    """One part whose notes differ."""

    def __init__(self, document: Document, part: Node, versions: _Versions) -> None:
        self.document, self.versions = document, versions
        self.measures = walk(part)
        listed = document.root.find("part-list")
        entries = listed.all("score-part") if listed is not None else []
        identity = part.attributes.get("id")
        entry = next((entry for entry in entries if entry.attributes.get("id") == identity), None)
        self.habits = Habits(self.measures, entry)
        lines = versions.before.bar_lines
        starts = [_NOWHERE if bar is None else lines[bar] for bar in versions.source]
        self.graces = follow_graces(self.measures, versions.old, versions.new, starts, versions.after.bar_lines)

    def splice(self) -> None:
        """Wait with the edits of this part."""
        old_cells = cells_of(self.graces.old, self.versions.before.bar_lines)
        new_cells = cells_of(self.graces.new, self.versions.after.bar_lines)
        anew: list[int] = []
        self.ringing: dict[int, list[Segment]] = {}
        for index, bar in enumerate(self.versions.source):
            edits = None if bar is None else self._edits(index, bar, old_cells[bar], new_cells[index])
            if edits is None:
                anew.append(index)
                continue
            for edit in dict.fromkeys(edits):
                self.document.replace(*edit)
        part = Rewriting(
            self.document, self.measures, self.habits, self.versions.after, self.graces.new, self.graces.stay
        )
        part.write(anew)
        for index, segments in self.ringing.items():
            part.ring(index, segments)

    def _edits(self, index: int, bar: int, old: list[Segment], new: list[Segment]) -> list[Edit] | None:
        """What changes in a measure in place; None where it must be written anew."""
        before, after = self.versions.before.bar_lines, self.versions.after.bar_lines
        if before[bar + 1] - before[bar] != after[index + 1] - after[index]:
            return None
        measure = self.measures[index]
        gone = [note.node for note in measure.notes if note.node.start in self.graces.gone and note.at >= 0]
        edits = [Edit(node.start, node.stop, b"") for node in gone]
        if old == new and not self._graces_moved(measure):
            return edits
        pairs = paired(old, new)
        changed = None if pairs is None else self._paired_edits(index, pairs)
        return None if changed is None else edits + changed

    def _graces_moved(self, measure: Measure) -> bool:
        """Whether a grace note of a measure has another pitch."""
        stay = self.graces.stay
        return any(note.node.start in stay and stay[note.node.start].pitch != note.pitch for note in measure.notes)

    def _paired_edits(self, index: int, pairs: Sequence[Pair]) -> list[Edit] | None:
        """The edits of a measure whose rhythm stays; what comes to ring in it is noted for later."""
        measure = self.measures[index]
        both = [(a, b) for a, b in pairs if a is not None]
        ringing = [b for a, b in pairs if a is None and b is not None]
        silent = all(b is None for _, b in both)
        if ringing and (self.versions.exact or measure.shifts or silent):
            return None
        changed = repitch(self.document, measure, both, self.graces.stay, self.habits.signs)
        if changed is not None and ringing:
            self.ringing[index] = ringing
        return changed
