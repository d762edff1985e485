"""Read what people and models really write: mend it into strict grammar, noting every change, then read it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

from libretto.errors import GrammarError, Problem, ScoreError
from libretto.grammar.gather import Gathering, Line
from libretto.grammar.lines import FIELDS, VoiceEntry, parse_grid
from libretto.grammar.mend_lines import (
    BAR,
    COPY,
    EXTRA,
    REST,
    bar_count,
    entry_text,
    extra,
    has_tokens,
    loose_tokens,
    nearest_chord,
    number_of,
    plain,
    tidy_token,
)
from libretto.grammar.parse import parse
from libretto.score.chords import is_chord
from libretto.score.limits import MAX_MENDED, MAX_VOICES
from libretto.score.model import Score
from libretto.score.time import WHOLE, Grid, Meter
from libretto.score.voice import DEFAULT_VELOCITY

__all__ = ["Mender", "Reading", "Repair", "parse_lenient"]

_DEFAULTS = {"KEY": "C major", "METER": "4/4", "TEMPO": "120", "GRID": "16th"}
_SHOWN = 40  # characters of what was written that a repair quotes


class Mender:
    """One mending of one text; ``counts``: whether it is to say how many bars it has."""

    def __init__(self, text: str, *, counts: bool = True) -> None:
        self._counts = counts
        self.source = text.split("\n")
        self.piece = Gathering(self.source)
        self.repairs, self.note = self.piece.repairs, self.piece.note
        self.fields, self.bars = self.piece.fields, self.piece.bars
        self.origin: list[int] = []  # for each line of the result, its line in the source
        self.shift = 0  # 1 where slots are counted from 0
        self.tidied: dict[tuple[str, int], str] = {}  # words as they are mended, by how much finer their grid is

    def mend(self) -> str:
        """The strict text."""
        self._mend_header()
        self.shift = int(self._counts_from_zero())
        if self.shift:
            self.note(1, "slots are counted from 0: each onset is one more")
        body = [line for bar in self.bars for line in self._mend_bar(bar)]
        self._own_up(body)
        head = [Line(1, f"TITLE: {self.piece.title}")] if self.piece.title else []
        head.append(Line(1, " | ".join(f"{name}: {self.fields[name]}" for name in FIELDS)))
        head.append(Line(1, "VOICES: " + ", ".join(map(entry_text, self.piece.voices))))
        self.origin = [line.number for line in head + body]
        return "\n".join(line.text for line in head + body) + "\n"

    def _own_up(self, body: list[Line]) -> None:
        """Whatever line has changed is listed, if only as decoration."""
        listed = {number for number, _ in self.repairs}
        for number, text in body:
            if number not in listed and plain(text) != plain(self.source[number - 1]):
                self.note(number, f"{self.source[number - 1].strip()[:_SHOWN]!r} is read as {text[:_SHOWN]!r}")
        self.repairs.sort(key=lambda repair: repair[0])

    def relocate(self, problems: Sequence[Problem]) -> list[Problem]:
        """Problems of the mended text, at their lines of the source."""
        return [replace(p, line=self.origin[min(max(p.line, 1), len(self.origin)) - 1]) for p in problems]

    def _mend_header(self) -> None:
        count = sum(bar_count(bar[0].text) for bar in self.bars)
        first = BAR.match(self.bars[0][0].text) if self.bars else None
        if first and int(first[1]) == 0:
            count -= 1
        for name, default in _DEFAULTS.items():
            value = self.fields.get(name)
            if value is None or (value == "?" and name != "TEMPO"):
                self.note(1, f"{name} is missing: {default}")
                self.fields[name] = default
        said = self.fields.get("BARS")
        if said != str(count):
            if self._counts:
                self.note(1, f"BARS is {said or 'missing'}: {count} are written")
            self.fields["BARS"] = str(count)

    # bars and tokens

    def _onsets(self) -> Iterator[tuple[Fraction | int, Fraction | None]]:
        """Every onset that can be read, and how many slots its bar has."""
        meter = self.fields["METER"]
        for bar in self.bars:
            meter = extra(bar[0].text, "meter") or meter
            try:
                length = Meter.parse(meter).ticks
                slots: Fraction | None = Fraction(length, self._grid(bar[0].text).slot)
            except ScoreError:
                slots = None
            for line in bar[1:]:
                for token in loose_tokens(line.text):
                    yield number_of(token["onset"]), slots

    def _counts_from_zero(self) -> bool:
        """Whether some onset is 0 and no onset would leave its bar if all were one more."""
        if not any("@0" in line.text for bar in self.bars for line in bar[1:]):
            return False
        zero = False
        for onset, slots in self._onsets():
            zero |= onset < 1
            if slots is not None and onset >= slots:
                return False
        return zero

    def _grid(self, line: str) -> Grid:
        return parse_grid(extra(line, "grid") or self.fields.get("GRID", "16th"))

    def _mend_bar(self, bar: list[Line]) -> list[Line]:
        finer = self._finer(bar)
        head, *more = self._mend_bar_line(bar[0], finer)
        voices: dict[str, tuple[int, list[str]]] = {}
        for line in (*more, *bar[1:]):
            name, tokens = self._mend_voice_line(line, finer)
            if name in voices and tokens:
                self.note(line.number, f"a second line of {name} is joined to its first")
                voices[name][1].extend(tokens)
            elif tokens:
                voices[name] = line.number, tokens
        return [head, *(Line(at, f"{name}: {' '.join(words)}".lstrip(": ")) for name, (at, words) in voices.items())]

    def _finer(self, bar: list[Line]) -> int:
        """By how much a bar's grid must be divided so that slots between slots become slots; 1 where it cannot."""
        parts = {1}
        for line in bar[1:]:
            if "." not in line.text:
                continue
            for token in loose_tokens(line.text):
                values = (token["onset"], token["length"])
                parts |= {Fraction(value).limit_denominator(12).denominator for value in values if "." in value}
        finer = lcm(*parts)
        try:
            fits = WHOLE % (self._grid(bar[0].text).division * finer) == 0
        except ScoreError:
            fits = False
        return finer if fits and not COPY.match(bar[0].text) else 1

    def _mend_bar_line(self, line: Line, finer: int) -> list[Line]:
        """The bar line, and perhaps a voice's line that stood behind it."""
        number, text = line
        head = BAR.match(text)
        if COPY.match(text) or not head:
            return [line]
        bar, rest = head[1], head[2]
        labels, tail = self._labels(number, bar, rest)
        extras = EXTRA.findall(tail)
        if finer > 1:
            division = self._grid(text).division * finer
            extras = [f"(grid:{Grid.of(division)})", *(e for e in extras if not re.match(r"\(\s*grid", e))]
            self.note(number, f"bar {bar} has notes between slots: its grid is {division}")
        start = f"@{bar} [{' | '.join(self._label(number, label) for label in labels.split('|'))}]"
        left = EXTRA.sub(" ", tail).strip(" *_:|-")
        if left and not has_tokens(left):
            self.note(number, f"{left[:_SHOWN]!r} is not music and is left out")
        elif left:
            self.note(number, "the notes behind the bar line have a line of their own")
        return [Line(number, " ".join([start, *extras])), *([Line(number, left)] if has_tokens(left) else [])]

    def _labels(self, number: int, bar: str, rest: str) -> tuple[str, str]:
        """The chord labels of a bar line as written, and what stands behind them."""
        chords = re.match(r"\s*+\[([^\]]*+)\]", rest)
        if chords:
            return chords[1], rest[chords.end() :]
        word = re.match(r"\s*+([^\s()]++)", rest)
        is_label = word is not None and is_chord(word[1][:_SHOWN])
        labels, tail = (word[1], rest[word.end() :]) if word and is_label else ("", rest)
        self.note(number, f"the chord of bar {bar} is written [{labels or '-'}]")
        return labels, tail

    def _label(self, number: int, label: str) -> str:
        label = label.strip()
        best = nearest_chord(label.replace("♯", "#").replace("♭", "b"))
        if best != label:
            self.note(number, f"the chord {label[:_SHOWN]!r} is read as {best}")
        return best

    def _mend_voice_line(self, line: Line, finer: int) -> tuple[str, list[str]]:
        """The declared name, and the tokens; a name that nobody can know stays as it is."""
        number, text = line
        name = self.piece.name_in(text)
        body = text[text.index(name) + len(name) :].lstrip(" *:|") if name else text
        declared = self.piece.declared(name)
        if declared is None and name and len(self.piece.voices) <= MAX_VOICES:
            drums = "drum" in name.lower()
            declared = self.piece.add_voice(VoiceEntry(name, None, drums, DEFAULT_VELOCITY), number)
            self.note(number, f"the voice {name!r} was not declared and is added{' as percussion' if drums else ''}")
        elif declared not in (None, name):
            self.note(number, f"the voice {name} is {declared}")
        words = body.replace("|", " ").split()
        if not words:
            self.note(number, f"the line of {name} is empty and is left out")
        if words == ["-"]:
            return declared or name, words
        return declared or name, [token for word in words if (token := self._token(number, word, finer))]

    def _token(self, number: int, token: str, finer: int) -> str:
        mended = self.tidied.get((token, finer))
        if mended is None:
            mended = "" if REST.match(token) else tidy_token(token, self.shift, finer)
            self.tidied[token, finer] = mended
        if not mended:
            self.note(number, f"{token[:_SHOWN]!r} is not a note and is left out")
            return ""
        if mended != token and (token[-1] in ",;." or mended.partition("@")[0] != token.partition("@")[0]):
            self.note(number, f"{token[:_SHOWN]!r} is read as {mended[:_SHOWN]}")
        return mended


