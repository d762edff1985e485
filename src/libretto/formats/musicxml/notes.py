"""Notes, chords, rests and grace notes as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from libretto.formats.musicxml.elements import clean, percent, tuplet_xml
from libretto.formats.musicxml.signs import NoteSigns, SignsXml
from libretto.notation.instruments import drum_of, engraved_drum
from libretto.notation.marked import Grace, GraceGroup, is_written
from libretto.notation.rhythm import Piece
from libretto.notation.sheet import BarLayer, PartSheet, Sheet
from libretto.notation.staves import signature_alters, written_pitch
from libretto.score import Note
from libretto.score.pitch import pitch_name

__all__ = ["NoteWriter", "drum_id"]

_OPEN = "<technical><open-string/></technical>"
_NOTHING = SignsXml()
_GRACE_TYPES = {"1/2": "breve", "1": "whole", "2": "half", "4": "quarter", "": "eighth", "8": "eighth", "32": "32nd"}
_SIGNS = {-2: "flat-flat", -1: "flat", 0: "natural", 1: "sharp", 2: "double-sharp"}


def drum_id(part: PartSheet, note: Note) -> str:
    """The instrument of a drum key; its name says how the key is spelled."""
    return f"{part.identity}-{pitch_name(note.pitch, note.spelling).replace('#', 's').replace('-', '_')}"


class NoteWriter:
    """Prints the notes of one part with their signs."""

    def __init__(self, sheet: Sheet, part: PartSheet) -> None:
        self.sheet, self.part = sheet, part
        self.signs = NoteSigns(part.voice) if part.voice.marks else None
        self.standing = is_written(sheet.score)

    def where(self, layer: BarLayer) -> str:
        """The elements that name a layer."""
        staff = f"<staff>{layer.staff}</staff>" if len(self.part.clefs) > 1 else ""
        return f"<voice>{layer.number}</voice>{staff}"

    def unseen(self, piece: Piece) -> bool:
        """Whether a piece only lengthens a drum stroke: nobody draws that, and it must not look like another stroke."""
        return self.part.voice.drums and piece.tied_from

    def whole_rest(self, length: int, where: str, signs: SignsXml | None) -> str:
        """A rest for a whole bar."""
        duration = f"<duration>{length // self.sheet.tick}</duration>"
        return f'<note><rest measure="yes"/>{duration}{where}{_after(signs)}</note>\n'

    def lone_rest(self, length: int, where: str, signs: SignsXml | None) -> str:
        """A rest that is not shown and only carries a sign, or grace notes."""
        duration = f"<duration>{length // self.sheet.tick}</duration>"
        return f'<note print-object="no"><rest/>{duration}{where}{_after(signs)}</note>\n'

    def rest(self, piece: Piece, where: str, bracketed: bool, hidden: bool, signs: SignsXml | None) -> str:
        """A rest."""
        ratio, bracket = tuplet_xml(piece, bracketed)
        voice, _, staff = where.partition("<staff>")
        staff = f"<staff>{staff}" if staff else ""
        shown = ' print-object="no"' if hidden else ""
        shape = f"<type>{piece.kind}</type>{'<dot/>' * piece.dots}"
        duration = f"<duration>{piece.length // self.sheet.tick}</duration>"
        return f"<note{shown}><rest/>{duration}{voice}{shape}{ratio}{staff}{_after(signs, bracket)}</note>\n"

    def chord(
        self,
        piece: Piece,
        start: int,
        where: str,
        stem: str,
        beam: Sequence[str],
        bracketed: bool,
        accidentals: Sequence[str | None],
    ) -> str:
        """A note or chord that begins at a tick; the first note carries the beams and the bracket."""
        ratio, bracket = tuplet_xml(piece, bracketed)
        voice, _, staff = where.partition("<staff>")
        staff = f"<staff>{staff}" if staff else ""
        stems = f"<stem>{stem}</stem>" if stem else ""
        beams = "".join(f'<beam number="{level}">{what}</beam>' for level, what in enumerate(beam, 1))
        shown = ' print-object="no"' if self.unseen(piece) else ""
        duration = f"<duration>{piece.length // self.sheet.tick}</duration>"
        shape = f"<type>{piece.kind}</type>{'<dot/>' * piece.dots}"
        texts = []
        for which, note in enumerate(self._drawn(piece.span.notes) if piece.span else ()):
            first = which == 0
            signs = (self.signs.take(note, start, start + piece.length) if self.signs else None) or _NOTHING
            pitch, instrument, head, opened = self._pitch(note, signs.notehead)
            ties, tied = self._ties(note, piece, start, signs)
            sign = accidentals[which]
            accidental = f"<accidental>{sign}</accidental>" if sign else ""
            notations = tied + bracket * first + opened * (not piece.tied_from) + signs.notations
            texts.append(
                f'<note{shown} dynamics="{percent(note.velocity)}">{"<cue/>" * signs.cue}'
                f"{'<chord/>' * (not first)}{pitch}{duration}{ties}{instrument}{voice}{shape}{accidental}{ratio}"
                f"{stems}{head}{staff}{beams * first}"
                f"{f'<notations>{notations}</notations>' if notations else ''}{signs.lyrics}</note>\n"
            )
        return "".join(texts)

    def _ties(self, note: Note, piece: Piece, start: int, signs: SignsXml) -> tuple[str, str]:
        """How a note is tied as it sounds and as it is drawn; ties that only our writer needs are drawn ``solid``."""
        before = (piece.tied_from and start > note.onset) or signs.tied_in
        after = piece.tied_to and start + piece.length < note.onset + note.duration
        ties = _tie("tie", before, after or signs.rings == "start")
        own = before and self._is_own(note, piece, start)
        tied = _tie("tied", before, after or signs.rings == "start", ' line-type="solid"' if own else "")
        if signs.rings == "let-ring":
            tied += '<tied type="let-ring"/>'
        return ties, "" if self.part.voice.drums and not own else tied

    def _is_own(self, note: Note, piece: Piece, start: int) -> bool:
        """Whether a tie inside a bar is only there because no one sign says the length."""
        inside = self.standing and piece.start > 0 and start > note.onset
        return inside and (self.signs is None or not self.signs.is_split(note, start))

    def _drawn(self, notes: tuple[Note, ...]) -> tuple[Note, ...]:
        """The notes of a chord that are printed: of drums that stand in one place an engraver gets the first."""
        if not (self.part.voice.drums and self.sheet.style.engraved):
            return notes
        places: dict[tuple[str, int], Note] = {}
        for note in notes:
            drum, _ = engraved_drum(note.pitch, self.part.kit)
            places.setdefault((drum.step, drum.octave), note)
        return tuple(places.values())

    def _pitch(self, note: Note, notehead: str = "") -> tuple[str, str, str, str]:
        """Pitch, instrument, notehead and playing technique elements."""
        shape = f"<notehead>{clean(notehead)}</notehead>" if notehead else ""
        if self.part.voice.drums:
            drum, opened = drum_of(note.pitch), False
            if self.sheet.style.engraved:
                drum, opened = engraved_drum(note.pitch, self.part.kit)
            where = f"<display-step>{drum.step}</display-step><display-octave>{drum.octave}</display-octave>"
            if not shape and drum.head != "normal":
                shape = f"<notehead>{drum.head}</notehead>"
            instrument = f'<instrument id="{drum_id(self.part, note)}"/>'
            return f"<unpitched>{where}</unpitched>", instrument, shape, _OPEN if opened else ""
        letter, alter, octave = written_pitch(note)
        altered = f"<alter>{alter}</alter>" if alter else ""
        return f"<pitch><step>{letter}</step>{altered}<octave>{octave}</octave></pitch>", "", shape, ""

    def graces(self, group: GraceGroup, where: str, signature: int) -> str:
        """Grace notes, one after another."""
        usual = signature_alters(signature)
        return "".join(
            self._grace(grace, where, usual, first=which == 0)
            for chord in group.chords
            for which, grace in enumerate(chord)
        )

    def _grace(self, grace: Grace, where: str, usual: Mapping[str, int], first: bool) -> str:
        note, look = grace
        signs = (self.signs.take(note, note.onset, note.onset + note.duration) if self.signs else None) or _NOTHING
        pitch, instrument, head, _ = self._pitch(note, signs.notehead)
        value = look.removesuffix("after").removesuffix("/")
        kind = _GRACE_TYPES.get(value, f"{value}th" if value.isdecimal() else "eighth")
        slash = ' slash="yes"' if "/" in look.removesuffix("after")[-1:] else ""
        voice, _, staff = where.partition("<staff>")
        staff = f"<staff>{staff}" if staff else ""
        letter, alter, _ = written_pitch(note)
        drums = self.part.voice.drums
        accidental = "" if drums or usual[letter] == alter else f"<accidental>{_SIGNS.get(alter, '')}</accidental>"
        ties, tied = (_tie(tag, signs.tied_in, signs.rings == "start") for tag in ("tie", "tied"))
        notations = tied + signs.notations
        return (
            f'<note dynamics="{percent(note.velocity)}"><grace{slash}/>{"<cue/>" if signs.cue else ""}'
            f"{'' if first else '<chord/>'}{pitch}{ties}{instrument}{voice}<type>{kind}</type>{accidental}{head}"
            f"{staff}{f'<notations>{notations}</notations>' if notations else ''}{signs.lyrics}</note>\n"
        )


def _after(signs: SignsXml | None, bracket: str = "") -> str:
    """What follows the staff of a rest."""
    notations = bracket + (signs.notations if signs else "")
    return (f"<notations>{notations}</notations>" if notations else "") + (signs.lyrics if signs else "")


def _tie(tag: str, stop: bool, start: bool, how: str = "") -> str:
    """Ties to what comes before and after a note; ``how`` is said of the first."""
    return (f'<{tag} type="stop"{how}/>' if stop else "") + (f'<{tag} type="start"/>' if start else "")
