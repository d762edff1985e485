"""Sharing out: who plays, section by section, what nobody has, and what who would rest doubles."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from libretto.house.charts.chart import LINES
from libretto.house.charts.exchange import exchanged
from libretto.house.charts.form import Passage
from libretto.house.charts.piping import PIPES
from libretto.house.charts.sections import of_one_section, sectioned
from libretto.house.charts.signs import sounds
from libretto.house.charts.skills import (
    BASSES,
    BEATEN,
    CHORDS,
    DEEP_ENOUGH,
    HANDS,
    PADS,
    SUNG,
    SUSTAINED,
    THUMBS,
    deepest,
    is_banjo,
    is_section,
    two_handed,
)
from libretto.house.charts.tutti import in_turns
from libretto.house.compose.band import Player

__all__ = ["rolling_on", "shared_out"]

_PAD_ABOVE = 7  # semitones that the lowest note of a pad with the bass may lie higher
_TUNES = ("lead", "second", "third")  # parts that are lines
_CLEAN = frozenset((26, 27))  # electric guitars that have one where they are alone
_ONE_HAND, _NEVER = 3, 9  # what it costs to put chords between phrases; and what cannot be
_PAIR = 2  # players of whom one has tune and bass
_SELDOM = 0.5  # of the bars: who plays in fewer doubles another line in the sections in which it rests
_BELLS = frozenset((9, 13, 14))  # glockenspiel, xylophone, tubular bells: no chords beside a line
_DISTORTED = frozenset((29, 30))  # guitars that hit chords between their phrases whoever holds some
_HIGH_WINDS = frozenset(range(56, 80)) - {57, 58, 67, 70}  # all but trombone, tuba and the like


def shared_out(
    players: Sequence[Player],
    parts: Mapping[str, tuple[str, ...]],
    passages: Sequence[Passage],
    steady: Collection[str] = (),
) -> dict[str, dict[str, frozenset[int]]]:
    """The bars in which every player plays which part: its own wherever it is written; a second tune, chords and bass
    that nobody has go to who has hands free there, the tune to none who is to accompany all through (``steady``), and
    who would hardly play doubles a line."""
    parts = _held_instead(parts, passages)
    pitched = [player for player in players if not player.drums and parts.get(player.name)]
    made: dict[str, dict[str, set[int]]] = {player.name: {} for player in players}
    for passage in passages:
        for number, duties in enumerate(_duties(pitched, parts, passage, steady)):
            for name, mine in duties.items():
                for part in mine:
                    made[name].setdefault(part, set()).add(passage.first + number)
    in_turns(pitched, parts, made, passages, steady)
    exchanged(pitched, parts, made, passages, steady)
    sectioned(pitched, parts, made, passages)
    together = of_one_section(pitched, parts)
    for player in pitched:
        if player.program not in BEATEN and player not in together:
            _double(player, made, passages)
    return {name: {part: frozenset(mine[part]) for part in LINES if part in mine} for name, mine in made.items()}


def _held_instead(parts: Mapping[str, tuple[str, ...]], passages: Sequence[Passage]) -> dict[str, tuple[str, ...]]:
    """The parts of everybody, where who strikes the chords of a chart that has only held ones holds them, if nobody
    does."""
    written = {part for passage in passages for part in ("chords", "pad")
               if any(sounds(passage.bar(part, bar)) for bar in range(passage.bars))}  # fmt: skip
    strikers = [name for name, mine in parts.items() if mine == ("chords",)][:1]
    if written != {"pad"} or ("pad",) in parts.values():
        return dict(parts)
    return {name: ("pad",) if name in strikers else mine for name, mine in parts.items()}


def _double(player: Player, made: dict[str, dict[str, set[int]]], passages: Sequence[Passage]) -> None:
    """Sections in which a player who rests most of the time doubles an inner line, or holds chords."""
    mine = made[player.name]
    total = sum(passage.bars for passage in passages)
    for passage in passages:
        bars = set(range(passage.first, passage.first + passage.bars))
        busy = set().union(*mine.values()) if mine else set()
        if len(busy) >= _SELDOM * total:
            return
        if bars & busy:
            continue
        for part in ("pad", "third", "second") if player.polyphony >= CHORDS else ("third", "second"):
            heard = {passage.first + bar for bar in range(passage.bars) if sounds(passage.bar(part, bar))}
            if len(heard) > _SELDOM * passage.bars:
                mine.setdefault(part, set()).update(heard)
                break


def _duties(
    players: Sequence[Player], parts: Mapping[str, tuple[str, ...]], passage: Passage, steady: Collection[str]
) -> list[dict[str, set[str]]]:
    """What everybody plays in every bar of a section."""
    written = [{part for part in LINES if sounds(passage.bar(part, bar))} for bar in range(passage.bars)]
    bars = [_first_duties(players, parts, passage, steady, here) for here in written]
    for part in ("chords", "bass"):
        lacking = [duties for duties, here in zip(bars, written, strict=True) if part in here]
        _take_over(players, parts, part, [duties for duties in lacking if not _provided(players, duties, part)])
    for duties, here in zip(bars, written, strict=True):
        _hold(players, duties, here)
        _fill_in(players, duties, parts, here)
    return bars


def _first_duties(
    players: Sequence[Player],
    parts: Mapping[str, tuple[str, ...]],
    passage: Passage,
    steady: Collection[str],
    here: set[str],
) -> dict[str, set[str]]:
    """What everybody plays of its own in a bar in which some parts sound, and a second line that nobody has."""
    duties = {player.name: set(parts[player.name]) & here for player in players}
    orphan = passage.scene.tune == "second" and ("second",) not in parts.values()
    if orphan and "second" in here:
        _hand_over([player for player in players if player.name not in steady], duties, parts)
    if (idle := _idle(players, parts, passage)) and "lead" not in here:
        duties[idle] |= {"second"} & here
    return duties


def _hold(players: Sequence[Player], duties: dict[str, set[str]], here: set[str]) -> None:
    """Chords that nobody holds, below the tune of who has it on a synthesizer or in a section that can hold chords."""
    able = [one.name for one in players if (one.program in PADS or is_section(one)) and one.polyphony >= CHORDS]
    singing = next((name for name in able if "lead" in duties[name] and "chords" not in duties[name]), None)
    if singing and "pad" in here and not any("pad" in mine for mine in duties.values()):
        duties[singing].add("pad")


def _idle(players: Sequence[Player], parts: Mapping[str, tuple[str, ...]], passage: Passage) -> str:
    """Who leads, where others have the riff of a section and nobody the second line: it answers with that."""
    riff = passage.scene.tune == "chords" and ("second",) not in parts.values() and ("chords",) in parts.values()
    return next((player.name for player in players if riff and parts[player.name] == ("lead",)), "")


def _fill_in(
    players: Sequence[Player], duties: dict[str, set[str]], parts: Mapping[str, tuple[str, ...]], here: set[str]
) -> None:
    """A bar in which nobody would play: who leads, or comes first, has the line that is written there."""
    able = [player for player in players if player.program not in BEATEN and not any(duties.values())]
    lead = next((player for player in able if parts[player.name] == ("lead",)), next(iter(able), None))
    line = next((part for part in ("lead", "second", "third", "chords", "bass") if part in here), None)
    if lead is not None and line is not None:
        duties[lead.name] = {line}


def _provided(players: Sequence[Player], duties: Mapping[str, set[str]], part: str) -> bool:
    """Whether somebody has a part; who plays anything on a bass is bass enough."""
    low = [duties[player.name] for player in players if part == "bass" and player.program in BASSES]
    return any(part in mine for mine in duties.values()) or any(low)


def _take_over(
    players: Sequence[Player], parts: Mapping[str, tuple[str, ...]], part: str, bars: Sequence[dict[str, set[str]]]
) -> None:
    """A part that nobody has in some bars of a section, to who is nearest to it in all of them; else bar by bar."""
    prices = [[_price(player, parts[player.name], duties, part, len(players)) for player in players] for duties in bars]
    totals = [sum(_NEVER if price is None else price for price in column) for column in zip(*prices, strict=True)]
    for duties, row in zip(bars, prices, strict=True):
        able = [place for place, price in enumerate(row) if price is not None]
        if able:  # of two who are as near, who does not lead
            nearest = min(able, key=lambda place: (totals[place], parts[players[place].name] == ("lead",), place))
            duties[players[nearest].name].add(part)


def _price(player: Player, own: tuple[str, ...], duties: Mapping[str, set[str]], part: str, of: int) -> int | None:
    """How far it is for somebody to take over a part in a bar; None where it cannot be, or where chords are held by
    others and it has no hand free."""
    mine = duties[player.name]
    if part == "bass":
        return _price_of_bass(player, mine, of)
    price = _price_of_chords(player, mine, own == ("pad",), alone=of == 1)
    held = any("pad" in others for others in duties.values())
    between = price in (_ONE_HAND, _ONE_HAND + 1) and player.program not in _DISTORTED
    return None if held and (between or "pad" in mine) else price


def _hand_over(players: Sequence[Player], duties: dict[str, set[str]], parts: Mapping[str, tuple[str, ...]]) -> None:
    """A tune of the second's, where nobody has that part: to who plays the chords if that leaves somebody for them, to
    who holds them with two hands, else to the lead."""
    lead = next((player for player in players if parts[player.name] == ("lead",)), None)
    chords = next((player for player in players if parts[player.name] == ("chords",)), None)
    alone = lead is None or lead.polyphony < CHORDS
    if chords is not None and (chords.program in HANDS | THUMBS or not alone):
        duties[chords.name] = {"second"}
    elif (pad := next((one for one in players if parts[one.name] == ("pad",) and one.program in HANDS), None)) and lead:
        duties[pad.name] = {"second"}
    elif lead is not None:
        duties[lead.name] = {"second"}


def _price_of_bass(player: Player, mine: set[str], of: int) -> int | None:
    """How far it is for somebody of so many to play the bass besides; None where it cannot be."""
    high = player.program in _HIGH_WINDS | SUNG and not is_section(player)
    if high or deepest(player) > DEEP_ENOUGH + _PAD_ABOVE * (player.program in PADS):
        return None
    if mine <= {"chords", "pad"}:
        return 2 if player.program in SUSTAINED | _CLEAN or not mine else 0
    if two_handed(player) and (of == 1 or not is_section(player)):
        return 1
    thumb = of <= _PAIR and player.program in (THUMBS | _CLEAN if of == 1 else THUMBS)
    return 3 if thumb else None


def _price_of_chords(player: Player, mine: set[str], holds: bool, *, alone: bool) -> int | None:
    """How far it is for somebody to play the chords besides; None where it cannot be."""
    if player.polyphony < CHORDS or player.program == PIPES or (mine and player.program in _BELLS):
        return None
    if "bass" in mine:  # the other hand, where nobody else could
        return _NEVER - 1 if player.program in HANDS else None
    if not mine:
        return None if player.program in SUNG else 1 if holds else 0
    return _price_beside_a_line(player, alone)


def _price_beside_a_line(player: Player, alone: bool) -> int | None:
    """How far it is for somebody who has a line to play chords as well; None where it cannot be."""
    if player.program in SUSTAINED - PADS and not (alone and is_section(player)):
        return None
    both = two_handed(player) and (alone or not is_section(player))
    return 2 if both else _ONE_HAND + (player.low > DEEP_ENOUGH)


def rolling_on(
    players: Sequence[Player],
    parts: Mapping[str, tuple[str, ...]],
    spare: Mapping[str, Mapping[str, frozenset[int]]],
    passages: Sequence[Passage],
) -> dict[str, dict[str, frozenset[int]]]:
    """The bars of everybody's parts, with chords where a banjo that has a line would rest: it rolls on."""
    full = {passage.first + bar for passage in passages for bar in range(passage.bars) if passage.bar("chords", bar)}
    made = {name: dict(mine) for name, mine in spare.items()}
    for player in players:
        if is_banjo(player) and set(parts.get(player.name, ())) & {*_TUNES}:
            mine = made[player.name]
            idle = frozenset(full.difference(*mine.values()))
            if idle:
                mine["chords"] = mine.get("chords", frozenset()) | idle
    return made
