"""Who suits what: the parts of a model piece and the players of a new band."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from libretto.contract.instruments import instrument_of_program
from libretto.house.compose.band import EFFECT, Player
from libretto.house.repertoire.piece import DRUMMING, Piece

__all__ = ["plucked", "same_family", "seated", "sustains", "twins"]

_NEAR: Mapping[str, Mapping[str, float]] = {
    "lead": {"lead": 1.0, "double": 0.6, "answer": 0.6, "counter": 0.5, "riff": 0.4, "comping": 0.3, "arpeggio": 0.3},
    "counter": {"counter": 1.0, "answer": 0.9, "double": 0.8, "lead": 0.6, "pad": 0.3, "riff": 0.3},
    "comping": {"comping": 1.0, "stabs": 0.9, "arpeggio": 0.8, "riff": 0.7, "pad": 0.6, "lead": 0.45, "double": 0.4,
                "answer": 0.4, "counter": 0.4, "drone": 0.3},
    "arpeggio": {"arpeggio": 1.0, "comping": 0.8, "riff": 0.6, "lead": 0.5, "answer": 0.5, "pad": 0.4, "counter": 0.4},
    "pad": {"pad": 1.0, "drone": 0.8, "comping": 0.5, "counter": 0.5, "double": 0.4, "arpeggio": 0.3, "lead": 0.3},
    "stabs": {"stabs": 1.0, "comping": 0.8, "riff": 0.7},
    "riff": {"riff": 1.0, "comping": 0.7, "stabs": 0.6, "arpeggio": 0.6},
    "bass": {"bass": 1.0, "drone": 0.2},
    "drums": {"drums": 1.0, "percussion": 0.8},
    "percussion": {"percussion": 1.0, "drums": 0.8},
}  # fmt: skip
_ROLE, _FAMILY, _PROGRAM, _NAME, _OCTAVE, _THIN, _CANNOT = 2.2, 0.5, 0.5, 0.9, 0.3, -1.5, -50.0
_TUNE, _NO_TUNE = 2.0, -0.8  # who was asked to lead has what leads most; who was asked for something else has not
_CHORDS = 4  # notes at once for chords
_LOW = 45  # A2: who reaches no lower plays no bass
_BLOCKS = 0.4  # of the onsets of a part: from there on it plays chords
_MANY_HANDED = ("keys", "organ", "strings", "synth")  # families whose players have two hands, or are many
_SUSTAINED = ("strings", "winds", "brass", "voices")
_PLUCKED = ("guitar", "plucked", "bells")  # families whose notes die away: they hold no chords


@lru_cache(maxsize=512)
def _profile(piece: Piece, part: str) -> tuple[float, float, int, str]:
    """Of a part of a model: its middle pitch, how often it plays chords, its program and its family."""
    voice = piece.score.voice(part)
    pitches = voice.array["pitch"]
    if not len(pitches):
        return 60.0, 0.0, voice.program or 0, ""
    onsets = voice.array["onset"].tolist()
    together = 1 - len(set(onsets)) / len(onsets)
    program = voice.program or 0
    return float(pitches.mean()), together, program, instrument_of_program(program).family


def _suits(player: Player, piece: Piece, part: str) -> float:
    """How well a part of a model suits a player."""
    drumming = piece.roles[part][0] in DRUMMING
    if drumming != player.drums or player.role == EFFECT:
        return _CANNOT
    near = _NEAR.get(player.role, {})
    total = sum(scene.bars for scene in piece.scenes)
    shares = {
        role: sum(scene.bars for scene in piece.scenes if scene.roles.get(part) == role) / total
        for role in piece.roles[part]
    }
    price = _ROLE * sum(near.get(role, 0.0) * share for role, share in shares.items()) / max(0.3, sum(shares.values()))
    if drumming:
        return price
    if part == _main_lead(piece):
        price += _TUNE if player.role == "lead" else _NO_TUNE if player.role != "counter" else 0.0
    middle, together, program, family = _profile(piece, part)
    if piece.roles[part][0] == "bass" and player.bottom > _LOW:
        return _CANNOT / 2
    if player.program is not None:
        price += _FAMILY * (instrument_of_program(player.program).family == family)
        price += _PROGRAM * (player.program == program) + _NAME * _abbreviates(part, player.name)
    if together > _BLOCKS and player.polyphony < _CHORDS:
        price += _THIN
    return price - _OCTAVE * abs((player.low + player.high) / 2 - middle) / 12


@lru_cache(maxsize=512)
def _main_lead(piece: Piece) -> str:
    """The part that leads in most bars of a piece."""
    bars: dict[str, int] = {}
    for scene in piece.scenes:
        for part in scene.who("lead"):
            bars[part] = bars.get(part, 0) + scene.bars
    return max(bars, key=lambda part: (bars[part], part), default="")


def _abbreviates(part: str, name: str) -> bool:
    """Whether a part is called by some letters of an instrument: General MIDI knows no mandolin, ``Mnd`` does.

    >>> _abbreviates("Mnd", "Mandolin"), _abbreviates("Gtr", "Mandolin")
    (True, False)
    """
    rest = iter(name.lower())
    letters = part.lower().rstrip("0123456789")
    return name[:1].lower() == letters[:1] and all(letter in rest for letter in letters)


def seated(players: Sequence[Player], piece: Piece) -> dict[str, str]:
    """The part of a model that each player takes: all together as well as they suit."""
    parts = [part for part in piece.roles if piece.roles[part]]
    ways = sorted(
        ((_suits(player, piece, part), -number, -place, player.name, part)
         for number, player in enumerate(players) for place, part in enumerate(parts)),
        reverse=True,
    )  # fmt: skip
    seats: dict[str, str] = {}
    for worth, _, _, name, part in ways:
        if worth > _CANNOT / 4 and name not in seats and part not in seats.values():
            seats[name] = part
    return _bettered(players, piece, seats)


def _bettered(players: Sequence[Player], piece: Piece, seats: dict[str, str]) -> dict[str, str]:
    """The same, with pairs changed over as long as that suits better."""
    by_name = {player.name: player for player in players}
    for _ in range(len(seats)):
        for one in list(seats):
            for other in list(seats):
                now = _suits(by_name[one], piece, seats[one]) + _suits(by_name[other], piece, seats[other])
                then = _suits(by_name[one], piece, seats[other]) + _suits(by_name[other], piece, seats[one])
                if then > now + 1e-9:
                    seats[one], seats[other] = seats[other], seats[one]
    return seats


@lru_cache(maxsize=512)
def twins(piece: Piece, part: str) -> tuple[str, ...]:
    """The other hands of who plays a part: parts of the same program."""
    if piece.roles[part][0] in DRUMMING or _profile(piece, part)[3] not in _MANY_HANDED:
        return ()
    program = piece.score.voice(part).program
    return tuple(
        other
        for other in piece.roles
        if other != part and piece.roles[other][0] not in DRUMMING and piece.score.voice(other).program == program
    )


def plucked(player: Player) -> bool:
    """Whether what somebody plays dies away."""
    return player.program is not None and instrument_of_program(player.program).family in _PLUCKED


def sustains(player: Player) -> bool:
    """Whether somebody bows, blows or sings."""
    return player.program is not None and instrument_of_program(player.program).family in _SUSTAINED


def same_family(player: Player, piece: Piece, part: str) -> bool:
    """Whether a part of a model is written for an instrument like a player's."""
    return player.program is not None and instrument_of_program(player.program).family == _profile(piece, part)[3]
