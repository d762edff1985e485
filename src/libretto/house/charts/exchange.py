"""Exchange: where one of two leads all through and the other has hardly anything to answer, they change places."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from libretto.house.charts.form import Passage
from libretto.house.charts.signs import sounds
from libretto.house.charts.skills import CHORDS
from libretto.house.compose.band import Player

__all__ = ["exchanged"]

_PAIR = 2  # players
_SELDOM = 0.5  # of the bars, in which the second has anything to play
_TUNEFUL = 0.5  # of the bars of a section, in which the tune sounds


def exchanged(
    players: Sequence[Player],
    parts: Mapping[str, tuple[str, ...]],
    made: dict[str, dict[str, set[int]]],
    passages: Sequence[Passage],
    steady: Collection[str],
) -> None:
    """Give the second the tune of every other section that has one, and the lead its chords there, where there are
    two, the lead could play chords, and the second rests in most bars and is not to accompany all through."""
    lead = next((player for player in players if parts[player.name] == ("lead",)), None)
    second = next((player for player in players if parts[player.name] == ("second",)), None)
    if len(players) != _PAIR or lead is None or second is None or lead.polyphony < CHORDS or second.name in steady:
        return
    total = sum(passage.bars for passage in passages)
    if len(made[second.name].get("second", ())) >= _SELDOM * total:
        return
    for passage in _tuneful(passages)[1::2]:
        bars = set(range(passage.first, passage.first + passage.bars))
        sung, struck = _sounding(passage, "lead"), _sounding(passage, "chords")
        made[lead.name]["lead"] = made[lead.name].get("lead", set()) - bars
        made[lead.name].setdefault("chords", set()).update(struck)
        made[second.name]["second"] = made[second.name].get("second", set()) - bars
        made[second.name].setdefault("lead", set()).update(sung)


def _tuneful(passages: Sequence[Passage]) -> list[Passage]:
    """Sections with a tune of the lead's and chords beneath it, but the last."""
    return [
        passage
        for passage in passages[:-1]
        if len(_sounding(passage, "lead")) > _TUNEFUL * passage.bars and _sounding(passage, "chords")
    ]


def _sounding(passage: Passage, part: str) -> set[int]:
    """The bars of a section in which a part sounds."""
    return {passage.first + bar for bar in range(passage.bars) if sounds(passage.bar(part, bar))}
