"""Who has the tune of a chart where a brief says so: a place in which another takes it over, or plays it alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from libretto.house.charts.form import ONCE, Passage
from libretto.house.charts.signs import sounds
from libretto.house.charts.skills import CHORDS, DEEP_ENOUGH, HANDS, SUNG, deepest
from libretto.house.compose.band import Player

__all__ = ["handed_over", "left_alone", "rested", "unburdened", "with_tunes", "without_tunes"]

_LINES = ("second", "third")
_TUNES = ("lead", *_LINES)
_GUITARS = frozenset(range(24, 32))  # programs
_RESTS = 0.5  # of its bars: a section whose tune plays in fewer has none

Parts = Mapping[str, Mapping[str, frozenset[int]]]


def with_tunes(passages: Sequence[Passage], leads: Mapping[int, str]) -> tuple[Passage, ...]:
    """The sections of a chart, with a tune of another one where somebody should lead in bars that have none."""
    donor = next((one.scene for one in passages if one.scene.kind not in ONCE and one.scene.tune == "lead"), None)
    made = []
    for passage in passages:
        bars = [number for number in range(passage.bars) if passage.first + number in leads]
        scene = passage.scene
        if donor is not None and bars and scene is not donor and not _has_tune(passage):
            rows = [scene.bar("lead", number) for number in range(passage.skipped + passage.bars)]
            for number in bars:
                rows[passage.skipped + number] = donor.bar("lead", number)
            passage = replace(passage, scene=replace(scene, tune="lead", parts={**scene.parts, "lead": tuple(rows)}))
        made.append(passage)
    return tuple(made)


def without_tunes(passages: Sequence[Passage], bars: Collection[int], units: Fraction) -> tuple[Passage, ...]:
    """The sections of a chart, whose tunes rest in some bars."""
    return tuple(_resting(passage, bars, f"z:{units}") for passage in passages)


def _resting(passage: Passage, bars: Collection[int], rest: str) -> Passage:
    """A section whose tune rests in some bars."""
    scene = passage.scene
    mine = {number for number in range(passage.bars) if passage.first + number in bars}
    if not mine or scene.tune not in _TUNES:
        return passage
    size = passage.skipped + passage.bars
    rows = {
        part: tuple(rest if at - passage.skipped in mine else scene.bar(part, at) for at in range(size))
        for part in {"lead", scene.tune} & set(scene.parts)
    }
    return replace(passage, scene=replace(scene, parts={**scene.parts, **rows}))


def _has_tune(passage: Passage) -> bool:
    """Whether who has the tune of a section plays in most of its bars."""
    texts = [passage.bar(passage.scene.tune, number) for number in range(passage.bars)]
    return sum(map(sounds, texts)) >= _RESTS * passage.bars


def handed_over(
    players: Sequence[Player],
    spare: Parts,
    passages: Sequence[Passage],
    leads: Mapping[int, str],
    absent: Mapping[str, set[int]] | None = None,
) -> dict[str, dict[str, frozenset[int]]]:
    """The bars of everybody's parts, with the tune where it was asked for: who has it there gives it away and takes
    what the other leaves, as far as its instrument can play that. Who takes it from somebody ``absent`` plays its own
    chords besides."""
    made = {name: _open(mine) for name, mine in spare.items()}
    known = {player.name: player for player in players if not player.drums}
    tunes = _tunes(passages)
    away = absent or {}
    for bar, name in leads.items():
        tune = tunes.get(bar, "chords")
        owner = next((one for one in known.values() if bar in made[one.name].get(tune, ())), None)
        if name in known and owner is not None and owner.name != name and tune != "chords":
            gives = _deputise if bar in away.get(owner.name, ()) else _swap
            low = bar in made[name].get("bass", ())
            gives(made, known[name], owner, tune, bar)
            if low:
                _ground(made, list(known.values()), owner, bar)
    return {name: _frozen(mine) for name, mine in made.items()}


def unburdened(players: Sequence[Player], spare: Parts, extended: bool) -> dict[str, dict[str, frozenset[int]]]:
    """The bars of everybody's parts, in an ``extended`` piece without chords that a singer would strike while somebody
    else has a solo."""
    singers = {player.name for player in players if player.program in SUNG and extended}
    return {
        name: {part: bars for part, bars in mine.items() if not (name in singers and part == "chords")}
        for name, mine in spare.items()
    }


def left_alone(
    players: Sequence[Player], spare: Parts, passages: Sequence[Passage], absent: Mapping[str, set[int]]
) -> dict[str, dict[str, frozenset[int]]]:
    """The bars of everybody's parts, with chords and bass in both hands of who plays while all others are silent."""
    made = {name: _open(mine) for name, mine in spare.items()}
    pitched = [player for player in players if not player.drums]
    for passage in passages:
        for number in range(passage.bars):
            bar = passage.first + number
            here = [player for player in pitched if bar not in absent.get(player.name, ())]
            if len(here) == 1 < len(pitched) and here[0].program in HANDS:
                for part in ("chords", "bass"):
                    if sounds(passage.bar(part, number)):
                        made[here[0].name].setdefault(part, set()).add(bar)
    return {name: _frozen(mine) for name, mine in made.items()}


