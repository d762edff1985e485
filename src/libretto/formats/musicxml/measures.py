"""Printing: the measures of one part as MusicXML text."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from libretto.formats.musicxml.directions import PlacedXml
from libretto.formats.musicxml.written import RINGING
from libretto.notation.clefs import Clef
from libretto.notation.instruments import drum_of, engraved_drum
from libretto.notation.rhythm import Piece, beams, bracketed
from libretto.notation.sheet import BarLayer, PartSheet, Sheet, change_at
from libretto.notation.staves import Sign, accidentals, written_pitch
from libretto.score import QUARTER, Key, Note
from libretto.score.model import in_force
from libretto.score.pitch import pitch_name

__all__ = ["drum_id", "measures"]

_FINAL = '<barline location="right"><bar-style>light-heavy</bar-style></barline>\n'
_VELOCITY_PERCENT = 0.9  # of velocity 90, which MusicXML calls 100
_DIATONIC = (0, 1, 1, 2, 2, 3, 3, 4, 5, 5, 6, 6)  # steps of the semitones by which instruments transpose
_COUNTED = QUARTER // 4  # rests from a sixteenth on are counted by players
_OPEN = "<technical><open-string/></technical>"


def drum_id(part: PartSheet, note: Note) -> str:
    """The instrument of a drum key; its name says how the key is spelled."""
    return f"{part.identity}-{pitch_name(note.pitch, note.spelling).replace('#', 's').replace('-', '_')}"


def measures(sheet: Sheet, part: PartSheet, over: list[list[PlacedXml]] | None) -> Iterator[str]:
    """The text of each measure; ``over`` holds what only the first part shows."""
    score = sheet.score
    for bar in range(score.bars):
        ringing = bar >= sheet.bars
        number = f"{RINGING}{bar - sheet.bars + 1}" if ringing else str(bar + score.first_bar + sheet.style.later)
        implicit = ' implicit="yes"' if ringing or number == "0" else ""
        writer = _MeasureWriter(sheet, part, bar, over[bar] if over else [])
        closing = _FINAL if bar + 1 == score.bars else ""
        named = f' id="{sheet.style.prefix}bar{number}"' if sheet.style.engraved else ""
        yield f'<measure number="{number}"{implicit}{named}>\n{writer.text()}{closing}</measure>\n'


class _Look(NamedTuple):
    """What all notes of a chord, or a rest, have in common, as text."""

    shown: str
    duration: str
    voice: str
    shape: str
    ratio: str
    bracket: str
    staff: str


class _MeasureWriter:
    """Prints one measure of one part."""

    def __init__(self, sheet: Sheet, part: PartSheet, bar: int, over: list[PlacedXml]) -> None:
        self.sheet, self.part, self.bar = sheet, part, bar
        self.start, stop = sheet.score.bar_lines[bar : bar + 2]
        self.length = stop - self.start
        self.over = list(over)
        self.meter = sheet.score.meter_at(self.start)
        self.signature = in_force(part.keys, self.start).signature
        self.out: list[str] = []
        self._open_brackets: set[int] = set()  # where tuplets begin that no beam shows
        self._accidentals: dict[int, dict[Sign, str]] = {}

    def text(self) -> str:
        """All that stands between the measure's tags."""
        layers = self.part.bars[self.bar]
        self._attributes()
        at = 0
        for index, layer in enumerate(layers):
            if at:
                self.out.append(f"<backup><duration>{at // self.sheet.tick}</duration></backup>\n")
            at = self._layer(layer, self._signs(layer, layers), leading=index == 0)
        return "".join(self.out)

    def _attributes(self) -> None:
        first = self.bar == 0
        parts = [f"<divisions>{self.sheet.divisions}</divisions>"] if first else []
        key, meter = change_at(self.part.keys, self.start), change_at(self.sheet.score.meters, self.start)
        if key is not None:
            parts.append(_key(key, shown=not self.part.voice.drums))
        if meter is not None:
            parts.append(f"<time><beats>{meter.beats}</beats><beat-type>{meter.unit}</beat-type></time>")
        staves = self.part.clefs
        if first and len(staves) > 1:
            parts.append(f"<staves>{len(staves)}</staves>")
        for number, clefs in enumerate(staves, 1):
            if first or clefs[self.bar] != clefs[self.bar - 1]:
                parts.append(_clef(clefs[self.bar], number if len(staves) > 1 else None))
        if first and self.part.above:
            parts.append(_transpose(self.part.above))
        if parts:
            self.out.append(f"<attributes>{''.join(parts)}</attributes>\n")

    def _signs(self, layer: BarLayer, layers: list[BarLayer]) -> dict[tuple[int, int], str]:
        """The accidentals of one layer, which depend on all layers of its staff."""
        if self.part.voice.drums:
            return {}
        mine = [other for other in layers if other.staff == layer.staff]
        if layer.staff not in self._accidentals:
            self._accidentals[layer.staff] = accidentals([other.pieces for other in mine], self.signature)
        which = next(index for index, other in enumerate(mine) if other is layer)
        return {(at.piece, at.note): sign for at, sign in self._accidentals[layer.staff].items() if at.layer == which}

    def _layer(self, layer: BarLayer, signs: dict[tuple[int, int], str], leading: bool) -> int:
        """Print a layer and say how far it came."""
        tick = self.sheet.tick
        where = f"<voice>{layer.number}</voice>"
        staff = f"<staff>{layer.staff}</staff>" if len(self.part.clefs) > 1 else ""
        if not layer.pieces:
            self._marks(0, self.length, leading)
            rest = f'<note><rest measure="yes"/><duration>{self.length // tick}</duration>{where}{staff}</note>\n'
            self.out.append(rest)
            return self.length
        beamed = beams([p._replace(span=None) if self._unseen(p) else p for p in layer.pieces], self.meter)
        self._open_brackets = bracketed(layer.pieces, beamed)
        at = owed = 0
        shared = any(other.staff == layer.staff and other is not layer for other in self.part.bars[self.bar])
        last = max((piece.start for piece in layer.pieces if piece.span is not None), default=0)
        for index, piece in enumerate(layer.pieces):
            self._marks(piece.start, piece.stop, leading)
            # A further layer shows where it enters and what it waits for, not how its bar ends when it has ended; and
            # where layers share a staff, nobody counts the shortest rests.
            unneeded = not layer.leads and (piece.odd or piece.start > last)
            hidden = piece.span is None and piece.tuplet is None and (unneeded or (shared and piece.length < _COUNTED))
            if hidden and not (piece.odd or layer.leads):
                owed += piece.length
                continue
            if owed:
                self.out.append(f"<forward><duration>{owed // tick}</duration>{where}{staff}</forward>\n")
                owed = 0
            self._piece(piece, layer, index, beamed.get(index, []), signs, hidden)
            at = piece.stop
        return at

    def _marks(self, start: int, stop: int, leading: bool) -> None:
        """Print what stands over the music from ``start`` to ``stop``; a new key where one begins."""
        if not leading:
            return
        key = change_at(self.part.keys, self.start + start) if start else None
        if key is not None:
            self.out.append(f"<attributes>{_key(key, shown=not self.part.voice.drums)}</attributes>\n")
        while self.over and self.over[0].at < stop:
            mark = self.over.pop(0)
            late = (mark.at - start) / self.sheet.tick
            offset = f"<offset>{_decimal(late)}</offset>" if late else ""
            self.out.append(f"{mark.before}{offset}{mark.after}")

    def _piece(
        self,
        piece: Piece,
        layer: BarLayer,
        index: int,
        beam: list[str],
        signs: dict[tuple[int, int], str],
        hidden: bool,
    ) -> None:
        """Print a rest, or a note or chord; ``index`` is its place in the layer."""
        ratio, bracket = _tuplet(piece, piece.start in self._open_brackets)
        look = _Look(
            shown=' print-object="no"' if hidden or self._unseen(piece) else "",
            duration=f"<duration>{piece.length // self.sheet.tick}</duration>",
            voice=f"<voice>{layer.number}</voice>",
            shape=f"<type>{piece.kind}</type>{'<dot/>' * piece.dots}",
            ratio=ratio,
            bracket=bracket,
            staff=f"<staff>{layer.staff}</staff>" if len(self.part.clefs) > 1 else "",
        )
        if piece.span is None:
            notations = f"<notations>{bracket}</notations>" if bracket else ""
            rest = f"<rest/>{look.duration}{look.voice}{look.shape}{ratio}{look.staff}{notations}"
            self.out.append(f"<note{look.shown}>{rest}</note>\n")
            return
        stem = f"<stem>{layer.stem}</stem>" if layer.stem else ""
        beamed = "".join(f'<beam number="{level}">{what}</beam>' for level, what in enumerate(beam, 1))
        for which, note in enumerate(self._drawn(piece.span.notes)):
            self._note(note, piece, look, stem, beamed, signs.get((index, which)), first=which == 0)

    def _drawn(self, notes: tuple[Note, ...]) -> tuple[Note, ...]:
        """The notes of a chord that are printed: of drums that stand in one place an engraver gets the first."""
        if not (self.part.voice.drums and self.sheet.style.engraved):
            return notes
        drums = (engraved_drum(note.pitch, self.part.kit)[0] for note in notes)
        places = {(drum.step, drum.octave): note for drum, note in reversed(list(zip(drums, notes, strict=True)))}
        return tuple(note for note in notes if note in places.values())

    def _note(
        self, note: Note, piece: Piece, look: _Look, stem: str, beamed: str, sign: str | None, first: bool
    ) -> None:
        """Print one note of a chord; the first carries the beams and the bracket."""
        pitch, instrument, head, opened = self._pitch(note)
        ties = _ties("tie", piece)
        tied = "" if self.part.voice.drums else _ties("tied", piece)
        accidental = f"<accidental>{sign}</accidental>" if sign else ""
        notations = tied + (look.bracket if first else "") + (opened if not piece.tied_from else "")
        self.out.append(
            f'<note{look.shown} dynamics="{_percent(note.velocity)}">{"" if first else "<chord/>"}{pitch}'
            f"{look.duration}{ties}{instrument}{look.voice}{look.shape}{accidental}{look.ratio}{stem}{head}{look.staff}"
            f"{beamed if first else ''}{f'<notations>{notations}</notations>' if notations else ''}</note>\n"
        )

    def _unseen(self, piece: Piece) -> bool:
        """Whether a piece only lengthens a drum stroke: nobody draws that, and it must not look like another stroke."""
        return self.part.voice.drums and piece.tied_from

    def _pitch(self, note: Note) -> tuple[str, str, str, str]:
        """Pitch, instrument, notehead and playing technique elements."""
        if self.part.voice.drums:
            drum, opened = drum_of(note.pitch), False
            if self.sheet.style.engraved:
                drum, opened = engraved_drum(note.pitch, self.part.kit)
            where = f"<display-step>{drum.step}</display-step><display-octave>{drum.octave}</display-octave>"
            shape = f"<notehead>{drum.head}</notehead>" if drum.head != "normal" else ""
            instrument = f'<instrument id="{drum_id(self.part, note)}"/>'
            return f"<unpitched>{where}</unpitched>", instrument, shape, _OPEN if opened else ""
        letter, alter, octave = written_pitch(note)
        altered = f"<alter>{alter}</alter>" if alter else ""
        return f"<pitch><step>{letter}</step>{altered}<octave>{octave}</octave></pitch>", "", "", ""


