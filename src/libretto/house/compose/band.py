"""The band: who plays, in which role and range; from the brief's instruments or the style's chairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from libretto.contract import Part
from libretto.contract.instruments import Instrument, instrument_of_program, instruments
from libretto.house.core.controls import Controls
from libretto.house.core.dice import dice
from libretto.house.core.style import Seat, Style

__all__ = ["CHORDAL", "EFFECT", "Player", "player_of_program", "seat_band"]

#: The role of sounds that are no music: waves, birds, rain.
EFFECT = "effect"
#: Roles that play chords.
CHORDAL = ("comping", "pad", "arpeggio", "stabs")
_CHORDS = 4  # notes at once from which on an instrument can carry a piece
_TWO_HANDS = 6  # notes at once from which on one player can have tune and chords
_DRUM_RANGE, _LIMBS = (35, 81), 4
_FEW, _AT_LATEST = 4, 0.45  # a band so small plays throughout; else everybody by this energy
_MORE_CHAIRS, _EARLIER = 0.6, 0.3  # what the knob of layers does
_ORDER = {
    "counter": 0,
    "riff": 1,
    "arpeggio": 2,
    "comping": 3,
    "stabs": 4,
    "pad": 5,
    "bass": 6,
}  # who leads if nobody does
_NEAREST = {  # whose chairs may be taken where a style has none of a role
    "counter": ("lead",), "pad": ("comping", "arpeggio"), "arpeggio": ("comping", "pad"),
    "comping": ("stabs", "arpeggio", "pad"), "percussion": ("drums",), "drums": ("percussion",), "riff": ("lead",),
    "stabs": ("comping",), "lead": ("counter",),
}  # fmt: skip


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


def player_of_program(name: str, role: str, program: int | None) -> Player:
    """Somebody with that role on an instrument of General MIDI; on drums where there is no program."""
    seat = Seat(role, name, () if program is None else (program,))
    return _on_drums(name, seat) if program is None else _player(name, seat, instrument_of_program(program), program)


def seat_band(
    style: Style,
    parts: Sequence[Part],
    drums: bool | None,
    seed: int,
    controls: Controls,
    named: bool = False,
    own: Sequence[Player] | None = None,
) -> list[Player]:
    """The players of a piece: those asked for, player in the chair of the style that suits it; else the style's own.

    Sounds of nature make no band, nor does a single line or a drummer where a style or chords are ``named``: the style
    supplies the others, unless somebody is to be alone. ``own`` is a band that stands for the style's.
    """
    players = _asked(style, parts, own is None) if parts else []
    if not _a_band(players, drums, named):
        players = _joined(list(own) if own is not None else _own(style, seed, controls), players)
    if drums is False:
        players = [player for player in players if not player.drums] or players
    elif drums and not any(player.drums for player in players):
        players.append(_drummer(style))
    return _named(_with_lead(players) if own is None else players)


def _joined(own: list[Player], asked: list[Player]) -> list[Player]:
    """The style's own players whose role nobody was asked to play, and those asked for, who are not alone then."""
    taken = {"drums" if player.role == "percussion" else player.role for player in asked if player.role != EFFECT}
    together = [replace(player, alone=False) for player in asked] if own else asked
    return [player for player in own if player.role not in taken] + together


def _a_band(players: list[Player], drums: bool | None, named: bool) -> bool:
    """Whether the players asked for make a piece: several, one with chords, one who is alone, or no style to go by."""
    music = [player for player in players if player.role != EFFECT]
    pitched = [player for player in music if not player.drums]
    if not pitched:
        return bool(music) and not named
    return not named or len(music) > 1 or drums is False or pitched[0].polyphony >= _CHORDS


def _own(style: Style, seed: int, controls: Controls) -> list[Player]:
    """The style's band; more or fewer chairs as the control asks."""
    players = []
    for number, seat in enumerate(style.seats):
        chance = dice(seed, "seat", number).random()
        if chance > min(1.0, seat.keep + max(0.0, controls.layers) * _MORE_CHAIRS):
            continue
        above = max(0.0, seat.above - _EARLIER * controls.layers)
        players.append(_seated(replace(seat, above=above), style, seed, number))
    if len(players) == 1 and not players[0].drums:
        players = [replace(players[0], alone=True, role="lead")]
    return players


def _seated(seat: Seat, style: Style, seed: int, number: int) -> Player:
    if seat.role in ("drums", "percussion"):
        return _on_drums(seat.name, seat)
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


def _asked(style: Style, parts: Sequence[Part], shared: bool) -> list[Player]:
    """The instruments of the brief, player in a chair of the style with its role."""
    players = []
    used: dict[str, int] = {}
    for part in parts:
        role = _role(style, part, shared)
        seats = [seat for seat in style.seats if seat.role == role] or _substitutes(style, role)
        seat = seats[used.get(role, 0) % len(seats)]
        used[role] = used.get(role, 0) + 1
        above = 0.0 if len(parts) <= _FEW else min(seat.above, _AT_LATEST)
        players.append(_asked_player(part, replace(seat, role=role, above=above, below=1.0)))
    if len(players) == 1 and not players[0].drums and players[0].role != EFFECT:
        players = [replace(players[0], alone=True, role="lead")]
    return _shared_out(style, players) if shared else players


