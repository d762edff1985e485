"""How a part is written: which staff takes which pitches, how its layers are numbered, which instruments it names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from statistics import median

from libretto.formats.musicxml.splice.document import Node
from libretto.formats.musicxml.splice.walk import Measure, XmlNote
from libretto.score import Note

__all__ = ["Habits"]

_NEAR = 4  # bars on either side whose notes say which staff takes what
_LAYERS_A_STAFF = 4  # by custom: the second staff's layers are numbered from 5


class Habits:
    """The habits of one part, as its measures show them."""

    def __init__(self, measures: Sequence[Measure], listed: Node | None) -> None:
        self.measures, self.listed = measures, listed
        self._known: dict[int, dict[int, float]] = {}  # the homes of staves, by bar

    @cached_property
    def staves(self) -> int:
        """How many staves the part has."""
        said = [
            int(text)
            for measure in self.measures
            for child in measure.node.all("attributes")
            if (text := child.said("staves")) and text.isascii() and text.isdigit() and len(text) == 1
        ]
        used = [note.staff for measure in self.measures for note in measure.notes]
        return max([1, *said, *used])

    @cached_property
    def shows_staff(self) -> bool:
        """Whether notes name their staff."""
        return self.staves > 1 or any(
            note.node.find("staff") is not None for measure in self.measures for note in measure.notes
        )

    @cached_property
    def signs(self) -> bool:
        """Whether accidentals are written out."""
        return any(note.node.find("accidental") is not None for measure in self.measures for note in measure.notes)

    @cached_property
    def voices(self) -> list[list[str]]:
        """The numbers of the layers of each staff, the most used first."""
        counts: list[Counter[str]] = [Counter() for _ in range(self.staves)]
        for measure in self.measures:
            for note in measure.node.all("note"):
                staff = note.said("staff") or "1"
                place = int(staff) - 1 if staff.isascii() and staff.isdigit() else 0
                counts[min(place, self.staves - 1)][note.said("voice") or ""] += 1
        mine: list[list[str]] = []
        taken: set[str] = set()
        for count in counts:
            names = [name for name, _ in count.most_common() if name and name not in taken]
            leading = names[:_LAYERS_A_STAFF]
            mine.append(leading)
            taken |= set(leading)
        return mine

    def layer_name(self, staff: int, place: int, taken: set[str]) -> str:
        """The number of the so-manieth layer of a staff (from 0): the part's own, else one that is free."""
        mine = self.voices[staff - 1]
        if place < len(mine) and mine[place] not in taken:
            return mine[place]
        others = {name for index, names in enumerate(self.voices) if index != staff - 1 for name in names}
        number = _LAYERS_A_STAFF * (staff - 1) + 1
        while str(number) in taken | others | set(mine):
            number += 1
        return str(number)

    def staff_of(self, note: Note, bar: int, lines: Sequence[int]) -> int:
        """The staff of a new note (from 1), by where the staves lie around that bar; what is tied in stays."""
        if self.staves == 1:
            return 1
        if bar not in self._known:
            self._known[bar] = self._homes(bar)
        homes = self._known[bar]
        held = self._held(bar).get(note.pitch) if note.onset < lines[bar] else None
        return held or min(homes, key=lambda staff: (abs(homes[staff] - note.pitch), staff))

    @cached_property
    def _every(self) -> list[XmlNote]:
        return [note for measure in self.measures for note in measure.notes]

    def _homes(self, bar: int) -> dict[int, float]:
        """The middle pitch of each staff near a bar, else in the whole part; unused staves are left out."""
        homes: dict[int, float] = {}
        near = [note for m in self.measures[max(0, bar - _NEAR) : bar + _NEAR + 1] for note in m.notes]
        for staff in range(1, self.staves + 1):
            for group in (near, self._every):
                pitches = [note.pitch for note in group if note.staff == staff and note.pitch is not None]
                if pitches:
                    homes[staff] = median(pitches)
                    break
        return homes or {1: 0.0}

    def _held(self, bar: int) -> dict[int, int]:
        """The staves of the notes that are tied into a bar, by pitch."""
        before = self.measures[bar - 1].notes if bar else []
        return {note.pitch: note.staff for note in before if note.tie_out and note.pitch is not None}

    def last_instrument(self, bar: int) -> str | None:
        """The instrument that the last note up to the end of a bar names, else one after it; None if none does."""
        for measure in [*self.measures[bar::-1], *self.measures[bar:]]:
            for note in reversed(measure.notes):
                instrument = note.node.find("instrument")
                if instrument is not None:
                    return instrument.attributes.get("id")
        return None

    @cached_property
    def drums(self) -> dict[int, str]:
        """The instruments of the part list by their drum keys (MIDI numbers)."""
        keys: dict[int, str] = {}
        for player in self.listed.all("midi-instrument") if self.listed is not None else []:
            text = player.said("midi-unpitched") or ""
            if text.isascii() and text.isdigit():
                keys.setdefault(int(text) - 1, player.attributes.get("id", ""))
        return keys

    def look(self, identity: str) -> XmlNote | None:
        """A note of the part that names that instrument."""
        for measure in self.measures:
            for note in measure.notes:
                instrument = note.node.find("instrument")
                if instrument is not None and instrument.attributes.get("id") == identity:
                    return note
        return None
