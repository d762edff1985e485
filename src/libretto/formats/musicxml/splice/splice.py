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
from libretto.formats.musicxml.write import encode
from libretto.formats.musicxml.written import RINGING, SOFTWARE
from libretto.score import Score

__all__ = ["splice"]


def splice(data: bytes, before: Score, after: Score) -> bytes:
    """The file of ``before``, plain or compressed, changed into one of ``after``; what is the same keeps its bytes.

    ``before`` is what ``decode`` reads from the file. Chord symbols are changed where the file shows some; its written
    bars must be the bars of the piece.
    """
    if before == after:
        return data
    packed = data[:2] == b"PK"
    plain = unpack(data) if packed else data
    editable = as_utf8(plain)
    new = _spliced(editable, before, after)
    if new == editable:
        return data
    return pack(data, plain, new) if packed else new


def _spliced(data: bytes, before: Score, after: Score) -> bytes:
    document = Document(data)
    if _rings(document) or (_ours(document) and not before.voices):
        return encode(after)  # our own file, which holds nothing but the piece
    exact, chords = _check(document, before), shows_chords(document)
    voices = match_voices(before, after)
    source = align_bars(before, after, voices.stay)
    if voices.gone:
        gone = [place for place, voice in enumerate(before.voices) if voice.name in voices.gone]
        document = remove_parts(document, gone)
    if source != list(range(before.bars)):
        document = splice_bars(document, source, after)
    old = replace(before, voices=tuple(before.voice(name) for name, _ in voices.stay))
    new = replace(after, voices=tuple(after.voice(name) for _, name in voices.stay))
    shown = old if document.data is data else decode(document.data)  # what the document says by now
    document = _marked(_headed(document, old, new), shown, new, chords, exact)
    document = splice_notes(document, old, new, source, exact)
    return (add_parts(document, after, voices.come) if voices.come else document).data


def _headed(document: Document, old: Score, new: Score) -> Document:
    """Title, names and programs."""
    if old.title != new.title:
        document = splice_title(document, new.title)
    return rename_parts(document, list(zip(old.voices, new.voices, strict=True)))


def _marked(document: Document, shown: Score, new: Score, chords: bool, exact: bool) -> Document:
    """Meters, keys, tempi, sections and chord symbols."""
    if shown.meters != new.meters:
        document = splice_meters(document, shown, new)
    if shown.keys != new.keys:
        document = splice_keys(document, shown, new)
    if shown.tempos != new.tempos:
        document = splice_tempos(document, shown, new)
    if shown.sections != new.sections:
        document = splice_sections(document, shown, new)
    if chords and shown.chords != new.chords:
        document = splice_labels(document, shown, new, exact)
    return document


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
    return _ours(document)


def _ours(document: Document) -> bool:
    """Whether our own writer made the file."""
    makers = document.root.find("identification/encoding")
    return makers is not None and any(maker.text.startswith(SOFTWARE) for maker in makers.all("software"))


def _rings(document: Document) -> bool:
    """Whether a file of our own has measures in which the last notes only ring."""
    if not _ours(document):
        return False
    measures = [measure for part in document.root.all("part") for measure in part.all("measure")]
    return any(measure.attributes.get("number", "").startswith(RINGING) for measure in measures)
