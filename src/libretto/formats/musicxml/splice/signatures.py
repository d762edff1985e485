"""Keys and meters that changed: the ``key`` and ``time`` elements of every part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from libretto.formats.musicxml.splice.document import Document, Node
from libretto.formats.musicxml.splice.moments import insert_between
from libretto.formats.musicxml.splice.walk import Measure, Placed, walk
from libretto.formats.musicxml.written import number
from libretto.score import Key, Meter, Score

__all__ = ["splice_keys", "splice_meters"]

_MOST_SIGNS = 7  # of a key signature that programs draw
_OCTAVE = 12  # fifths after which a key sounds the same


class _Written(NamedTuple):
    """An element inside attributes, with its bar and the ticks of its moment in the old and the new version."""

    node: Node
    attributes: Node
    bar: int
    old: int
    new: int
    fifths: int


def _elements(measures: Sequence[Measure], tag: str, before: Score, after: Score) -> list[_Written]:
    listed = []
    for bar, measure in enumerate(measures):
        fifths = measure.start.fifths
        for placed in _attributes(measure):
            at = round(placed.at)
            for node in placed.node.all(tag):
                where = before.bar_lines[bar] + at, after.bar_lines[bar] + at
                listed.append(_Written(node, placed.node, bar, *where, fifths))
    return listed


def _attributes(measure: Measure) -> list[Placed]:
    return [placed for placed in measure.children if placed.node.tag == "attributes"]


def _usual(fifths: int) -> int:
    while fifths > _MOST_SIGNS:
        fifths -= _OCTAVE
    while fifths < -_MOST_SIGNS:
        fifths += _OCTAVE
    return fifths


def splice_keys(document: Document, before: Score, after: Score) -> Document:
    """The document with the keys of ``after``; transposing parts follow in their own keys."""
    for part, voice in zip(document.root.all("part"), before.voices, strict=True):
        if voice.drums:
            continue
        measures = walk(part)
        written = _elements(measures, "key", before, after)
        ours, theirs = {tick for tick, _ in before.keys}, {tick for tick, _ in after.keys}
        for entry in list(written):
            if entry.old in ours and entry.new not in theirs and before.key_at(entry.old) != after.key_at(entry.new):
                _take_out(document, measures[entry.bar].node, entry)
                written.remove(entry)
            else:
                _rekey(document, entry, before.key_at(entry.old), after.key_at(entry.new))
        _new_keys(document, measures, written, before, after)
    return document.renewed()


def _take_out(document: Document, measure: Node, entry: _Written) -> None:
    """Remove an element, and the attributes that held nothing else."""
    alone = len(entry.attributes.children) == 1
    document.remove(*((measure, entry.attributes) if alone else (entry.attributes, entry.node)))


def _rekey(document: Document, entry: _Written, old: Key, new: Key) -> None:
    """Move a signature as far as the key moved, so that a part in its own key keeps it."""
    fifths, mode = entry.node.find("fifths"), entry.node.find("mode")
    if old == new or fifths is None:
        return
    moved = _usual(int(number(fifths.text.strip(), "fifths")) + new.signature - old.signature)
    if str(moved) != fifths.text.strip():
        document.set_text(fifths, str(moved))
    if mode is not None and mode.text.strip() != new.mode:
        document.set_text(mode, new.mode)
    cancel = entry.node.find("cancel")
    if cancel is not None:
        document.remove(entry.node, cancel)


def _new_keys(
    document: Document, measures: Sequence[Measure], written: Sequence[_Written], before: Score, after: Score
) -> None:
    """Signatures where a key begins that nothing in the part shows."""
    moments = sorted({entry.new for entry in written})
    for tick, key in after.keys:
        if tick in moments:
            continue
        shown = [moment for moment in moments if moment < tick]
        bar = after.bar_at(tick)
        held = after.key_at(shown[-1]) if shown else before.key_at(before.bar_lines[bar])
        if held == key:
            continue
        fifths = _usual(key.signature - measures[bar].start.fifths)
        raw = f"<attributes><key><fifths>{fifths}</fifths><mode>{key.mode}</mode></key></attributes>"
        insert_between(document, measures[bar], tick - after.bar_lines[bar], raw.encode())
        moments = sorted([*moments, tick])


def splice_meters(document: Document, before: Score, after: Score) -> Document:
    """The document with the meters of ``after``."""
    for part in document.root.all("part"):
        measures = walk(part)
        written = _elements(measures, "time", before, after)
        for entry in written:
            old, new = before.meter_at(before.bar_lines[entry.bar]), after.meter_at(after.bar_lines[entry.bar])
            if old != new:
                document.replace(entry.node.start, entry.node.stop, _time(new))
        shown = {entry.bar for entry in written}
        held: Meter | None = None
        for bar, measure in enumerate(measures):
            old, new = before.meter_at(before.bar_lines[bar]), after.meter_at(after.bar_lines[bar])
            if bar in shown:
                held = new
            elif new != (old if held is None else held):
                insert_between(document, measure, 0, b"<attributes>" + _time(new) + b"</attributes>")
                held = new
    return document.renewed()


def _time(meter: Meter) -> bytes:
    return f"<time><beats>{meter.beats}</beats><beat-type>{meter.unit}</beat-type></time>".encode()
