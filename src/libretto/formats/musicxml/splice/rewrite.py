"""Cells whose rhythm changes: their notes written anew, everything else of the measures kept at its time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from libretto.errors import FormatError, ScoreError
from libretto.formats.musicxml.splice.anchors import Loose, loose_ends
from libretto.formats.musicxml.splice.cells import Segment
from libretto.formats.musicxml.splice.document import Document, Node
from libretto.formats.musicxml.splice.habits import Habits
from libretto.formats.musicxml.splice.inplace import apply, as_written, repitched
from libretto.formats.musicxml.splice.kit import list_drums
from libretto.formats.musicxml.splice.layers import Event, Fresh, Layer, write_bars
from libretto.formats.musicxml.splice.printing import Printer, layer_names
from libretto.formats.musicxml.splice.walk import Measure, Placed
from libretto.formats.musicxml.splice.weave import Kept, beside, weave
from libretto.score import Note, Score, Voice
from libretto.score.marks import Mark
from libretto.score.pitch import spelling_range

__all__ = ["Rewriting"]

_PLACED = ("staff", "tied-in", "let-ring")  # marks that the file's own habits and ties take the place of


@dataclass
class Rewriting:
    """One part whose measures are written anew: the new voice without its grace notes, and those that stay."""

    document: Document
    measures: Sequence[Measure]
    habits: Habits
    score: Score  # the new version
    voice: Voice
    graces: Mapping[int, Note]

    def write(self, bars: Sequence[int]) -> None:
        """Put new notes into those measures."""
        loose = loose_ends(self.document, self.measures, set(bars), set(self.graces))
        for first, last in _runs(bars):
            fresh = self._fresh(first, last, self.voice.notes)
            try:
                written = write_bars(fresh, first, last)
            except ScoreError as error:
                raise FormatError(f"the new notes cannot be written: {error}") from None
            list_drums(self.document, self.habits, _drum_keys([layer for bar in written.values() for layer in bar]))
            names = self._names(first, last, written)
            for bar in range(first, last + 1):
                self._measure(bar, written[bar], names, loose.get(bar, []))

    def ring(self, bar: int, segments: Sequence[Segment]) -> None:
        """Put notes that ring into a measure beside all that it holds, in layers of their own."""
        measure = self.measures[bar]
        layers = write_bars(self._fresh(bar, bar, self._ringing(bar, segments)), bar, bar)[bar]
        layers = [sounding for layer in layers if (sounding := _sounding(layer)).events]
        taken = {note.said("voice") or "" for note in measure.node.all("note")}
        names: list[str] = []
        for layer in layers:
            names.append(self.habits.layer_name(layer.staff, 1, taken | set(names)))
        printer = Printer(self.habits, bar, names, [layer.staff for layer in layers])
        printer.keys = _drum_keys(layers)
        length = self.score.bar_lines[bar + 1] - self.score.bar_lines[bar]
        space = self._space(measure)
        block = beside(layers, measure.after.divisions, measure.cursor, length, space, printer)
        children = measure.node.children
        last = [index for index, child in enumerate(children) if _closes(child)]
        before = last[0] if last else len(children)
        self.document.insert(children[before - 1].stop if before else measure.node.inner, block)

    def _ringing(self, bar: int, segments: Sequence[Segment]) -> list[Note]:
        """The notes that ring into a bar as those segments."""
        start, end = self.score.bar_lines[bar : bar + 2]
        wanted = {(segment.length, segment.pitch) for segment in segments}
        coming = [note for note in self.voice.notes if note.onset < start < note.onset + note.duration]
        return [note for note in coming if (min(note.onset + note.duration, end) - start, note.pitch) in wanted]

    def _space(self, measure: Measure) -> bytes:
        """The space before each child of a measure."""
        space = self.document.gap(measure.node, 0) if measure.node.children else b"\n"
        return space if not space.strip() else b"\n"

    def _fresh(self, first: int, last: int, notes: Sequence[Note]) -> Fresh:
        """What the writer is to write: each staff's notes as the player reads them."""
        lines = self.score.bar_lines
        staves: list[list[tuple[Note, Sequence[Mark]]]] = [[] for _ in range(self.habits.staves)]
        marks = self._marks(first, last)
        for note in notes:
            if note.onset >= lines[last + 1] or note.onset + note.duration <= lines[first]:
                continue
            bar = min(max(self.score.bar_at(note.onset), first), last)
            signs = marks.get((note.onset, note.pitch, note.duration), [])
            staff = self.habits.staff_of(note, bar, lines) if not self.voice.drums else 1
            state = self.measures[bar].start
            if not self.voice.drums:
                spelling = spelling_range(note.spelling - state.fifths)
                note = note._replace(pitch=note.pitch - state.chromatic, spelling=spelling)
            staves[staff - 1].append((note, signs))
        signatures = [measure.start.key for measure in self.measures]
        return Fresh(staves, lines, self.score.meters, signatures, self.voice.drums)

    def _marks(self, first: int, last: int) -> dict[tuple[int, int, int], list[Mark]]:
        """The marks on the notes of some bars, by their notes; of slurs those that begin and end there."""
        start, end = self.score.bar_lines[first], self.score.bar_lines[last + 1]
        listed: dict[tuple[int, int, int], list[Mark]] = {}
        waiting: dict[str, list[Mark]] = {}
        for mark in self.voice.marks:
            if not mark.on_note or not start <= mark.tick < end or mark.kind in _PLACED:
                continue
            if mark.kind == "slur-start":
                waiting.setdefault(mark.value, []).append(mark)
                continue
            whole = [mark]
            if mark.kind == "slur-stop":
                whole = [waiting[mark.value].pop(), mark] if waiting.get(mark.value) else []
            for sign in whole:
                listed.setdefault((sign.tick, sign.pitch, sign.length), []).append(sign)
        return listed

    def _names(self, first: int, last: int, written: Mapping[int, list[Layer]]) -> dict[tuple[int, str], str]:
        """The numbers of the layers in a run of measures, by staff and the writer's own number."""
        wanted = self._coming(first, written[first])
        for layer, name in self._going(last, written[last]).items():
            wanted.setdefault(layer, name)
        layers = {(layer.staff, layer.number): layer for bar in sorted(written) for layer in written[bar]}
        return layer_names([layers[key] for key in sorted(layers)], self.habits, wanted)

    def _measure(
        self, bar: int, layers: list[Layer], names: Mapping[tuple[int, str], str], loose: Sequence[Loose]
    ) -> None:
        measure = self.measures[bar]
        if measure.shifts:
            raise FormatError(f"measure {measure.number} changes its divisions midway, which cannot be edited yet")
        mine = [names[layer.staff, layer.number] for layer in layers]
        printer = Printer(self.habits, bar, mine, [layer.staff for layer in layers], _hung(layers, loose))
        printer.keys = _drum_keys(layers)
        node, document = measure.node, self.document
        kept = [self._kept(placed, measure) for placed in measure.children if self._stays(placed)]
        length = self.score.bar_lines[bar + 1] - self.score.bar_lines[bar]
        inside = weave(layers, kept, measure.start.divisions, length, self._space(measure), printer)
        end = document.data[node.children[-1].stop : node.tail] if node.children else b"\n"
        if node.inner == node.stop:  # an empty element tag
            head = document.data[node.start : node.inner - 2].rstrip()
            document.replace(node.start, node.stop, head + b">" + inside + end + b"</measure>")
        else:
            document.replace(node.inner, node.tail, inside + end)

    def _stays(self, placed: Placed) -> bool:
        node = placed.node
        return node.tag not in ("note", "backup", "forward") or node.start in self.graces

    def _kept(self, placed: Placed, measure: Measure) -> Kept:
        node = placed.node
        raw = self.document.raw(node)
        if node.tag == "note":
            note = next(note for note in measure.notes if note.node is node)
            new = self.graces[node.start]
            if new.pitch != note.pitch:
                raw = apply(raw, node.start, repitched(self.document, node, as_written(note, new.pitch, new.spelling)))
        return Kept(
            at=placed.at,
            raw=raw,
            space=self.document.gap(measure.node, placed.index),
            last=_closes(node),
            divides=node.tag == "attributes" and node.find("divisions") is not None,
        )

    def _coming(self, bar: int, layers: Sequence[Layer]) -> dict[tuple[int, str], str]:
        """The numbers that layers had in the measure before, where a tie leads from there."""
        before = self.measures[bar - 1].notes if bar else []
        return _tied(layers, {_written(note.node): note.voice for note in before if note.tie_out}, "stop")

    def _going(self, bar: int, layers: Sequence[Layer]) -> dict[tuple[int, str], str]:
        """The numbers that layers have in the measure after, where a tie leads to there."""
        after = self.measures[bar + 1].notes if bar + 1 < len(self.measures) else []
        known = {_written(note.node): note.voice for note in after if note.tie_in and note.at == 0}
        return _tied(layers, known, "start")


