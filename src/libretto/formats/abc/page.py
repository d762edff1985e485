"""The page of one voice of an ABC tune: its measures so far, and what holds from here on."""

from __future__ import annotations

from collections.abc import Mapping

from libretto.errors import TooLarge
from libretto.formats.abc.fields import Setting, Signature
from libretto.formats.abc.lyrics import Singing
from libretto.formats.abc.marking import Marking
from libretto.formats.abc.measure import AbcNote, Measure, PitchReader, Rhythm
from libretto.formats.abc.repeats import MAX_ENDING
from libretto.formats.abc.text import endings_of
from libretto.score.keys import Key
from libretto.score.time import Meter
from libretto.score.validate import MAX_BARS
from libretto.score.voice import DEFAULT_VELOCITY

__all__ = ["Page"]

_STYLES = {"||": "light-light", "|]": "light-heavy", "[|": "heavy-light"}  # bar lines that are no plain ones


class Page:
    """What one voice has written so far; ``measures`` are its bars."""

    def __init__(self, setting: Setting, shorthand: Mapping[str, str]) -> None:
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
        self._marking = Marking(shorthand)
        self.singing = Singing()
        self._final: AbcNote | None = None  # the first note of what was played last
        self._clef = ""
        self.set_clef(setting.clef)

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
        clef, self._clef = self._clef, ""
        self.set_clef(clef or setting.clef)

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

    def set_words(self, words: str) -> None:
        """Words that go with the tempo from here on."""
        self._measure.words.append((self._at, words))

    def set_clef(self, clef: str) -> None:
        """A clef from here on."""
        if clef and clef != self._clef:
            self._clef, moments = clef, self._measure.moments
            moments[:] = [moment for moment in moments if moment[:2] != (self._at, "clef")]
            moments.append((self._at, "clef", clef))

    def set_section(self, name: str) -> None:
        """A section begins with this bar, or with the next one where this has begun."""
        if not self._measure.length:
            self._measure.section = name
        else:
            self._next_section = name

    # Bars

    def _bar(self, text: str) -> None:
        self._close_measure()
        last = self.measures[-1] if self.measures else None
        dotted = self._marking.bar(last, self._measure)
        if last:
            last.style = dotted or _STYLES.get(text, last.style)
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
        self._measure.settle_words()
        self.measures.append(self._measure)
        if len(self.measures) > MAX_BARS:
            raise TooLarge(f"the ABC tune has more than {MAX_BARS:,} bars")
        last, self._measure = self._measure, self._fresh()
        self._measure.new_meter = last.meter != self.meter
        self._measure.section, self._next_section = self._next_section, ""
