"""The band: who plays, in which role and range; from the brief's instruments or a band that stands for them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from libretto.contract import Part
from libretto.contract.instruments import instrument_named, instrument_of_program, instruments
from libretto.contract.worlds import SOUNDS
from libretto.score.pitch import parse_pitch

__all__ = [
    "BIG_DRUMS",
    "DOUBLES",
    "EFFECT",
    "MEN",
    "WOMEN",
    "Player",
    "choir_of",
    "player_of_program",
    "seat_band",
    "singer_of_name",
]

#: Programs of big drums without tones of their own, taiko and toms, which are a whole beat.
BIG_DRUMS = frozenset((116, 117))
#: The role of sounds that are no music: waves, birds, rain.
EFFECT = "effect"
#: The role of who doubles another all through.
DOUBLES = "doubles"
_ALL_KINDS = 8  # keys beyond which somebody has all kinds of drums
_CHORDS = 4  # notes at once from which on an instrument can carry a piece
_DRUM_RANGE, _LIMBS = (35, 81), 4
_HORNS = frozenset((*range(56, 62), *range(64, 68)))  # programs of brass and saxophones
_ALL_BRASS = 61  # the program of brass together
_ANY_VOICE = "voice"  # that may be high or low
_BELLS = frozenset((9, 13, 14))  # glockenspiel, xylophone, tubular bells: no chords beside a line
_CHOIR, _MEN = "choir", re.compile(r"\b(?:Male|Men|Men's|Monks)\b")
_WOMEN = re.compile(r"\b(?:Female|Wom[ae]n|Girls?|Boys?|Child(?:ren)?|Childrens|Kids?|School|Trebles?|Nuns?)\b")
_TENORS = (65, 69)  # up to where men sing at ease, and at all
MEN, WOMEN = "choir of men", "choir of women"  #: of whom a choir may be
_ALTOS = (55, 53)  # and down to where women and children do
_ONE_OF = " #"  # in the name of one of several


@dataclass(frozen=True)
class Player:
    """One part of the band: its instrument, what it does and the register it stays in."""

    name: str
    role: str
    program: int | None
    drums: bool
    low: int
    high: int
    polyphony: int
    bottom: int = 0  # what the instrument has at most, beyond where it is comfortable
    top: int = 127
    keys: tuple[int, ...] = ()
    strings: tuple[int, ...] = ()  # open strings, from below, of who holds chords on frets


def player_of_program(name: str, role: str, program: int | None) -> Player:
    """Somebody with that role on an instrument of General MIDI; on drums where there is no program."""
    return _on_drums(name, role) if program is None else _pitched(name, role, program)


def singer_of_name(player: Player) -> Player:
    """The same, who where its name is that of one voice, an alto or a bass, sings one note at a time in its range."""
    known = instrument_named(player.name)
    if known is None or known.family != "voices" or known.polyphony > 1 or known.name == _ANY_VOICE:
        return player
    low, high = known.comfortable
    return replace(player, low=low, high=high, bottom=known.low, top=known.high, polyphony=1)


def seat_band(parts: Sequence[Part], drums: bool | None, named: bool, own: Sequence[Player]) -> list[Player]:
    """The players of a piece: those asked for, else the band of its ``own``.

    Sounds of nature make no band, nor does a single line or a drummer where a style or chords are ``named``: its own
    band supplies the others, unless somebody is to be alone.
    """
    players = [_asked(part) for part in parts]
    if not _a_band(players, drums, named) or (named and drums is not False and _on_top(players, own)):
        players = _joined(own, players)
    if drums is False:
        players = [player for player in players if not player.drums] or players
    elif drums and not any(player.drums and player.role != EFFECT for player in players):
        players.append(_on_drums("Drums", "drums"))
    return _named(players)


def _on_top(players: Sequence[Player], own: Sequence[Player]) -> bool:
    """Whether nobody with pitches was asked for but horns without a bass, several or beside congas and the like, which
    play on top of a band that has chords, a bass and drums."""
    pitched = [player for player in players if not player.drums and player.role != EFFECT]
    roles = {"drums" if player.drums else player.role for player in own}
    band = {"bass", "drums"} <= roles and any(map(_has_chords, own))
    return band and _are_horns(pitched) and (_a_section(pitched) or _by_hand(players))


def _are_horns(pitched: Sequence[Player]) -> bool:
    """Whether all are horns, none of which has the bass."""
    return all(player.program in _HORNS and player.role != "bass" for player in pitched)


def _a_section(pitched: Sequence[Player]) -> bool:
    """Whether horns are several, or brass together."""
    return any(_ONE_OF in player.name or player.program == _ALL_BRASS for player in pitched)


def _by_hand(players: Sequence[Player]) -> bool:
    """Whether whoever drums does so by hand, as in a band that has more players."""
    hands = [player.role == "percussion" for player in players if player.drums]
    return bool(hands) and all(hands)


def _joined(own: Sequence[Player], asked: list[Player]) -> list[Player]:
    """Those of its own band whose role nobody was asked to play, and those asked for; who could do so plays the chords
    where the tune is taken over and nobody else has them."""
    asked = _in_their_places(own, asked)
    taken = {"drums" if player.role == "percussion" else player.role for player in asked if player.role != EFFECT}
    there = {player.program for player in asked if not player.drums}
    left = [
        player
        for player in own
        if player.role not in taken and (_beats_besides(player, asked) if player.drums else player.program not in there)
    ]
    if not any(map(_has_chords, left)):
        able = [player for player in own if _has_chords(player)]
        left += [replace(player, role="comping") for player in able[:1]]
    return left + asked


def _beats_besides(player: Player, asked: Sequence[Player]) -> bool:
    """Whether a drummer of the band's own plays beside those who were asked for: nobody of that name, nor who has all
    kinds of drums; and nobody who has big drums where somebody else has them."""
    pounds = instrument_named(player.name)
    if pounds is not None and pounds.programs and pounds.programs[0] in BIG_DRUMS:
        return not any(one.program in BIG_DRUMS for one in asked)
    return not any(one.drums and (one.name == player.name or len(one.keys) > _ALL_KINDS) for one in asked)


def _has_chords(player: Player) -> bool:
    """Whether somebody can play chords."""
    return player.polyphony >= _CHORDS and not player.drums


def _in_their_places(own: Sequence[Player], asked: list[Player]) -> list[Player]:
    """Those asked for; who alone leads on the instrument of the band's bass plays that."""
    basses = {player.program for player in own if player.role == "bass"}
    pitched = [player for player in asked if not player.drums]
    if len(pitched) != 1 or pitched[0].role != "lead" or pitched[0].program not in basses:
        return asked
    return [replace(player, role="bass") if player is pitched[0] else player for player in asked]


