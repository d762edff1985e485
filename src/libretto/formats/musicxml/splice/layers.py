"""New notes for some bars of a part, written by our own writer and taken apart into layers.

The writer is given a small piece of its own: one voice for each staff, at the pitch that the part's player reads, with
a bar before and after so that ties over the edges are written, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from libretto.formats.musicxml.splice.document import Document, Node
from libretto.formats.musicxml.write import encode
from libretto.formats.musicxml.written import Time, number
from libretto.score import QUARTER, Key, Meter, Note, Score, Voice
from libretto.score.marks import Mark
from libretto.score.model import in_force

__all__ = ["Event", "Fresh", "Layer", "write_bars"]

_ONE_STAFF = 40  # a program that is never laid out on two staves
_MOST_SIGNS = 7  # of a key signature


@dataclass
class Event:
    """A note, chord or rest of a layer: when in its bar, and its elements with their document."""

    at: Time
    length: Time
    nodes: list[Node]
    document: Document
    rest: bool


@dataclass
class Layer:
    """The events of one layer of one staff, in order of time; ``number`` is the writer's own."""

    staff: int
    number: str
    events: list[Event] = field(default_factory=list)


@dataclass
class Fresh:
    """What is to be written: the notes of each staff as they are read, the bar lines, and what holds in each bar."""

    staves: Sequence[Sequence[tuple[Note, Sequence[Mark]]]]  # notes with the marks that stand on them
    lines: Sequence[int]
    meters: Sequence[tuple[int, Meter]]
    signatures: Sequence[int]  # one for each bar
    drums: bool = False


def write_bars(fresh: Fresh, first: int, last: int) -> dict[int, list[Layer]]:
    """The layers of bars ``first`` to ``last`` (indices), by bar."""
    low, high = max(0, first - 1), min(len(fresh.lines) - 2, last + 1)
    start, end = fresh.lines[low], fresh.lines[high + 1]
    inside = (fresh.lines[first], fresh.lines[last + 1])
    clipped = [_clipped(notes, start, end, inside) for notes in fresh.staves]
    voices = [_staff(f"Staff {staff}", notes, fresh.drums) for staff, notes in enumerate(clipped, 1)]
    keys = [Key.of_signature(_usual(fresh.signatures[bar]), "major") for bar in range(low, high + 1)]
    meters: list[tuple[int, Meter]] = []
    for line in fresh.lines[low : high + 1]:
        meter = in_force(fresh.meters, line)
        if not meters or meters[-1][1] != meter:
            meters.append((line - start, meter))
    score = Score.build(
        voices,
        bar_lines=[line - start for line in fresh.lines[low : high + 2]],
        meters=meters,
        keys=[(fresh.lines[low + index] - start, key) for index, key in enumerate(keys)],
    )
    document = Document(encode(score))
    written: dict[int, list[Layer]] = {bar: [] for bar in range(first, last + 1)}
    for staff, part in enumerate(document.root.all("part"), 1):
        tick: Time = QUARTER
        for bar, measure in enumerate(part.all("measure"), low):
            layers, tick = _layers(document, measure, staff, tick)
            if bar in written:
                written[bar] += layers
    return written


def _staff(name: str, notes: Sequence[tuple[Note, Sequence[Mark]]], drums: bool) -> Voice:
    """The notes of a staff as a voice that the writer lays out on one staff."""
    plain = Voice.of(name, [note for note, _ in notes], None if drums else _ONE_STAFF, drums)
    return plain.with_marks(mark for _, marks in notes for mark in marks)


def _usual(signature: int) -> int:
    while signature > _MOST_SIGNS:
        signature -= 12
    while signature < -_MOST_SIGNS:
        signature += 12
    return signature


def _clipped(
    notes: Sequence[tuple[Note, Sequence[Mark]]], start: int, end: int, inside: tuple[int, int]
) -> list[tuple[Note, list[Mark]]]:
    """The notes that sound within some ticks, timed from ``start`` and cut at the ends; marks on whole ones."""
    clipped = []
    for note, marks in notes:
        if note.onset < inside[1] and note.onset + note.duration > inside[0]:
            onset, stop = max(note.onset, start), min(note.onset + note.duration, end)
            whole = onset >= inside[0] and stop == note.onset + note.duration
            new = note._replace(onset=onset - start, duration=stop - onset)
            moved = [mark._replace(tick=new.onset, pitch=new.pitch, length=new.duration) for mark in marks]
            clipped.append((new, moved if whole else []))
    return clipped


def _layers(document: Document, measure: Node, staff: int, tick: Time) -> tuple[list[Layer], Time]:
    """The layers of a measure that our writer wrote, and the ticks of a division after it."""
    at: Time = 0
    layers: dict[str, Layer] = {}
    current: Layer | None = None
    for node in measure.children:
        divisions = node.said("divisions") if node.tag == "attributes" else None
        if divisions:
            tick = Fraction(QUARTER) / number(divisions, "divisions")
        length = number(node.said("duration") or "0", "duration") * tick
        if node.tag == "backup":
            at -= length
        elif node.tag == "forward":
            at += length
        elif node.tag == "note" and node.find("chord") is not None and current is not None:
            current.events[-1].nodes.append(node)
        elif node.tag == "note":
            name = node.said("voice") or "1"
            current = layers.setdefault(name, Layer(staff, name))
            current.events.append(Event(at, length, [node], document, node.find("rest") is not None))
            at += length
    return list(layers.values()), tick
