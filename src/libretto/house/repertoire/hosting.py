"""Hosting: model pieces that a band can play part for part over chords that were asked for.

Where a piece over such chords has a part for everybody who was named, each takes one and keeps it: what was written
together stays together, and who sings, answers and rests where is as it was written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from libretto.house.compose.band import EFFECT, Player
from libretto.house.core.dice import dice
from libretto.house.repertoire.casting import Duty
from libretto.house.repertoire.catalogue import Wanted, near_pieces
from libretto.house.repertoire.layout import Stretch, behind
from libretto.house.repertoire.piece import DRUMMING, Piece, Scene
from libretto.house.repertoire.suiting import plucked, suits, sustains
from libretto.score import Chord, Key, parse_chord

__all__ = ["Host", "chord_likeness", "find_hosts", "hosted_duties", "kept_share"]

_LIKE_ENOUGH = 0.5  # of the tones of the chords, bar by bar, that a piece has to share
_BY_CHORDS, _BY_BAND, _BY_LENGTH = 4.0, 1.0, 1.2  # what counts how much, beside style, mood, mode and tempo
_AROUND, _MOST = 0.7, 3  # hosts that are about as good as the best take turns, so many
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
_SINGS = ("lead", "answer", "counter", "double")
_CHORDAL = ("comping", "arpeggio", "stabs", "riff", "pad")
_TWO_HANDS, _LOW = 6, 45  # notes at once of two hands, and how low a left hand reaches at least
_MOST_PLAYERS = 6
_TRIED, _LOOKED_AT = 12, 32  # hosts that are tried, and pieces among which they are looked for
_FEWER = 2  # parts more than players that a piece may have
_LONGER = 2.5  # times as long as a piece may what is made after it be
_LEADING, _BY_INSTRUMENT = 1.5, 0.5  # what it counts who has the tune, and for which instruments it was written
_OFTEN = 0.75  # of the sections in which whoever was named plays
_PLAYS = 0.7  # of the bars of a scene: who plays in so many accompanies there
_LEFT_OUT = 0.8  # what it costs to leave a part out


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
    near = []
    beats = max(1, sum(player.drums for player in players))
    for close, piece in near_pieces(wanted, range(len(players) + 1 - beats, len(players) + _FEWER + 1)):
        like = chord_likeness(piece, loop, key) if loop else 1.0
        near.append((-close - _BY_CHORDS * like - _BY_LENGTH * _as_long(piece.bars, bars), piece.name, like, piece))
    near.sort(key=lambda row: row[:2])
    hosts = []
    for price, name, like, piece in near[:_LOOKED_AT]:
        seated = _seated(players, piece)
        if seated is not None:
            hosts.append((price - _BY_BAND * seated[0], name, like, Host(piece, seated[1])))
    hosts.sort(key=lambda host: host[:2])
    able = [
        (price, host)
        for price, _, like, host in hosts
        if like >= _LIKE_ENOUGH and wanted.style in host.piece.styles and bars <= _LONGER * host.piece.bars
    ]
    good = [host for price, host in able if price <= able[0][0] + _AROUND][:_MOST]
    place = (seed + dice(0, "host", *asked).randrange(_MOST)) % max(1, len(good))
    rest = [host for _, host in able if host not in good]
    yield from [*good[place:], *good[:place], *rest][:_TRIED]


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


def _seated(players: Sequence[Player], piece: Piece) -> tuple[float, dict[str, tuple[str, ...]]] | None:
    """The best seats of a band at the parts of a piece, and how good they are; None where somebody finds none."""
    parts = list(piece.roles)
    best: dict[frozenset[str], tuple[float, tuple[str, ...]]] = {frozenset(): (0.0, ())}
    for player in players:
        worths = [(part, worth) for part in parts if (worth := _worth(player, piece, part)) > _NO]
        after: dict[frozenset[str], tuple[float, tuple[str, ...]]] = {}
        for taken, (total, seats) in best.items():
            for part, worth in worths:
                if part not in taken or player.drums:  # a beat may be shared, each on its own drums
                    now, way = taken | {part}, (total + worth, (*seats, part))
                    if now not in after or after[now] < way:
                        after[now] = way
        best = after
    whole = [way for taken, way in best.items() if _whole(piece, taken, players, way[1])]
    if not whole:
        return None
    total, seats = max(whole)
    mine: dict[str, tuple[str, ...]] = {player.name: (part,) for player, part in zip(players, seats, strict=True)}
    bass = next((part for part in parts if part not in seats and piece.roles[part][0] == "bass"), "")
    if bass:
        hand = _left_hand(players, piece, seats)
        mine[hand] = (*mine[hand], bass)
    worth = total / len(players) - _LEFT_OUT * (len(parts) - len(set(seats)) - bool(bass))
    return worth, mine


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
    array = piece.score.voice(part).array
    together = 1 - len(set(array["onset"].tolist())) / max(1, len(array))
    if together > _CHORDS_NOW_AND_THEN and player.polyphony <= _SINGLE:
        return _NO
    if (player.role == "bass") != (roles[0] == "bass"):
        return _NO
    if player.role == "bass" and together > _CHORDS_NOW_AND_THEN:
        return _NO
    if player.role == "lead" and "lead" not in roles[:2]:
        return _NO
    span = int(array["pitch"].max()) - int(array["pitch"].min())
    if span > player.top - player.bottom:
        return _NO
    alike = _ALIKE.get(player.role, (player.role,))
    worth = _ROLE if roles[0] in alike[:1] else _NEAR_ROLE if any(role in alike for role in roles[:2]) else _AGAINST
    if any(role in ("pad", "drone") for role in roles[:1]) and plucked(player):
        worth += _NATURE
    if sustains(player) and together > _CHORDS_NOW_AND_THEN and player.polyphony < _MANY:
        worth += _NATURE
    leads = _LEADING * _led(piece, part)
    return worth + _BY_INSTRUMENT * suits(player, piece, part) + (leads if player.role == "lead" else -leads)


def _led(piece: Piece, part: str) -> float:
    """The share of a piece in which a part has the tune."""
    return sum(scene.bars for scene in piece.scenes if scene.roles.get(part) == "lead") / piece.bars
