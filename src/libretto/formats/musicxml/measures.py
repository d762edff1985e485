"""Printing: the measures of one part as MusicXML text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from libretto.formats.musicxml.elements import clef_xml, decimal, key_xml, transpose_xml
from libretto.formats.musicxml.lines import bar_numbers, with_fermatas
from libretto.formats.musicxml.moments import Over, PlacedXml, over_part
from libretto.formats.musicxml.notes import NoteWriter, drum_id
from libretto.formats.musicxml.signs import SignsXml, signs_xml
from libretto.formats.musicxml.written import RINGING
from libretto.notation.marked import GraceGroup
from libretto.notation.rhythm import Piece, beams, bracketed
from libretto.notation.sheet import BarLayer, PartSheet, Sheet, change_at
from libretto.notation.staves import Sign, accidentals
from libretto.score import QUARTER, Mark
from libretto.score.model import in_force

__all__ = ["drum_id", "measures"]

_COUNTED = QUARTER // 4  # rests from a sixteenth on are counted by players


def measures(
    sheet: Sheet, part: PartSheet, over: list[list[PlacedXml]] | None, lines: Sequence[tuple[str, str]]
) -> Iterator[str]:
    """The text of each measure; ``over`` holds what only the first part shows, ``lines`` the bar lines."""
    score = sheet.score
    numbers = bar_numbers(sheet)
    mine = over_part(sheet, part)
    notes = NoteWriter(sheet, part)
    lines = with_fermatas(lines, part.voice, score.bar_lines)
    graces = _graces_by_bar(sheet, part)
    for bar in range(score.bars):
        ringing = bar >= sheet.bars
        number = f"{RINGING}{bar - sheet.bars + 1}" if ringing else str(numbers[bar])
        implicit = ' implicit="yes"' if ringing or number == "0" else ""
        writer = _MeasureWriter(sheet, part, bar, over[bar] if over else [], mine, notes, graces[bar])
        left, right = (f'<barline location="{side}">' for side in ("left", "right"))
        opening = f"{left}{lines[bar][0]}</barline>\n" if lines[bar][0] else ""
        closing = f"{right}{lines[bar][1]}</barline>\n" if lines[bar][1] else ""
        named = f' id="{sheet.style.prefix}bar{number}"' if sheet.style.engraved else ""
        yield f'<measure number="{number}"{implicit}{named}>\n{opening}{writer.text()}{closing}</measure>\n'


def _graces_by_bar(sheet: Sheet, part: PartSheet) -> list[list[GraceGroup]]:
    """The grace notes of each bar; those that follow a note stand in its bar."""
    graces: list[list[GraceGroup]] = [[] for _ in range(sheet.score.bars)]
    lines = sheet.score.bar_lines
    for group in part.graces:
        after = group.after or group.tick >= lines[-1]
        bar = bisect_left(lines, group.tick) - 1 if after else sheet.score.bar_at(group.tick)
        graces[max(0, bar)].append(group)
    return graces


class _MeasureWriter:
    """Prints one measure of one part."""

    def __init__(
        self,
        sheet: Sheet,
        part: PartSheet,
        bar: int,
        over: list[PlacedXml],
        mine: Over,
        notes: NoteWriter,
        graces: list[GraceGroup],
    ) -> None:
        self.sheet, self.part, self.bar, self.notes = sheet, part, bar, notes
        self.start, stop = sheet.score.bar_lines[bar : bar + 2]
        self.length = stop - self.start
        self.over = sorted([*over, *mine.inside[bar]], key=lambda mark: mark.at) if mine.inside[bar] else list(over)
        self.clefs, self.rests = mine.clefs[bar], mine.rests[bar]
        self.late = list(mine.late[bar])
        self.graces: dict[tuple[bool, int, int], list[GraceGroup]] = {}  # by side, tick and staff
        for group in graces:
            self.graces.setdefault((group.after, group.tick, group.staff), []).append(group)
        self.meter = sheet.score.meter_at(self.start)
        self.signature = in_force(part.keys, self.start).signature
        self.out: list[str] = []
        self._open_brackets: set[int] = set()  # where tuplets begin that no beam shows
        self._accidentals: dict[int, dict[Sign, str]] = {}

    def text(self) -> str:
        """All that stands between the measure's tags."""
        layers = self.part.bars[self.bar]
        self._attributes()
        self._begins = {
            (layer.staff, piece.start)
            for layer in (layers if self.graces else ())
            for piece in layer.pieces
            if piece.span is not None and not piece.tied_from
        }
        at = 0
        for index, layer in enumerate(layers):
            if at:
                self._go(at, 0)
            at = self._layer(layer, self._signs(layer, layers), leading=index == 0)
        if self.clefs or self.rests or self.graces or self.late:
            self._leftovers(at, layers)
        return "".join(self.out)

    def _attributes(self) -> None:
        first = self.bar == 0
        parts = [f"<divisions>{self.sheet.divisions}</divisions>"] if first else []
        key, meter = change_at(self.part.keys, self.start), change_at(self.sheet.score.meters, self.start)
        if key is not None:
            parts.append(key_xml(key, shown=not self.part.voice.drums))
        if meter is not None:
            parts.append(f"<time><beats>{meter.beats}</beats><beat-type>{meter.unit}</beat-type></time>")
        staves = self.part.clefs
        if first and len(staves) > 1:
            parts.append(f"<staves>{len(staves)}</staves>")
        if self.part.marked:
            parts += self._clefs_at(0)
        else:
            for number, clefs in enumerate(staves, 1):
                if first or clefs[self.bar] != clefs[self.bar - 1]:
                    parts.append(clef_xml(clefs[self.bar], number if len(staves) > 1 else None))
        if first and self.part.above:
            parts.append(transpose_xml(self.part.above))
        if parts:
            self.out.append(f"<attributes>{''.join(parts)}</attributes>\n")

    def _clefs_at(self, at: int) -> list[str]:
        """The clefs that stand at a time of the bar; they are used up."""
        return self.clefs.pop(at, [])

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
        where = self.notes.where(layer)
        if not layer.pieces:
            self._marks(0, self.length, leading)
            self._before(layer, 0, rest=True)
            self.out.append(self.notes.whole_rest(self.length, where, self._on_rest(layer, 0, self.length)))
            return self.length
        notes = self.notes
        beamed = beams([p._replace(span=None) if notes.unseen(p) else p for p in layer.pieces], self.meter)
        self._open_brackets = bracketed(layer.pieces, beamed)
        at = owed = 0
        shared = self.sheet.style.engraved and any(
            other.staff == layer.staff and other is not layer for other in self.part.bars[self.bar]
        )
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
            owed = self._skip(owed, where)
            self._before(layer, piece.start, rest=piece.span is None)
            if piece.span is None:
                self._rest(piece, layer, where, hidden)
            else:
                drawn = [signs.get((index, which)) for which in range(len(piece.span.notes))]
                bracket, begin = piece.start in self._open_brackets, self.start + piece.start
                self.out.append(notes.chord(piece, begin, where, layer.stem, beamed.get(index, []), bracket, drawn))
            at = piece.stop
        self._after(layer, at)
        return at

    def _skip(self, owed: int, where: str) -> int:
        """Pass over silence that nobody draws; nothing is owed then."""
        if owed:
            self.out.append(f"<forward><duration>{owed // self.sheet.tick}</duration>{where}</forward>\n")
        return 0

    def _rest(self, piece: Piece, layer: BarLayer, where: str, hidden: bool) -> None:
        signs = None if hidden else self._on_rest(layer, piece.start, piece.length)
        self.out.append(self.notes.rest(piece, where, piece.start in self._open_brackets, hidden, signs))

    def _marks(self, start: int, stop: int, leading: bool) -> None:
        """Print what stands over the music from ``start`` to ``stop``; a new key or clef where one begins."""
        if not leading:
            return
        key = change_at(self.part.keys, self.start + start) if start else None
        changes = [key_xml(key, shown=not self.part.voice.drums)] if key is not None else []
        if start and self.clefs:
            changes += self._clefs_at(start)
        if changes:
            self.out.append(f"<attributes>{''.join(changes)}</attributes>\n")
        while self.over and self.over[0].at < stop:
            mark = self.over.pop(0)
            late = (mark.at - start) / self.sheet.tick
            offset = f"<offset>{decimal(late)}</offset>" if late else ""
            self.out.append(f"{mark.before}{offset}{mark.after}")

    def _on_rest(self, layer: BarLayer, start: int, length: int) -> SignsXml | None:
        """What stands over a rest of a staff's first layer; it is used up."""
        mine = self.rests.pop((self.start + start, length, layer.staff), []) if layer.leads else []
        return signs_xml([(mark.kind, mark.value) for mark in mine]) if mine else None

    def _before(self, layer: BarLayer, start: int, rest: bool) -> None:
        """Print the grace notes that stand before what begins there in a layer."""
        if not self.graces or (rest and (not layer.leads or (layer.staff, start) in self._begins)):
            return
        for group in self.graces.pop((False, self.start + start, layer.staff), []):
            self.out.append(self.notes.graces(group, self.notes.where(layer), self.signature))

    def _after(self, layer: BarLayer, at: int) -> None:
        """Print the grace notes that follow the last note of a layer."""
        for group in self.graces.pop((True, self.start + at, layer.staff), []):
            self.out.append(self.notes.graces(group, self.notes.where(layer), self.signature))

    def _leftovers(self, at: int, layers: Sequence[BarLayer]) -> None:
        """Print what no layer had a place for: clefs under held notes, signs on rests of no layer, what comes last."""
        first = {layer.staff: self.notes.where(layer) for layer in reversed(layers)}
        todo = [
            *((tick, 0, f"<attributes>{''.join(texts)}</attributes>\n", 0) for tick, texts in self.clefs.items()),
            *(self._lone_rest(mark, first) for marks in self.rests.values() for mark in marks),
            *(self._lone_graces(group, first) for groups in self.graces.values() for group in groups),
            *((tick, 3, text, 0) for tick, text in self.late),
        ]
        for place, (tick, rank, text, on) in enumerate(sorted(todo, key=lambda entry: entry[:2])):
            if at == tick and place and rank == 2 and tick:
                self._go(at, at - self.sheet.tick)
                at -= self.sheet.tick
            self._go(at, tick)
            self.out.append(text)
            at = tick + on

    def _lone_graces(self, group: GraceGroup, first: Mapping[int, str]) -> tuple[int, int, str, int]:
        """Grace notes in no layer: when, their rank at that time, their text, and how far it goes on."""
        where = first.get(group.staff, first[min(first)])
        text = self.notes.graces(group, where, self.signature)
        tick, step = group.tick - self.start, self.sheet.tick
        if group.after or tick >= self.length:
            return tick, 2, text, 0
        return tick, 1, text + self.notes.lone_rest(step, where, None), step

    def _lone_rest(self, mark: Mark, first: Mapping[int, str]) -> tuple[int, int, str, int]:
        signs = signs_xml([(mark.kind, mark.value)])
        where = first.get(mark.staff or 1, first[min(first)])
        return mark.tick - self.start, 1, self.notes.lone_rest(mark.length, where, signs), mark.length

    def _go(self, at: int, to: int) -> None:
        """Move from one time of the bar to another."""
        if at != to:
            tag = "backup" if to < at else "forward"
            self.out.append(f"<{tag}><duration>{abs(to - at) // self.sheet.tick}</duration></{tag}>\n")
