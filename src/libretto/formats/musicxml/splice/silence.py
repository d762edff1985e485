"""Notes that ring no more: their elements become rests, or leave the chord that they were part of."""

from __future__ import annotations

from libretto.formats.musicxml.splice.document import Document, Node
from libretto.formats.musicxml.splice.inplace import Edit

__all__ = ["silenced"]

#: What a rest keeps of the note that it was.
_RHYTHM = ("duration", "voice", "type", "dot", "time-modification", "staff")
_LINES = ("slur", "tuplet", "glissando", "slide")  # of its notations: what reaches to other notes


def silenced(document: Document, measure: Node, gone: set[int]) -> list[Edit]:
    """The edits that silence the notes of a measure that start at those places."""
    edits: list[Edit] = []
    chords: list[list[Node]] = []
    for node in measure.children:
        if node.tag == "note" and node.find("chord") is not None and chords:
            chords[-1].append(node)
        elif node.tag == "note":
            chords.append([node])
    for chord in chords:
        lost = [node for node in chord if node.start in gone]
        left = [node for node in chord if node.start not in gone]
        if not lost:
            continue
        if not left:
            edits.append(Edit(chord[0].start, chord[0].stop, _rest(document, chord[0])))
            lost = chord[1:]
        elif chord[0] in lost:
            edits += _lead(document, chord[0], left[0])
        edits += [_out(document, measure, node) for node in lost]
    return edits


def _out(document: Document, measure: Node, node: Node) -> Edit:
    gap = document.gap(measure, measure.children.index(node))
    return Edit(node.start - (len(gap) - len(gap.rstrip())), node.stop, b"")


def _rest(document: Document, node: Node) -> bytes:
    """A rest as long as the note was, in the same layer."""
    space = document.gap(node, 0)
    kept = [document.raw(child) for child in node.children if child.tag in _RHYTHM]
    lines = _lines(document, node)
    if lines:
        kept.append(b"<notations>" + b"".join(lines) + b"</notations>")
    end = document.data[node.children[-1].stop : node.tail]
    return b"<note>" + b"".join(space + raw for raw in [b"<rest/>", *kept]) + end + b"</note>"


def _lines(document: Document, node: Node) -> list[bytes]:
    return [
        document.raw(child)
        for notations in node.all("notations")
        for child in notations.children
        if child.tag in _LINES
    ]


def _lead(document: Document, old: Node, new: Node) -> list[Edit]:
    """Another note leads a chord: it gives up its chord sign and takes what only the first note carries."""
    edits = []
    sign = new.find("chord")
    if sign is not None:
        gap = document.gap(new, new.children.index(sign))
        edits.append(Edit(sign.start - (len(gap) - len(gap.rstrip())), sign.stop, b""))
    notations = new.find("notations")
    beams = [] if new.find("beam") is not None else [document.raw(beam) for beam in old.all("beam")]
    lines = _lines(document, old)
    hung = b"".join(lines)
    if notations is not None:
        if beams:
            edits.append(Edit(notations.start, notations.start, b"".join(beams)))
        if hung:
            edits.append(Edit(notations.tail, notations.tail, hung))
        return edits
    lyrics = [child.start for child in new.children if child.tag in ("lyric", "play", "listen")]
    at = lyrics[0] if lyrics else new.children[-1].stop
    wrapped = b"<notations>" + hung + b"</notations>" if hung else b""
    if beams or wrapped:
        edits.append(Edit(at, at, b"".join(beams) + wrapped))
    return edits