def rested(spare: Parts, resting: Mapping[str, frozenset[int]]) -> dict[str, dict[str, frozenset[int]]]:
    """The bars of everybody's parts, without those in which who is there for the colour rests."""
    none: frozenset[int] = frozenset()
    kept = {name: {part: bars - resting.get(name, none) for part, bars in mine.items()} for name, mine in spare.items()}
    return {name: {part: bars for part, bars in mine.items() if bars} for name, mine in kept.items()}


def _open(mine: Mapping[str, frozenset[int]]) -> dict[str, set[int]]:
    return {part: set(bars) for part, bars in mine.items()}


def _frozen(mine: Mapping[str, set[int]]) -> dict[str, frozenset[int]]:
    return {part: frozenset(bars) for part, bars in mine.items() if bars}


def _deputise(made: dict[str, dict[str, set[int]]], taker: Player, owner: Player, tune: str, bar: int) -> None:
    """One bar in which somebody has the tune of who is silent, beside its own chords and bass as far as it has the
    fingers."""
    for part in _TUNES if taker.polyphony >= CHORDS else tuple(made[taker.name]):
        if part in made[taker.name]:
            made[taker.name][part].discard(bar)
    made[owner.name][tune].discard(bar)
    made[taker.name].setdefault(tune, set()).add(bar)


def _swap(made: dict[str, dict[str, set[int]]], taker: Player, owner: Player, tune: str, bar: int) -> None:
    """One bar in which somebody else has the tune."""
    mine, theirs = made[taker.name], made[owner.name]
    left = [part for part, bars in mine.items() if bar in bars]
    for part in left:
        strums = part == "chords" and owner.program in _GUITARS
        if taker.program in HANDS and part in ("chords", "bass", "pad") and not strums:
            continue  # two hands play on, unless a guitar is left with nothing but chords
        mine[part].discard(bar)
        part = "chords" if part in ("pad", "third") and owner.program in _GUITARS else part  # what it cannot hold
        if _able(owner, part):
            theirs.setdefault(part, set()).add(bar)
    theirs[tune].discard(bar)
    mine.setdefault(tune, set()).add(bar)
    idle = not any(bar in bars for bars in theirs.values())
    if tune == "lead" and idle:
        _answer(made, owner, bar)


def _answer(made: dict[str, dict[str, set[int]]], player: Player, bar: int) -> None:
    """One bar in which somebody who would be silent answers, or has the line below where another does."""
    answered = any(bar in parts.get("second", ()) for parts in made.values())
    made[player.name].setdefault("third" if answered else "second", set()).add(bar)


def _ground(made: dict[str, dict[str, set[int]]], players: Sequence[Player], owner: Player, bar: int) -> None:
    """One bar in which nobody is left for the bass: of those who have an inner line the one with the deepest instrument
    plays it, and who gave the tune away has that line."""
    if any(bar in mine.get("bass", ()) for mine in made.values()):
        return
    inner = {
        player: part
        for player in players
        for part in _LINES
        if player is not owner and player.polyphony < CHORDS and bar in made[player.name].get(part, ())
    }
    lowest = min(inner, key=lambda player: player.low, default=None)
    if lowest is None or any(bar in bars for bars in made[owner.name].values()):
        return
    made[lowest.name][inner[lowest]].discard(bar)
    made[lowest.name].setdefault("bass", set()).add(bar)
    made[owner.name].setdefault(inner[lowest], set()).add(bar)


def _able(player: Player, part: str) -> bool:
    """Whether somebody can play a part that another leaves."""
    if part == "bass":
        return deepest(player) <= DEEP_ENOUGH
    return part in _LINES or player.polyphony >= CHORDS


def _tunes(passages: Sequence[Passage]) -> dict[int, str]:
    """Which part has the tune in every bar."""
    return {bar: one.scene.tune for one in passages for bar in range(one.first, one.first + one.bars)}