def _clef(clef: Clef, number: int | None) -> str:
    """A clef element, numbered where there are several staves."""
    which = f' number="{number}"' if number else ""
    line = f"<line>{clef.line}</line>" if clef.sign != "percussion" else ""
    octaves = f"<clef-octave-change>{clef.octaves}</clef-octave-change>" if clef.octaves else ""
    return f"<clef{which}><sign>{clef.sign}</sign>{line}{octaves}</clef>"


def _transpose(above: int) -> str:
    """The element that leads from a part written so many semitones higher back to its sound."""
    octaves, step = divmod(abs(above), 12)
    sign = -1 if above > 0 else 1
    octave = f"<octave-change>{sign * octaves}</octave-change>" if octaves else ""
    return (
        f"<transpose><diatonic>{sign * _DIATONIC[step]}</diatonic><chromatic>{sign * step}</chromatic>"
        f"{octave}</transpose>"
    )


def _ties(tag: str, piece: Piece) -> str:
    stop = f'<{tag} type="stop"/>' if piece.tied_from else ""
    return stop + (f'<{tag} type="start"/>' if piece.tied_to else "")


def _key(key: Key, shown: bool) -> str:
    hidden = "" if shown else ' print-object="no"'
    return f"<key{hidden}><fifths>{key.signature}</fifths><mode>{key.mode}</mode></key>"


def _tuplet(piece: Piece, bracketed: bool) -> tuple[str, str]:
    """The time modification of a piece, and where the bracket begins or ends."""
    tuplet = piece.tuplet
    if tuplet is None:
        return "", ""
    numbers = f"<actual-notes>{tuplet.actual}</actual-notes><normal-notes>{tuplet.normal}</normal-notes>"
    ratio = f"<time-modification>{numbers}<normal-type>{tuplet.kind}</normal-type></time-modification>"
    begin = (
        '<tuplet number="1" type="start" bracket="{}"/>'.format("yes" if bracketed else "no")
        if piece.start == tuplet.start
        else ""
    )
    return ratio, begin + ('<tuplet number="1" type="stop"/>' if piece.stop == tuplet.stop else "")


def _percent(velocity: int) -> str:
    return f"{velocity / _VELOCITY_PERCENT:.2f}".rstrip("0").rstrip(".")


def _decimal(value: Fraction) -> str:
    return f"{float(value):.9f}".rstrip("0").rstrip(".")
