"""What asks decide before the first note: which sections there are and how long, who leads where, how many play."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from libretto.contract import Contract, Part
from libretto.contract.asks import Ask
from libretto.contract.checks.where import spans_of_ask
from libretto.house.compose.band import DOUBLES, EFFECT, Player, player_of_program, singer_of_name
from libretto.score import Score, Voice

__all__ = [
    "MELODY",
    "absent_of",
    "droned_of",
    "leads_of",
    "runs_of",
    "skeleton",
    "solos_of",
    "traded_of",
    "tuneless_of",
    "unison_of",
    "with_doubling",
    "with_roles",
    "with_voices",
]

#: Who is asked for where it is the tune, and nobody's.
MELODY = "melody"
_CHOIR = (("Soprano", 52), ("Alto", 52), ("Tenor", 52), ("Bass Voice", 52), ("Mezzo", 52), ("Baritone Voice", 52))
_ADDED = (
    ("Violin", 40, "counter"), ("Viola", 41, "counter"), ("Cello", 42, "bass"), ("Flute", 73, "counter"),
    ("Clarinet", 71, "counter"), ("Horn", 60, "pad"), ("Bassoon", 70, "bass"), ("Oboe", 68, "counter"),
)  # fmt: skip
#: Who of these sings in a choir of so many parts, high to low.
_ORDERS = {2: (0, 1), 3: (0, 1, 3), 4: (0, 1, 2, 3), 5: (0, 4, 1, 2, 3), 6: (0, 4, 1, 2, 5, 3)}
_MOST_VOICES = 16
_TRADES = re.compile(r"\b(?:trad|swap|exchang|tak(?:e|es|ing) turns|taking|turns)", re.I)
_KEYBOARDS = frozenset(range(24))  # programs of pianos, bells and organs: several voices under one pair of hands
_SUNG = (52, 53, 54)  # programs of singers
_CHOIRS = (52,)  # programs of many who sing
_QUARTET = 4
_KEPT = ("lead", "bass", "drums", "comping", "counter", "arpeggio", "riff", "stabs", "pad", "percussion")
_FIGURES = (
    "riff",
    "ostinato",
    "arpeggio",
    "pad",
    "comping",
    "chords",
    "drone",
)  # what a lead plays as such, or besides
_NOBODY = Part("", None, "")
_THUMBS = frozenset((24, 25, 26, 27, 28, 29, 104, 105, 106, 107))  # they pluck a drone below what they play besides
_CHORDAL = frozenset(("rolls", "strums", "chops", "scratch"))  # manners of who plays chords
_ROLES = {"walking": "bass", "drone": "pad", "ostinato": "riff", "chords": "comping"}


def skeleton(sections: Sequence[tuple[int, str]], bars: int) -> Score:
    """An empty piece with those sections (first bar from 0, name): places are looked up in it before a note stands."""
    empty = Score.build([Voice.of("Piano", (), 0)], bars=bars)
    lines = empty.bar_lines
    return replace(empty, sections=tuple((lines[first], name) for first, name in sections))


def leads_of(contract: Contract, bones: Score, names: Sequence[str]) -> dict[int, str]:
    """Who was asked to have the tune, by bar from 0: a leader whom another joins there, leads, then solos and who plays
    alone."""
    leads: dict[int, str] = {}
    for kind in ("doubling", "lead", "solo", "only"):
        for ask in contract.asks:
            name = _player(_tuneful(ask, contract), names)
            if ask.kind != kind or name is None:
                continue
            for first, last in spans_of_ask(ask, bones):
                leads.update({bar - 1: name for bar in range(first, last + 1)})
    return leads


def unison_of(contract: Contract, bones: Score) -> dict[int, str]:
    """The bars from 0 that all should play in unison, which need a tune, and who was told to."""
    asked = [ask for ask in contract.asks if (ask.kind, ask.what) == ("texture", "unison") and ask.where]
    spans = [(ask.who, span) for ask in asked for span in spans_of_ask(ask, bones)]
    return {bar - 1: who for who, (first, last) in spans for bar in range(first, last + 1)}


def _tuneful(ask: Ask, contract: Contract) -> str:
    """Who of those whom an ask names has the tune: of some who play alone no drums and no bass, who leads first; who
    is doubled where it leads."""
    if ask.kind != "only":
        return _joined(ask, contract)
    busy = {other.who for other in contract.asks if other.kind == "manner"}  # who accompanies as it was told
    known = {part.name: part for part in contract.parts if not part.drums and part.role != "bass"}
    drones = {other.who for other in contract.asks if _drones(other, ask)}
    known = {n: part for n, part in known.items() if (n not in busy or part.role == "lead") and n not in drones}
    named = [known[name] for name in ask.who.split(" + ") if name in known]
    return min(named, key=lambda part: _rank(part.role), default=_NOBODY).name


def _drones(other: Ask, ask: Ask) -> bool:
    """Whether somebody holds a drone where it plays alone with others."""
    return (other.kind, other.what, other.where) == ("role", "drone", ask.where) and " + " in ask.who


def _joined(ask: Ask, contract: Contract) -> str:
    """Whom an ask names, or who leads where another is said to double it in a place."""
    if ask.kind != "doubling":
        return ask.who
    led = next((part.name for part in contract.parts if part.role == "lead"), "")
    return led if ask.where and ask.what == led else ""


def absent_of(contract: Contract, bones: Score, names: Sequence[str]) -> dict[str, set[int]]:
    """In which bars from 0 players were asked to be silent, or others to play alone."""
    absent: dict[str, set[int]] = {}
    for ask in contract.asks:
        for name in _silenced(ask, names):
            for first, last in spans_of_ask(ask, bones):
                absent.setdefault(name, set()).update(range(first - 1, last))
    return absent


def solos_of(contract: Contract, bones: Score, names: Sequence[str]) -> set[int]:
    """In which bars from 0 players were asked for a solo."""
    asks = [ask for ask in contract.asks if ask.kind == "solo" and _player(ask.who, names) is not None]
    return {bar - 1 for ask in asks for first, last in spans_of_ask(ask, bones) for bar in range(first, last + 1)}


def traded_of(contract: Contract, bones: Score) -> set[int]:
    """In which bars from 0 players were asked to trade what they play, one at a time; in none where others have lines
    beside them."""
    asks = [ask for ask in contract.asks if ask.where.startswith("turns ") and _TRADES.search(ask.words)]
    lines = {part.name for part in contract.parts if part.role in ("lead", "counter") and not part.drums}
    if lines - {ask.who for ask in asks}:
        return set()
    return {bar - 1 for ask in asks for first, last in spans_of_ask(ask, bones) for bar in range(first, last + 1)}


def tuneless_of(contract: Contract, bones: Score) -> set[int]:
    """In which bars from 0 there is no tune, whoever has it: until it comes in."""
    asks = [ask for ask in contract.asks if ask.who == MELODY and ask.kind in ("enter", "leave", "silent")]
    return {bar - 1 for ask in asks for first, last in spans_of_ask(ask, bones) for bar in range(first, last + 1)}


def droned_of(contract: Contract, bones: Score, leads: Mapping[int, str]) -> set[int]:
    """In which bars from 0 somebody who leads elsewhere was asked to hold a drone, and nobody else to lead."""
    leaders = {part.name for part in contract.parts if part.role == "lead"}
    asks = [ask for ask in contract.asks if (ask.kind, ask.what) == ("role", "drone") and ask.where]
    spans = [(ask.who, span) for ask in asks if ask.who in leaders for span in spans_of_ask(ask, bones)]
    bars = {bar - 1: who for who, (first, last) in spans for bar in range(first, last + 1)}
    return {bar for bar, who in bars.items() if leads.get(bar, who) == who}


def _silenced(ask: Ask, names: Sequence[str]) -> list[str]:
    """Who is silent where an ask says so."""
    named = [name for who in ask.who.split(" + ") if (name := _player(who, names)) is not None]
    if ask.kind == "only":
        return [name for name in names if name not in named] if named else []
    return named if ask.kind in ("silent", "enter", "leave") else []


def _player(who: str, names: Sequence[str]) -> str | None:
    """The player that an ask speaks of by name."""
    low = who.lower()
    if not low:
        return None
    one = "drum" if low == "drums" else low  # a drum machine, where a beat is spoken of
    return next((name for name in names if name.lower() == low), None) or next(
        (name for name in names if name.lower().startswith(low) or one in name.lower()), None
    )


def with_doubling(players: Sequence[Player], asks: Sequence[Ask]) -> list[Player]:
    """The same players, of whom those who double another all through have no line of their own."""
    names = {ask.who for ask in asks if ask.kind == "doubling" and not ask.where}
    return [replace(one, role=DOUBLES) if one.name in names and one.role == "counter" else one for one in players]


def with_roles(players: Sequence[Player], asks: Sequence[Ask]) -> list[Player]:
    """The band with the roles that were asked for all through."""
    made = list(players)
    for ask in asks:
        name = _player(ask.who, [player.name for player in made])
        if ask.kind == "role" and not ask.where and name is not None and not _lies_under(ask, asks):
            made = [_with_role(player, ask.what) if player.name == name else player for player in made]
    return made


def _lies_under(ask: Ask, asks: Sequence[Ask]) -> bool:
    """Whether somebody is to be silent, to hold a drone under what it was asked to strike, or to play fills beside
    chords that it was asked to roll or strum."""
    struck = [one.what for one in asks if one.kind == "manner" and one.who == ask.who]
    fills = ask.what == "counter" and not _CHORDAL.isdisjoint(struck)
    return ask.what == "silent" or (ask.what == "drone" and bool(struck)) or fills


def _with_role(player: Player, what: str) -> Player:
    """A player with the role that was asked for, as far as it can have it besides its own."""
    kept = (EFFECT, "bass", "lead") if what in _FIGURES else (EFFECT, "bass")
    thumbed = what == "drone" and player.program in _THUMBS and player.role in ("lead", "counter")
    if player.drums or player.role in kept or thumbed:
        return player
    return replace(player, role=_ROLES.get(what, what))


def with_voices(players: Sequence[Player], asks: Sequence[Ask], asked: int) -> list[Player]:
    """The band with exactly as many players as were asked for; ``asked`` of them were named."""
    count = next((int(ask.what) for ask in asks if ask.kind == "voices" and ask.what.isdigit()), 0)
    if not 1 <= count <= _MOST_VOICES:
        return list(players)
    if not asked and 1 < count <= len(_CHOIR) and _may_sing(players, asks):
        return [
            singer_of_name(player_of_program(name, _place_of(number, count), program))
            for number, (name, program) in enumerate(_choir(count))
        ]
    if asked > 1 and any(player.program in _CHOIRS for player in players):  # a choir sings in parts by itself
        return list(players)
    made = _fewer(list(players), count, asked)
    return _more(made, count) if made else made


def _place_of(number: int, count: int) -> str:
    """What one of so many singers does, high to low."""
    return "lead" if not number else "bass" if number == count - 1 else "counter"


def _may_sing(players: Sequence[Player], asks: Sequence[Ask]) -> bool:
    """Whether parts may be a choir: where voices are asked for, or nobody beats a drum."""
    told = any(ask.kind == "voices" and "voices" in ask.words.lower() for ask in asks)
    return told or not any(player.drums for player in players)


def _fewer(players: list[Player], count: int, asked: int) -> list[Player]:
    """So many of the players: who was not named goes first, then who matters least. Where more are named than are
    counted, drums are no voices."""
    most = count + (sum(player.drums for player in players) if asked > count else 0)
    while len(players) > most:
        players.remove(max(players, key=lambda player: (_rank(player.role), players.index(player))))
    return players


def _more(players: list[Player], count: int) -> list[Player]:
    """The players with others added: further voices of one keyboard, or other instruments."""
    one = players[0]
    if len(players) == 1 and count > 1 and one.program in _KEYBOARDS:
        roles = ["lead", *["counter"] * (count - 2), "bass"]
        names = [one.name, *(f"{one.name} {number}" for number in range(2, count + 1))]
        return [replace(one, name=name, role=role, polyphony=1) for name, role in zip(names, roles, strict=True)]
    taken = {player.name for player in players}
    if all(player.program in _SUNG for player in players):
        return _more_singers(players, count)
    added = [player_of_program(name, role, program) for name, program, role in _ADDED if name not in taken]
    return [*players, *added[: max(0, count - len(players))]]


def _more_singers(players: list[Player], count: int) -> list[Player]:
    """Singers with others added: more of the same, or the voices of a choir that are not there."""
    one = players[0]
    if len(players) == 1:
        names = [f"{one.name} {number}" for number in range(2, count + 1)]
        return [one, *(replace(one, name=name, role="counter") for name in names)]
    taken = {player.name for player in players}
    parts = _choir(min(max(count, _QUARTET), len(_CHOIR)))
    others = [
        singer_of_name(player_of_program(name, "counter", program)) for name, program in parts if name not in taken
    ]
    return [*players, *others][:count]


def _choir(count: int) -> list[tuple[str, int]]:
    """The names of so many singers, high to low."""
    return [_CHOIR[place] for place in _ORDERS[count]]


def _rank(role: str) -> int:
    return _KEPT.index(role) if role in _KEPT else len(_KEPT)


def runs_of(bars: Mapping[int, str], total: int) -> list[tuple[int, int, str]]:
    """Stretches of bars with one name: first bar, the bar after, name (empty where nobody is named)."""
    runs: list[tuple[int, int, str]] = []
    for bar in range(total):
        name = bars.get(bar, "")
        if runs and runs[-1][2] == name:
            runs[-1] = (runs[-1][0], bar + 1, name)
        else:
            runs.append((bar, bar + 1, name))
    return runs
