"""The lines before the first bar: the title, the five fields and the voices."""

from __future__ import annotations

from difflib import get_close_matches

from libretto.errors import ScoreError
from libretto.grammar.lines import FIELDS, VoiceEntry, parse_grid, split_voices
from libretto.grammar.problems import Problems
from libretto.score.keys import Key
from libretto.score.time import Grid, Meter, micros_of_bpm
from libretto.score.validate import MAX_VOICES

__all__ = ["Header", "nearest", "parse_tempo"]

_EXAMPLES = {"KEY": "G minor", "METER": "4/4", "TEMPO": "102", "GRID": "16th", "BARS": "96"}
_WHOLE_HEADER = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: 8"


class Header:
    """What the header of one text says; where it says nothing or nonsense, the usual stands in."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.title: str | None = None
        self.key, self.meter, self.grid, self.micros = Key(0), Meter(4, 4), Grid(16), micros_of_bpm(120)
        self.bars: tuple[int, int] | None = None  # the number that was said, and the line that says it
        self.said: set[str] = set()
        self.wrong: set[str] = set()  # fields whose value could not be read
        self.voices: list[VoiceEntry] = []
        self.index: dict[str, int] = {}
        self.colons: set[str] = set()  # names that hold a colon

    def read(self, line: str) -> None:
        """Read one line of the header."""
        word, colon, rest = line.partition(":")
        if colon and word in ("TITLE", "VOICES"):
            if word in self.said:
                self.problems.add(word, f"{word} only once")
            elif word == "TITLE":
                self.title = " ".join(rest.split())
            else:
                self._voices(rest)
            self.said.add(word)
        else:
            self._fields(line)

    def _fields(self, line: str) -> None:
        start = 0
        for part in line.split("|"):
            name, colon, value = (text.strip() for text in part.partition(":"))
            if not colon or name not in FIELDS:
                near = nearest(name.upper(), (*FIELDS, "TITLE", "VOICES"))
                expected = "a header field: KEY, METER, TEMPO, GRID or BARS"
                self.problems.add(part.strip(), expected, f"write {near}:" if near else "", start=start)
            elif name in self.said:
                self.problems.add(part.strip(), f"{name} only once", start=start)
            else:
                self.said.add(name)
                self._field(name, value, start)
            if self.problems.full:
                return
            start += len(part) + 1

    def _field(self, name: str, value: str, start: int) -> None:
        try:
            if name == "KEY":
                self.key = Key.parse(value)
            elif name == "METER":
                self.meter = Meter.parse(value)
            elif name == "TEMPO":
                self.micros = parse_tempo(value)
            elif name == "GRID":
                self.grid = parse_grid(value)
            elif value.isascii() and value.isdigit() and len(value) < 7:
                self.bars = int(value), self.problems.number
            else:
                raise ScoreError(f"{value[:20]!r} is not a number of bars")
        except ScoreError as error:
            self.wrong.add(name)
            start = self.problems.line.find(name, start) + len(name)
            said = value or f"{name}:"
            self.problems.add(said, f"a value such as {_EXAMPLES[name]}", str(error), start=start if value else 0)

    def _voices(self, text: str) -> None:
        start = self.problems.line.find(":") + 1
        for entry in split_voices(text, MAX_VOICES + 1):
            name = entry if isinstance(entry, str) else entry.name
            if isinstance(entry, str):
                self.problems.add(name, "a voice such as BASS, BASS[prog=33] or DRUMS[drums]", start=start)
            elif name in self.index:
                self.problems.add(name, "a name that no other voice has", f"write {name} #2", start=start)
            else:
                self.index[name] = len(self.voices)
                self.voices.append(entry)
            start = max(start, self.problems.line.find(name, start) + len(name))
        if len(self.voices) > MAX_VOICES:
            self.problems.stop("VOICES", f"at most {MAX_VOICES:,} voices")
        self.colons = {name for name in self.index if ":" in name}

    @property
    def is_timed(self) -> bool:
        """Whether meter and grid are known, so that it can be said where a bar ends."""
        return {"METER", "GRID"} <= self.said - self.wrong

    def finish(self, written: int) -> None:
        """Note which fields are missing, and a BARS that is not what was written."""
        problems = self.problems
        problems.number, problems.bar = 1, None
        for name in FIELDS:
            if name not in self.said:
                problems.add("", f"a header with {name}:", _WHOLE_HEADER)
        if self.bars is not None and self.bars[0] != written:
            problems.number = self.bars[1]
            start = problems.line.find("BARS")
            hint = f"{written} bars are written" if written != 1 else "one bar is written"
            problems.add(problems.line[start:].partition("|")[0].strip(), f"BARS: {written}", hint, start=start)


def nearest(name: str, known: tuple[str, ...]) -> str:
    """The known name that is most like this one, or nothing."""
    return next(iter(get_close_matches(name[:80], known[:100], 1)), "")


def parse_tempo(text: str) -> int:
    """Read quarter notes a minute as microseconds a quarter; ``?``, where nobody knew, is 120."""
    if text == "?":
        return micros_of_bpm(120)  # published texts write ? where the source had no tempo
    if not (text.isascii() and text.replace(".", "", 1).isdigit() and len(text) < 24 and float(text) > 0):
        raise ScoreError(f"{text!r} is not a tempo in quarter notes a minute")
    return micros_of_bpm(float(text))
