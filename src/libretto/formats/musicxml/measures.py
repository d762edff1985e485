"""Printing: the measures of one part as MusicXML text."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple
from xml.sax.saxutils import escape

from libretto.formats.musicxml.chords import harmony_xml, needed
from libretto.formats.musicxml.drums import drum_of
from libretto.formats.musicxml.read import RINGING
from libretto.formats.musicxml.rhythm import Piece, beams
from libretto.formats.musicxml.sheet import Layer, PartSheet, Sheet, change_at, in_force
from libretto.formats.musicxml.staves import accidentals, written_pitch
from libretto.score import Key, Note
from libretto.score.chords import NO_CHORD
from libretto.score.pitch import pitch_name
from libretto.score.time import bpm_text

__all__ = ["Mark", "clean", "drum_id", "marks", "measures"]

_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FINAL = '<barline location="right"><bar-style>light-heavy</bar-style></barline>\n'
_NOTABLE = 0.04  # how much a tempo must change before it is printed


class Mark(NamedTuple):
    """Something over the notes: where in its bar, and its text around an offset."""

    at: Fraction
    before: str
    after: str


def clean(text: str) -> str:
    """Text as XML can hold it."""
    return escape(_UNPRINTABLE.sub("", text))


def drum_id(part: PartSheet, note: Note) -> str:
    """The instrument of a drum key; its name says how the key is spelled."""
    return f"{part.identity}-{pitch_name(note.pitch, note.spelling).replace('#', 's').replace('-', '_')}"


def marks(sheet: Sheet) -> list[list[Mark]]:
    """Sections, tempi and chord symbols for every bar."""
    score = sheet.score
    lines = score.bar_lines
    found: list[list[Mark]] = [[] for _ in range(score.bars)]
    for tick, name in score.sections:
        text = f"<rehearsal>{clean(name)}</rehearsal>"
        over = f'<direction placement="above"><direction-type>{text}</direction-type>'
        found[bisect_left(lines, tick)].append(Mark(Fraction(0), over, "</direction>\n"))
    printed = 0.0
    bar = 0
    for tick, micros in score.tempos:
        while lines[bar + 1] <= tick:
            bar += 1
        bpm = 60_000_000 / micros
        sound = f'<sound tempo="{bpm_text(micros)}"'
        if abs(bpm - printed) > _NOTABLE * printed:
            minute = f"<beat-unit>quarter</beat-unit><per-minute>{round(bpm, 2):g}</per-minute>"
            over = f'<direction placement="above"><direction-type><metronome>{minute}</metronome></direction-type>'
            found[bar].append(Mark(Fraction(tick - lines[bar]), over, f"{sound}/></direction>\n"))
            printed = bpm
        else:
            found[bar].append(Mark(Fraction(tick - lines[bar]), f"{sound}>", "</sound>\n"))
    silent = all(label == NO_CHORD for labels in score.chords for label in labels)
    held: str | None = None if silent else NO_CHORD
    for index, labels in enumerate(score.chords[: sheet.bars]):
        length = lines[index + 1] - lines[index]
        for moment, label in needed(labels, held, in_force(score.meters, lines[index]).beats):
            before, after = harmony_xml(label, hidden=silent)
            found[index].append(Mark(moment * length, before, after))
        held = labels[-1]
    return [sorted(each, key=lambda mark: mark.at) for each in found]


def measures(sheet: Sheet, part: PartSheet, over: list[list[Mark]] | None) -> Iterator[str]:
    """The text of each measure; ``over`` holds what only the first part shows."""
    score = sheet.score
    for bar in range(score.bars):
        ringing = bar >= sheet.bars
        number = f"{RINGING}{bar - sheet.bars + 1}" if ringing else str(bar + score.first_bar)
        implicit = ' implicit="yes"' if ringing or number == "0" else ""
        writer = _Measure(sheet, part, bar, over[bar] if over else [])
        closing = _FINAL if bar + 1 == score.bars else ""
        yield f'<measure number="{number}"{implicit}>\n{writer.text()}{closing}</measure>\n'


class _Measure:
    """Prints one measure of one part."""

    def __init__(self, sheet: Sheet, part: PartSheet, bar: int, over: list[Mark]) -> None:
        self.sheet, self.part, self.bar = sheet, part, bar
        self.start, stop = sheet.score.bar_lines[bar : bar + 2]
        self.length = stop - self.start
        self.over = list(over)
        self.meter = in_force(sheet.score.meters, self.start)
        self.signature = in_force(sheet.score.keys, self.start).signature
        self.out: list[str] = []
        self._drawn: dict[int, dict[tuple[int, int, int], str]] = {}

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
        score, first = self.sheet.score, self.bar == 0
        parts = [f"<divisions>{self.sheet.divisions}</divisions>"] if first else []
        key, meter = change_at(score.keys, self.start), change_at(score.meters, self.start)
        if key is not None:
            parts.append(_key(key, shown=not self.part.voice.drums))
        if meter is not None:
            parts.append(f"<time><beats>{meter.beats}</beats><beat-type>{meter.unit}</beat-type></time>")
        clefs = self.part.clefs
        if first:
            parts += [f"<staves>{len(clefs)}</staves>"] if len(clefs) > 1 else []
            parts += [clef.xml(index if len(clefs) > 1 else None) for index, clef in enumerate(clefs, 1)]
        if parts:
            self.out.append(f"<attributes>{''.join(parts)}</attributes>\n")

    def _signs(self, layer: Layer, layers: list[Layer]) -> dict[tuple[int, int], str]:
        """The accidentals of one layer, which depend on all layers of its staff."""
        if self.part.voice.drums:
            return {}
        mine = [other for other in layers if other.staff == layer.staff]
        if layer.staff not in self._drawn:
            self._drawn[layer.staff] = accidentals([other.pieces for other in mine], self.signature)
        which = next(index for index, other in enumerate(mine) if other is layer)
        return {(piece, note): sign for (at, piece, note), sign in self._drawn[layer.staff].items() if at == which}

    def _layer(self, layer: Layer, signs: dict[tuple[int, int], str], leading: bool) -> int:
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
        at = owed = 0
        for index, piece in enumerate(layer.pieces):
            self._marks(piece.start, piece.stop, leading)
            hidden = piece.span is None and not layer.leads and piece.tuplet is None
            if hidden and not piece.odd:
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
        key = change_at(self.sheet.score.keys, self.start + start) if start else None
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
        layer: Layer,
        index: int,
        beam: list[str],
        signs: dict[tuple[int, int], str],
        hidden: bool,
    ) -> None:
        duration = f"<duration>{piece.length // self.sheet.tick}</duration>"
        shape = f"<type>{piece.kind}</type>{'<dot/>' * piece.dots}"
        ratio, bracket = _tuplet(piece)
        staff = f"<staff>{layer.staff}</staff>" if len(self.part.clefs) > 1 else ""
        voice = f"<voice>{layer.number}</voice>"
        stem = f"<stem>{layer.stem}</stem>" if layer.stem else ""
        shown = ' print-object="no"' if hidden or self._unseen(piece) else ""
        if piece.span is None:
            notations = f"<notations>{bracket}</notations>" if bracket else ""
            self.out.append(f"<note{shown}><rest/>{duration}{voice}{shape}{ratio}{staff}{notations}</note>\n")
            return
        stop = '<tie{} type="stop"/>' if piece.tied_from else ""
        ties = stop + ('<tie{} type="start"/>' if piece.tied_to else "")
        beamed = "".join(f'<beam number="{level}">{what}</beam>' for level, what in enumerate(beam, 1))
        for which, note in enumerate(piece.span.notes):
            first = which == 0
            pitch, instrument, head = self._pitch(note)
            sign = signs.get((index, which))
            accidental = f"<accidental>{sign}</accidental>" if sign else ""
            drawn = "" if self.part.voice.drums else ties.replace("{}", "d")
            notations = drawn + (bracket if first else "")
            self.out.append(
                f'<note{shown} dynamics="{_percent(note.velocity)}">{"" if first else "<chord/>"}{pitch}{duration}'
                f"{ties.replace('{}', '')}{instrument}{voice}{shape}{accidental}{ratio}{stem}{head}{staff}"
                f"{beamed if first else ''}{f'<notations>{notations}</notations>' if notations else ''}</note>\n"
            )

    def _unseen(self, piece: Piece) -> bool:
        """Whether a piece only lengthens a drum stroke: nobody draws that, and it must not look like another stroke."""
        return self.part.voice.drums and piece.tied_from

    def _pitch(self, note: Note) -> tuple[str, str, str]:
        """Pitch, instrument and notehead elements."""
        if self.part.voice.drums:
            drum = drum_of(note.pitch)
            where = f"<display-step>{drum.step}</display-step><display-octave>{drum.octave}</display-octave>"
            head = f"<notehead>{drum.head}</notehead>" if drum.head != "normal" else ""
            return f"<unpitched>{where}</unpitched>", f'<instrument id="{drum_id(self.part, note)}"/>', head
        letter, alter, octave = written_pitch(note)
        altered = f"<alter>{alter}</alter>" if alter else ""
        return f"<pitch><step>{letter}</step>{altered}<octave>{octave}</octave></pitch>", "", ""


def _key(key: Key, shown: bool) -> str:
    hidden = "" if shown else ' print-object="no"'
    return f"<key{hidden}><fifths>{key.signature}</fifths><mode>{key.mode}</mode></key>"


def _tuplet(piece: Piece) -> tuple[str, str]:
    """The time modification of a piece, and where the bracket begins or ends."""
    tuplet = piece.tuplet
    if tuplet is None:
        return "", ""
    numbers = f"<actual-notes>{tuplet.actual}</actual-notes><normal-notes>{tuplet.normal}</normal-notes>"
    ratio = f"<time-modification>{numbers}<normal-type>{tuplet.kind}</normal-type></time-modification>"
    begin = '<tuplet number="1" type="start" bracket="yes"/>' if piece.start == tuplet.start else ""
    return ratio, begin + ('<tuplet number="1" type="stop"/>' if piece.stop == tuplet.stop else "")


def _percent(velocity: int) -> str:
    return f"{velocity / 0.9:.2f}".rstrip("0").rstrip(".")


def _decimal(value: Fraction) -> str:
    return f"{float(value):.9f}".rstrip("0").rstrip(".")
