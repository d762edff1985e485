"""Cymbals alone: what a chart has for them, else a clash where sections begin, and a swell into the full ones."""

from __future__ import annotations

import re
from collections.abc import Sequence

from libretto.house.charts.form import Passage
from libretto.house.charts.levels import level_at
from libretto.house.charts.stand import USUAL
from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import ACCENTS, Sketch
from libretto.score import QUARTER

__all__ = ["clashed", "has_only_cymbals"]

_CRASH, _CHINA, _SPLASH, _SECOND = 49, 52, 55, 57  # keys of a kit
_CYMBALS = frozenset((_CRASH, _CHINA, _SPLASH, _SECOND))
_NAMED = ((re.compile(r"\bsplash", re.I), _SPLASH), (re.compile(r"\bchina", re.I), _CHINA))
_SWELLS = re.compile(r"\b(?:suspended|swell|roll)", re.I)
_SIXTEENTH, _PHRASE, _RINGS = QUARTER // 4, 4, 2  # and bars that a clash rings
_OFTEN = 6  # one bar of so many, at least, in which a chart clashes itself
_HEARD, _FULL = 0.3, 0.68  # energies from which on a section begins with a clash, and has one in every phrase
_FAINT = -34  # how much softer a swell begins


def has_only_cymbals(player: Player) -> bool:
    """Whether somebody has cymbals to strike together, and nothing else."""
    return player.role != "drums" and bool(player.keys) and _CYMBALS.issuperset(player.keys)


def clashed(plan: Plan, passages: Sequence[Passage], player: Player, written: Sequence[Sketch]) -> list[Sketch]:
    """What somebody strikes who has cymbals only, on the kind that is named: nothing keeps time on them."""
    key = next((one for name, one in _NAMED if name.search(player.name)), _CRASH)
    ticks = plan.meter.ticks
    own = sorted({note.onset: note._replace(pitch=key) for note in written if note.pitch in _CYMBALS}.values())
    if len({note.onset // ticks for note in own}) * _OFTEN >= plan.bars:
        return own
    swells = bool(_SWELLS.search(player.name))
    made = [
        note
        for place, passage in enumerate(passages)
        for number in range(0, passage.bars, _PHRASE)
        for note in _clash(plan, passages, place, number, key, swells=swells and passage.scene.energy >= _FULL)
    ]
    close = ACCENTS["x"] + round(level_at(passages, len(passages) - 1, passages[-1].bars - 1)) - USUAL
    made.append(Sketch((plan.bars - 1) * ticks, ticks, key, close))
    return sorted({note.onset: note for note in made}.values())


def _clash(plan: Plan, passages: Sequence[Passage], place: int, number: int, key: int, *, swells: bool) -> list[Sketch]:
    """A clash where a section begins, or a phrase of a full one, with the roll that ``swells`` into the section."""
    passage, ticks = passages[place], plan.meter.ticks
    bar, first, energy = passage.first + number, number == 0, passage.scene.energy
    begins = first and bar > 0 and energy >= _HEARD
    if not begins and (energy < _FULL or bar >= plan.bars - 1):
        return []
    level = round(level_at(passages, place, number)) - USUAL
    struck = Sketch(bar * ticks, min(_RINGS, plan.bars - bar) * ticks, key, ACCENTS["X" if first else "x"] + level)
    return [*(_swell(bar, ticks, key, level) if swells and first else ()), struck]


def _swell(bar: int, ticks: int, key: int, level: int) -> list[Sketch]:
    """A roll that grows in the second half of the bar before."""
    start, end = bar * ticks - ticks // 2, bar * ticks
    count = (end - start) // _SIXTEENTH
    return [
        Sketch(start + turn * _SIXTEENTH, _SIXTEENTH, key, level + _FAINT - _FAINT * turn // count)
        for turn in range(count if start >= 0 else 0)
    ]
