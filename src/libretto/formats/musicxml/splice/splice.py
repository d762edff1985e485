"""Two versions of a piece and the file of the first: the file of the second, changed only where they differ.

The file is brought from the one version to the other in steps, each from bytes to bytes: parts that go, measures that
come or go, titles and names, meters, keys, tempi, sections, chord symbols, notes, parts that come. A step without a
difference is not taken.
"""

from __future__ import annotations

from dataclasses import replace

from libretto.errors import FormatError
from libretto.formats.musicxml.read import decode
from libretto.formats.musicxml.splice.barring import align_bars, splice_bars
from libretto.formats.musicxml.splice.document import Document, as_utf8
from libretto.formats.musicxml.splice.heading import splice_title
from libretto.formats.musicxml.splice.labels import shows_chords, splice_labels
from libretto.formats.musicxml.splice.notes import splice_notes
from libretto.formats.musicxml.splice.over import splice_sections, splice_tempos
from libretto.formats.musicxml.splice.package import pack, unpack
from libretto.formats.musicxml.splice.signatures import splice_keys, splice_meters
from libretto.formats.musicxml.splice.voices import add_parts, match_voices, remove_parts, rename_parts
from libretto.formats.musicxml.written import SOFTWARE
from libretto.score import Score

__all__ = ["splice"]


def splice(data: bytes, before: Score, after: Score) -> bytes:
    """The file of ``before``, plain or compressed, changed into one of ``after``; what is the same keeps its bytes.

    ``before`` is what ``decode`` reads from the file. Chord symbols are changed where the file shows some; its written
    bars must be the bars of the piece.
    """
    if before == after:
        return data
    if data[:2] != b"PK":
        return _spliced(as_utf8(data), before, after)
    plain = unpack(data)
    return pack(data, plain, _spliced(as_utf8(plain), before, after))


def _spliced(data: bytes, before: Score, after: Score) -> bytes:
    exact = _check(Document(data), before)
    voices = match_voices(before, after)
    chords = shows_chords(data)
    source = align_bars(before, after, voices.stay)
    if voices.gone:
        data = remove_parts(data, [place for place, v in enumerate(before.voices) if v.name in voices.gone])
    if source != list(range(before.bars)):
        data = splice_bars(data, source, after)
    old = replace(before, voices=tuple(before.voice(name) for name, _ in voices.stay))
    new = replace(after, voices=tuple(after.voice(name) for _, name in voices.stay))
    shown = decode(data) if voices.gone or source != list(range(before.bars)) else old  # what the document says by now
    data = _marked(_headed(data, old, new), shown, new, chords, exact)
    if any(a.array.tobytes() != b.array.tobytes() for a, b in zip(old.voices, new.voices, strict=True)) or (
        before.bar_lines != after.bar_lines
    ):
        data = splice_notes(data, old, new, source, exact)
    return add_parts(data, after, voices.come) if voices.come else data


def _headed(data: bytes, old: Score, new: Score) -> bytes:
    """Title, names and programs."""
    if old.title != new.title:
        data = splice_title(data, new.title)
    pairs = list(zip(old.voices, new.voices, strict=True))
    if any((a.name, a.program) != (b.name, b.program) for a, b in pairs):
        data = rename_parts(data, pairs)
    return data


def _marked(data: bytes, shown: Score, new: Score, chords: bool, exact: bool) -> bytes:
    """Meters, keys, tempi, sections and chord symbols."""
    if shown.meters != new.meters:
        data = splice_meters(data, shown, new)
    if shown.keys != new.keys:
        data = splice_keys(data, shown, new)
    if shown.tempos != new.tempos:
        data = splice_tempos(data, shown, new)
    if shown.sections != new.sections:
        data = splice_sections(data, shown, new)
    if chords and shown.chords != new.chords:
        data = splice_labels(data, shown, new, exact)
    return data


def _check(document: Document, before: Score) -> bool:
    """Refuse files whose measures are not the bars of the piece; say whether our own writer made the file."""
    root = document.root
    if root.tag == "score-timewise":
        raise FormatError("a timewise MusicXML file cannot be edited in place; save it as partwise")
    parts = root.all("part")
    if len(parts) != len(before.voices):
        raise FormatError(f"the file has {len(parts)} parts and the piece {len(before.voices)} voices")
    for part in parts:
        count = len(part.all("measure"))
        if count != before.bars:
            raise FormatError(f"the file has {count} measures and the piece {before.bars} bars: they must be the same")
    makers = root.find("identification/encoding")
    return makers is not None and any(maker.text.startswith(SOFTWARE) for maker in makers.all("software"))
