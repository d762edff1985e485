"""Hosting: model pieces that a band can play part for part over chords that were asked for.

Where a piece over such chords has a part for everybody who was named, each takes one and keeps it: what was written
together stays together, and who sings, answers and rests where is as it was written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from libretto.house.compose.band import EFFECT, Player
from libretto.house.core.dice import dice
from libretto.house.repertoire.casting import Duty
from libretto.house.repertoire.catalogue import Wanted, near_pieces
from libretto.house.repertoire.layout import Stretch, behind
from libretto.house.repertoire.piece import DRUMMING, Piece, Scene
from libretto.house.repertoire.seating import seated
from libretto.score import Chord, Key, parse_chord

__all__ = ["Host", "chord_likeness", "find_hosts", "hosted_duties", "kept_share"]

_LIKE_ENOUGH = 0.5  # of the tones of the chords, bar by bar, that a piece has to share
_BY_CHORDS, _BY_BAND, _BY_LENGTH = 4.0, 1.0, 1.2  # what counts how much, beside style, mood, mode and tempo
_AROUND, _MOST = 0.7, 3  # hosts that are about as good as the best take turns, so many
_SINGS = ("lead", "answer", "counter", "double")
_MOST_PLAYERS = 6
_TRIED, _LOOKED_AT = 12, 32  # hosts that are tried, and pieces among which they are looked for
_FEWER = 2  # parts more than players that a piece may have
_OFTEN = 0.75  # of the sections in which whoever was named plays
_PLAYS = 0.7  # of the bars of a scene: who plays in so many accompanies there


@dataclass(frozen=True)
class Host:
    """A model piece with the parts that every player takes: one, and a bass beside its chords where nobody has that."""

    piece: Piece
    parts: Mapping[str, tuple[str, ...]]


def find_hosts(
    wanted: Wanted, players: Sequence[Player], asked: Sequence[str], key: Key, bars: int, seed: int
) -> Iterator[Host]:
    """Model pieces for a band over chords, the best first; seeds next to each other begin with different ones."""
    loop = [parse_chord(label) for label in asked]
    players = [player for player in players if player.role != EFFECT]
    if not 1 <= len(players) <= _MOST_PLAYERS:
        return
    hosts = []
    for price, name, like, piece in _near(wanted, players, loop, key, bars)[:_LOOKED_AT]:
        seats = seated(players, piece)
        if seats is not None:
            hosts.append((price - _BY_BAND * seats[0], name, like, Host(piece, seats[1])))
    hosts.sort(key=lambda host: host[:2])
    able = [
        (price, host) for price, _, like, host in hosts if like >= _LIKE_ENOUGH and wanted.style in host.piece.styles
    ]
    good = [host for price, host in able if price <= able[0][0] + _AROUND][:_MOST]
    place = (seed + dice(0, "host", *asked).randrange(_MOST)) % max(1, len(good))
    rest = [host for _, host in able if host not in good]
    yield from [*good[place:], *good[:place], *rest][:_TRIED]


def _near(
    wanted: Wanted, players: Sequence[Player], loop: Sequence[Chord | None], key: Key, bars: int
) -> list[tuple[float, str, float, Piece]]:
    """Pieces with about as many parts as there are players, the nearest by style, chords and length first: with its
    price, its name and how like its chords are."""
    beats = max(1, sum(player.drums for player in players))
    near = []
    for close, piece in near_pieces(wanted, range(len(players) + 1 - beats, len(players) + _FEWER + 1)):
        like = chord_likeness(piece, loop, key)
        near.append((-close - _BY_CHORDS * like - _BY_LENGTH * _as_long(piece.bars, bars), piece.name, like, piece))
    return sorted(near, key=lambda row: row[:2])


def kept_share(
    stretches: Sequence[Stretch],
    duties: Mapping[str, Sequence[Sequence[Duty]]],
    chords: Sequence[Sequence[str]],
    key: Key,
) -> float:
    """The share of the notes with pitches that would be those of one model piece: what stands over its own chords."""
    kept: Counter[str] = Counter()
    notes = 0
    for number, stretch in enumerate(stretches):
        for mine in duties.values():
            for duty in mine[number]:
                shown = duty.lent or stretch
                if duty.role in DRUMMING or not duty.part:
                    continue
                for place, bar in enumerate(shown.bars):
                    count = _notes(shown.piece, duty.part)[bar]
                    notes += count
                    kept[shown.piece.name] += count * _is_own(shown, bar, chords[stretch.section.first + place], key)
    return max(kept.values(), default=0) / max(1, notes)


@lru_cache(maxsize=1024)
def _notes(piece: Piece, part: str) -> tuple[int, ...]:
    """How many notes a part has, bar by bar."""
    bars = piece.score.voice(part).array["onset"] // piece.meter.ticks
    counts = Counter(bars.tolist())
    return tuple(counts[bar] for bar in range(piece.bars))


def _is_own(stretch: Stretch, bar: int, labels: Sequence[str], key: Key) -> bool:
    """Whether a bar of a model stands over its own chord, in another key perhaps."""
    shift = key.tonic_class - stretch.piece.key.tonic_class
    old, new = parse_chord(stretch.piece.score.chords[bar][0]), parse_chord(labels[0])
    return old is not None and new is not None and (old.root_class + shift) % 12 == new.root_class


def hosted_duties(
    players: Sequence[Player], stretches: Sequence[Stretch], host: Host
) -> dict[str, list[tuple[Duty, ...]]]:
    """What every player does in every stretch: what its part does there, and something where it rests for long."""
    duties: dict[str, list[tuple[Duty, ...]]] = {}
    for player in players:
        parts = host.parts.get(player.name, ())
        mine = [
            tuple(Duty(stretch.scene.roles[part], part) for part in parts if part in stretch.scene.roles)
            for stretch in stretches
        ]
        _fill(mine, stretches, host, parts)
        duties[player.name] = mine
    return duties


def _fill(mine: list[tuple[Duty, ...]], stretches: Sequence[Stretch], host: Host, parts: Sequence[str]) -> None:
    """Something to do in the stretches in which a player rests, the last first, until it plays in most of them."""
    for number in reversed(range(len(mine))):
        if sum(map(bool, mine)) >= _OFTEN * len(mine) or not parts:
            return
        if not mine[number]:
            lent = _lent(stretches[number], host.piece, parts[0])
            mine[number] = (lent,) if lent is not None else ()


def _lent(stretch: Stretch, piece: Piece, part: str) -> Duty | None:
    """How a part accompanies, in the scene that is most like a stretch; None where it never does."""
    scenes = [
        scene
        for scene in piece.scenes
        if scene.roles.get(part, "lead") not in _SINGS and _busy(piece, part, scene) >= _PLAYS
    ]
    if not scenes:
        return None
    scene = min(scenes, key=lambda scene: (abs(scene.energy - stretch.scene.energy), scene.first))
    bars = behind(scene, stretch.section.bars, stretch.section.last)
    return Duty(scene.roles[part], part, replace(stretch, scene=scene, bars=bars))


def _busy(piece: Piece, part: str, scene: Scene) -> float:
    """The share of the bars of a scene in which a part plays."""
    if part in piece.beats:
        return sum(bool(name) for name in piece.beats[part][scene.first : scene.end]) / scene.bars
    bars = piece.score.voice(part).array["onset"] // piece.meter.ticks
    return len({bar for bar in bars.tolist() if scene.first <= bar < scene.end}) / scene.bars


def _as_long(has: int, bars: int) -> float:
    """1 where a piece is as long as asked for, less where it has to be cut, least where it is too short."""
    if has == bars:
        return 1.0
    return 0.5 * bars / has if has > bars else 0.4 * has / bars


def chord_likeness(piece: Piece, loop: Sequence[Chord | None], key: Key) -> float:
    """How many tones the chords of a piece share with a progression that comes round, bar by bar, in one key."""
    shift = key.tonic_class - piece.key.tonic_class
    told = 0.0
    for bar in range(piece.bars):
        chord, wanted = parse_chord(piece.score.chords[bar][0]), loop[bar % len(loop)]
        if chord is not None and wanted is not None:
            moved = {(tone + shift) % 12 for tone in chord.classes}
            told += len(moved & wanted.classes) / min(len(moved), len(wanted.classes))
    return told / piece.bars
