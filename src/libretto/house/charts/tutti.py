"""Who doubles a line that others have: they take turns at it, and play together where the music is full."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from libretto.house.charts.divisi import is_chamber
from libretto.house.charts.form import Passage
from libretto.house.charts.skills import CHORDS, HANDS, SUNG
from libretto.house.compose.band import Player

__all__ = ["in_turns"]

_LINES = ("second", "third")
_FULL = 0.65  # energy from which on everybody plays
_INNER = frozenset((line,) for line in _LINES)
_BRASS = frozenset((56, 57, 58, 59, 61))  # programs of brass that is loud
_QUIET = 0.5  # energy below which it rests
_LARGE = 6  # players with pitches of a large band
_HIGHER = 2  # semitones by which an instrument is higher than the leader's that doubles the tune


def in_turns(
    players: Sequence[Player],
    parts: Mapping[str, tuple[str, ...]],
    made: Mapping[str, dict[str, set[int]]],
    passages: Sequence[Passage],
    steady: Collection[str] = (),
) -> None:
    """Players who have one line between them take turns at it section by section; in full sections all play, and one
    who is higher than the leader doubles the tune. In a small band each has a voice of its own all through. Where a
    long piece is at its fullest, a pianist who only accompanied has the tune of one who plays single notes as well."""
    chamber = is_chamber(players)
    leads = min((player.low for player in players if parts[player.name] == ("lead",)), default=0)
    for line in _LINES:
        group = [player for player in players if parts[player.name] == (line,)]
        if len(group) > 1 and not chamber:
            high = [player for player in group if line == _LINES[0] and player.low > leads + _HIGHER]
            _share(line, group, high[:1], made, passages)
    _rested(players, parts, made, passages)
    _joined(players, parts, made, passages, steady)


def _joined(
    players: Sequence[Player],
    parts: Mapping[str, tuple[str, ...]],
    made: Mapping[str, dict[str, set[int]]],
    passages: Sequence[Passage],
    steady: Collection[str],
) -> None:
    """A pianist who only accompanied has the tune of one who plays single notes as well, where it is at its fullest."""
    leader = next((player for player in players if parts[player.name] == ("lead",)), None)
    free = [player for player in players if parts[player.name] == ("chords",) and player.name not in steady]
    pianist = next((player for player in free if player.program in HANDS), None)
    if leader and pianist and leader.polyphony < CHORDS and leader.program not in SUNG:
        for passage in passages:
            if passage.scene.full and passage.scene.tune == "lead":
                made[pianist.name].setdefault("lead", set()).update(_tune_of(passage))


def _tune_of(passage: Passage) -> set[int]:
    """The bars of a section in which the tune sounds."""
    return {passage.first + bar for bar in range(passage.bars) if set(passage.bar("lead", bar).split()) - {"z"}}


def _rested(
    players: Sequence[Player],
    parts: Mapping[str, tuple[str, ...]],
    made: Mapping[str, dict[str, set[int]]],
    passages: Sequence[Passage],
) -> None:
    """Trumpets, trombones and tubas with an inner line rest in quiet sections of a large band in which others play."""
    heavy = {player.name for player in players if player.program in _BRASS and parts[player.name] in _INNER}
    others = {bar for name, mine in made.items() if name not in heavy for bars in mine.values() for bar in bars}
    for passage in passages if len(players) >= _LARGE else ():
        quiet = set(range(passage.first, passage.first + passage.bars))
        if passage.scene.energy < _QUIET and quiet <= others:
            for name in heavy:
                made[name].update({line: bars - quiet for line, bars in made[name].items()})


def _share(
    line: str,
    group: Sequence[Player],
    high: Sequence[Player],
    made: Mapping[str, dict[str, set[int]]],
    passages: Sequence[Passage],
) -> None:
    """The sections of one line for those who have it; who is high has the tune in full ones."""
    turn = 0
    for passage in passages:
        bars = set(range(passage.first, passage.first + passage.bars))
        if passage.scene.energy < _FULL:
            resting = [player for place, player in enumerate(group) if place != turn % len(group)]
            turn += 1
        else:
            resting = list(high) if passage.scene.tune == "lead" else []
            for player in resting:
                made[player.name].setdefault("lead", set()).update(_tune_of(passage))
        for player in resting:
            made[player.name][line] = made[player.name].get(line, set()) - bars
        _held(resting, made, passage)


def _held(resting: Sequence[Player], made: Mapping[str, dict[str, set[int]]], passage: Passage) -> None:
    """Who rests holds a tone of the chords that nobody else holds or strikes."""
    for number in range(passage.bars):
        bar = passage.first + number
        taken = any(bar in mine.get(part, ()) for mine in made.values() for part in ("pad", "chords"))
        idle = [player for player in resting if not any(bar in bars for bars in made[player.name].values())]
        if idle and not taken and passage.bar("pad", number):
            made[idle[0].name].setdefault("pad", set()).add(bar)
