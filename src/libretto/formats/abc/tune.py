"""One ABC tune: its fields and directives, and which voice each line belongs to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from libretto.errors import FormatError, TooLarge
from libretto.formats.abc.clefs import read_clef
from libretto.formats.abc.credits import credit_of, rights_of
from libretto.formats.abc.decorations import SHORTHAND, read_shorthand
from libretto.formats.abc.fields import (
    Setting,
    read_key,
    read_meter,
    read_shifts,
    read_tempo,
    read_tempo_words,
    read_unit,
    read_voice,
)
from libretto.formats.abc.text import AbcLine, looks_like_music, tokens_of, unescape
from libretto.formats.abc.voice import VoiceReader
from libretto.score.marks import Mark
from libretto.score.validate import MAX_VOICES
from libretto.score.voice import legal_name

__all__ = ["TuneReader"]

_MIDI = re.compile(r"MIDI\s*=?\s*(\w+)\s*=?\s*(-?\d{1,4})?(?:\s+(\d{1,4}))?", re.IGNORECASE)
_BAR_NUMBER = re.compile(r"setbarnb\s+([01])\b")
_PROPAGATE = re.compile(r"propagate-accidentals\s+(not|octave|pitch)\b")
_DRUM_CHANNEL, _TOP_PROGRAM = 10, 127


class TuneReader:
    """Reads the lines of a tune; ``voices`` are its voices in the order in which they were named."""

    def __init__(self, lines: Sequence[AbcLine]) -> None:
        self.title = ""
        self.credits: list[Mark] = []  # whose the tune is
        self.first_bar: int | None = None
        self.setting = Setting()
        self.voices: dict[str, VoiceReader] = {}
        self.words: list[str] = []  # that go with the tempo at the beginning
        self._shorthand = dict(SHORTHAND)
        self._sung: VoiceReader | None = None  # whose words the last line was
        self._program: int | None = None
        self._drums = False
        self._voice: VoiceReader | None = None
        self._in_body = self._has_music = False
        for line in lines:
            try:
                self._read(line)
            except TooLarge:
                raise
            except FormatError as wrong:
                raise FormatError(f"line {line.number}: {wrong}") from None
        for voice in self.voices.values():
            voice.finish()
            voice.program = self._program if voice.program is None else voice.program
            voice.drums = voice.drums or self._drums

    @property
    def notes(self) -> int:
        """How many notes are written."""
        return sum(voice.count for voice in self.voices.values())

    @property
    def has_bars(self) -> bool:
        """Whether anything is written, be it rests."""
        return any(voice.measures for voice in self.voices.values())

    def _read(self, line: AbcLine) -> None:
        if line.kind in "w+" and line.kind:
            self._sing(line.kind, line.text)
            return
        self._sung = None
        if line.kind == "%":
            self._directive(line.text)
        elif line.kind == "":
            self._music(line.text, line.continued)
        elif line.kind == "T":
            self.title = self.title or " ".join(unescape(line.text).split())
        else:
            self._field(line.kind, line.text)

    # Voices

    def _select(self, text: str) -> None:
        name, said, music = read_voice(text)
        if not name or name == "*":
            return
        voice = self._voice = self._named(name)
        label = said.get("name", said.get("nm", ""))
        voice.name = unescape(label) or voice.name
        voice.drums = voice.drums or said.get("clef", "").startswith("perc")
        voice.set_clef(self._moved(voice, text))
        if music:
            self._music(music, False)

    def _moved(self, voice: VoiceReader, text: str) -> str:
        """Move what a voice sounds as a field says; the clef that the field names is returned."""
        shifts, clef = read_shifts(text), read_clef(text)
        voice.pitches.transpose({"clef": 0} | shifts if clef else shifts)
        return clef

    def _sing(self, kind: str, text: str) -> None:
        """A line of words under the music, or the rest of one."""
        if kind == "w" and self._in_body:
            self._sung = self._current()
            self._sung.singing.lines.append(text)
        elif self._sung:
            self._sung.singing.go_on(text)

    def _named(self, name: str) -> VoiceReader:
        if name not in self.voices:
            if len(self.voices) >= MAX_VOICES:
                raise TooLarge(f"the ABC tune has more than {MAX_VOICES:,} voices")
            self.voices[name] = VoiceReader(self.setting, self._shorthand)
        return self.voices[name]

    def _current(self) -> VoiceReader:
        """The voice that music belongs to: the one selected, else the first."""
        if self._voice is None:
            self._voice = next(iter(self.voices.values()), None) or self._named("1")
        return self._voice

    # Fields

    def _field(self, kind: str, text: str) -> None:
        if kind == "V":
            self._select(text)
        elif kind in "CZ":
            self.credits += credit_of(kind, text)
        elif kind == "P":
            name = legal_name(unescape(text), fallback="", label=True)
            if name and self._in_body:
                self._current().set_section(name)
        elif kind == "U" and (meaning := read_shorthand(text)):
            self._shorthand[meaning[0]] = meaning[1]
        elif kind == "I" and text[:4].upper() == "MIDI":
            self._directive(text)
        elif kind in "KMLQ":
            if self._has_music or (self._in_body and self._voice is not None):
                self._change(self._current(), kind, text)
            else:
                self._set(kind, text)

    def _change(self, voice: VoiceReader, kind: str, text: str) -> None:
        """A field in the music: it holds for its voice, from here on."""
        if kind == "K":
            signature = read_key(text)
            voice.set_clef(self._moved(voice, text))
            if signature:
                voice.set_key(signature)
        elif kind == "M":
            voice.set_meter(read_meter(text))
        elif kind == "L":
            voice.unit = read_unit(text) or voice.unit
        else:
            if micros := read_tempo(text, voice.unit):
                voice.set_tempo(micros)
            for words in read_tempo_words(text):
                voice.set_words(words)

    def _set(self, kind: str, text: str) -> None:
        """A field before the music: it holds for every voice."""
        setting = self.setting
        if kind == "K":
            setting.signature = read_key(text) or setting.signature
            setting.clef = read_clef(text) or setting.clef
            self._in_body, self._voice = True, None
        elif kind == "M":
            setting.meter = read_meter(text)
        elif kind == "L":
            setting.unit = read_unit(text) or setting.unit
        else:
            setting.tempo = read_tempo(text, setting.unit_length) or setting.tempo
            self.words += read_tempo_words(text)
        for voice in self.voices.values():
            voice.restart(setting)
        if kind == "K" and (shifts := read_shifts(text)):
            self._current().pitches.transpose(shifts)
            self._voice = None

    def _directive(self, text: str) -> None:
        if rights := rights_of(text):
            self.credits += rights
        elif match := _BAR_NUMBER.match(text):
            self.first_bar = int(match[1])
        elif match := _PROPAGATE.match(text):
            for voice in (self._current(), *self.voices.values()):
                voice.pitches.propagate = match[1]
        elif (match := _MIDI.match(text)) and match[2]:
            self._midi(match[1].lower(), int(match[2]), int(match[3]) if match[3] else None)

    def _midi(self, word: str, number: int, second: int | None) -> None:
        if word == "program":
            drums = second is not None and number == _DRUM_CHANNEL
            program = number if second is None else second
            if self._voice is None:
                self._program = program if 0 <= program <= _TOP_PROGRAM else self._program
                self._drums = self._drums or drums
            else:
                if self._voice.program is None and 0 <= program <= _TOP_PROGRAM:
                    self._voice.program = program
                self._voice.drums = self._voice.drums or drums
        elif word == "channel" and number == _DRUM_CHANNEL:
            if self._voice is None:
                self._drums = True
            else:
                self._voice.drums = True
        elif word == "transpose":
            self._current().pitches.transpose({"midi": number})

    # Music

    def _music(self, text: str, continued: bool) -> None:
        if not looks_like_music(text) or (not self._in_body and "|" not in text):
            return
        self._in_body = True
        voice = self._current()
        voice.align()
        for kind, token in tokens_of(text):
            if kind == "field":
                self._field(token["field"], token["value"].strip())
                voice = self._current()
                voice.align()
            else:
                self._has_music = True
                voice.take(kind, token)
        if not continued:
            voice.line_end()
