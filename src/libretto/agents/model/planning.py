"""Read the plan that a model answered: leniently, held to the contract, and everything that is put right is listed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from libretto.agents.model.plan import (
    LEAST_BARS,
    MOST_BARS,
    MOST_VOICES,
    USUAL_GRID,
    PiecePlan,
    PlannedSection,
    part_entries,
    plan_of_contract,
)
from libretto.agents.model.reading import bounded
from libretto.contract import Contract
from libretto.errors import LibrettoError
from libretto.grammar.gather import Gathering
from libretto.grammar.header import parse_tempo
from libretto.grammar.lines import VoiceEntry, parse_grid
from libretto.grammar.mend_lines import fold, nearest_chord
from libretto.score import Grid, Key, Meter
from libretto.score.chords import is_chord
from libretto.score.time import bpm_of_micros, bpm_text, micros_of_bpm
from libretto.score.voice import legal_name

__all__ = ["read_plan"]

_MOST_SECTIONS, _MOST_LINES = 40, 400
_MOST_CHORD_LINES, _MOST_CHORDS, _LONGEST_CHORD = 4 * _MOST_SECTIONS, 8, 40  # lines; chords of a bar; signs of a chord
_MOST_IDEAS, _LONGEST_IDEA, _LONGEST_NAME, _LONGEST_FORM = 20, 300, 40, 2_000  # characters but for the first
_DIGITS = 6  # of a number of bars, however wrong it is
_ECHO = 20  # characters of what was said that a repair repeats
_ANY_BPM = (20.0, 400.0)  # where no tempo was asked for
_BPM_SLACK = 0.01  # what is lost when a tempo is written as microseconds
_NO_CHORD = "-"
T = TypeVar("T")
_FORM = re.compile(r"([^,;|()\d][^,;|()]{0,60}?)[\s:(]*+(\d{1,4})\s*+(?:-|–|to)\s*+(\d{1,4})", re.ASCII)
_CHORDS = re.compile(
    r"[*_#>\s-]*+CHORDS?\s*+(?:bars?\s*+)?(?:(\d{1,4})\s*+(?:(?:-|–|to)\s*+(\d{1,4}))?)?[*_\s]*+:(.*)\Z", re.I
)
_LINE = re.compile(r"[*_#>\s-]*+(FORM|IDEA)S?[*_\s]*+:(.*)\Z", re.I)


def read_plan(text: str, contract: Contract, bars: int | None = None) -> tuple[PiecePlan | None, list[str], list[str]]:
    """The plan in a reply, what was repaired, and what is wrong with it; no plan where that is too much.

    ``bars`` is what the task asks for, where the contract does not say.
    """
    lines, repairs = bounded(text)
    reader = _PlanReader(lines[:_MOST_LINES], contract, repairs)
    if not reader.gathered.voices:
        return None, repairs, ["there is no line VOICES: with the parts, such as VOICES: LEAD[prog=65], DRUMS[drums]"]
    usual = plan_of_contract(contract, bars)
    problems: list[str] = []
    plan = replace(
        usual,
        title=contract.title or reader.gathered.title or usual.title,
        voices=reader.voices(),
        bars=reader.bars(contract.bars or bars, problems),
        key=reader.value("KEY", Key.parse, contract.key, usual.key),
        meter=reader.value("METER", Meter.parse, contract.meter, usual.meter),
        tempo=reader.tempo(usual.tempo),
        grid=reader.grid(),
    )
    if problems:
        return None, repairs, problems
    form, chords = reader.form(plan.bars), reader.chords(plan.bars)
    return replace(plan, form=form, chords=chords, ideas=reader.ideas()), repairs, []


class _PlanReader:
    """The lines of a plan, read one thing at a time; what is put right is listed in ``repairs``."""

    def __init__(self, lines: list[str], contract: Contract, repairs: list[str]) -> None:
        self.contract, self.repairs = contract, repairs
        self.gathered = Gathering([line for line in lines if not _CHORDS.match(line) and not _LINE.match(line)])
        self._said = [match for line in lines if (match := _LINE.match(line))]
        self._chords = [match for line in lines if (match := _CHORDS.match(line))]

    def voices(self) -> tuple[VoiceEntry, ...]:
        """The voices, with every part that the contract names and none that it rules out."""
        voices = list(self.gathered.voices[:MOST_VOICES])
        if len(self.gathered.voices) > MOST_VOICES:
            self.repairs.append(f"only the first {MOST_VOICES} voices are kept")
        if self.contract.drums is False and any(voice.drums for voice in voices):
            self.repairs.append("no drums were asked for: percussion is left out")
            voices = [voice for voice in voices if not voice.drums] or voices
        for part in part_entries(self.contract):
            self._put(part, voices)
        return tuple(voices)

    def _put(self, part: VoiceEntry, voices: list[VoiceEntry]) -> None:
        """Put a part that the contract names among the voices, unless it is there."""
        named = [voice for voice in voices if fold(voice.name) == fold(part.name)]
        alike = [voice for voice in voices if voice.drums == part.drums and voice.program == part.program]
        if named and (named[0].program, named[0].drums) != (part.program, part.drums):
            self.repairs.append(f"{named[0].name} plays the instrument that was asked for")
            voices[voices.index(named[0])] = part._replace(name=named[0].name)
        elif not named and not alike:
            self.repairs.append(f"{part.name} was asked for and is added")
            voices.append(part)

    def bars(self, asked: int | None, problems: list[str]) -> int:
        """How many bars: as asked for, or as the plan says; a number that cannot be is a problem."""
        said = self._field("BARS")
        value = int(said) if said.isascii() and said.isdigit() and len(said) <= _DIGITS else 0
        if asked:
            if value != asked:
                self.repairs.append(f"BARS is {said or 'missing'}: {asked} were asked for")
            return asked
        if not LEAST_BARS <= value <= MOST_BARS:
            shown = said[:_ECHO] or "nothing"
            problems.append(f"BARS: {shown} is not a number of bars from {LEAST_BARS} to {MOST_BARS}")
        return value

    def value(self, name: str, parse: Callable[[str], T], asked: T | None, usual: T) -> T:
        """The value of a field: as asked for, as the plan says, or the usual one where that cannot be read."""
        said = self._field(name)
        try:
            value = parse(said)
        except LibrettoError:
            self._missing(name, said, str(usual))
            return usual
        if asked and value != asked:
            self.repairs.append(f"{name} is {value}: {asked} was asked for")
            return asked
        return value

    def tempo(self, usual: str) -> str:
        """The tempo, within what was asked for."""
        said = self._field("TEMPO")
        try:
            micros = parse_tempo(said)
        except LibrettoError:
            self._missing("TEMPO", said, usual)
            return usual
        low, high = self.contract.tempo_bpm or _ANY_BPM
        bpm = bpm_of_micros(micros)
        if not low - _BPM_SLACK <= bpm <= high + _BPM_SLACK:
            kept = bpm_text(micros_of_bpm(min(max(bpm, low), high)))
            self.repairs.append(f"TEMPO is {said[:_ECHO]}: {kept} is within what was asked for")
            return kept
        return bpm_text(micros)

    def grid(self) -> Grid:
        """The grid; sixteenths where it cannot be read."""
        said = self._field("GRID")
        try:
            return parse_grid(said)
        except LibrettoError:
            self._missing("GRID", said, "16th")
            return USUAL_GRID

    def ideas(self) -> tuple[str, ...]:
        """What is said in words."""
        said = (match[2] for match in self._said if match[1].upper() == "IDEA")
        return tuple(" ".join(idea.split())[:_LONGEST_IDEA] for idea in said)[:_MOST_IDEAS]

    def form(self, bars: int) -> tuple[PlannedSection, ...]:
        """Sections that follow one another and fill the piece; a form that cannot be read is none."""
        said = [match[2] for match in self._said if match[1].upper() == "FORM"]
        matches = [match for line in said for match in _FORM.finditer(line[:_LONGEST_FORM])][:_MOST_SECTIONS]
        form: list[PlannedSection] = []
        for match in matches:
            first, last = int(match[2]), int(match[3])
            words = " ".join(match[1].strip(" *_:-[]").split())[:_LONGEST_NAME]
            name = legal_name(words, fallback="Part", label=True)
            expected = form[-1].last + 1 if form else 1
            if first != expected or last < first or first > bars:
                self.repairs.append(f"FORM: {name} {first}-{last} does not follow on; it is left out")
                continue
            form.append(PlannedSection(name, first, min(last, bars)))
        if form and form[-1].last < bars:
            self.repairs.append(f"FORM: {form[-1].name} goes on to bar {bars}")
            form[-1] = form[-1]._replace(last=bars)
        return tuple(form)

    def chords(self, bars: int) -> tuple[str, ...]:
        """A cell for every bar, or nothing where no chords were written."""
        cells = [_NO_CHORD] * bars
        for match in self._chords[:_MOST_CHORD_LINES]:
            first = int(match[1] or 1)
            last = min(int(match[2] or (match[1] or bars)), bars)
            written = [cell for part in match[3].strip(" |").split("|") if (cell := self._cell(part))]
            if not written or not 1 <= first <= last:
                self.repairs.append(f"CHORDS {match[1] or ''}: nothing that can be read")
                continue
            if len(written) != last - first + 1:
                self.repairs.append(f"CHORDS {first}-{last}: {len(written)} cells for {last - first + 1} bars")
            for offset, number in enumerate(range(first, last + 1)):
                cells[number - 1] = written[offset % len(written)]
        return tuple(cells) if any(cell != _NO_CHORD for cell in cells) else ()

    def _cell(self, text: str) -> str:
        """The chords of one bar; a label that is none is read as the nearest one."""
        labels = []
        for word in text.strip(" []*").split()[:_MOST_CHORDS]:
            label = word.strip("[],;").replace("♯", "#").replace("♭", "b")
            if not label:
                continue
            best = label if is_chord(label[:_LONGEST_CHORD]) else nearest_chord(label)
            if best != label:
                self.repairs.append(f"the chord {label[:_ECHO]!r} is read as {best}")
            labels.append(best)
        return " | ".join(labels)

    def _field(self, name: str) -> str:
        return self.gathered.fields.get(name, "")

    def _missing(self, name: str, said: str, usual: str) -> None:
        self.repairs.append(f"{name} is {said[:_ECHO] or 'missing'}: {usual}")
