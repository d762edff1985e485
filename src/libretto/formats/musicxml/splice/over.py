"""Tempi and section names that changed: the directions and sounds that say them."""

from __future__ import annotations

import re
from typing import NamedTuple

from libretto.formats.musicxml.splice.document import Document, Node, ascii_xml
from libretto.formats.musicxml.splice.moments import insert_above
from libretto.formats.musicxml.splice.walk import Measure, walk
from libretto.formats.musicxml.written import number
from libretto.score import Score, legal_name
from libretto.score.model import in_force
from libretto.score.time import bpm_of_micros, bpm_text

__all__ = ["splice_sections", "splice_tempos"]

_FIGURE = re.compile(r"\d{1,4}(\.\d{1,6})?")
_ROUND = 100  # a printed figure has at most two decimals where a sound says the tempo exactly


class _Said(NamedTuple):
    """An element that says a tempo, and the ticks of its moment in both versions."""

    node: Node
    sound: Node | None
    metronomes: list[Node]
    old: int
    new: int


def splice_tempos(document: Document, before: Score, after: Score) -> Document:
    """The document with the tempi of ``after``."""
    parts = [walk(part) for part in document.root.all("part")]
    said = [entry for measures in parts for entry in _tempos(measures, before, after)]
    for entry in said:
        old, new = in_force(before.tempos, entry.old), in_force(after.tempos, entry.new)
        if old != new:
            _retempo(document, entry, old, new)
    moments = sorted({entry.new for entry in said})
    for tick, micros in after.tempos:
        shown = [moment for moment in moments if moment <= tick]
        bar = after.bar_at(tick)
        if tick in moments or not parts:
            continue
        held = in_force(after.tempos, shown[-1]) if shown else in_force(before.tempos, before.bar_lines[bar])
        if held != micros:
            head, tail = _mark(micros)
            insert_above(document, parts[0][bar], tick - after.bar_lines[bar], head, tail)
            moments = sorted([*moments, tick])
    return document.renewed()


def _tempos(measures: list[Measure], before: Score, after: Score) -> list[_Said]:
    said = []
    for bar, measure in enumerate(measures):
        for placed in measure.children:
            node = placed.node
            if node.tag not in ("direction", "sound"):
                continue
            sound = node if node.tag == "sound" else node.find("sound")
            sound = sound if sound is not None and "tempo" in sound.attributes else None
            metronomes = [m for m in node.iter("metronome") if m.find("per-minute") is not None]
            if sound is None and not metronomes:
                continue
            offset = number(node.said("offset") or "0", "offset") * measure.start.tick
            at = max(0, round(placed.at + offset))
            said.append(_Said(node, sound, metronomes, before.bar_lines[bar] + at, after.bar_lines[bar] + at))
    return said


def _retempo(document: Document, entry: _Said, old: int, new: int) -> None:
    """Another tempo in an element: what sounds exactly, what is printed in proportion."""
    if entry.sound is not None:
        document.set_attribute(entry.sound, "tempo", bpm_text(new))
    for metronome in entry.metronomes:
        figure = metronome.find("per-minute")
        match = _FIGURE.search(figure.text) if figure is not None else None
        if figure is None or match is None:
            continue
        value = float(match[0]) * bpm_of_micros(new) / bpm_of_micros(old)
        if entry.sound is not None:
            value = round(value * _ROUND) / _ROUND
        text = f"{value:.6f}".rstrip("0").rstrip(".")
        document.set_text(figure, figure.text[: match.start()] + text + figure.text[match.end() :])


def _mark(micros: int) -> tuple[bytes, bytes]:
    """A new metronome mark with its sound, in two halves."""
    shown = round(bpm_of_micros(micros) * _ROUND) / _ROUND
    metronome = f"<metronome><beat-unit>quarter</beat-unit><per-minute>{shown:g}</per-minute></metronome>"
    head = f'<direction placement="above"><direction-type>{metronome}</direction-type>'
    return head.encode(), f'<sound tempo="{bpm_text(micros)}"/></direction>'.encode()


def splice_sections(document: Document, before: Score, after: Score) -> Document:
    """The document with the section names of ``after``; their marks stand in the first part unless they already do."""
    parts = [walk(part) for part in document.root.all("part")]
    old = {before.bar_at(tick): name for tick, name in before.sections}
    new = {after.bar_at(tick): name for tick, name in after.sections}
    for bar in sorted(old.keys() | new.keys()):
        if old.get(bar) == new.get(bar):
            continue
        marks = [mark for measures in parts for mark in _marks(measures[bar], old.get(bar))]
        for parent, direction, text in marks:
            if bar in new:
                document.set_text(text, new[bar])
            else:
                document.remove(parent, direction)
        if bar in new and not marks and parts:
            head = b'<direction placement="above"><direction-type><rehearsal>' + ascii_xml(new[bar])
            insert_above(document, parts[0][bar], 0, head + b"</rehearsal></direction-type>", b"</direction>")
    return document.renewed()


def _marks(measure: Measure, name: str | None) -> list[tuple[Node, Node, Node]]:
    """The directions of a measure that say a section's name: (measure, direction, text)."""
    marks = []
    for direction in measure.node.all("direction"):
        for tag in ("rehearsal", "words"):
            for node in direction.iter(tag):
                text = " ".join(node.text.split())
                if text and legal_name(text, fallback="Section", label=True) == name:
                    marks.append((measure.node, direction, node))
    return marks
