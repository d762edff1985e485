"""Solos: what somebody plays who is to have one where a chart has hardly a tune."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib.resources import files

from libretto.house.charts.form import Passage
from libretto.house.charts.signs import read_bar
from libretto.score.time import Meter

__all__ = ["with_solos"]

_FOUR = Meter(4, 4)
_THIN, _PLAIN = 3.5, 6.5  # notes a bar below which a tune is no solo, where it was written for one and elsewhere
_SOLO = "solo"  # what such a section is called
_SILENT = ("z", "_")


def with_solos(passages: Sequence[Passage], bars: Collection[int], meter: Meter, units: Fraction) -> list[Passage]:
    """The sections of a chart, with a solo for a tune in those of some ``bars`` whose own has long notes only; the last
    bar of the piece stays."""
    phrases = _phrases().get(str(units), ()) if meter == _FOUR else ()
    end = passages[-1].first + passages[-1].bars - 1
    bars = {bar for bar in bars if bar != end}
    return [_played(passage, bars, phrases, units) if phrases else passage for passage in passages]


def _played(passage: Passage, bars: Collection[int], phrases: Sequence[str], units: Fraction) -> Passage:
    """A section with a solo in some bars, where its tune is too thin for one; what began in the section before goes
    on."""
    scene = passage.scene
    mine = [number for number in range(passage.bars) if passage.first + number in bars]
    struck = [_strokes(passage.bar(scene.tune, number), units) for number in mine]
    fewest = _THIN if scene.kind == _SOLO else _PLAIN
    if not mine or sum(struck) >= fewest * len(mine):
        return passage
    rows = [scene.bar("lead", number) for number in range(passage.skipped + passage.bars)]
    for number in mine:
        at = passage.first + number
        place = next(back for back in range(at + 1) if at - back - 1 not in bars)
        rows[passage.skipped + number] = phrases[-1] if at + 1 not in bars else phrases[place % (len(phrases) - 1)]
    return replace(passage, scene=replace(scene, tune="lead", parts={**scene.parts, "lead": tuple(rows)}))


def _strokes(text: str, units: Fraction) -> int:
    """How many notes a bar begins."""
    return sum(sign.head not in _SILENT for sign in read_bar(text, units)) if text else 0


@cache
def _phrases() -> dict[str, tuple[str, ...]]:
    """The bars of a solo by how many units they have."""
    said = tomllib.loads((files(__package__) / "solos.toml").read_text("utf-8"))
    return {units: tuple(rows) for units, rows in said.items()}
