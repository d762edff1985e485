"""Changes of one note element that leave all else of it alone: its pitch, accidental, ties and loudness."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from libretto.formats.musicxml.splice.document import Document, Node
from libretto.formats.musicxml.splice.walk import XmlNote
from libretto.notation.staves import WrittenPitch, signature_alters, written_pitch
from libretto.score import Note
from libretto.score.pitch import spelling_range

__all__ = ["Edit", "apply", "as_written", "dynamics", "repitched", "resigned", "retied", "signs_needed"]

_SIGNS = {-2: "flat-flat", -1: "flat", 0: "natural", 1: "sharp", 2: "double-sharp"}
_AFTER_TIE = ("cue", "instrument", "footnote", "level", "voice", "type", "dot", "accidental", "time-modification")
_AFTER_SIGN = ("time-modification", "stem", "notehead", "notehead-text", "staff", "beam", "notations", "lyric", "play")
_AFTER_NOTATIONS = ("lyric", "play", "listen")
_VELOCITY_PERCENT = 0.9  # of velocity 90, which MusicXML calls 100


class Edit(NamedTuple):
    """Bytes to put in place of others."""

    start: int
    stop: int
    new: bytes


def apply(raw: bytes, start: int, edits: Sequence[Edit]) -> bytes:
    """Bytes that begin at ``start`` of a document, with edits made in them."""
    parts, at = [], start
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.stop)):
        parts += [raw[at - start : edit.start - start], edit.new]
        at = edit.stop
    return b"".join([*parts, raw[at - start :]])


def as_written(note: XmlNote, pitch: int, spelling: int) -> WrittenPitch:
    """How the part's player reads a sounding pitch at that note."""
    return written_pitch(Note(0, 1, pitch - note.chromatic, spelling=spelling_range(spelling - note.fifths)))


def repitched(document: Document, node: Node, new: WrittenPitch) -> list[Edit]:
    """Another pitch for a note element."""
    pitch = node.find("pitch")
    if pitch is None:
        return []
    edits = []
    for tag, text in (("step", new.letter), ("octave", str(new.octave))):
        child = pitch.find(tag)
        if child is not None and child.text.strip() != text:
            edits.append(Edit(child.inner, child.tail, text.encode()))
    alter, step = pitch.find("alter"), pitch.find("step")
    if alter is not None and new.alter:
        edits.append(Edit(alter.inner, alter.tail, str(new.alter).encode()))
    elif alter is not None:
        edits.append(_without(document, pitch, alter))
    elif new.alter and step is not None:
        space = document.gap(pitch, pitch.children.index(step))
        edits.append(Edit(step.stop, step.stop, space + f"<alter>{new.alter}</alter>".encode()))
    return edits


def _without(document: Document, parent: Node, child: Node) -> Edit:
    gap = document.gap(parent, parent.children.index(child))
    return Edit(child.start - (len(gap) - len(gap.rstrip())), child.stop, b"")


def resigned(document: Document, node: Node, sign: str | None) -> list[Edit]:
    """Another accidental before a note, or none."""
    old = node.find("accidental")
    if old is not None and old.text.strip() == sign:
        return []
    if old is not None:
        shown = f"<accidental>{sign}</accidental>".encode()
        return [Edit(old.start, old.stop, shown) if sign else _without(document, node, old)]
    return [_put(document, node, f"<accidental>{sign}</accidental>", _AFTER_SIGN)] if sign else []


def _put(document: Document, node: Node, xml: str, before: Sequence[str]) -> Edit:
    """An element put into a note where the standard wants it, with the same space before it as its siblings have."""
    place = next((index for index, child in enumerate(node.children) if child.tag in before), len(node.children))
    at = node.children[place - 1].stop if place else node.inner
    return Edit(at, at, document.gap(node, 0) + xml.encode())


def retied(document: Document, node: Node, kind: str, present: bool) -> list[Edit]:
    """A note with or without a tie of that type (``start`` or ``stop``), to be heard and to be seen."""
    edits = []
    ties = [tie for tie in node.all("tie") if tie.attributes.get("type") == kind]
    drawn = [
        (notations, tied)
        for notations in node.all("notations")
        for tied in notations.all("tied")
        if tied.attributes.get("type") == kind
    ]
    if not present:
        edits += [_without(document, node, tie) for tie in ties]
        edits += [_unhung(document, node, notations, tied) for notations, tied in drawn]
        return edits
    if not ties:
        edits.append(_put(document, node, f'<tie type="{kind}"/>', _AFTER_TIE))
    if not drawn:
        notations = node.find("notations")
        tied = f'<tied type="{kind}"/>'
        if notations is not None and notations.children:
            space = document.gap(notations, 0)
            edits.append(Edit(notations.inner, notations.inner, space + tied.encode()))
        elif notations is None:
            edits.append(_put(document, node, f"<notations>{tied}</notations>", _AFTER_NOTATIONS))
    return edits


def _unhung(document: Document, node: Node, notations: Node, tied: Node) -> Edit:
    """The tie taken out of its notations, or those as a whole where they hold nothing else."""
    return _without(document, *((node, notations) if len(notations.children) == 1 else (notations, tied)))


def dynamics(document: Document, node: Node, velocity: int) -> list[Edit]:
    """A note with a loudness of its own."""
    percent = f"{velocity / _VELOCITY_PERCENT:.2f}".rstrip("0").rstrip(".").encode()
    head = document.data[node.start : node.inner]
    match = re.search(rb"""\sdynamics\s*=\s*("[^"]*"|'[^']*')""", head)
    if match:
        return [Edit(node.start + match.start(1), node.start + match.end(1), b'"' + percent + b'"')]
    at = node.start + len(b"<note")
    return [Edit(at, at, b' dynamics="' + percent + b'"')]


def signs_needed(notes: Sequence[tuple[XmlNote, WrittenPitch]], signature: int) -> list[str | None]:
    """The accidental that each note of a measure needs: one holds on its line and staff until the measure ends."""
    by_key = signature_alters(signature)
    held: dict[tuple[int, str, int], int] = {}
    signs: list[str | None] = [None] * len(notes)
    for index in sorted(range(len(notes)), key=lambda index: (notes[index][0].at, index)):
        note, (letter, alter, octave) = notes[index]
        line = note.staff, letter, octave
        if note.tie_in and not note.grace:
            continue
        if held.get(line, by_key[letter]) != alter:
            signs[index] = _SIGNS.get(alter)
            held[line] = alter
    return signs
