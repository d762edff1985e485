"""A new piece played after one model piece as a whole, part for part; and what model pieces decide of any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from libretto.contract import Contract
from libretto.contract.instruments import instruments
from libretto.house.charts.chart import DRIVEN, ELECTRIC
from libretto.house.compose.band import Player
from libretto.house.compose.harmony import asked_chords
from libretto.house.core.style import Style
from libretto.house.repertoire.casting import Duty
from libretto.house.repertoire.catalogue import Wanted
from libretto.house.repertoire.hosting import find_hosts, hosted_duties, kept_share
from libretto.house.repertoire.layout import Stretch, lay_out
from libretto.house.repertoire.piece import Piece
from libretto.score import Key

__all__ = ["KEPT_WITH_CHORDS", "MOST_KEPT", "Modelled", "ending_of", "hosted", "short_fifths", "sounding"]

_ENDINGS = {
    "cadence": "ritard",
    "held": "ritard",
    "tag": "hold",
    "turnaround": "hold",
    "button": "button",
    "fade": "fade",
}
_MANY_SOUNDS = ("guitar", "organ", "synth")  # families of which an instrument may sound in several ways
# The share of its notes that may be those of one model piece: over other chords, and over that piece's own.
MOST_KEPT, KEPT_WITH_CHORDS = 0.42, 0.26
_DANCES = 96  # quarters a minute


@dataclass(frozen=True)
class Modelled:
    """Everything that model pieces decide."""

    stretches: tuple[Stretch, ...]
    chords: tuple[tuple[str, ...], ...]
    players: tuple[Player, ...]
    duties: Mapping[str, Sequence[tuple[Duty, ...]]]
    sources: tuple[Piece, ...] = field(repr=False)
    ending: str = "hold"
    hosted: bool = False  # whether one model piece is played whole, part for part


def hosted(
    contract: Contract,
    style: Style,
    key: Key,
    bars: int,
    seed: int,
    wanted: Wanted,
    players: Sequence[Player],
) -> Modelled | None:
    """A new piece in which everybody has a part of one model piece; None where none suits, or where too much of it
    would be that piece note for note."""
    for host in find_hosts(wanted, players, contract.chords, key, bars, seed):
        stretches = lay_out([host.piece], bars, (), seed)
        chords = asked_chords(contract.chords, bars, key, style)
        duties = hosted_duties(players, stretches, host)
        if kept_share(stretches, duties, chords, key) <= MOST_KEPT:
            return Modelled(
                stretches=stretches,
                chords=tuple(chords),
                players=tuple(sounding(player, contract, host.piece.programs) for player in players),
                duties=duties,
                sources=(host.piece,),
                ending=contract.ending or ending_of(host.piece, wanted.tempo),
                hosted=True,
            )
    return None


def sounding(player: Player, contract: Contract, heard: frozenset[int]) -> Player:
    """A player with the sound that its instrument has among those ``heard``: a distorted guitar where a model rocks."""
    part = next((part for part in contract.parts if part.name == player.name), None)
    known = instruments.get(part.instrument) if part is not None else None
    if known is None or part is None or player.program is None or known.family not in _MANY_SOUNDS:
        return player
    if part.program not in (known.program, *ELECTRIC):  # a sound that the brief asks for
        return player
    driven = DRIVEN & heard
    if driven and known.family == "guitar" and _may_be_driven(player):
        return replace(player, program=max(driven))
    if part.program != known.program:
        return player
    return replace(player, program=next((program for program in known.programs if program in heard), player.program))


def _may_be_driven(player: Player) -> bool:
    """Whether a guitar is electric and not said to be clean."""
    return player.program in ELECTRIC and "clean" not in player.name.lower()


def ending_of(piece: Piece, tempo: float) -> str:
    """How a piece ends: as its model does; what dances to drums does not slow down."""
    ending = _ENDINGS[piece.ending]
    return "hold" if ending == "ritard" and piece.beats and tempo >= _DANCES else ending


def short_fifths(fifths: int) -> int:
    """A way along the line of fifths, no further than half round."""
    return fifths - 12 if fifths > 6 else fifths + 12 if fifths < -6 else fifths
