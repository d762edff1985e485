"""The band: who plays, in which role and range; from the brief's instruments or the style's chairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from libretto.contract import Part
from libretto.contract.instruments import Instrument, instrument_of_program, instruments
from libretto.house.core.controls import Controls
from libretto.house.core.dice import dice
from libretto.house.core.style import Seat, Style

__all__ = ["CHORDAL", "EFFECT", "Player", "seat_band"]

#: The role of sounds that are no music: waves, birds, rain.
EFFECT = "effect"
#: Roles that play chords.
CHORDAL = ("comping", "pad", "arpeggio", "stabs")
_CHORDS = 4  # notes at once from which on an instrument can carry a piece


@dataclass(frozen=True)
class Player:
    """One part of the band: its instrument, what it does, the register it stays in, and from which energy it plays."""

    name: str
    role: str
    program: int | None
    drums: bool
    low: int
    high: int
    polyphony: int
    breathes: bool
    seat: Seat
    bottom: int = 0  # what the instrument has at most, beyond where it is comfortable
    top: int = 127
    keys: tuple[int, ...] = ()
    alone: bool = False

    @property
    def above(self) -> float:
        """The energy from which on it plays."""
        return self.seat.above


def seat_band(
    style: Style, parts: Sequence[Part], drums: bool | None, seed: int, controls: Controls, named: bool = False
) -> list[Player]:
    """The players of a piece: those asked for, each in the chair of the style that suits it; else the style's own.

    Sounds of nature make no band, nor does a single line or a drummer where a style or chords are ``named``: the style
    supplies the others, unless somebody is to be alone.
    """
    asked = _asked(style, parts) if parts else []
    own = [] if _a_band(asked, drums, named) else _own(style, seed, controls)
    taken = {"drums" if each.role == "percussion" else each.role for each in asked if each.role != EFFECT}
    if own:
        asked = [replace(each, alone=False) for each in asked]
    players = [each for each in own if each.role not in taken] + asked
    if drums is False:
        players = [each for each in players if not each.drums] or players
    elif drums and not any(each.drums for each in players):
        players.append(_drummer(style))
    return _named(_with_lead(players))


def _a_band(players: list[Player], drums: bool | None, named: bool) -> bool:
    """Whether the players asked for make a piece: several, one with chords, one who is alone, or no style to go by."""
    music = [each for each in players if each.role != EFFECT]
    pitched = [each for each in music if not each.drums]
    if not pitched:
        return bool(music) and not named
    return not named or len(music) > 1 or drums is False or pitched[0].polyphony >= _CHORDS


def _own(style: Style, seed: int, controls: Controls) -> list[Player]:
    """The style's band; more or fewer chairs as the control asks."""
    players = []
    for number, seat in enumerate(style.seats):
        chance = dice(seed, "seat", number).random()
        if chance > min(1.0, seat.keep + max(0.0, controls.layers) * 0.6):
            continue
        above = max(0.0, seat.above - 0.3 * controls.layers)
        players.append(_seated(replace(seat, above=above), style, seed, number))
    if len(players) == 1 and not players[0].drums:
        players = [replace(players[0], alone=True, role="lead")]
    return players


def _seated(seat: Seat, style: Style, seed: int, number: int) -> Player:
    if seat.role in ("drums", "percussion"):
        return Player(seat.name, seat.role, None, True, 35, 81, 4, False, seat)
    program = seat.programs[dice(seed, "program", number).randrange(len(seat.programs))]
    instrument = instrument_of_program(program)
    own = seat.role == "bass" or len(set(seat.programs)) == 1  # a chair for one instrument has its name
    return _player(seat.name if own else instrument.name.title(), seat, instrument, program)


def _player(name: str, seat: Seat, instrument: Instrument, program: int) -> Player:
    low, high = instrument.comfortable
    if seat.register is not None:
        low, high = max(instrument.low, seat.register[0]), min(instrument.high, seat.register[1])
        if high - low < 12:
            low, high = instrument.comfortable
    means = (instrument.polyphony, instrument.breathes)
    return Player(name, seat.role, program, False, low, high, *means, seat, instrument.low, instrument.high)


