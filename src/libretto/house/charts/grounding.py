"""Grounding: a bass for who is there to play one, over charts in which another hand has it among the chords."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from libretto.house.charts.chart import Chart, Scene
from libretto.house.charts.form import Passage
from libretto.house.charts.signs import sounds
from libretto.house.compose.band import Player

__all__ = ["grounded"]

_SELDOM = 0.4  # of the bars: a bass that sounds in fewer is none
_LIVELY = 0.45  # energy from which on a bass moves within the bar
_OTHERS = ("lead", "second", "third", "chords")


def grounded(players: Sequence[Player], chart: Chart, passages: Sequence[Passage]) -> Sequence[Passage]:
    """The sections of a piece; with a plain bass in every bar in which others play, where a chart has hardly any and
    somebody with a single line is asked to play it."""
    basses = [player for player in players if player.role == "bass" and not player.drums]
    bars = [(passage, number) for passage in passages for number in range(passage.bars)]
    sounding = sum(sounds(passage.bar("bass", number)) for passage, number in bars)
    if not basses or sounding >= _SELDOM * len(bars):
        return passages
    there = [scene for passage in passages for scene in (passage.scene, passage.backing) if scene is not None]
    made = {scene: _with_bass(scene, chart.units) for scene in there}
    return [
        replace(passage, scene=made[passage.scene], backing=made[passage.backing] if passage.backing else None)
        for passage in passages
    ]


def _with_bass(scene: Scene, units: Fraction) -> Scene:
    """A section with roots, and fifths where it is lively, in bars in which others play and the bass rests."""
    half = units / 2
    plain = f"1:{units}" if half.denominator > 1 or scene.energy < _LIVELY else f"1:{half} 5:{half}"
    rows = [
        own if sounds(own := scene.bar("bass", bar)) or not _played(scene, bar) else plain for bar in range(scene.bars)
    ]
    return replace(scene, parts={**scene.parts, "bass": tuple(rows)})


def _played(scene: Scene, bar: int) -> bool:
    """Whether others play in a bar."""
    return sum(sounds(scene.bar(part, bar)) for part in _OTHERS) > 1
