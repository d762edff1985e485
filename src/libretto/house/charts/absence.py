"""Who stands in: where who has the tune was asked to be silent, somebody else plays it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from libretto.house.charts.casting import cast
from libretto.house.charts.chart import LINES
from libretto.house.charts.form import Passage
from libretto.house.charts.skills import BASSES, BEATEN, CHORDS, HANDS, PADS
from libretto.house.compose.band import Player

__all__ = ["standing_in"]

_PHRASE = 4  # bars that a band may play before a tune begins
_SECTIONS = frozenset(range(48, 53))  # strings and choirs that hold
_MELODIC = ("lead", "second", "third")


def standing_in(
    players: Sequence[Player],
    wants: Mapping[str, tuple[int, ...]],
    passages: Sequence[Passage],
    leads: Mapping[int, str],
    absent: Mapping[str, set[int]],
) -> dict[int, str]:
    """Who has the tune, by bar: as asked for, and where its owner is silent for more than a phrase who is nearest to
    it of those who are there."""
    parts = cast(players, wants)
    made = dict(leads)
    owners = {mine[0]: name for name, mine in parts.items() if mine}
    for passage in passages:
        gone = absent.get(owners.get(passage.scene.tune, ""), set())
        if passage.scene.tune not in _MELODIC or len(gone) <= _PHRASE:
            continue
        for number in range(passage.bars):
            bar = passage.first + number
            who = _deputy(players, parts, {name for name, bars in absent.items() if bar in bars})
            if bar in gone and bar not in made and who is not None:
                made[bar] = who
    return made


def _deputy(players: Sequence[Player], parts: Mapping[str, tuple[str, ...]], away: set[str]) -> str | None:
    """Who takes a tune over: a line before chords, two hands before one; no drums, no bass, nobody who only holds."""
    able = [
        player
        for player in players
        if parts.get(player.name) and not player.drums and player.name not in away
        and player.program not in BASSES | BEATEN | PADS | _SECTIONS and parts[player.name][0] != "bass"
    ]  # fmt: skip
    chords = sum(player.polyphony >= CHORDS for player in able)
    free = [player for player in able if parts[player.name][0] in _MELODIC or player.program in HANDS or chords > 1]
    ranked = sorted(free or able, key=lambda player: LINES.index(parts[player.name][0]))
    return ranked[0].name if ranked else None