def _tied(
    layers: Sequence[Layer], known: Mapping[tuple[str | None, ...], str], kind: str
) -> dict[tuple[int, str], str]:
    """The known numbers of layers whose first or last notes are tied to notes of those pitches."""
    names: dict[tuple[int, str], str] = {}
    for layer in layers:
        for node in layer.events[0 if kind == "stop" else -1].nodes:
            ties = {tie.attributes.get("type") for tie in node.all("tie")}
            if kind in ties and _written(node) in known:
                names.setdefault((layer.staff, layer.number), known[_written(node)])
    return names


def _written(node: Node) -> tuple[str | None, ...]:
    """What an element says of its pitch."""
    return node.said("pitch/step"), node.said("pitch/alter"), node.said("pitch/octave")


def _closes(node: Node) -> bool:
    """Whether a child of a measure is the bar line at its end."""
    return node.tag == "barline" and node.attributes.get("location", "right") == "right"


def _sounding(layer: Layer) -> Layer:
    """A layer without its rests."""
    return Layer(layer.staff, layer.number, [event for event in layer.events if not event.rest])


def _runs(bars: Sequence[int]) -> list[tuple[int, int]]:
    """Bars as runs of neighbours: first and last."""
    ordered = sorted(bars)
    breaks = [index for index, (a, b) in enumerate(pairwise(ordered), 1) if b != a + 1]
    return [(ordered[a], ordered[b - 1]) for a, b in pairwise([0, *breaks, len(ordered)]) if b > a]


def _hung(layers: Sequence[Layer], loose: Sequence[Loose]) -> dict[int, list[bytes]]:
    """On which new notes the loose ends hang: stops on the first, starts on the last; on a rest where there is none."""
    hung: dict[int, list[bytes]] = {}
    for end in loose:
        mine = [event for layer in layers if layer.staff == end.staff for event in layer.events]
        every = mine or [event for layer in layers for event in layer.events]
        sounding = [event for event in every if not event.rest] or every
        if sounding:
            event = min(sounding, key=_when) if end.stops else max(sounding, key=_when)
            hung.setdefault(event.nodes[0].start, []).append(end.raw)
    return hung


def _when(event: Event) -> float:
    return float(event.at)


def _drum_keys(layers: Sequence[Layer]) -> dict[str, int]:
    """The drum keys of the writer's own instruments."""
    for layer in layers:
        for event in layer.events:
            listed = event.document.root.find("part-list")
            entries = listed.all("score-part") if listed is not None else []
            return {name: key for entry in entries for key, name in Habits([], entry).drums.items()}
    return {}