@dataclass(frozen=True, slots=True)
class Repair:
    """One repair: the line of the text it was made in, and what was done."""

    line: int
    what: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.what}"


@dataclass(frozen=True, slots=True)
class Reading:
    """A Score read leniently, the repairs that made it possible, and the strict text that was read."""

    score: Score
    repairs: tuple[Repair, ...]
    text: str


def parse_lenient(text: str) -> Reading:
    """Read a text, repairing what is unambiguous; a GrammarError says what is not.

    >>> reading = parse_lenient("Here you are:\\n```\\nKEY: C major | METER: 4/4 | TEMPO: 90 | GRID: 4th\\n"
    ...                         "VOICES: Lead\\n@1 [C]\\nLEAD: c4@1>4\\n```")
    >>> print(reading.repairs[-3])
    line 6: the voice LEAD is Lead
    """
    try:
        return Reading(parse(text), (), text)
    except GrammarError as error:
        if len(text) > MAX_MENDED:
            most = f"at most {MAX_MENDED:,} characters where a text has to be mended"
            raise GrammarError([Problem(1, 1, f"{len(text):,} characters", most), *error.problems]) from None
    mender = Mender(text)
    mended = mender.mend()
    try:
        score = parse(mended)
    except GrammarError as error:
        raise GrammarError(mender.relocate(error.problems)) from None
    return Reading(score, tuple(Repair(line, what) for line, what in mender.repairs), mended)
