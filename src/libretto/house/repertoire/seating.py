"""Seating: who of a band takes which part of a model piece, each one and all of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from libretto.house.compose.band import Player
from libretto.house.repertoire.piece import DRUMMING, Piece
from libretto.house.repertoire.suiting import plucked, suits, sustains

__all__ = ["seated"]

_SINGLE, _MANY = 2, 4  # notes at once: who has so few plays lines; who has so many plays chords
_NO = -9.0  # what nobody should be asked to play
_ROLE, _NEAR_ROLE, _AGAINST, _NATURE = 1.2, 0.5, -0.8, -1.6
_CHORDS_NOW_AND_THEN = 0.15  # of its onsets: from there on a part needs somebody who plays several notes
_ALIKE: Mapping[str, tuple[str, ...]] = {
    "lead": ("lead",),
    "counter": ("answer", "counter", "double", "lead"),
    "comping": ("comping", "stabs", "arpeggio", "riff", "pad"),
    "arpeggio": ("arpeggio", "riff", "comping"),
    "pad": ("pad", "drone", "comping", "arpeggio"),
    "riff": ("riff", "arpeggio", "comping", "bass"),
    "stabs": ("stabs", "comping", "riff"),
    "bass": ("bass",),
}
_CHORDAL = ("comping", "arpeggio", "stabs", "riff", "pad")
_TWO_HANDS, _LOW = 6, 45  # notes at once of two hands, and how low a left hand reaches at least
_LEADING, _BY_INSTRUMENT = 1.5, 0.5  # what it counts who has the tune, and for which instruments it was written
_LEFT_OUT = 0.8  # what it costs to leave a part out


def seated(players: Sequence[Player], piece: Piece) -> tuple[float, dict[str, tuple[str, ...]]] | None:
    """The best seats of a band at the parts of a piece, and how good they are; None where somebody finds none."""
    whole = [way for taken, way in _ways(players, piece).items() if _whole(piece, taken, players, way[1])]
    if not whole:
        return None
    total, seats = max(whole)
    mine: dict[str, tuple[str, ...]] = {player.name: (part,) for player, part in zip(players, seats, strict=True)}
    bass = next((part for part in piece.roles if part not in seats and piece.roles[part][0] == "bass"), "")
    if bass:
        hand = _left_hand(players, piece, seats)
        mine[hand] = (*mine[hand], bass)
    left_out = len(piece.roles) - len(set(seats)) - bool(bass)
    return total / len(players) - _LEFT_OUT * left_out, mine


def _ways(players: Sequence[Player], piece: Piece) -> dict[frozenset[str], tuple[float, tuple[str, ...]]]:
    """For every set of parts that a band can take: how well that is at best, and who takes which."""
    best: dict[frozenset[str], tuple[float, tuple[str, ...]]] = {frozenset(): (0.0, ())}
    for player in players:
        worths = [(part, worth) for part in piece.roles if (worth := _worth(player, piece, part)) > _NO]
        after: dict[frozenset[str], tuple[float, tuple[str, ...]]] = {}
        for taken, (total, seats) in best.items():
            for part, worth in worths:
                if part not in taken or player.drums:  # a beat may be shared, each on its own drums
                    now, way = taken | {part}, (total + worth, (*seats, part))
                    after[now] = max(way, after.get(now, way))
        best = after
    return best


def _left_hand(players: Sequence[Player], piece: Piece, seats: Sequence[str]) -> str:
    """Who could have the bass beside the chords: whose instrument has two hands and reaches low; empty where nobody."""
    able = [
        player.name
        for player, part in zip(players, seats, strict=True)
        if player.polyphony >= _TWO_HANDS and player.bottom <= _LOW and piece.roles[part][0] in _CHORDAL
    ]
    return able[0] if able else ""


def _whole(piece: Piece, taken: Collection[str], players: Sequence[Player], seats: Sequence[str]) -> bool:
    """Whether what is left of a piece is whole: every tune of it is there, and what carries it."""
    left_out = [part for part in piece.roles if part not in taken]
    if any("lead" in piece.roles[part] for part in left_out):
        return False
    basses = [part for part in left_out if piece.roles[part][0] == "bass"]
    return not basses or (len(basses) == 1 and bool(_left_hand(players, piece, seats)))


def _worth(player: Player, piece: Piece, part: str) -> float:
    """How well a part would be in a player's hands."""
    roles = piece.roles[part]
    if (roles[0] in DRUMMING) != player.drums:
        return _NO
    if player.drums:
        return _ROLE if roles[0] == player.role else _NEAR_ROLE
    if not _able(player, piece, part):
        return _NO
    alike = _ALIKE.get(player.role, (player.role,))
    worth = _ROLE if roles[0] in alike[:1] else _NEAR_ROLE if any(role in alike for role in roles[:2]) else _AGAINST
    if roles[0] in ("pad", "drone") and plucked(player):
        worth += _NATURE
    if sustains(player) and _in_chords(piece, part) and player.polyphony < _MANY:
        worth += _NATURE
    leads = _LEADING * _led(piece, part)
    return worth + _BY_INSTRUMENT * suits(player, piece, part) + (leads if player.role == "lead" else -leads)


def _able(player: Player, piece: Piece, part: str) -> bool:
    """Whether a player can have a part at all: by what was asked of it, by how many notes it has at once and how far
    it reaches."""
    roles, pitches = piece.roles[part], piece.score.voice(part).array["pitch"]
    bass = player.role == "bass"
    if bass != (roles[0] == "bass") or (player.role == "lead" and "lead" not in roles[:2]):
        return False
    if _in_chords(piece, part) and (bass or player.polyphony <= _SINGLE):
        return False
    return int(pitches.max()) - int(pitches.min()) <= player.top - player.bottom


@lru_cache(maxsize=1024)
def _in_chords(piece: Piece, part: str) -> bool:
    """Whether a part often has several notes at once."""
    onsets = piece.score.voice(part).array["onset"].tolist()
    return 1 - len(set(onsets)) / max(1, len(onsets)) > _CHORDS_NOW_AND_THEN


def _led(piece: Piece, part: str) -> float:
    """The share of a piece in which a part has the tune."""
    return sum(scene.bars for scene in piece.scenes if scene.roles.get(part) == "lead") / piece.bars
