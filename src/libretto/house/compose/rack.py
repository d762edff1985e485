"""The rack: who writes synthesizers means more than one, and a chart says which stand beside the first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from libretto.contract import Contract
from libretto.house.compose.band import EFFECT, Player

__all__ = ["with_rack"]

_PADS = frozenset(range(88, 104))
_SYNTHS = frozenset((38, 39, 50, 51, 62, 63, *range(80, 88))) | _PADS
_HELD = _SYNTHS | frozenset((*range(16, 24), *range(40, 45), *range(48, 55)))  # who can hold a chord
_LEADS = ("synthesizer", "synth lead", "square lead")  # several of which play a tune, figures and chords
_OF = {**dict.fromkeys(_LEADS, _SYNTHS), "synth pad": _PADS}  # programs of those who stand beside an instrument
_HEARD = re.compile(r'instrument: (.+?) \("(.*)"\)\Z')
_SEVERAL = re.compile(
    r"(?:synths|synthesi[sz]ers|synthscapes|layers|pads|textures|soundscapes|washes|drones|leads|waves|"
    r"(?:8|eight)-bit synth|chip(?:tune)? sounds)\Z",
    re.I,
)
_BRIGHT, _BELLS, _SPARKLES = (81, 80), 98, 88  # programs of tunes, of bells, and of what is called sparkling
_MOST = 8  # players beside those asked for


def with_rack(players: Sequence[Player], own: Sequence[Player], contract: Contract) -> list[Player]:
    """The players, and where a brief has synthesizers in the plural (or nobody but pads) those of the chart's ``own``
    that have a synthesizer and do what nobody does yet, as many as were counted; who was asked for solos leaves the
    tune to one of them."""
    sounds, count = _beside(players, contract), _counted(contract)
    room = _MOST if count is None else count - len(players) if contract.parts else 0
    if room <= 0 or not (sounds or count):
        return list(players)
    able = [player for player in own if player.program in (sounds or _SYNTHS)]
    able = able if count is None else sorted(able, key=lambda player: player.role != "pad")  # a pad fills most
    made = _freed(players, contract, any(player.role == "lead" for player in able)) if sounds else list(players)
    made = [replace(player, role="arpeggio") if _dies_away(player) else player for player in made]
    joined = [*made, *_idle(able, made)[:room], *_beat(own, made, contract, bool(sounds), count)]
    return _lit(joined, players, contract) if sounds and any(player.drums for player in joined) else joined


def _lit(joined: Sequence[Player], asked: Sequence[Player], contract: Contract) -> list[Player]:
    """The players over a beat, where synthesizers that have the tune do not have the sound of a pad; beside what
    sparkles who answers them has bells."""
    soft = _soft_leads(joined, contract)
    others = {player.program for player in joined}
    lead = next((program for program in _BRIGHT if program not in others), _BRIGHT[0])
    sparkles = any(player.program == _SPARKLES for player in soft)
    made = []
    for player in joined:
        rings = sparkles and player.role == "counter" and player not in asked and player.program in _BRIGHT
        program = lead if player in soft else player.program
        made.append(replace(player, name="Synth Bells", program=_BELLS) if rings else replace(player, program=program))
    return made


def _soft_leads(joined: Sequence[Player], contract: Contract) -> list[Player]:
    """The synthesizers that have the tune and the sound of a pad."""
    names = {part.name for part in contract.parts if part.instrument == _LEADS[0]}
    return [player for player in joined if player.name in names and player.role == "lead" and player.program in _PADS]


def _beat(
    own: Sequence[Player], made: Sequence[Player], contract: Contract, rack: bool, count: int | None
) -> list[Player]:
    """The drums that a chart has for a rack of synthesizers, where nobody drums and a brief does not rule them out."""
    if not rack or count is not None or contract.drums is False or any(player.drums for player in made):
        return []
    return [player for player in own if player.role == "drums"][:1]


def _counted(contract: Contract) -> int | None:
    """How many players a brief says there are."""
    return next((int(ask.what) for ask in contract.asks if ask.kind == "voices" and ask.what.isdigit()), None)


def _idle(able: Sequence[Player], made: Sequence[Player]) -> list[Player]:
    """Those who do what nobody does yet."""
    taken = {player.role for player in made if not player.drums}
    names = {player.name for player in made}
    return [player for player in able if player.role not in taken and player.name not in names]


def _beside(players: Sequence[Player], contract: Contract) -> frozenset[int]:
    """The programs that may stand beside the synthesizers which a brief has in the plural."""
    pitched = [player for player in players if not player.drums and player.role != EFFECT]
    heard = [found for line in contract.heard if (found := _HEARD.match(line))]
    several = {found[1] for found in heard if _SEVERAL.search(found[2])}
    known = {part.name: part.instrument for part in contract.parts if part.name in several}
    alone = len(pitched) == 1
    return frozenset().union(*(_OF[one] for one in known.values() if one in _OF and (alone or one in _LEADS)))


def _dies_away(player: Player) -> bool:
    """Whether somebody was asked to hold chords on an instrument that cannot."""
    return player.role == "pad" and not player.drums and player.program not in _HELD


def _freed(players: Sequence[Player], contract: Contract, led: bool) -> list[Player]:
    """The players, of whom who leads for want of another holds its chords, and who was asked for solos answers."""
    if not led:
        return list(players)
    pads = {part.name for part in contract.parts if part.instrument == "synth pad"}
    pads = pads if contract.lead_guessed else set()
    solos = {ask.who for ask in contract.asks if ask.kind == "solo"}
    given = {
        player.name: "pad" if player.name in pads else "counter"
        for player in players
        if player.role == "lead" and player.name in pads | solos
    }
    return [replace(player, role=given.get(player.name, player.role)) for player in players]
