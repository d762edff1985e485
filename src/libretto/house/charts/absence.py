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
_NO_TUNES = BASSES | BEATEN | PADS | _SECTIONS
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
    last = passages[-1].first + passages[-1].bars - 1  # who is away there does not come back
    for passage in passages:
        gone = absent.get(owners.get(passage.scene.tune, ""), set())
        if passage.scene.tune not in _MELODIC or (len(gone) <= _PHRASE and last not in gone):
            continue
        for number in range(passage.bars):
            bar = passage.first + number
            who = _deputy(players, parts, {name for name, bars in absent.items() if bar in bars})
            if bar in gone and bar not in made and who is not None:
                made[bar] = who
    return made


def _deputy(players: Sequence[Player], parts: Mapping[str, tuple[str, ...]], away: set[str]) -> str | None:
    """Who takes a tune over: a line before chords, two hands before one; no drums, nobody who only holds, and no bass
    but the last who is left."""
    here = [one for one in players if parts.get(one.name) and not one.drums and one.name not in away]
    if len(here) == 1:
        return here[0].name if here[0].program not in BEATEN | PADS else None
    able = [one for one in here if one.program not in _NO_TUNES and parts[one.name][0] != "bass"]
    ranked = sorted(_free(able, parts) or able, key=lambda player: LINES.index(parts[player.name][0]))
    return ranked[0].name if ranked else None


def _free(able: Sequence[Player], parts: Mapping[str, tuple[str, ...]]) -> list[Player]:
    """Those of some who have a line, or whose chords another has as well, or two hands."""
    chords = sum(player.polyphony >= CHORDS for player in able)
    return [player for player in able if parts[player.name][0] in _MELODIC or player.program in HANDS or chords > 1]
