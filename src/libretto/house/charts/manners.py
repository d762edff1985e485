"""Manners: how players accompany who were asked to play in a certain way, written as figures for any chords.

A manner is a TOML file of the folder ``manners``: for a part (``chords`` or ``bass``) in a meter and, where it says so,
at some speeds, bars for quiet (``low``), usual (``mid``) and full sections (``high``), in the signs of charts. They
come round in a section, and its last bar has the last of them; in breaks the chart is played, unless they hold
``throughout``. The last bar of a piece is the chart's unless ``last`` says another.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

from libretto.contract.checks.manners import MANNERS, Played, manner_share
from libretto.errors import LibrettoError
from libretto.house.charts.form import Passage
from libretto.house.charts.signs import read_bar
from libretto.house.core.patterns import Sketch
from libretto.registry import named_files
from libretto.score import Meter

__all__ = ["Figure", "at_speed", "figure_for", "keeps_manner", "manner_figures", "pounding", "read_figures"]

_QUIET, _FULL = 0.42, 0.68  # energies below and above which sections are quiet and full
_ENOUGH = 0.5  # of the bars: what is played so already stays
_ANY_SPEED = (0.0, 1000.0)
_EIGHTHS_FLOW = 74  # quarters a minute from which on eighths are a stream
_BREAK = "break"  # sections in which everybody plays what is written


@dataclass(frozen=True, eq=False)
class Figure:
    """One way to play a part: its meter, unit and speeds, and bars for quiet, usual and full sections."""

    part: str
    meter: Meter
    unit: int
    tempo: tuple[float, float]
    bars: Mapping[str, tuple[str, ...]] = field(repr=False)
    last: str = ""  # the last bar of a piece, where it is not the chart's
    throughout: bool = False  # whether it is played in breaks, too
    programs: frozenset[int] = frozenset()  # of whose instruments it is; of any others where it says none

    @property
    def units(self) -> Fraction:
        """How many units a bar has."""
        return Fraction(self.meter.beats * self.unit, self.meter.unit)

    def bar(self, passage: Passage, number: int) -> str:
        """What is played in a bar of a passage; nothing where the chart's own bar is."""
        if passage.scene.kind == _BREAK and not self.throughout:
            return ""
        energy = passage.scene.energy
        rows = self.bars["low" if energy < _QUIET else "high" if energy > _FULL else "mid"]
        last = number == passage.bars - 1 and passage.bars >= len(rows)
        return rows[-1] if last else rows[number % len(rows)]


def read_figures(name: str, text: str) -> tuple[Figure, ...]:
    """The figures of a manner that a file says; one line where it is none."""
    try:
        return tuple(_figure(said) for said in tomllib.loads(text)["figures"])
    except (ValueError, KeyError, TypeError, LibrettoError) as error:
        raise LibrettoError(f"the manner {name} cannot be read: {' '.join(str(error).split())}") from None


def _figure(said: Mapping[str, Any]) -> Figure:
    low, high = said.get("tempo", _ANY_SPEED)
    figure = Figure(
        part=str(said["part"]),
        meter=Meter.parse(str(said["meter"])),
        unit=int(said["unit"]),
        tempo=(float(low), float(high)),
        bars={level: tuple(map(str, said[level])) for level in ("low", "mid", "high")},
        last=str(said.get("last", "")),
        throughout=bool(said.get("throughout", False)),
        programs=frozenset(map(int, said.get("programs", ()))),
    )
    for row in (*figure.bars.values(), (figure.last,) if figure.last else ()):
        for bar in row:
            read_bar(bar, figure.units)
    return figure


@cache
def manner_figures() -> Mapping[str, tuple[Figure, ...]]:
    """The figures of every manner that is written."""
    found = named_files(".toml", files("libretto.house").joinpath("charts", "manners"))
    return {name: read_figures(name, file.read_text(encoding="utf-8")) for name, file in found}


@cache
def pounding() -> tuple[Figure, ...]:
    """What big drums without tones of their own beat, one figure a meter."""
    return read_figures("pounding", files("libretto.house").joinpath("charts", "pounding.toml").read_text("utf-8"))


def figure_for(
    manners: Sequence[str], part: str, meter: Meter, tempo: float, seed: int = 0, program: int | None = None
) -> Figure | None:
    """The figure of the first of some manners that has one for a part in a meter at a speed, first of all one of the
    player's own instrument; where it has several, seeds take turns."""
    for name in manners:
        figures = [figure for figure in manner_figures().get(name, ()) if figure.part == part and figure.meter == meter]
        fit = [figure for figure in figures if figure.tempo[0] <= tempo < figure.tempo[1]]
        own = [figure for figure in fit if program in figure.programs]
        fit = own or [figure for figure in fit if not figure.programs]
        if fit:
            return fit[seed % len(fit)]
    return None


def keeps_manner(name: str, notes: Sequence[Sketch], meter: Meter) -> bool:
    """Whether what somebody plays is played in a manner as it stands."""
    bars: dict[int, list[Played]] = {}
    for note in notes:
        bar, place = divmod(note.onset, meter.ticks)
        bars.setdefault(bar, []).append(Played(place, note.duration, note.pitch))
    return name in MANNERS and manner_share(name, list(bars.values()), meter) >= _ENOUGH


def at_speed(name: str, tempo: float) -> str:
    """The manner that is meant at some speed: where eighths are quick, broken chords that flow are eighths."""
    return "ripples" if name == "flows" and tempo >= _EIGHTHS_FLOW else name
