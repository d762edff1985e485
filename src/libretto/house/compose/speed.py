"""How fast and how even a piece is played: as a chart or a style was meant, within what a brief asks for."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import takewhile

from libretto.contract import Contract
from libretto.contract.character import find_moods
from libretto.house.charts.calling import words_said
from libretto.house.charts.chart import Chart
from libretto.house.compose.form import Section
from libretto.house.core.controls import Controls
from libretto.house.core.dice import dice
from libretto.house.core.style import Style
from libretto.score import Meter

__all__ = ["A_NUMBER", "chart_tempo", "haste_of", "paced", "swing_of", "tempo_of", "too_far", "usual_speed"]

_FEW_WORDS = 16  # that were understood of a short brief, at most
_DANCES, _LIVELY = 130, 0.7  # quarters a minute from which on a chart dances, and then nearer its fastest
_STRETCH = 0.15  # how far beyond its speeds a chart may be played
_QUICKENS = 1.25  # times its first tempo, of a chart that gets faster
A_NUMBER = 0.16  #: of a tempo: bands no wider than that are about a number that was said
_STEADY = frozenset(  # words of briefs for what goes on in one tempo
    ("be steady", "remain steady", "remains steady", "keep steady", "stay steady", "stays steady", "rhythm steady",
     "tempo steady", "steady beat", "steady groove", "steady mid", "steady pace", "steady pulse", "steady rhythm",
     "steady tempo")
)  # fmt: skip


def usual_speed(chart: Chart, style: Style) -> tuple[float, float] | None:
    """How fast a chart is played where nobody says it: as its style is, where it can be."""
    low, high = style.tempo
    return style.tempo if chart.meter == style.meter and low <= chart.tempo[1] and high >= chart.tempo[0] else None


def haste_of(contract: Contract) -> float:
    """How much faster moods want a piece, where a few words say nothing of its speed: a sad waltz is slow for a waltz;
    who says more says it."""
    words = sum(len(line.partition('("')[2].split()) for line in contract.heard)
    said = words > _FEW_WORDS or bool(contract.chords) or any(line.startswith("tempo:") for line in contract.heard)
    return 0.0 if said else find_moods(", ".join(contract.mood))[1].tempo


def chart_tempo(
    chart: Chart,
    asked: tuple[float, float] | None,
    seed: int,
    controls: Controls,
    haste: float = 0.0,
    *,
    in_quarters: bool = False,
) -> float:
    """How fast a chart is played: as it was meant, as far as that is within what was asked for, ``in_quarters`` where
    it is not to be read as beats."""
    low, high = (asked if in_quarters else chart.speeds(asked)) if asked else chart.tempo
    if high - low <= A_NUMBER * high:
        return float(round((low + high) / 2))
    if low <= chart.tempo[1] and high >= chart.tempo[0]:
        low, high = max(low, chart.tempo[0]), min(high, chart.tempo[1])
    elif low > chart.tempo[1]:  # as much faster than it is ever played as it bears, and no slower than was asked for
        low = high = max(low, min((low + high) / 2, chart.tempo[1] * (1 + _STRETCH)))
    else:
        low = high = min(high, max((low + high) / 2, chart.tempo[0] * (1 - _STRETCH)))
    if any(max(scene.pace) >= _QUICKENS for scene in chart.scenes.values()):
        return float(round(low))  # it gets faster from there
    place = (_LIVELY if high >= _DANCES and haste >= 0 else 0.5) + 0.5 * haste
    place += 0.15 * (dice(seed, "tempo").random() * 2 - 1) + 0.5 * controls.tempo
    return float(round(low + (high - low) * min(1.0, max(0.0, place))))


def tempo_of(style: Style, asked: tuple[float, float] | None, seed: int, controls: Controls) -> float:
    """How fast a style is played: as usual, as far as that is within what was asked for."""
    low, high = asked or style.tempo
    if asked and not too_far(style, asked):  # as fast as the style is usually played, within what was asked for
        low, high = max(low, style.tempo[0]), min(high, style.tempo[1])
    place = 0.5 + 0.35 * (dice(seed, "tempo").random() * 2 - 1) + 0.5 * controls.tempo
    return float(round(low + (high - low) * min(1.0, max(0.0, place))))


def swing_of(usual: float, meter: Meter, controls: Controls) -> float:
    """How uneven eighths are: as usual, unless the knobs turn that round; those of compound meters are even."""
    if meter.is_compound:
        return 0.5
    if usual > 0.5:
        return 0.5 if controls.swing <= -0.9 else usual
    return 2 / 3 if controls.swing >= 0.9 else 0.5


def too_far(style: Style, asked: tuple[float, float] | None) -> bool:
    """Whether a style is never played as slow or as fast as a brief asks."""
    return asked is not None and (asked[1] < style.tempo[0] or asked[0] > style.tempo[1])


def paced(
    sections: tuple[Section, ...], contract: Contract, tempo: float, *, steady: bool = False
) -> tuple[Section, ...]:
    """Sections at one tempo where a number was told, or how the tempo changes, or that it is steady; else none faster
    than was asked for, and from the beginning none slower until it is reached for the first time. What is ``steady``
    and gets slower comes back to its tempo, unless that is its last section."""
    low, high = contract.tempo_bpm or (0.0, math.inf)
    told = any(ask.kind == "tempo_change" for ask in contract.asks) or bool(_STEADY & words_said(contract))
    if told or high - low <= A_NUMBER * high < math.inf:
        return tuple(replace(section, pace=(1.0, 1.0)) for section in sections)
    most, least = max(1.0, high / tempo), min(1.0, low / tempo)
    slow = len(list(takewhile(lambda section: section.pace[0] < least, sections)))
    made = []
    sections = _taken_up(sections) if steady else sections
    for number, section in enumerate(sections):
        first, last = (min(most, max(pace, least if number < slow else 0.0)) for pace in section.pace)
        made.append(replace(section, pace=(first, last)))
    return tuple(made)


def _taken_up(sections: tuple[Section, ...]) -> tuple[Section, ...]:
    """Sections of which no two at the end are slower than the tempo of the piece."""
    drop = len(sections) - len(list(takewhile(lambda section: max(section.pace) < 1, reversed(sections))))
    late = len(sections) - drop
    return (*sections[:drop], *(replace(one, pace=(1.0, 1.0)) for one in sections[drop:])) if late > 1 else sections
