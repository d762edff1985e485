"""Casting: who of a new band does what the players of a model piece do, section by section.

Every player takes the part of the model that suits it; what is then missing (a tune, chords, a bass) is given to who
can do it, and nobody sits idle for long.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from libretto.house.compose.band import EFFECT, Player
from libretto.house.repertoire.layout import Stretch, behind, scene_like
from libretto.house.repertoire.piece import DRUMMING, Piece
from libretto.house.repertoire.suiting import plucked, same_family, seated, sustains, twins

__all__ = ["HARMONY", "Duty", "assign"]

#: Roles that give the chords.
HARMONY = ("comping", "arpeggio", "pad", "stabs", "riff", "drone")
_TUNEFUL = ("lead", "double", "answer", "counter")
_CHORDS, _TWO_HANDS = 4, 6  # notes at once for chords, and for two things at a time
_LOW = 45  # A2: who reaches no lower plays no bass
_MOST_IDLE = 0.25  # of the sections in which a player may rest
_FIGURED = ("comping", "arpeggio", "stabs")
_THICK = ("comping", "pad", "stabs")


@dataclass(frozen=True)
class Duty:
    """What a player does in a section: a role, and the part of the model piece that shows how; none where it is made
    from the tune or the chords."""

    role: str
    part: str = ""
    lent: Stretch | None = None  # where another piece than the stretch's shows it


Duties = dict[str, list[tuple[Duty, ...]]]


def assign(
    players: Sequence[Player], stretches: Sequence[Stretch], beat: Piece | None = None, named: Collection[str] = ()
) -> Duties:
    """What every player does in every stretch; ``beat`` is where drummers look whose model has no drums, and who is
    ``named`` does not rest for long."""
    seats: dict[str, Mapping[str, str]] = {}
    for stretch in stretches:
        if stretch.piece.name not in seats:
            seats[stretch.piece.name] = seated(players, stretch.piece)
    duties: Duties = {player.name: [] for player in players}
    for stretch in stretches:
        mine = _in_stretch(players, stretch, seats[stretch.piece.name])
        for player in players:
            duties[player.name].append(tuple(mine.get(player.name, ())))
    if beat is not None:
        _lend_beat(players, stretches, duties, beat)
    return _nobody_idle(players, stretches, duties, named)


def _in_stretch(players: Sequence[Player], stretch: Stretch, seats: Mapping[str, str]) -> dict[str, list[Duty]]:
    """What players do in one stretch, with what would be missing given to who can do it."""
    roles = stretch.scene.roles
    duties: dict[str, list[Duty]] = {}
    for player in players:
        part = seats.get(player.name, "")
        if part in roles:
            duties[player.name] = [_fitting(player, Duty(roles[part], part), stretch.piece)]
        if part and player.polyphony >= _TWO_HANDS:
            for twin in twins(stretch.piece, part):
                if twin in roles and twin not in seats.values():
                    duties.setdefault(player.name, []).append(_fitting(player, Duty(roles[twin], twin), stretch.piece))
    covered = {duty.part for mine in duties.values() for duty in mine}
    pitched = [player for player in players if not player.drums and player.role != EFFECT]
    for part in stretch.scene.who("lead"):
        if part not in covered and not _done(duties, "lead"):
            _give_lead(pitched, duties, Duty("lead", part))
    if not _done(duties, *HARMONY):
        parts = [
            part for part in roles if roles[part] in HARMONY and part not in covered and part not in seats.values()
        ]
        parts.sort(key=lambda part: roles[part] in ("pad", "drone"))
        figure = _figure(stretch)
        _give_chords(pitched, duties, Duty(roles[parts[0]], parts[0]) if parts else figure, figure, bool(parts))
    bass = [part for part in stretch.scene.who("bass") if part not in covered]
    if bass and not _done(duties, "bass"):
        _give_bass(pitched, duties, Duty("bass", bass[0]))
    beat = [part for part in roles if roles[part] in DRUMMING and part not in covered]
    for player in players:
        if player.drums and player.name not in duties and beat:
            duties[player.name] = [Duty(roles[beat[0]], beat[0])]
    return duties


def _fitting(player: Player, duty: Duty, piece: Piece) -> Duty:
    """A duty as a player can do it: who has one note at a time plays a second voice in place of chords, who bows, blows
    or sings holds what others break or strike, and whose notes die away holds nothing."""
    if duty.role in _THICK and player.polyphony < _CHORDS:
        return Duty("counter")
    if duty.role in _FIGURED and sustains(player) and not same_family(player, piece, duty.part):
        return Duty("counter") if player.polyphony < _CHORDS else Duty("pad")
    if duty.role in ("pad", "drone") and plucked(player):
        return Duty("answer")
    return duty


def _done(duties: Mapping[str, Sequence[Duty]], *roles: str) -> bool:
    return any(duty.role in roles for mine in duties.values() for duty in mine)


def _give_lead(pitched: Sequence[Player], duties: dict[str, list[Duty]], duty: Duty) -> None:
    """The tune to who should have it: who was asked to lead, who is free, who has a second voice."""

    def price(player: Player) -> tuple[int, int, int]:
        mine = [other.role for other in duties.get(player.name, ())]
        busy = 0 if not mine else 1 if mine[0] in _TUNEFUL else 3 if mine[0] in HARMONY else 4
        if busy == 3 and _others_with_chords(pitched, duties, player):
            busy = 2
        return (0 if player.role == "lead" else 1) + busy, -player.high, 0

    chosen = min(pitched, key=price, default=None)
    if chosen is None:
        return
    kept = [other for other in duties.get(chosen.name, ()) if other.role in HARMONY and chosen.polyphony >= _TWO_HANDS]
    if kept and _others_with_chords(pitched, duties, chosen):
        kept = []
    duties[chosen.name] = [duty, *kept]


def _others_with_chords(pitched: Sequence[Player], duties: Mapping[str, Sequence[Duty]], but: Player) -> bool:
    return any(duty.role in HARMONY for player in pitched if player is not but for duty in duties.get(player.name, ()))


def _give_chords(
    pitched: Sequence[Player], duties: dict[str, list[Duty]], duty: Duty, figure: Duty, wanted: bool
) -> None:
    """The chords to who can play them: who is free, who has a second voice, who has two hands; as a ``figure`` to whose
    notes die away."""
    able = [player for player in pitched if player.polyphony >= _CHORDS]
    free = [player for player in able if player.name not in duties]
    second = [
        player
        for player in able
        if all(mine.role in ("answer", "counter", "double") for mine in duties.get(player.name, ()))
    ]
    if free or second:
        player = (free or second)[0]
        duties[player.name] = [_held_or_struck(player, duty, figure)]
        return
    hands = [player for player in able if (player.polyphony >= _TWO_HANDS and wanted) or len(pitched) <= 2]
    if hands:
        duties.setdefault(hands[0].name, []).append(_held_or_struck(hands[0], duty, figure))


def _held_or_struck(player: Player, duty: Duty, figure: Duty) -> Duty:
    """Chords as a player can play them."""
    return figure if duty.role in ("pad", "drone") and plucked(player) else duty


def _figure(stretch: Stretch) -> Duty:
    """A figure in chords of the model, from another of its scenes; held chords where it has none."""
    for scene in sorted(stretch.piece.scenes, key=lambda scene: abs(scene.energy - stretch.section.energy)):
        for part, role in scene.roles.items():
            if role in ("comping", "arpeggio"):
                lent = replace(stretch, scene=scene, bars=behind(scene, stretch.section.bars))
                return Duty(role, part, lent)
    return Duty("pad")


def _give_bass(pitched: Sequence[Player], duties: dict[str, list[Duty]], duty: Duty) -> None:
    """The bass to who reaches it: who is free, else the left hand of who has the chords."""
    able = [player for player in pitched if player.bottom <= _LOW]
    free = [player for player in able if player.name not in duties and player.role != "lead"]
    hands = [
        player
        for player in able
        if player.polyphony >= _TWO_HANDS and any(mine.role in HARMONY for mine in duties.get(player.name, ()))
    ]
    for player in (*free, *hands):
        duties.setdefault(player.name, []).append(duty)
        return


def _nobody_idle(
    players: Sequence[Player], stretches: Sequence[Stretch], duties: Duties, named: Collection[str]
) -> Duties:
    """The same, with something to do for who was asked for and would rest in too many sections."""
    turns = ("counter", "answer", "double")
    for number, player in enumerate(players):
        if player.drums or player.role == EFFECT or player.name not in named:
            continue
        mine = duties[player.name]
        idle = [place for place in range(len(stretches)) if not mine[place]]
        allowed = int(len(stretches) * _MOST_IDLE) if len(players) > 2 else 0
        idle.sort(key=lambda place: (-stretches[place].section.energy, place))
        for count, place in enumerate(idle[: max(0, len(idle) - allowed)]):
            led = any(duty.role == "lead" for other in players for duty in duties[other.name][place])
            chords = any(duty.role in HARMONY for other in players for duty in duties[other.name][place])
            if player.role == "bass":
                duty = Duty("bass", _part_of(stretches[place], "bass"))
            elif not led:
                duty = Duty("lead", _part_of(stretches[place], "lead"))
            elif player.polyphony >= _CHORDS and not chords:
                duty = _figure(stretches[place])
            elif player.polyphony > _CHORDS and player.role in ("comping", "pad", "arpeggio") and not plucked(player):
                duty = Duty("pad")
            else:
                duty = Duty(turns[(number + count) % len(turns)])
            mine[place] = (duty,)
    return duties


def _lend_beat(players: Sequence[Player], stretches: Sequence[Stretch], duties: Duties, beat: Piece) -> None:
    """The beat of another piece to drummers for whom the model has none."""
    for player in players:
        if not player.drums or any(duties[player.name]):
            continue
        for place, stretch in enumerate(stretches):
            scene = scene_like(beat, stretch.section.kind, stretch.section.energy)
            if stretch.section.last:
                scene = beat.scenes[-1]
            parts = scene.who(*DRUMMING)
            if parts:
                lent = replace(stretch, piece=beat, scene=scene, bars=behind(scene, stretch.section.bars))
                duties[player.name][place] = (Duty(scene.roles[parts[0]], parts[0], lent),)


def _part_of(stretch: Stretch, role: str) -> str:
    """Who has a role in a model piece, in this scene or, failing that, in any."""
    here = stretch.scene.who(role)
    if here:
        return here[0]
    return next((part for part, roles in stretch.piece.roles.items() if role in roles), "")