def _role(style: Style, part: Part, by_chairs: bool) -> str:
    """What an instrument of the brief does in this style."""
    if part.instrument in instruments and instruments[part.instrument].family == "effects":
        return EFFECT
    if part.drums:
        return "drums" if part.role == "drums" else "percussion"
    if part.role in ("drums", "percussion"):  # timpani and the like beat the roots
        return "riff"
    roles = {seat.role for seat in style.seats}
    if (
        by_chairs and part.role == "pad" and "pad" not in roles and "comping" in roles
    ):  # a style without pads has its chords comped
        return "comping"
    return part.role


def _asked_player(part: Part, seat: Seat) -> Player:
    """An instrument of the brief in a chair."""
    known = instruments.get(part.instrument)
    if part.drums:
        return _on_drums(part.name, seat, known.keys if known else ())
    instrument = known or instrument_of_program(part.program or 0)
    seat = replace(seat, register=seat.register if seat.role == "bass" else None)
    return _player(part.name, seat, instrument, part.program or 0)


def _on_drums(name: str, seat: Seat, keys: tuple[int, ...] = ()) -> Player:
    """Somebody who plays drums."""
    return Player(name, seat.role, None, True, *_DRUM_RANGE, _LIMBS, False, seat, keys=keys)


def _shared_out(style: Style, players: list[Player]) -> list[Player]:
    """A band in which somebody has the chords: where nobody was given them, a line goes to who can only play lines."""
    pitched = [player for player in players if not player.drums and player.role not in ("bass", EFFECT)]
    if any(player.role in CHORDAL for player in pitched) or len(pitched) < 2:
        return players
    able = [player for player in pitched if player.polyphony >= _CHORDS]
    roles = _exchanged(able, pitched)
    if roles:
        return [_moved(style, player, roles.get(player.name, player.role)) for player in players]
    chords = next((player for player in able if player.role != "lead"), None)
    return [_moved(style, player, "comping") if player is chords else player for player in players]


def _exchanged(able: list[Player], pitched: list[Player]) -> dict[str, str]:
    """The new roles of a lead who can play chords and of a singer who can take over the tune; none without both."""
    lead = next((player for player in able if player.role == "lead"), None)
    singer = next((player for player in pitched if player.polyphony <= 2 and player.role == "counter"), None)
    return {lead.name: "comping", singer.name: "lead"} if lead and singer else {}


def _moved(style: Style, player: Player, role: str) -> Player:
    """A player in another role, in the style's chair for it."""
    if role == player.role:
        return player
    seats = [seat for seat in style.seats if seat.role == role] or _substitutes(style, role)
    return replace(player, role=role, seat=replace(seats[0], role=role, above=0.0, below=1.0, register=None))


def _substitutes(style: Style, role: str) -> list[Seat]:
    """Chairs that come nearest where the style has none of that role."""
    for other in _NEAREST.get(role, ()):
        seats = [seat for seat in style.seats if seat.role == other]
        if seats:
            return [replace(seat, figures=seat.figures if role in ("arpeggio", "comping") else ()) for seat in seats]
    return [Seat(role, role.title(), (0,))]


def _drummer(style: Style) -> Player:
    seats = [seat for seat in style.seats if seat.role == "drums"] or [Seat("drums", "Drums", ())]
    return _on_drums("Drums", replace(seats[0], above=0.0))


def _with_lead(players: list[Player]) -> list[Player]:
    """A band in which somebody has the tune: the best suited where nobody was asked to."""
    pitched = [index for index, player in enumerate(players) if not player.drums and player.role != EFFECT]
    leads = [index for index in pitched if players[index].role == "lead"]
    if not pitched or leads:
        return _with_chords(players)
    best = min(pitched, key=lambda index: (_ORDER.get(players[index].role, len(_ORDER)), -players[index].high, index))
    alone = len(pitched) == 1
    players[best] = replace(players[best], role="lead", alone=alone)
    return _with_chords(players)


def _with_chords(players: list[Player]) -> list[Player]:
    """A band in which somebody has the chords: a lead who can plays them too where nobody else does."""
    if any(player.role in CHORDAL for player in players):
        return players
    able = [index for index, player in enumerate(players) if player.role == "lead" and player.polyphony >= _TWO_HANDS]
    return [replace(player, alone=player.alone or index in able[:1]) for index, player in enumerate(players)]


def _named(players: list[Player]) -> list[Player]:
    """Players with names of their own."""
    taken: dict[str, int] = {}
    named = []
    for player in players:
        taken[player.name] = taken.get(player.name, 0) + 1
        number = taken[player.name]
        named.append(replace(player, name=player.name if number == 1 else f"{player.name} {number}"))
    return named