def _asked(style: Style, parts: Sequence[Part]) -> list[Player]:
    """The instruments of the brief, each in a chair of the style with its role."""
    players = []
    used: dict[str, int] = {}
    for part in parts:
        role = part.role if not part.drums else ("drums" if part.role == "drums" else "percussion")
        if not part.drums and role in ("drums", "percussion"):  # timpani and the like beat the roots
            role = "riff"
        roles = {seat.role for seat in style.seats}
        if role == "pad" and role not in roles and "comping" in roles:  # a style without pads has its chords comped
            role = "comping"
        if part.instrument in instruments and instruments[part.instrument].family == "effects":
            role = EFFECT
        seats = [seat for seat in style.seats if seat.role == role] or _substitutes(style, role)
        seat = seats[used.get(role, 0) % len(seats)]
        used[role] = used.get(role, 0) + 1
        seat = replace(seat, role=role, above=0.0 if len(parts) <= 4 else min(seat.above, 0.45), below=1.0)
        if part.drums:
            keys = instruments[part.instrument].keys if part.instrument in instruments else ()
            players.append(Player(part.name, role, None, True, 35, 81, 4, False, seat, keys=keys))
            continue
        known = part.instrument in instruments
        instrument = instruments[part.instrument] if known else instrument_of_program(part.program or 0)
        seat = replace(seat, register=seat.register if role == "bass" else None)
        players.append(_player(part.name, seat, instrument, part.program or 0))
    if len(players) == 1 and not players[0].drums and players[0].role != EFFECT:
        players = [replace(players[0], alone=True, role="lead")]
    return _shared_out(style, players)


def _shared_out(style: Style, players: list[Player]) -> list[Player]:
    """A band in which somebody has the chords: where nobody was given them, a line goes to who can only play lines."""
    pitched = [each for each in players if not each.drums and each.role not in ("bass", EFFECT)]
    if any(each.role in CHORDAL for each in pitched) or len(pitched) < 2:
        return players
    leads = [each for each in pitched if each.role == "lead" and each.polyphony >= 4]
    singers = [each for each in pitched if each.polyphony <= 2 and each.role == "counter"]
    if leads and singers:
        swapped = {leads[0].name: "comping", singers[0].name: "lead"}
        return [_moved(style, each, swapped.get(each.name, each.role)) for each in players]
    chords = [each for each in pitched if each.polyphony >= 4 and each.role != "lead"]
    return [_moved(style, each, "comping") if chords and each is chords[0] else each for each in players]


def _moved(style: Style, player: Player, role: str) -> Player:
    """A player in another role, in the style's chair for it."""
    if role == player.role:
        return player
    seats = [seat for seat in style.seats if seat.role == role] or _substitutes(style, role)
    return replace(player, role=role, seat=replace(seats[0], role=role, above=0.0, below=1.0, register=None))


def _substitutes(style: Style, role: str) -> list[Seat]:
    """Chairs that come nearest where the style has none of that role."""
    nearest = {
        "counter": ("lead",),
        "pad": ("comping", "arpeggio"),
        "arpeggio": ("comping", "pad"),
        "comping": ("stabs", "arpeggio", "pad"),
        "percussion": ("drums",),
        "drums": ("percussion",),
        "riff": ("lead",),
        "stabs": ("comping",),
        "lead": ("counter",),
    }
    for other in nearest.get(role, ()):
        found = [seat for seat in style.seats if seat.role == other]
        if found:
            return [replace(seat, figures=seat.figures if role in ("arpeggio", "comping") else ()) for seat in found]
    return [Seat(role, role.title(), (0,))]


def _drummer(style: Style) -> Player:
    seats = [seat for seat in style.seats if seat.role == "drums"] or [Seat("drums", "Drums", ())]
    return Player("Drums", "drums", None, True, 35, 81, 4, False, replace(seats[0], above=0.0))


def _with_lead(players: list[Player]) -> list[Player]:
    """A band in which somebody has the tune: the best suited where nobody was asked to."""
    pitched = [index for index, each in enumerate(players) if not each.drums and each.role != EFFECT]
    leads = [index for index in pitched if players[index].role == "lead"]
    if not pitched or leads:
        return _with_chords(players)
    order = {"counter": 0, "riff": 1, "arpeggio": 2, "comping": 3, "stabs": 4, "pad": 5, "bass": 6}
    best = min(pitched, key=lambda index: (order.get(players[index].role, 7), -players[index].high, index))
    alone = len(pitched) == 1
    players[best] = replace(players[best], role="lead", alone=alone)
    return _with_chords(players)


def _with_chords(players: list[Player]) -> list[Player]:
    """A band in which somebody has the chords: a lead who can plays them too where nobody else does."""
    if any(each.role in ("comping", "pad", "arpeggio", "stabs") for each in players):
        return players
    able = [index for index, each in enumerate(players) if each.role == "lead" and each.polyphony >= 6]
    return [replace(each, alone=each.alone or index in able[:1]) for index, each in enumerate(players)]


def _named(players: list[Player]) -> list[Player]:
    """Players with names of their own."""
    taken: dict[str, int] = {}
    named = []
    for each in players:
        taken[each.name] = taken.get(each.name, 0) + 1
        number = taken[each.name]
        named.append(replace(each, name=each.name if number == 1 else f"{each.name} {number}"))
    return named
