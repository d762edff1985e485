"""Who suits what: the parts of a model piece and the players of a new band."""

from __future__ import annotations

from functools import lru_cache

from libretto.contract.instruments import instrument_of_program
from libretto.house.compose.band import Player
from libretto.house.repertoire.piece import DRUMMING, Piece

__all__ = ["plucked", "suits", "sustains", "twins"]

_FAMILY, _PROGRAM, _NAME, _OCTAVE = 1.0, 0.5, 1.5, 0.3  # what family, instrument and name count, and an octave apart
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


def suits(player: Player, piece: Piece, part: str) -> float:
    """How well a part of a model suits an instrument: 1 and more where it was written for its family."""
    if piece.roles[part][0] in DRUMMING:
        return 0.0
    middle, _, program, family = _profile(piece, part)
    worth = _NAME * _abbreviates(part, player.name)
    if player.program is not None and instrument_of_program(player.program).family == family:
        return worth + _FAMILY + _PROGRAM * (player.program == program)
    return worth - min(_FAMILY, _OCTAVE * abs((player.low + player.high) / 2 - middle) / 12)


def _abbreviates(part: str, name: str) -> bool:
    """Whether a part is called by some letters of an instrument: General MIDI knows no mandolin, ``Mnd`` does.

    >>> _abbreviates("Mnd", "Mandolin"), _abbreviates("Gtr", "Mandolin")
    (True, False)
    """
    rest = iter(name.lower())
    letters = part.lower().rstrip("0123456789")
    return name[:1].lower() == letters[:1] and all(letter in rest for letter in letters)


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
