"""Bars that came or went: which bar of the new version is which of the old, and the measures put in or taken out."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.formats.musicxml.splice.cells import cells_of
from libretto.formats.musicxml.splice.document import Document, Node
from libretto.formats.musicxml.splice.habits import Habits
from libretto.formats.musicxml.splice.walk import Measure, walk
from libretto.formats.musicxml.splice.weave import rest_measure
from libretto.score import Score

__all__ = ["align_bars", "splice_bars"]

_FINAL = b'<barline location="right"><bar-style>light-heavy</bar-style></barline>'


def align_bars(before: Score, after: Score, names: Sequence[tuple[str, str]]) -> list[int | None]:
    """For each bar of the new version its index in the old, or None where it is new.

    One run of bars is put in, or one is taken out (or what lies around one): wherever most bars stay the same.
    ``names`` are the voices that both versions have, by their old and new names.
    """
    more = after.bars - before.bars
    if not more:
        return list(range(after.bars))
    old, new = _contents(before, [name for name, _ in names]), _contents(after, [name for _, name in names])
    ways: list[list[int | None]] = []
    if more > 0:
        for at in range(before.bars, -1, -1):
            ways.append([*range(at), *[None] * more, *range(at, before.bars)])
    else:
        for at in range(after.bars, -1, -1):
            ways.append([*range(at), *range(at - more, before.bars)])
        ways += [list(range(at, at + after.bars)) for at in range(1 - more)]
    return max(ways, key=lambda way: sum(bar is not None and old[bar] == new[i] for i, bar in enumerate(way)))


def _contents(score: Score, names: Sequence[str]) -> list[object]:
    """What each bar is, so that it can be compared."""
    cells = [cells_of(score.voice(name), score.bar_lines) for name in names]
    lengths = [stop - start for start, stop in zip(score.bar_lines, score.bar_lines[1:], strict=False)]
    return [(length, *(tuple(cell[bar]) for cell in cells)) for bar, length in enumerate(lengths)]


def splice_bars(document: Document, source: Sequence[int | None], after: Score) -> Document:
    """The document with the measures of the new version; those that are new hold rests."""
    for part in document.root.all("part"):
        _Part(document, part, source, after).splice()
    return document.renewed()


class _Part:
    """One part whose measures change in number."""

    def __init__(self, document: Document, part: Node, source: Sequence[int | None], after: Score) -> None:
        self.document, self.part, self.source, self.after = document, part, source, after
        self.measures = walk(part)
        self.habits = Habits(self.measures, None)
        numbers = [measure.number for measure in self.measures]
        self.first = int(numbers[0]) if numbers and numbers[0] in ("0", "1") else 1
        self.plain = numbers == [str(self.first + index) for index in range(len(numbers))]

    def splice(self) -> None:
        stay = {bar for bar in self.source if bar is not None}
        self._take_out(stay)
        closing = self._closing()
        last = self.measures[-1]
        for index, bar in enumerate(self.source):
            if bar is not None:
                self._renumber(self.measures[bar], index)
                continue
            previous = next((b for b in reversed(self.source[:index]) if b is not None), None)
            at = self.measures[0].node.start if previous is None else self.measures[previous].node.stop
            gap = self.document.gap(self.part, self.part.children.index(last.node))
            gap = gap if not gap.strip() else b"\n"
            text = self._new(index, previous, closing if index + 1 == len(self.source) else b"")
            self.document.insert(at, text + gap if previous is None else gap + text)

    def _take_out(self, stay: set[int]) -> None:
        """Remove measures; what they set for those after them is said at the next that stays."""
        owed: list[bytes] = []
        loud: list[bytes] = []
        for bar, measure in enumerate(self.measures):
            if bar not in stay:
                self.document.remove(self.part, measure.node)
                owed += [self.document.raw(child) for child in measure.node.all("attributes")]
                loud = [self.document.raw(child) for child in measure.node.all("direction") if _loudens(child)] or loud
            elif owed or loud:
                carried = b"".join(self._space(measure) + raw for raw in [*owed, *loud[-1:]])
                self.document.insert(measure.node.inner, carried)
                owed, loud = [], []

    def _space(self, measure: Measure) -> bytes:
        gap = self.document.gap(measure.node, 0) if measure.node.children else b"\n"
        return gap if not gap.strip() else b"\n"

    def _renumber(self, measure: Measure, index: int) -> None:
        number = str(index + self.first)
        if self.plain and measure.number != number:
            self.document.set_attribute(measure.node, "number", number)

    def _closing(self) -> bytes:
        """The bar line at the very end, taken away from a measure that is the last no more."""
        if self.source[-1] is not None:
            return b""
        node = self.measures[-1].node
        for line in node.all("barline"):
            if line.attributes.get("location", "right") == "right":
                if line.find("repeat") is None and line.find("ending") is None:
                    raw = self.document.raw(line)
                    self.document.remove(node, line)
                    return raw
                return _FINAL
        return b""

    def _new(self, index: int, previous: int | None, closing: bytes) -> bytes:
        """A measure of rest; at the very beginning with what opens the part."""
        model = self.measures[previous or 0]
        state = model.start if previous is None else model.after
        opening = []
        if index == 0:
            for placed in model.children:
                if placed.node.tag in ("note", "backup", "forward"):
                    break
                if placed.node.tag == "attributes":
                    opening.append(self.document.raw(placed.node))
        number = str(index + self.first) if self.plain else self._between(index, previous)
        names = [self.habits.layer_name(staff, 0, set()) for staff in range(1, self.habits.staves + 1)]
        length = self.after.bar_lines[index + 1] - self.after.bar_lines[index]
        end = self.document.data[model.node.children[-1].stop : model.node.tail] if model.node.children else b"\n"
        inside = rest_measure(names, self.habits.shows_staff, state.divisions, length, self._space(model), opening)
        closed = self._space(model) + closing if closing else b""
        return f'<measure number="{number}">'.encode() + inside + closed + end + b"</measure>"

    def _between(self, index: int, previous: int | None) -> str:
        """A number for a measure of a part that is not plainly numbered."""
        here = self.measures[previous].number if previous is not None else "0"
        after = sum(1 for bar in reversed(self.source[: index + 1]) if bar is None)
        if here.isascii() and here.isdigit() and all(bar is None for bar in self.source[index:]):
            count = next(i for i, bar in enumerate(reversed(self.source[:index])) if bar is not None)
            return str(int(here) + count + 1)
        return f"{here}.{after}"


def _loudens(direction: Node) -> bool:
    """Whether a direction says how loud to play from there on."""
    sound = direction.find("sound")
    return (sound is not None and "dynamics" in sound.attributes) or next(direction.iter("dynamics"), None) is not None
