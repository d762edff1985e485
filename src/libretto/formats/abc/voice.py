"""One voice of an ABC tune: from music lines to measures as written.

Grace notes last a 32nd each, just before their note, and take no time of their own.
"""

from __future__ import annotations

import re

from libretto.errors import TooLarge
from libretto.formats.abc.chords import label_of
from libretto.formats.abc.fields import Setting, Signature
from libretto.formats.abc.measure import FINE, AbcNote, Measure, PitchReader, Rhythm
from libretto.formats.abc.repeats import MAX_ENDING
from libretto.formats.abc.text import NOTE_TOKEN, OLD_CHORD, endings_of, factor_of
from libretto.score.keys import Key
from libretto.score.time import WHOLE, Meter
from libretto.score.validate import MAX_BARS, MAX_NOTES
from libretto.score.voice import DEFAULT_VELOCITY

__all__ = ["VoiceReader"]

_DYNAMICS = {"pppp": 20, "ppp": 30, "pp": 45, "p": 60, "mp": 70, "mf": 80, "f": 95, "ff": 110, "fff": 120, "ffff": 127}
_GRACE = WHOLE // 32 * FINE
_MOST_GRACES = 64
_MOST_DIGITS = 9  # of a number of bars
_LONGEST = (1 << 44) * FINE  # a measure; far beyond music, within what the clock's 64 bits hold


class VoiceReader:
    """Reads the music of one voice; ``measures`` is what was written so far."""

    def __init__(self, setting: Setting) -> None:
        self.name = ""
        self.program: int | None = None
        self.drums = False
        self.pitches = PitchReader()
        self.measures: list[Measure] = []
        self.count = 0
        self.velocity = DEFAULT_VELOCITY
        self._tempo = setting.tempo
        self._take(setting)
        self._measure = self._fresh()
        self._at = self._layer = 0
        self._last: list[AbcNote] = []
        self._last_length = 0
        self._chord: list[AbcNote] | None = None
        self._chord_length = 0
        self._rhythm = Rhythm()
        self._graces: list[AbcNote] = []
        self._symbol: str | None = None
        self._next_section = ""

    def _take(self, setting: Setting) -> None:
        self.free = setting.meter is None
        self.meter = setting.meter or Meter(4, 4)
        self.unit = setting.unit_length
        self.signature = setting.signature or Signature.of(Key(0))

    def restart(self, setting: Setting) -> None:
        """Begin from these settings; only before any music."""
        self._take(setting)
        self._tempo = setting.tempo
        self._measure = self._fresh()

    def _fresh(self) -> Measure:
        return Measure(self.signature.key, self.meter, self._tempo)

    # Fields in the music

    def set_key(self, signature: Signature) -> None:
        """A key from here on."""
        self.signature = signature
        self._measure.keys.append((self._at, signature.key))

    def set_meter(self, meter: Meter | None) -> None:
        """A meter from the next bar line on (from here, at a bar's beginning)."""
        self.free, self.meter = meter is None, meter or Meter(4, 4)
        if not self._measure.length:
            self._measure.meter, self._measure.new_meter = self.meter, True

    def set_tempo(self, micros: int) -> None:
        """A tempo from here on."""
        self._tempo = micros
        self._measure.tempos.append((self._at, micros))

    def set_section(self, name: str) -> None:
        """A section begins with this bar, or with the next one where this has begun."""
        if not self._measure.length:
            self._measure.section = name
        else:
            self._next_section = name

    # Music

    def finish(self) -> None:
        """The music of this voice is over."""
        self._close_chord("")
        self._close_measure()

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
        elif kind == "broken":
            self._break_rhythm(token["broken"])
        elif kind == "tuplet":
            self._rhythm.begin_tuplet(token, self.meter)
        else:
            self._ornament(kind, token)

    def _ornament(self, kind: str, token: re.Match[str]) -> None:
        if kind == "text":
            self._symbol = label_of(token["text"]) or self._symbol
        elif kind == "decoration":
            self.velocity = _DYNAMICS.get(token["decoration"], self.velocity)
        elif kind == "plus":
            self._plus(token)
        elif kind == "grace":
            for note in NOTE_TOKEN.finditer(token["grace"]):
                if len(self._graces) < _MOST_GRACES:
                    self._graces.append(self._pitched(note))
        elif kind == "overlay":
            self._at, self._layer, self._last = 0, self._layer + 1, []
            self._rhythm.clear()
        elif kind == "measures":
            self._rest_measures(token["count"])

    def _plus(self, token: re.Match[str]) -> None:
        """``+...+`` is a decoration, or a chord in very old ABC."""
        inside = token["plus"]
        if inside in _DYNAMICS:
            self.velocity = _DYNAMICS[inside]
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
        return self.pitches.note(token, self.signature.alters, self.velocity)

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

    # Bars

    def _bar(self, text: str) -> None:
        self._close_measure()
        self.pitches.marks.clear()
        self._last, self._last_length = [], 0
        self._rhythm.clear()
        only = text.strip(":") == ""
        before = (len(text) + 1) // 2 if only else len(text) - len(text.lstrip(":"))
        after = len(text) // 2 if only else len(text) - len(text.rstrip(":"))
        if self.measures and text != "|":
            self.measures[-1].parted = True
            self.measures[-1].closes = max(self.measures[-1].closes, min(before, MAX_ENDING - 1))
        if after:
            self._measure.opens = True

    def _begin_ending(self, text: str | None) -> None:
        if text:
            self._measure.endings = endings_of(text, MAX_ENDING)
            if self.measures:
                self.measures[-1].parted = True

    def _close_measure(self) -> None:
        """End the measure; one without time is not a measure, and what was said of it holds for the next."""
        self._at = self._layer = 0
        if not self._measure.length:
            return
        self.measures.append(self._measure)
        if len(self.measures) > MAX_BARS:
            raise TooLarge(f"the ABC tune has more than {MAX_BARS:,} bars")
        last, self._measure = self._measure, self._fresh()
        self._measure.new_meter = last.meter != self.meter
        self._measure.section, self._next_section = self._next_section, ""

    def _rest_measures(self, count: str) -> None:
        number = int(count[:_MOST_DIGITS] or 1)
        if number > MAX_BARS:
            raise TooLarge(f"the ABC tune rests for {number:,} bars; the limit is {MAX_BARS:,}")
        for index in range(number):
            if index:
                self._bar("|")
            self._event([], self.meter.ticks * FINE)
