"""A reader of MusicXML that is not ours: the tree of the standard library, and measures as raw bytes."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from xml.etree import ElementTree

Cell = tuple[str, int]


def document(data: bytes) -> bytes:
    """The score inside a file, plain or compressed."""
    if data[:2] != b"PK":
        return data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        container = ElementTree.fromstring(archive.read("META-INF/container.xml"))
        name = next(e.get("full-path") for e in container.iter() if e.tag.rpartition("}")[2] == "rootfile")
        return archive.read(name or "")


def canonical(element: ElementTree.Element) -> str:
    """An element with its attributes, texts, comments and all it holds, in order."""
    return ElementTree.canonicalize(ElementTree.tostring(element, "unicode"), with_comments=True)


def tree(data: bytes) -> ElementTree.Element:
    parser = ElementTree.XMLParser(target=ElementTree.TreeBuilder(insert_comments=True, insert_pis=True))
    return ElementTree.fromstring(document(data), parser)


def cells(data: bytes) -> dict[Cell, str]:
    """Every measure of every part, as a canonical string without its number."""
    listed = {}
    for part in tree(data).findall("part"):
        for index, measure in enumerate(part.findall("measure")):
            measure.attrib.pop("number", None)
            measure.tail = None
            listed[part.get("id", ""), index] = canonical(measure)
    return listed


def children(data: bytes) -> dict[Cell, Counter[str]]:
    """The children of every measure as canonical strings, without the space around them."""
    listed = {}
    for cell, text in cells(data).items():
        children = list(ElementTree.fromstring(text))
        for child in children:
            child.tail = None
        listed[cell] = Counter(map(canonical, children))
    return listed


def raw_cells(data: bytes) -> dict[Cell, bytes]:
    """The bytes of every measure, found without a parser."""
    listed = {}
    for part in re.finditer(rb'<part\b[^>]*\bid="([^"]*)"[^>]*>(.*?)</part>', document(data), re.S):
        for index, measure in enumerate(re.findall(rb"<measure\b.*?</measure>", part[2], re.S)):
            listed[part[1].decode(), index] = measure
    return listed


def raw_frame(data: bytes) -> bytes:
    """The bytes of a document around its measures."""
    return re.sub(rb"<measure\b.*?</measure>", b"", document(data), flags=re.S)


def without_ties(cell: str) -> str:
    """A measure as a canonical string without ties, and without notations that held nothing else."""
    root = ElementTree.fromstring(cell)
    for note in root.iter("note"):
        for tie in note.findall("tie"):
            note.remove(tie)
        for notations in note.findall("notations"):
            for tied in notations.findall("tied"):
                notations.remove(tied)
            if not len(notations):
                note.remove(notations)
    for element in root.iter():
        element.text, element.tail = (element.text or "").strip(), None
    return canonical(root)


def sounding(cell: str) -> list[tuple[str, ...]]:
    """The children of a measure but notes and moves in time, as canonical strings."""
    root = ElementTree.fromstring(cell)
    kept = []
    for child in root:
        if child.tag not in ("note", "backup", "forward"):
            child.tail = None
            kept.append((canonical(child),))
    return kept


def slurs_left_open(data: bytes) -> int:
    """How many slurs have one end only, by part and number."""
    loose = 0
    for part in tree(data).findall("part"):
        open_ends: dict[str, int] = {}
        for slur in part.iter("slur"):
            change = {"start": 1, "stop": -1}.get(slur.get("type", ""), 0)
            number = slur.get("number", "1")
            open_ends[number] = open_ends.get(number, 0) + change
        loose += sum(map(abs, open_ends.values()))
    return loose


def roots(data: bytes) -> list[int]:
    """The pitch classes of the roots and basses of all chord symbols, in order."""
    classes = dict(zip("CDEFGAB", (0, 2, 4, 5, 7, 9, 11), strict=True))
    listed = []
    for harmony in tree(data).iter("harmony"):
        for kind in ("root", "bass"):
            if harmony.find(kind) is not None:
                alter = int(harmony.findtext(f"{kind}/{kind}-alter") or 0)
                listed.append(classes[harmony.findtext(f"{kind}/{kind}-step") or "C"] + alter)
    return listed
