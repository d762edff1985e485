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

from dataclasses import dataclass
from typing import NamedTuple

from libretto.contract import Contract
from libretto.grammar.lines import VoiceEntry, grid_text
from libretto.grammar.mend_lines import entry_text
from libretto.score import Grid, Key, Meter
from libretto.score.time import bpm_text, micros_of_bpm
from libretto.score.voice import DEFAULT_VELOCITY

__all__ = [
    "LEAST_BARS",
    "MOST_BARS",
    "MOST_VOICES",
    "USUAL_BARS",
    "USUAL_GRID",
    "PiecePlan",
    "PlannedSection",
    "part_entries",
    "plan_of_contract",
]

#: A plan has so many bars at least and at most, and so many where nobody says.
LEAST_BARS, MOST_BARS, USUAL_BARS = 4, 400, 48
#: The most voices of a plan.
MOST_VOICES = 16
#: What is taken where nobody says.
USUAL_GRID = Grid(16)
_USUAL_BPM = 110.0
_BAND = tuple(
    VoiceEntry(name, program, False, DEFAULT_VELOCITY) for name, program in (("LEAD", 73), ("KEYS", 0), ("BASS", 33))
)


class PlannedSection(NamedTuple):
    """A section of a plan: its name, its first bar and its last."""

    name: str
    first: int
    last: int


@dataclass(frozen=True)
class PiecePlan:
    """The plan of a piece: its header, its form, chords by bar, and ideas in words."""

    title: str
    key: Key
    meter: Meter
    tempo: str
    grid: Grid
    bars: int
    voices: tuple[VoiceEntry, ...]
    form: tuple[PlannedSection, ...] = ()
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
        for _, first, last in self.form or (PlannedSection("", 1, self.bars),) if self.chords else ():
            cells = " | ".join(cell.replace(" | ", " ") for cell in self.chords[first - 1 : last])
            lines.append(f"CHORDS {first}-{last}: {cells}")
        return "\n".join([*lines, *(f"IDEA: {idea}" for idea in self.ideas)]) + "\n"

    @property
    def chord_of(self) -> dict[int, str]:
        """The chords of each bar as a bar line writes them."""
        return dict(enumerate(self.chords, start=1))

    @property
    def starts(self) -> tuple[int, ...]:
        """The bars in which sections begin."""
        return tuple(section.first for section in self.form)

    @property
    def extras(self) -> dict[int, str]:
        """What bar lines say beside their chords: where sections begin."""
        return {first: f"(section:{name})" for name, first, _ in self.form}


def plan_of_contract(contract: Contract, bars: int | None = None) -> PiecePlan:
    """The plainest plan that keeps a contract, for when nobody makes a better one."""
    slowest, fastest = contract.tempo_bpm or (_USUAL_BPM, _USUAL_BPM)
    voices = tuple(part_entries(contract)) or _BAND
    if contract.drums and not any(voice.drums for voice in voices):
        voices = (*voices, VoiceEntry("DRUMS", None, True, DEFAULT_VELOCITY))
    return PiecePlan(
        title=contract.title,
        key=contract.key or Key(0),
        meter=contract.meter or Meter(4, 4),
        tempo=bpm_text(micros_of_bpm((slowest + fastest) / 2)),
        grid=USUAL_GRID,
        bars=bars or contract.bars or USUAL_BARS,
        voices=voices,
    )


def part_entries(contract: Contract) -> list[VoiceEntry]:
    """The parts that a contract names, as voices of a plan."""
    return [VoiceEntry(part.name, part.program, part.drums, DEFAULT_VELOCITY) for part in contract.parts[:MOST_VOICES]]
