"""One voice of an ABC tune: from music lines to measures as written.

Grace notes last a 32nd each, just before their note, and take no time of their own.
"""

from __future__ import annotations

import re

from libretto.errors import TooLarge
from libretto.formats.abc.chords import label_of
from libretto.formats.abc.decorations import DYNAMIC
from libretto.formats.abc.measure import FINE, AbcNote
from libretto.formats.abc.page import Page
from libretto.formats.abc.text import NOTE_TOKEN, OLD_CHORD, factor_of, tokens_of, words_of
from libretto.score.time import WHOLE
from libretto.score.validate import MAX_BARS, MAX_NOTES

__all__ = ["VoiceReader"]

_DYNAMICS = {"pppp": 20, "ppp": 30, "pp": 45, "p": 60, "mp": 70, "mf": 80, "f": 95, "ff": 110, "fff": 120, "ffff": 127}
_GRACE = WHOLE // 32 * FINE
_MOST_GRACES = 64
_MOST_DIGITS = 9  # of a number of bars
_GRACE_VALUES = {(2, 1): "4", (1, 2): "16", (1, 4): "32"}  # how long a grace note is drawn; else it is an eighth
_LONGEST = (1 << 44) * FINE  # a measure; far beyond music, within what the clock's 64 bits hold


class VoiceReader(Page):
    """Reads the music of one voice; ``measures`` is what was written so far."""

    # Music

    def finish(self) -> None:
        """The music of this voice is over."""
        self._close_chord("")
        self._close_measure()
        if self.measures:
            self._marking.bar(self.measures[-1], self.measures[-1])
        self.align()

    def align(self) -> None:
        """The words so far belong to the notes so far."""
        self.singing.align(len(self.measures))

    def line_end(self) -> None:
        """A line is over: a full bar at its end is a bar, even where nobody wrote the bar line."""
        self._close_chord("")
        full = self.meter.ticks * FINE
        if not self.free and self._at == full == self._measure.length:
            self._bar("|")

    def take(self, kind: str, token: re.Match[str]) -> None:
        """Read one token."""
        if kind == "note":
            self._note(token)
        elif kind == "bar":
            self._close_chord("")
            self._bar(token["bar"])
            self._begin_ending(token["numbers"])
        elif kind == "ending":
            self._bar("[")
            self._begin_ending(token["ending"])
        elif kind == "rest":
            self._event([], self._ticks(token["rested"]))
        elif kind == "open":
            self._close_chord("")
            self._chord, self._chord_length = [], 0
        elif kind == "close":
            self._close_chord(token["times"])
        elif kind == "tie":
            self._tie()
        elif kind == "slur":
            self._marking.slur(token["slur"], self._chord[-1] if self._chord else self._final)
        elif kind == "broken":
            self._break_rhythm(token["broken"])
        elif kind == "tuplet":
            self._rhythm.begin_tuplet(token, self.meter)
        else:
            self._ornament(kind, token)

    def _ornament(self, kind: str, token: re.Match[str]) -> None:
        if kind == "text":
            label = label_of(token["text"])
            self._symbol = label or self._symbol
            if label is None and (words := words_of(token["text"])):
                self._measure.moments.append((self._at, "words", words))
        elif kind == "short":
            self._marking.letter(token["short"], self._measure, self._at)
        elif kind == "decoration":
            self._decorate(token["decoration"])
        elif kind == "plus":
            self._plus(token)
        elif kind == "grace":
            self._grace(token["grace"])
        elif kind == "overlay":
            self._at, self._layer, self._last = 0, self._layer + 1, []
            self._rhythm.clear()
        elif kind == "measures":
            self._rest_measures(token["count"])

    def _decorate(self, name: str) -> None:
        if DYNAMIC.fullmatch(name):
            self.velocity = _DYNAMICS.get(name, self.velocity)
            self._measure.moments.append((self._at, "dynamics", name))
        elif name:
            self._marking.decorate(name, self._measure, self._at)

    def _grace(self, text: str) -> None:
        """Grace notes wait for their note; slurs that were opened before them begin with them."""
        stroke = "/" if text.startswith("/") else ""
        slurs = self._marking.take_slurs()
        main, self._marking.waiting = self._marking.waiting, slurs
        for kind, token in tokens_of(text):
            if kind == "note" and len(self._graces) < _MOST_GRACES:
                note = self._pitched(token)
                note.add("grace", _GRACE_VALUES.get(factor_of(token["length"]), "") + stroke)
                self._graces.append(note)
            elif kind == "slur":
                self._marking.slur(token["slur"], self._graces[-1] if self._graces else self._final)
            elif kind == "short":
                self._marking.letter(token["short"], self._measure, self._at)
            elif kind == "decoration":
                self._marking.decorate(token["decoration"], self._measure, self._at)
        self._marking.waiting = main + self._marking.take_slurs()

    def _plus(self, token: re.Match[str]) -> None:
        """``+...+`` is a decoration, or a chord in very old ABC."""
        inside = token["plus"]
        if DYNAMIC.fullmatch(inside) or not OLD_CHORD.match(inside):
            self._decorate(inside)
        elif OLD_CHORD.match(inside):
            self._chord, self._chord_length = [], 0
            for inner in NOTE_TOKEN.finditer(inside):
                self._note(inner)
            self._close_chord(token["plustimes"])

    def _ticks(self, text: str) -> int:
        over, under = factor_of(text)
        over *= self.unit.numerator * WHOLE * FINE
        under *= self.unit.denominator
        return max(1, (over + under // 2) // under)

    def _pitched(self, token: re.Match[str]) -> AbcNote:
        """The note that a token writes, at no place yet."""
        note = self.pitches.note(token, self.signature.alters, self.velocity)
        if self._marking.waiting:
            signs, self._marking.waiting = self._marking.waiting, []
            self._marking.give(note, signs)
        return note

    def _note(self, token: re.Match[str]) -> None:
        """Add a note to the chord that is open, or put it at the present place."""
        note = self._pitched(token)
        length = self._ticks(token["length"])
        if self._chord is None:
            self._event([note], length)
            return
        note.length = length
        self._chord_length = self._chord_length or length
        self._chord.append(note)

    def _close_chord(self, text: str) -> None:
        """A chord lasts as long as its first note; each note as long as it says."""
        notes, self._chord = self._chord, None
        if not notes:
            return
        over, under = factor_of(text)
        for note in notes:
            note.length = max(1, note.length * over // under)
        self._event(notes, max(1, self._chord_length * over // under))

    def _event(self, notes: list[AbcNote], length: int) -> None:
        """Put notes that begin together (or a rest) at the present place and go on."""
        over, under = self._rhythm.next_factor()
        measure = self._measure
        if self._symbol is not None:
            measure.symbols.append((self._at, self._symbol))
            self._symbol = None
        for note in notes:
            note.start, note.layer = self._at, self._layer
            note.length = max(1, (note.length or length) * over // under)
        if notes and self._graces:
            self._place_graces()
        measure.notes.extend(notes)
        self._marking.settle(notes, measure)
        if notes:
            self._final = notes[0]
            self.singing.notes.append((len(self.measures), self._final))
        self._last, self._last_length = notes, max(1, length * over // under)
        self._advance(self._last_length)
        self.count += len(notes)
        if self.count > MAX_NOTES:
            raise TooLarge(f"the ABC tune has more than {MAX_NOTES:,} notes")

    def _advance(self, length: int) -> None:
        self._at += length
        self._measure.length = max(self._measure.length, self._at)
        if self._at > _LONGEST:
            raise TooLarge("a bar of the ABC tune is longer than any music")

    def _place_graces(self) -> None:
        for index, grace in enumerate(reversed(self._graces), start=1):
            grace.start, grace.length, grace.layer = self._at - index * _GRACE, _GRACE, -1
        self._measure.notes.extend(self._graces)
        self.count += len(self._graces)
        self._graces = []

    def _tie(self) -> None:
        if self._chord is not None:
            for note in self._chord[-1:]:
                note.tied = True
        else:
            for note in self._last:
                note.tied = True

    def _break_rhythm(self, text: str) -> None:
        """``a>b``: dotted, then short; the note before is changed here, the next one when it comes."""
        over, under = self._rhythm.break_after(text)
        if not self._last_length:
            return
        changed = self._last_length * over // under
        for note in self._last:
            note.length = note.length * over // under
        if self._measure.length == self._at:
            self._measure.length += changed - self._last_length
        self._at += changed - self._last_length
        self._last_length = 0

    def _rest_measures(self, count: str) -> None:
        number = int(count[:_MOST_DIGITS] or 1)
        if number > MAX_BARS:
            raise TooLarge(f"the ABC tune rests for {number:,} bars; the limit is {MAX_BARS:,}")
        for index in range(number):
            if index:
                self._bar("|")
            self._event([], self.meter.ticks * FINE)
