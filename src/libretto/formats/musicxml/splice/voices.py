"""Voices that came, went or changed their names: parts put in, taken out or renamed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from libretto.formats.musicxml.splice.document import Document, Node
from libretto.formats.musicxml.write import encode
from libretto.score import Score, Voice

__all__ = ["Match", "add_parts", "match_voices", "remove_parts", "rename_parts"]

_BEFORE_PROGRAM = ("midi-channel", "midi-name", "midi-bank")  # by the standard's order


class Match(NamedTuple):
    """Which voices are which: (old, new) names of those that stay, old names gone, new names come."""

    stay: list[tuple[str, str]]
    gone: list[str]
    come: list[str]


def match_voices(before: Score, after: Score) -> Match:
    """Voices are the same by name, else by their notes."""
    theirs = {voice.name for voice in after.voices}
    pairs = {voice.name: voice.name for voice in before.voices if voice.name in theirs}
    free = [voice for voice in after.voices if voice.name not in pairs]
    for voice in before.voices:
        same = None if voice.name in pairs else _namesake(voice, free)
        if same is not None:
            pairs[voice.name] = same.name
            free.remove(same)
    names = [voice.name for voice in before.voices]
    stay = [(name, pairs[name]) for name in names if name in pairs]
    return Match(stay, [name for name in names if name not in pairs], [voice.name for voice in free])


def _namesake(voice: Voice, others: Sequence[Voice]) -> Voice | None:
    """The voice of another name that plays the same."""
    return next((other for other in others if _same(voice, other)), None)


def _same(one: Voice, other: Voice) -> bool:
    return len(one.array) > 0 and one.drums == other.drums and one.array.tobytes() == other.array.tobytes()


def _entries(document: Document) -> tuple[Node | None, dict[str, Node]]:
    listed = document.root.find("part-list")
    entries = listed.all("score-part") if listed is not None else []
    return listed, {entry.attributes.get("id", ""): entry for entry in entries}


def remove_parts(document: Document, places: Sequence[int]) -> Document:
    """The document without the parts at those places."""
    listed, entries = _entries(document)
    for place, part in enumerate(document.root.all("part")):
        if place in places:
            document.remove(document.root, part)
            entry = entries.get(part.attributes.get("id", ""))
            if entry is not None and listed is not None:
                document.remove(listed, entry)
    return document.renewed()


def rename_parts(document: Document, voices: Sequence[tuple[Voice, Voice]]) -> Document:
    """The document with the names and programs of the new version."""
    _, entries = _entries(document)
    for part, (old, new) in zip(document.root.all("part"), voices, strict=True):
        entry = entries.get(part.attributes.get("id", ""))
        if entry is None:
            continue
        name = entry.find("part-name")
        if old.name != new.name and name is not None:
            document.set_text(name, new.name)
        if old.program != new.program and new.program is not None:
            _set_program(document, entry, new.program)
    return document.renewed()


def _set_program(document: Document, entry: Node, program: int) -> None:
    """Another General MIDI program for all players of a part."""
    for player in entry.all("midi-instrument"):
        node = player.find("midi-program")
        if node is not None:
            document.set_text(node, str(program + 1))
        else:
            earlier = [child for child in player.children if child.tag in _BEFORE_PROGRAM]
            at = earlier[-1].stop if earlier else player.inner
            document.insert(at, f"<midi-program>{program + 1}</midi-program>".encode())


def add_parts(document: Document, after: Score, names: Sequence[str]) -> Document:
    """The document with parts for the voices of those names, each in its place among the others."""
    listed, entries = _entries(document)
    parts = document.root.all("part")
    model = parts[0] if parts else None
    staying = [voice.name for voice in after.voices if voice.name not in names]
    taken = {node.attributes.get("id", "") for node in _all_ids(document.root)}
    for name in names:
        identity = _free("P", taken)
        taken.add(identity)
        entry, part = _written(after, after.voice(name), identity, model, document)
        following = [v.name for v in after.voices[[v.name for v in after.voices].index(name) :] if v.name in staying]
        place = staying.index(following[0]) if following else len(parts)
        _insert(document, document.root, parts, place, part)
        if listed is not None:
            order = [entries.get(other.attributes.get("id", "")) for other in parts]
            known = [node for node in order if node is not None]
            _insert(document, listed, known, min(place, len(known)), entry)
    return document.renewed()


def _all_ids(node: Node) -> list[Node]:
    """All elements that have an id."""
    listed = [node] if "id" in node.attributes else []
    for child in node.children:
        listed += _all_ids(child)
    return listed


def _free(stem: str, taken: set[str]) -> str:
    number = 1
    while any(name == f"{stem}{number}" or name.startswith(f"{stem}{number}-") for name in taken):
        number += 1
    return f"{stem}{number}"


def _insert(document: Document, parent: Node, siblings: Sequence[Node], place: int, raw: bytes) -> None:
    """Put bytes before the sibling at a place, or after the last child of the parent."""
    if place < len(siblings):
        node = siblings[place]
        gap = document.gap(parent, parent.children.index(node))
        document.insert(node.start, raw + (gap if not gap.strip() else b"\n"))
        return
    last = parent.children[-1] if parent.children else None
    gap = document.gap(parent, len(parent.children) - 1) if last is not None else b"\n"
    document.insert(last.stop if last is not None else parent.inner, (gap if not gap.strip() else b"\n") + raw)


def _written(score: Score, voice: Voice, identity: str, model: Node | None, file: Document) -> tuple[bytes, bytes]:
    """The entry and the part of a voice by our writer, with the measure numbers and bar lines of the file."""
    end = score.ticks
    notes = [note._replace(duration=min(note.duration, end - note.onset)) for note in voice.notes]
    document = Document(encode(replace(score, voices=(Voice("Marks"), voice.with_notes(notes)))))
    part = document.root.all("part")[1]
    old, measures = part.attributes["id"], part.all("measure")
    for measure in measures:
        for line in measure.all("barline"):
            document.remove(measure, line)
    for measure, twin in zip(measures, model.all("measure") if model is not None else [], strict=False):
        document.set_attribute(measure, "number", twin.attributes.get("number", ""))
        if twin.attributes.get("implicit") == "yes" and "implicit" not in measure.attributes:
            document.set_attribute(measure, "implicit", "yes")
        for line in twin.all("barline"):
            at = measure.inner if line.attributes.get("location") == "left" else measure.tail
            document.insert(at, file.raw(line) + b"\n")
    changed = Document(document.result())
    entry = changed.root.all("part-list")[0].all("score-part")[1]
    ids = re.compile(rb'\bid="' + re.escape(old.encode()) + rb'(?=["-])')
    new = b'id="' + identity.encode()
    return ids.sub(new, changed.raw(entry)), ids.sub(new, changed.raw(changed.root.all("part")[1]))
