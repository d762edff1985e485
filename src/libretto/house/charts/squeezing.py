"""Squeezing: who has the reeds of a concertina or an accordion under both hands pumps in a dance, and does not hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from libretto.house.charts.form import Passage
from libretto.house.charts.habits import habits_of_style
from libretto.house.charts.signs import sounds
from libretto.house.compose.plan import Plan

__all__ = ["in_harmony", "pumping"]

_REEDS = frozenset((21, 23))  # programs of accordions and concertinas
_DANCING, _STRAINS = 100, "strains"  # quarters a minute from which on a tune is a dance; a habit
_HELD, _STRUCK, _LINE, _BELOW = ("pad",), ("chords",), "second", "bass"
_MOST = 0.75  # of the bars of a strain, in which a line moves that is worth playing


def pumping(plan: Plan, parts: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The parts of everybody, where in a dance who squeezes reeds, and was told no other way to play, strikes the
    chords that nobody else does, and does not hold them."""
    made = dict(parts)
    for player in _squeezers(plan):
        if made.get(player) == _HELD and _STRUCK not in made.values():
            made[player] = _STRUCK
    return made


def _squeezers(plan: Plan) -> list[str]:
    """Who squeezes reeds under the tune of a dance, in its own way."""
    if plan.tempo < _DANCING or _STRAINS not in habits_of_style(plan.style.name):
        return []
    free = [one for one in plan.players if one.role in ("counter", "comping") and not plan.manners.get(one.name)]
    return [player.name for player in free if player.program in _REEDS]


def in_harmony(
    plan: Plan,
    parts: Mapping[str, tuple[str, ...]],
    dealt: Mapping[str, Mapping[str, frozenset[int]]],
    passages: Sequence[Passage],
) -> dict[str, dict[str, frozenset[int]]]:
    """The bars of everybody's parts, where a strain that comes twice in a row has the second line the second time, over
    basses: who pumped the chords plays it, where nobody else does."""
    made = {name: dict(mine) for name, mine in dealt.items()}
    who = next((name for name in _squeezers(plan) if parts.get(name) == _STRUCK), "")
    if not who or any(_LINE in mine for name, mine in parts.items() if name != who):
        return made
    line = frozenset[int]().union(*(_moving(passage) for passage in passages)) & _again(plan)
    basses = any(_BELOW in mine for name, mine in made.items() if name != who)
    made[who][_STRUCK[0]] = made[who].get(_STRUCK[0], frozenset()) - line
    for part in (_LINE,) if basses else (_LINE, _BELOW):
        made[who][part] = made[who].get(part, frozenset()) | line
    return made


def _moving(passage: Passage) -> frozenset[int]:
    """The bars of a second line that moves all through a section beside its tune; none of one that only answers."""
    line = frozenset(passage.first + bar for bar in range(passage.bars) if sounds(passage.bar(_LINE, bar)))
    return line if passage.scene.tune != _LINE and len(line) >= _MOST * passage.bars else frozenset()


def _again(plan: Plan) -> frozenset[int]:
    """The bars of sections that were heard right before."""
    return frozenset(
        bar
        for last, section in zip(plan.sections, plan.sections[1:], strict=False)
        if last.letter == section.letter
        for bar in range(section.first, section.end)
    )
