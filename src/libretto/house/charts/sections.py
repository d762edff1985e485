"""Sections of horns: three and more who accompany somebody else breathe and strike together, a chord between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from libretto.house.charts.form import Passage
from libretto.house.charts.signs import sounds
from libretto.house.compose.band import Player

__all__ = ["HORNS", "of_one_section", "sectioned"]

#: Programs of brass and saxophones.
HORNS = frozenset((*range(56, 62), *range(64, 68)))
_SECTION = 3  # horns that are one
_LINES = ("second", "third")
_QUIET, _FULL = 0.4, 0.65  # energies below which they only answer, and from which on they play a riff all through
_RIFF = 5  # notes of a bar from which on that is a riff
_ALONE = ("second", "chords")  # parts whose tune is theirs, or nobody's to answer: there they take turns as ever


def of_one_section(players: Sequence[Player], parts: Mapping[str, tuple[str, ...]]) -> list[Player]:
    """The horns of a band that are a section: three and more with one note at a time and an inner line each, where
    somebody else than a horn leads."""
    leads = [player for player in players if parts.get(player.name) == ("lead",)]
    horns = [player for player in players if player.program in HORNS and player.polyphony == 1]
    inner = [player for player in horns if parts.get(player.name, ())[:1] in {(line,) for line in _LINES}]
    together = len(inner) >= _SECTION and not any(player.program in HORNS for player in leads)
    return inner if together and leads else []


def sectioned(
    players: Sequence[Player],
    parts: Mapping[str, tuple[str, ...]],
    made: Mapping[str, dict[str, set[int]]],
    passages: Sequence[Passage],
) -> None:
    """Horns that are a section have one line together, bar by bar: what answers the tune, else what is held under it;
    where it is quiet they only answer, and a riff that runs all through is theirs every other bar until it is full."""
    horns = of_one_section(players, parts)
    for passage in passages if horns else ():
        if passage.scene.tune in _ALONE:
            continue
        bars = set(range(passage.first, passage.first + passage.bars))
        answers = {passage.first + bar for bar in _answering(passage)}
        held = {passage.first + bar for bar in range(passage.bars) if sounds(passage.bar("third", bar))}
        held = held - answers if passage.scene.energy >= _QUIET else set()
        for horn in horns:
            mine = made[horn.name]
            for part in list(mine):
                mine[part] = mine[part] - bars
            mine["second"] = mine.get("second", set()) | answers
            mine["third"] = mine.get("third", set()) | held


def _answering(passage: Passage) -> list[int]:
    """The bars of a section in which horns answer: all that are written for it, every other one of a riff."""
    bars = [bar for bar in range(passage.bars) if sounds(passage.bar("second", bar))]
    busy = [bar for bar in bars if _notes(passage.bar("second", bar)) >= _RIFF]
    riff = len(busy) * 2 > passage.bars and passage.scene.energy < _FULL
    return [bar for bar in bars if not riff or bar % 2]


def _notes(row: str) -> int:
    """How many notes a bar has."""
    return sum(word[0] not in "z_" for word in row.split())
