"""Plans: what a long piece is to be before its first bar; a short strict format, read leniently, held to the contract.

::

    TITLE: Night Bus
    KEY: G minor | METER: 4/4 | TEMPO: 102 | GRID: 16th | BARS: 32
    VOICES: LEAD[prog=65], KEYS[prog=4], BASS[prog=33], DRUMS[drums]
    FORM: Intro 1-4, Verse 5-20, Chorus 21-32
    CHORDS 1-4: Gm7 | Cm7 | Gm7 | Am7b5 D7
    CHORDS 5-20: Gm7 | Ebmaj7 | Cm7 | D7
    IDEA: the verse answers the bass; the chorus lifts its motif by a third

Chords are one cell a bar; fewer cells than bars are repeated. What the contract asks for is put right, and listed;
what cannot be read at all is a problem.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from libretto.agents.model.reading import bounded
from libretto.contract import Contract
from libretto.errors import LibrettoError
from libretto.grammar.gather import Gathering
from libretto.grammar.header import parse_tempo
from libretto.grammar.lines import VoiceEntry, grid_text, parse_grid
from libretto.grammar.mend_lines import entry_text, fold, nearest_chord
from libretto.score import Grid, Key, Meter
from libretto.score.chords import is_chord
from libretto.score.time import bpm_text, micros_of_bpm
from libretto.score.voice import DEFAULT_VELOCITY, legal_name

__all__ = ["LEAST_BARS", "MOST_BARS", "USUAL_BARS", "Plan", "plan_of_contract", "read_plan"]

#: A plan has so many bars at least and at most, and so many where nobody says.
LEAST_BARS, MOST_BARS, USUAL_BARS = 4, 400, 48
_MOST_VOICES, _MOST_SECTIONS, _MOST_LINES = 16, 40, 400
_FORM = re.compile(r"([^,;|()\d][^,;|()]{0,60}?)[\s:(]*+(\d{1,4})\s*+(?:-|–|to)\s*+(\d{1,4})", re.ASCII)
_CHORDS = re.compile(
    r"[*_#>\s-]*+CHORDS?\s*+(?:bars?\s*+)?(?:(\d{1,4})\s*+(?:(?:-|–|to)\s*+(\d{1,4}))?)?[*_\s]*+:(.*)\Z", re.I
)
_LINE = re.compile(r"[*_#>\s-]*+(FORM|IDEA)S?[*_\s]*+:(.*)\Z", re.I)
_BAND = (
    VoiceEntry("LEAD", 73, False, DEFAULT_VELOCITY),
    VoiceEntry("KEYS", 0, False, DEFAULT_VELOCITY),
    VoiceEntry("BASS", 33, False, DEFAULT_VELOCITY),
)


@dataclass(frozen=True)
class Plan:
    """The plan of a piece: its header, its form as (name, first bar, last bar), chords by bar, and ideas in words."""

    title: str
    key: Key
    meter: Meter
    tempo: str
    grid: Grid
    bars: int
    voices: tuple[VoiceEntry, ...]
    form: tuple[tuple[str, int, int], ...] = ()
    chords: tuple[str, ...] = ()
    ideas: tuple[str, ...] = ()

    @property
    def head(self) -> tuple[str, ...]:
        """The header of the piece in the grammar."""
        title = (f"TITLE: {self.title}",) if self.title else ()
        fields = f"KEY: {self.key} | METER: {self.meter} | TEMPO: {self.tempo} | GRID: {grid_text(self.grid)}"
        names = ", ".join(map(entry_text, self.voices))
        return (*title, f"{fields} | BARS: {self.bars}", f"VOICES: {names}")

    @property
    def text(self) -> str:
        """The plan in its own format."""
        lines = [*self.head]
        if self.form:
            lines.append("FORM: " + ", ".join(f"{name} {first}-{last}" for name, first, last in self.form))
        for _, first, last in self.form or (("", 1, self.bars),) if self.chords else ():
            cells = " | ".join(each.replace(" | ", " ") for each in self.chords[first - 1 : last])
            lines.append(f"CHORDS {first}-{last}: {cells}")
        return "\n".join([*lines, *(f"IDEA: {idea}" for idea in self.ideas)]) + "\n"

    @property
    def chord_of(self) -> dict[int, str]:
        """The chords of each bar as a bar line writes them."""
        return dict(enumerate(self.chords, start=1))

    @property
    def extras(self) -> dict[int, str]:
        """What bar lines say beside their chords: where sections begin."""
        return {first: f"(section:{name})" for name, first, _ in self.form}


def plan_of_contract(contract: Contract, bars: int | None = None) -> Plan:
    """The plainest plan that keeps a contract, for when nobody makes a better one."""
    tempo = contract.tempo_bpm or (110.0, 110.0)
    voices = tuple(_part_entries(contract)) or _BAND
    if contract.drums and not any(voice.drums for voice in voices):
        voices = (*voices, VoiceEntry("DRUMS", None, True, DEFAULT_VELOCITY))
    return Plan(
        contract.title,
        contract.key or Key(0),
        contract.meter or Meter(4, 4),
        bpm_text(micros_of_bpm(sum(tempo) / 2)),
        Grid(16),
        bars or contract.bars or USUAL_BARS,
        voices,
    )


def _part_entries(contract: Contract) -> list[VoiceEntry]:
    return [VoiceEntry(part.name, part.program, part.drums, DEFAULT_VELOCITY) for part in contract.parts[:_MOST_VOICES]]


def read_plan(text: str, contract: Contract, bars: int | None = None) -> tuple[Plan | None, list[str], list[str]]:
    """The plan in a reply, what was repaired, and what is wrong with it; no plan where that is too much.

    ``bars`` is what the task asks for, where the contract does not say.
    """
    lines, repairs = bounded(text)
    lines = lines[:_MOST_LINES]
    found = Gathering([line for line in lines if not _CHORDS.match(line) and not _LINE.match(line)])
    if not found.voices:
        return None, repairs, ["there is no line VOICES: with the parts, such as VOICES: LEAD[prog=65], DRUMS[drums]"]
    usual = plan_of_contract(contract, bars)
    problems: list[str] = []
    plan = replace(
        usual,
        title=contract.title or found.title or usual.title,
        voices=_voices(found, contract, repairs),
        bars=_bars(found.fields.get("BARS", ""), contract.bars or bars, repairs, problems),
        key=_key(found.fields.get("KEY", ""), contract, usual.key, repairs),
        meter=_meter(found.fields.get("METER", ""), contract, usual.meter, repairs),
        tempo=_tempo(found.fields.get("TEMPO", ""), contract, usual.tempo, repairs),
        grid=_grid(found.fields.get("GRID", ""), repairs),
    )
    if problems:
        return None, repairs, problems
    said = [match for line in lines if (match := _LINE.match(line))]
    form = _form([match[2] for match in said if match[1].upper() == "FORM"], plan.bars, repairs)
    ideas = tuple(" ".join(match[2].split())[:300] for match in said if match[1].upper() == "IDEA")[:20]
    chords = _chords([match for line in lines if (match := _CHORDS.match(line))], plan.bars, repairs)
    return replace(plan, form=form, chords=chords, ideas=ideas), repairs, []


def _voices(found: Gathering, contract: Contract, repairs: list[str]) -> tuple[VoiceEntry, ...]:
    """The voices of a plan, with every part that the contract names and none that it rules out."""
    voices = list(found.voices[:_MOST_VOICES])
    if len(found.voices) > _MOST_VOICES:
        repairs.append(f"only the first {_MOST_VOICES} voices are kept")
    if contract.drums is False and any(voice.drums for voice in voices):
        repairs.append("no drums were asked for: percussion is left out")
        voices = [voice for voice in voices if not voice.drums] or voices
    for part in _part_entries(contract):
        named = [voice for voice in voices if fold(voice.name) == fold(part.name)]
        alike = [voice for voice in voices if voice.drums == part.drums and voice.program == part.program]
        if named and (named[0].program, named[0].drums) != (part.program, part.drums):
            repairs.append(f"{named[0].name} plays the instrument that was asked for")
            voices[voices.index(named[0])] = part._replace(name=named[0].name)
        elif not named and not alike:
            repairs.append(f"{part.name} was asked for and is added")
            voices.append(part)
    return tuple(voices)


def _bars(said: str, asked: int | None, repairs: list[str], problems: list[str]) -> int:
    value = int(said) if said.isascii() and said.isdigit() and len(said) < 7 else 0
    if asked:
        if value != asked:
            repairs.append(f"BARS is {said or 'missing'}: {asked} were asked for")
        return asked
    if not LEAST_BARS <= value <= MOST_BARS:
        problems.append(f"BARS: {said[:20] or 'nothing'} is not a number of bars from {LEAST_BARS} to {MOST_BARS}")
    return value


def _key(said: str, contract: Contract, usual: Key, repairs: list[str]) -> Key:
    try:
        key = Key.parse(said)
    except LibrettoError:
        repairs.append(f"KEY is {said[:20] or 'missing'}: {usual}")
        return usual
    if contract.key and key != contract.key:
        repairs.append(f"KEY is {key}: {contract.key} was asked for")
        return contract.key
    return key


def _meter(said: str, contract: Contract, usual: Meter, repairs: list[str]) -> Meter:
    try:
        meter = Meter.parse(said)
    except LibrettoError:
        repairs.append(f"METER is {said[:20] or 'missing'}: {usual}")
        return usual
    if contract.meter and meter != contract.meter:
        repairs.append(f"METER is {meter}: {contract.meter} was asked for")
        return contract.meter
    return meter


def _tempo(said: str, contract: Contract, usual: str, repairs: list[str]) -> str:
    try:
        micros = parse_tempo(said)
    except LibrettoError:
        repairs.append(f"TEMPO is {said[:20] or 'missing'}: {usual}")
        return usual
    low, high = contract.tempo_bpm or (20.0, 400.0)
    bpm = 60e6 / micros
    if not low - 0.01 <= bpm <= high + 0.01:
        kept = bpm_text(micros_of_bpm(min(max(bpm, low), high)))
        repairs.append(f"TEMPO is {said[:20]}: {kept} is within what was asked for")
        return kept
    return bpm_text(micros)


def _grid(said: str, repairs: list[str]) -> Grid:
    try:
        return parse_grid(said)
    except LibrettoError:
        repairs.append(f"GRID is {said[:20] or 'missing'}: 16th")
        return Grid(16)


def _form(said: list[str], bars: int, repairs: list[str]) -> tuple[tuple[str, int, int], ...]:
    """Sections that follow one another and fill the piece; a form that cannot be read is none."""
    found = [match for line in said for match in _FORM.finditer(line[:2_000])][:_MOST_SECTIONS]
    form: list[tuple[str, int, int]] = []
    for match in found:
        first, last = int(match[2]), int(match[3])
        name = legal_name(" ".join(match[1].strip(" *_:-[]").split())[:40], fallback="Part", label=True)
        expected = form[-1][2] + 1 if form else 1
        if first != expected or last < first or first > bars:
            repairs.append(f"FORM: {name} {first}-{last} does not follow on; it is left out")
            continue
        form.append((name, first, min(last, bars)))
    if form and form[-1][2] < bars:
        repairs.append(f"FORM: {form[-1][0]} goes on to bar {bars}")
        form[-1] = form[-1][0], form[-1][1], bars
    return tuple(form)


def _chords(said: list[re.Match[str]], bars: int, repairs: list[str]) -> tuple[str, ...]:
    """A cell for every bar, or nothing where no chords were written."""
    cells = ["-"] * bars
    for match in said[: _MOST_SECTIONS * 4]:
        first = int(match[1] or 1)
        last = min(int(match[2] or (match[1] or bars)), bars)
        written = [cell for part in match[3].strip(" |").split("|") if (cell := _cell(part, repairs))]
        if not written or not 1 <= first <= last:
            repairs.append(f"CHORDS {match[1] or ''}: nothing that can be read")
            continue
        if len(written) != last - first + 1:
            repairs.append(f"CHORDS {first}-{last}: {len(written)} cells for {last - first + 1} bars")
        for offset, number in enumerate(range(first, last + 1)):
            cells[number - 1] = written[offset % len(written)]
    return tuple(cells) if any(cell != "-" for cell in cells) else ()


def _cell(text: str, repairs: list[str]) -> str:
    labels = []
    for word in text.strip(" []*").split()[:8]:
        label = word.strip("[],;").replace("♯", "#").replace("♭", "b")
        if not label:
            continue
        best = label if is_chord(label[:40]) else nearest_chord(label)
        if best != label:
            repairs.append(f"the chord {label[:20]!r} is read as {best}")
        labels.append(best)
    return " | ".join(labels)
