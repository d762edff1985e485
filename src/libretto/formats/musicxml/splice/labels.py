"""Chord labels that changed: the ``harmony`` elements of the parts that show them.

A file without chord symbols gets none: its labels were heard from its notes. Where only roots move, the elements are
changed in place; else the symbols of the bar are written anew in the first part that shows any.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from xml.etree.ElementTree import fromstring

from libretto.formats.musicxml.chords import harmony_label, harmony_xml
from libretto.formats.musicxml.splice.document import Document, Node
from libretto.formats.musicxml.splice.moments import insert_above
from libretto.formats.musicxml.splice.walk import Measure, Placed, walk
from libretto.formats.musicxml.written import number
from libretto.notation.marks import needed_labels
from libretto.score import Chord, Score, parse_chord, transpose_chord
from libretto.score.chords import NO_CHORD
from libretto.score.pitch import letter_name, parse_letter, spelling_range

__all__ = ["shows_chords", "splice_labels"]

_SHARP = 7  # fifths from a letter to its sharp
_OCTAVE = 12  # fifths after which a chord sounds the same


def shows_chords(document: Document) -> bool:
    """Whether a document has chord symbols."""
    return b"<harmony" in document.data


class _Symbol:
    """A chord symbol of the file: where it stands, and the label that it means."""

    def __init__(self, document: Document, measure: Measure, placed: Placed, length: int, exact: bool) -> None:
        self.node, self.measure = placed.node, measure
        element = fromstring(_bare(document.raw(placed.node)))
        self.fifths = measure.start.fifths
        self.label = harmony_label(element, self.fifths, exact)
        offset = number(placed.node.said("offset") or "0", "offset") * measure.start.tick
        self.at = min(max(Fraction(placed.at + offset) / length, Fraction(0)), Fraction(1))


def _bare(raw: bytes) -> bytes:
    """Bytes of an ASCII-compatible encoding as every parser reads them; only letters and numbers matter here."""
    return bytes(byte if byte < 128 else ord("?") for byte in raw)


def splice_labels(document: Document, before: Score, after: Score, exact: bool) -> Document:
    """The document with the chord labels of ``after``."""
    parts = [walk(part) for part in document.root.all("part")]
    shown: list[list[_Symbol]] = [[] for _ in range(after.bars)]
    counts = [0] * len(parts)
    for place, measures in enumerate(parts):
        for bar, measure in enumerate(measures[: after.bars]):
            length = before.bar_lines[bar + 1] - before.bar_lines[bar]
            mine = [p for p in measure.children if p.node.tag == "harmony"]
            counts[place] += len(mine)
            shown[bar] += [_Symbol(document, measure, placed, length, exact) for placed in mine]
    first = next((place for place, count in enumerate(counts) if count), 0)
    held: str | None = None
    for bar in range(after.bars):
        length = after.bar_lines[bar + 1] - after.bar_lines[bar]
        held = _bar(document, before, after, bar, shown[bar], parts[first][bar], held, length)
    return document.renewed()


def _bar(
    document: Document,
    before: Score,
    after: Score,
    bar: int,
    symbols: Sequence[_Symbol],
    measure: Measure,
    held: str | None,
    length: int,
) -> str | None:
    """Bring the symbols of one bar in order; the label that holds at its end. ``held`` is what held before it."""
    old, new = before.chords[bar], after.chords[bar]
    if old == new:
        return _carried(document, new, symbols, measure, held)
    moved = _moved(old, new, symbols, held)
    if moved is not None and symbols:
        for symbol, by in moved:
            _reroot(document, symbol, by)
        return new[-1]
    for symbol in symbols:
        document.remove(symbol.measure.node, symbol.node)
    beats = after.meter_at(after.bar_lines[bar]).beats
    for at, label in needed_labels(new, held, beats):
        _show(document, measure, at * length, label)
    return new[-1]


def _carried(
    document: Document, labels: Sequence[str], symbols: Sequence[_Symbol], measure: Measure, held: str | None
) -> str | None:
    """Say again what a bar that stays took over from the bar before, where that changed."""
    first = min((int(symbol.at * len(labels)) for symbol in symbols), default=len(labels))
    if first and labels[0] != (held or NO_CHORD):
        _show(document, measure, Fraction(0), labels[0])
        held = labels[0]
    return labels[-1] if symbols else held


def _show(document: Document, measure: Measure, at: Fraction, label: str) -> None:
    """Put a chord symbol into a measure, as its part writes it."""
    written = transpose_chord(label, -measure.start.fifths)
    head, tail = harmony_xml(written)
    insert_above(document, measure, at, head.encode(), tail.strip().encode())


def _moved(
    old: Sequence[str], new: Sequence[str], symbols: Sequence[_Symbol], held: str | None
) -> list[tuple[_Symbol, int]] | None:
    """Each symbol and by how many fifths it moves, where only roots and basses differ; None where more does."""
    if len(old) != len(new):
        return None
    moves: dict[str, int] = {}
    for mine, theirs in zip(old, new, strict=True):
        a, b = parse_chord(mine), parse_chord(theirs)
        if a is None or b is None:
            if a is not b:
                return None
            continue
        if _shape(a) != _shape(b) or moves.setdefault(mine, b.root - a.root) != b.root - a.root:
            return None
    first = {min(int(symbol.at * len(old)), len(old) - 1) for symbol in symbols}
    carried = new[: min(first, default=0)]
    if not moves or any(label != (held or NO_CHORD) for label in carried):
        return None
    usual = next(iter(moves.values()))
    return [(symbol, moves.get(symbol.label or "", usual)) for symbol in symbols]


def _shape(chord: Chord) -> tuple[str, int]:
    """What of a chord is the same wherever its root lies."""
    return chord.quality, (chord.bass - chord.root) % _OCTAVE if chord.bass is not None else 0


def _reroot(document: Document, symbol: _Symbol, by: int) -> None:
    """A symbol moved along the line of fifths: its root and its bass."""
    for kind in ("root", "bass"):
        node = symbol.node.find(kind)
        letter = parse_letter((node.said(f"{kind}-step") or "")[:1]) if node is not None else None
        if node is not None and letter is not None:
            alter = round(number(node.said(f"{kind}-alter") or "0", "alter"))
            _restep(document, node, kind, letter_name(spelling_range(letter + _SHARP * alter + by)))


def _restep(document: Document, node: Node, kind: str, name: str) -> None:
    alter = name.count("#") - name.count("b")
    step, altered = node.find(f"{kind}-step"), node.find(f"{kind}-alter")
    if step is None:
        return
    if step.text.strip() != name[0]:
        document.set_text(step, name[0])
    if altered is not None and alter:
        if altered.text.strip() != str(alter):
            document.set_text(altered, str(alter))
    elif altered is not None:
        document.remove(node, altered)
    elif alter:
        space = document.gap(node, node.children.index(step))
        document.insert(step.stop, space + f"<{kind}-alter>{alter}</{kind}-alter>".encode())