def _a_band(players: list[Player], drums: bool | None, named: bool) -> bool:
    """Whether the players asked for make a piece: several, one with chords, one who is alone, or no style to go by."""
    music = [player for player in players if player.role != EFFECT]
    pitched = [player for player in music if not player.drums]
    if not pitched:
        return bool(music) and not named
    if named and drums is not False and all(player.role == "bass" for player in pitched):
        return False  # a bass and drums want somebody above them
    carries = pitched[0].polyphony >= _CHORDS and pitched[0].program not in _BELLS
    return not named or len(music) > 1 or drums is False or carries


def _asked(part: Part) -> Player:
    """Who plays an instrument of the brief."""
    known = instruments.get(part.instrument)
    role = _role(part)
    if part.drums:
        return _on_drums(part.name, role, known.keys if known else ())
    player = _pitched(part.name, role, part.program or 0, part.instrument)
    who = choir_of(part)
    if who == MEN:
        return replace(player, high=_TENORS[0], top=_TENORS[1])
    return replace(player, low=_ALTOS[0], bottom=_ALTOS[1]) if who == WOMEN else player


def choir_of(part: Part) -> str:
    """Of whom a choir is by its name: of women (or children), of men, or neither.

    >>> [choir_of(Part(name, 52, "lead", False, "choir")) for name in ("Women's Voices", "Choir", "Male Choir")]
    ['choir of women', '', 'choir of men']
    """
    if part.instrument != _CHOIR:
        return ""
    return MEN if _MEN.search(part.name) else WOMEN if _WOMEN.search(part.name) else ""


def _role(part: Part) -> str:
    """What an instrument of the brief does."""
    if part.instrument in instruments and instruments[part.instrument].family in SOUNDS:
        return EFFECT
    if part.drums:
        return "drums" if part.role == "drums" else "percussion"
    return "riff" if part.role in ("drums", "percussion") else part.role  # timpani and the like beat the roots


def _pitched(name: str, role: str, program: int, instrument: str = "") -> Player:
    """Somebody with an instrument that has pitches."""
    has = instruments.get(instrument) or instrument_of_program(program)
    reach = (*has.comfortable, has.polyphony, has.low, has.high)
    return Player(name, role, program, False, *reach, strings=_tunings().get(has.name, ()))


@cache
def _tunings() -> dict[str, tuple[int, ...]]:
    """The open strings of every fretted instrument."""
    said = tomllib.loads((files(__package__) / "strings.toml").read_text("utf-8"))["tuning"]
    return {
        name: tuple(sorted((parse_pitch(string) or (0, 0))[0] for string in row["open"]))
        for row in said
        for name in row["instruments"]
    }


def _on_drums(name: str, role: str, keys: tuple[int, ...] = ()) -> Player:
    """Somebody who plays drums."""
    return Player(name, role, None, True, *_DRUM_RANGE, _LIMBS, keys=keys)


def _named(players: list[Player]) -> list[Player]:
    """Players with names of their own."""
    taken: dict[str, int] = {}
    named = []
    for player in players:
        taken[player.name] = taken.get(player.name, 0) + 1
        number = taken[player.name]
        named.append(replace(player, name=player.name if number == 1 else f"{player.name} {number}"))
    return named
