"""A Score to MusicXML 4.0, part by part; the same Score gives the same bytes.

Conventions: each voice is a part (two staves for a keyboard that needs them); what overlaps goes into layers.
Tempi, sections and chord symbols stand in the first part, meters and keys in all. Velocity is the
``dynamics`` of a note, in percent of 90. Percussion has one instrument for each drum key. Notes that ring
past the last bar ring into further bars, numbered ``X1`` on, which are not bars of the piece.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from libretto.formats.musicxml.container import compressed
from libretto.formats.musicxml.elements import clean
from libretto.formats.musicxml.lines import barlines
from libretto.formats.musicxml.measures import drum_id, measures
from libretto.formats.musicxml.over import marks
from libretto.formats.musicxml.written import OWN, SOFTWARE
from libretto.notation.instruments import abbreviation, drum_of, family, full_name
from libretto.notation.marked import is_written
from libretto.notation.sheet import PLAIN, PartSheet, SheetStyle, lay_out
from libretto.score import Score
from libretto.score.marks import CREDITS

__all__ = ["encode", "encode_mxl"]

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<!DOCTYPE score-partwise PUBLIC "-//Recordare//DTD MusicXML 4.0 Partwise//EN"'
    ' "http://www.musicxml.org/dtds/partwise.dtd">\n'
    '<score-partwise version="4.0">\n'
)
_DRUM_CHANNEL = 10
_PITCHED_CHANNELS = tuple(channel for channel in range(1, 17) if channel != _DRUM_CHANNEL)


def encode(score: Score, style: SheetStyle = PLAIN) -> bytes:
    """The Score as an uncompressed MusicXML document."""
    sheet = lay_out(score, style)
    text = [_HEAD]
    if score.title:
        text.append(f"<work><work-title>{clean(score.title)}</work-title></work>\n")
    said = _own("written") if is_written(score) else ""
    head = (
        f"<identification>{_credits(score)}<encoding><software>{SOFTWARE}</software></encoding>{said}</identification>"
    )
    text.append(f"{head}\n<part-list>\n")
    listed = [_listed(part, index, bool(score.voices), style) for index, part in enumerate(sheet.parts)]
    text += _grouped(listed, sheet.parts) if style.engraved else listed
    text.append("</part-list>\n")
    over, lines = marks(sheet, sheet.parts[0]), barlines(sheet)
    for index, part in enumerate(sheet.parts):
        text.append(f'<part id="{part.identity}">\n')
        text += measures(sheet, part, None if index else over, lines)
        text.append("</part>\n")
    text.append("</score-partwise>\n")
    return "".join(text).encode()


def _credits(score: Score) -> str:
    """Whose the piece is, in the order in which MusicXML wants it: creators, then rights."""
    names = [mark for mark in score.marks if mark.kind in CREDITS and mark.kind != "rights"]
    made = [f'<creator type="{mark.kind}">{clean(mark.value)}</creator>' for mark in names]
    return "".join((*made, *(f"<rights>{clean(mark.value)}</rights>" for mark in score.marks if mark.kind == "rights")))


def encode_mxl(score: Score) -> bytes:
    """The Score as a compressed MusicXML file."""
    return compressed(encode(score))


def _grouped(listed: Sequence[str], parts: Sequence[PartSheet]) -> Iterator[str]:
    """The entries of the part list, neighbours of one family inside a bracket."""
    families = [family(part.voice.program, part.voice.drums) for part in parts]
    at = 0
    for number, (name, members) in enumerate(groupby(families), 1):
        entries = listed[at : at + len(list(members))]
        bracket = bool(name) and len(entries) > 1
        if bracket:
            drawn = "<group-symbol>bracket</group-symbol><group-barline>yes</group-barline>"
            yield f'<part-group type="start" number="{number}">{drawn}</part-group>\n'
        yield from entries
        if bracket:
            yield f'<part-group type="stop" number="{number}"/>\n'
        at += len(entries)


def _own(words: str) -> str:
    """What our own reader is to know of a file or a part: that marks say it, and not our own choice."""
    field = f'<miscellaneous-field name="{OWN}">{words}</miscellaneous-field>'
    return f"<miscellaneous>{field}</miscellaneous>"


def _own_of(part: PartSheet) -> str:
    """What our own reader is to know of a part."""
    kinds = {mark.kind for mark in part.voice.marks}
    own = " ".join(word for word, kind in (("clefs", "clef"), ("staves", "staves")) if kind in kinds)
    return f"<identification>{_own(own)}</identification>\n" if own else ""


def _listed(part: PartSheet, index: int, named: bool, style: SheetStyle) -> str:
    """A part's entry in the part list; a program that nobody chose is left out."""
    voice = part.voice
    shown_name = full_name(voice.name) if style.engraved else voice.name
    name = clean(shown_name) if named else ""
    channel = _DRUM_CHANNEL if voice.drums else _PITCHED_CHANNELS[index % len(_PITCHED_CHANNELS)]
    midi = f"<midi-channel>{channel}</midi-channel>"
    if voice.program is not None:
        midi += f"<midi-program>{voice.program + 1}</midi-program>"
    players = {f"{part.identity}-I1": (name or "Part", midi)}
    if voice.drums and len(voice.array):
        players = {
            drum_id(part, note): (drum_of(note.pitch).name, f"{midi}<midi-unpitched>{note.pitch + 1}</midi-unpitched>")
            for note in sorted(voice.notes, key=lambda note: (note.pitch, note.spelling))
        }
    instruments = "".join(
        f'<score-instrument id="{identity}"><instrument-name>{shown}</instrument-name></score-instrument>\n'
        for identity, (shown, _) in players.items()
    )
    sounds = "".join(
        f'<midi-instrument id="{identity}">{data}</midi-instrument>\n' for identity, (_, data) in players.items()
    )
    short = f"<part-abbreviation>{clean(abbreviation(voice.name))}</part-abbreviation>\n" if style.engraved else ""
    head = f'<score-part id="{part.identity}">\n{_own_of(part)}<part-name>{name}</part-name>\n{short}'
    return f"{head}{instruments}{sounds}</score-part>\n"
