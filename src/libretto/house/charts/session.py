"""Sessions: in styles whose players all know the tune, who would hold long notes under it plays it too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from libretto.house.charts.form import Passage
from libretto.house.charts.habits import habits_of
from libretto.house.charts.signs import sounds
from libretto.house.charts.skills import CHORDS
from libretto.house.compose.plan import Plan

__all__ = ["in_session"]

_HABIT, _INNER = "session", "third"
_DANCING = 100  # quarters a minute from which on a tune is a dance
_REEDS, _PAD = frozenset((21, 22, 23)), "pad"  # accordions, harmonicas and concertinas, and what they would hold
_MELODIC = ("lead", "counter", "riff")  # roles of who was not asked to accompany
_TUNES = ("lead", "second")  # parts that a section may have its tune in


def in_session(
    plan: Plan,
    parts: Mapping[str, tuple[str, ...]],
    spare: Mapping[str, Mapping[str, frozenset[int]]],
    passages: Sequence[Passage],
) -> dict[str, dict[str, frozenset[int]]]:
    """The bars of everybody's parts, where in a dance who has an inner line and one note at a time, or reeds under both
    hands, and was not asked for harmonies, joins in the tune after the first section of the piece."""
    made = {name: dict(mine) for name, mine in spare.items()}
    if _HABIT not in habits_of(plan) or plan.tempo < _DANCING or len(passages) < len(_TUNES):
        return made
    tunes = {part: _sung(passages[1:], part) for part in _TUNES}
    for player in plan.players:
        if parts.get(player.name) == (_INNER,) and player.polyphony < CHORDS and player.role in _MELODIC:
            made[player.name] = {part: bars for part, bars in tunes.items() if bars}
        elif player.program in _REEDS and player.role in _MELODIC:
            made[player.name] = _off_the_pad(made[player.name], tunes)
    return made


def _off_the_pad(mine: Mapping[str, frozenset[int]], tunes: Mapping[str, frozenset[int]]) -> dict[str, frozenset[int]]:
    """The bars of the parts of who squeezes reeds, with the tune wherever nothing but held chords is played."""
    busy = frozenset[int]().union(*(bars for part, bars in mine.items() if part != _PAD))
    joined = {part: (bars & mine.get(_PAD, frozenset())) - busy for part, bars in tunes.items()}
    freed = frozenset[int]().union(*joined.values())
    kept = {part: bars - freed if part == _PAD else bars for part, bars in mine.items()}
    return {**kept, **{part: kept.get(part, frozenset()) | bars for part, bars in joined.items() if bars}}


def _sung(passages: Sequence[Passage], part: str) -> frozenset[int]:
    """The bars of the sections whose tune is in a part, as far as it sounds there."""
    return frozenset(
        passage.first + bar
        for passage in passages
        if passage.scene.tune == part
        for bar in range(passage.bars)
        if sounds(passage.bar(part, bar))
    )
