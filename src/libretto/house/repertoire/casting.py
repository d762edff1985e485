"""Casting: who of a band does what, section by section, and which part of a model piece shows how.

The band of a model piece does what it does there. Any other band does what was asked of it in every section: who leads
leads, but for one section in which somebody else may; who accompanies takes the figure of the scene that suits its
instrument best; a section takes what its scene has not from another scene or another piece. What would be missing is
given to who can do it: the left hand of who has the chords has the bass, who plays alone has all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from libretto.house.compose.band import EFFECT, Player
from libretto.house.repertoire.layout import Stretch, behind
from libretto.house.repertoire.piece import DRUMMING, Piece, Scene
from libretto.house.repertoire.suiting import plucked, suits, sustains, twins

__all__ = ["HARMONY", "Duties", "Duty", "assign"]

#: Roles that give the chords.
HARMONY = ("comping", "arpeggio", "pad", "stabs", "riff", "drone")
_FIGURES: Mapping[str, tuple[str, ...]] = {
    "comping": ("comping", "stabs", "arpeggio", "riff", "pad"),
    "arpeggio": ("arpeggio", "riff", "comping", "stabs", "pad"),
    "stabs": ("stabs", "comping", "riff", "arpeggio", "pad"),
    "riff": ("riff", "comping", "arpeggio", "stabs"),
    "pad": ("pad", "drone", "comping", "arpeggio"),
    "bass": ("bass",),
    "drums": ("drums", "percussion"),
    "percussion": ("percussion", "drums"),
}
_SECOND = ("counter", "answer", "double")
_CHORDS, _TWO_HANDS = 4, 6  # notes at once for chords, and for two things at a time
_LOW = 45  # A2: who reaches no lower plays no bass
_MANY = 3  # sections from which on somebody else may lead in one
_HANDED_OVER = ("solo", "bridge", "interlude", "break")
_THIN, _QUIET = ("intro", "break"), 0.35  # sections in which somebody may rest, and how empty they are
_LONG = 28  # bars from which on somebody may
_FULL = 0.72  # energy of a section in which second voices double the tune
_LESS, _HERE = 0.7, 1.0  # how much less each next role suits, and how much more what the scene has itself
_ORDER = ("lead", "counter", "riff", "arpeggio", "comping", "stabs", "pad", "bass")  # who leads if nobody was asked to


@dataclass(frozen=True)
class Duty:
    """What a player does in a section: a role, and the part of the model piece that shows how; none where it is made
    from the tune or the chords."""

    role: str
    part: str = ""
    lent: Stretch | None = None  # where another scene or piece than the stretch's shows it


Duties = dict[str, list[tuple[Duty, ...]]]


def assign(
    players: Sequence[Player], stretches: Sequence[Stretch], lenders: Sequence[Piece], own: Mapping[str, str]
) -> Duties:
    """What every player does in every stretch; ``own`` are the parts of the first model piece that its own players
    have, by name, and ``lenders`` the pieces that lend what a scene has not."""
    duties: Duties = {player.name: [] for player in players}
    main = stretches[0].piece
    for number, stretch in enumerate(stretches):
        if own and stretch.piece is main:
            mine = _as_written(players, stretch, own)
        else:
            mine = _as_asked(players, stretches, number, lenders)
        for player in players:
            duties[player.name].append(tuple(mine.get(player.name, ())))
    return duties


def _as_written(players: Iterable[Player], stretch: Stretch, own: Mapping[str, str]) -> dict[str, list[Duty]]:
    """What the band of a model piece does in one of its scenes."""
    roles = stretch.scene.roles
    return {
        player.name: [Duty(roles[own[player.name]], own[player.name])]
        for player in players
        if own.get(player.name) in roles
    }


def _as_asked(
    players: Sequence[Player], stretches: Sequence[Stretch], number: int, lenders: Sequence[Piece]
) -> dict[str, list[Duty]]:
    """What a band does in one stretch by what was asked of each."""
    stretch = stretches[number]
    pitched = [player for player in players if not player.drums and player.role != EFFECT]
    leader = _leader(pitched, stretches, number)
    duties: dict[str, list[Duty]] = {}
    taken: set[tuple[str, str]] = set()
    if leader is not None and _has_tune(stretch, stretches):
        duties[leader.name] = [Duty("lead", _lead_part(stretch))]
    for player in sorted(players, key=lambda player: (player.role not in _FIGURES, player.role == "pad")):
        if player.name in duties or player.role == EFFECT or _rests(player, players, stretches, number):
            continue
        duty = _own_duty(player, stretch, lenders, taken, number)
        if duty is not None:
            duties[player.name] = [duty]
            taken.add((duty.part, str(duty.lent is None)))
    if leader is not None and not _is_heard(pitched, duties):  # somebody has to play
        duties[leader.name] = [Duty("lead", _lead_part(stretch))]
    _complete(pitched, duties, stretch, lenders, taken)
    return duties


def _is_heard(pitched: Sequence[Player], duties: Mapping[str, Sequence[Duty]]) -> bool:
    """Whether any pitched player does more than go along with somebody."""
    return any(duty.role not in _SECOND for player in pitched for duty in duties.get(player.name, ()))


def _has_tune(stretch: Stretch, stretches: Sequence[Stretch]) -> bool:
    """Whether a stretch has a tune: it does but for intros and breaks of longer pieces that have none in the model."""
    short = stretches[-1].section.end < _LONG
    return bool(stretch.scene.who("lead")) or short or stretch.section.kind not in _THIN


def _lead_part(stretch: Stretch) -> str:
    parts = stretch.scene.who("lead")
    return parts[0] if parts else ""


def _leader(pitched: Sequence[Player], stretches: Sequence[Stretch], number: int) -> Player | None:
    """Who has the tune of a stretch: those asked to lead in turn; another for one section of several."""
    if not pitched:
        return None
    leads = [player for player in pitched if player.role == "lead"]
    leads = leads or sorted(pitched, key=lambda player: (_rank(player), -player.high))[:1]
    if len(leads) == 1 and number == _handed_over(stretches):
        others = [player for player in pitched if player is not leads[0] and player.role != "bass"]
        others.sort(key=lambda player: (_rank(player), -player.high))
        return others[0] if others else leads[0]
    return leads[number % len(leads)]


def _rank(player: Player) -> int:
    return _ORDER.index(player.role) if player.role in _ORDER else len(_ORDER)


def _handed_over(stretches: Sequence[Stretch]) -> int:
    """The section in which somebody else leads: a solo or a bridge inside a piece of several; none in a short one."""
    if len([stretch for stretch in stretches if not stretch.goes_on]) < _MANY:
        return -1
    inner = range(1, len(stretches) - 1)
    return next((number for number in inner if stretches[number].section.kind in _HANDED_OVER), -1)


def _rests(player: Player, players: Sequence[Player], stretches: Sequence[Stretch], number: int) -> bool:
    """Whether a player waits: in thin sections of longer pieces, where its kind has nothing to do in the model."""
    section, scene = stretches[number].section, stretches[number].scene
    if stretches[-1].section.end < _LONG or len(players) <= 2 or section.last or number == 0:
        return False
    thin = section.kind in _THIN and scene.energy < _QUIET
    figures = _FIGURES.get(player.role, (player.role, *_SECOND))
    return thin and not any(role in figures for role in scene.roles.values())


def _own_duty(
    player: Player, stretch: Stretch, lenders: Sequence[Piece], taken: Collection[tuple[str, str]], number: int
) -> Duty | None:
    """What a player does by what was asked of it."""
    if player.role in _FIGURES and (player.polyphony >= _CHORDS or player.role in ("bass", "riff", *DRUMMING)):
        figure = _figure(player, _FIGURES[player.role], stretch, lenders, taken)
        return figure or (Duty("pad") if player.role in HARMONY and not plucked(player) else None)
    free = [part for part, role in stretch.scene.roles.items() if role in _SECOND and (part, "True") not in taken]
    if free:
        part = max(free, key=lambda part: (suits(player, stretch.piece, part), part))
        return Duty(stretch.scene.roles[part], part)
    return Duty("double" if stretch.section.energy >= _FULL else _SECOND[number % 2])


def _figure(
    player: Player,
    roles: Sequence[str],
    stretch: Stretch,
    lenders: Sequence[Piece],
    taken: Collection[tuple[str, str]],
) -> Duty | None:
    """The figure that suits a player best: of the scene or another scene of the piece, else of another piece."""
    for piece in (stretch.piece, *(lender for lender in lenders if lender is not stretch.piece)):
        scenes = sorted(piece.scenes[:-1] or piece.scenes, key=lambda scene: _apart(scene, stretch))
        choices = []
        for place, scene in enumerate([stretch.scene, *scenes] if piece is stretch.piece else scenes):
            here = scene is stretch.scene
            for part, role in scene.roles.items():
                if role in roles and (part, str(here)) not in taken and _playable(player, role, piece, part):
                    worth = suits(player, piece, part) - _LESS * roles.index(role) + _HERE * here
                    choices.append((worth, -place, scene, part))
        if choices:
            _, _, scene, part = max(choices, key=lambda choice: choice[:2])
            return Duty(scene.roles[part], part, None if scene is stretch.scene else _lent(stretch, piece, scene))
    return None


def _apart(scene: Scene, stretch: Stretch) -> tuple[float, int]:
    return abs(scene.energy - stretch.section.energy), scene.first


def _lent(stretch: Stretch, piece: Piece, scene: Scene) -> Stretch:
    return replace(stretch, piece=piece, scene=scene, bars=behind(scene, stretch.section.bars, stretch.section.last))


def _playable(player: Player, role: str, piece: Piece, part: str) -> bool:
    """Whether a figure is in the nature of an instrument: who bows, blows or sings does not break or strike chords
    that were not written for such, and whose notes die away holds none."""
    if role in ("pad", "drone") and plucked(player):
        return False
    if role in ("comping", "arpeggio", "stabs") and sustains(player):
        return suits(player, piece, part) >= 1.0  # written for its own family
    return True


def _complete(
    pitched: Sequence[Player],
    duties: dict[str, list[Duty]],
    stretch: Stretch,
    lenders: Sequence[Piece],
    taken: set[tuple[str, str]],
) -> None:
    """Chords and bass to who can play them beside what they do, where nobody has them."""
    playing = [player for player in pitched if player.name in duties]
    able = [player for player in playing if player.polyphony >= _CHORDS]
    if able and not _done(duties, *HARMONY):
        player = min(able, key=lambda player: (duties[player.name][0].role == "lead", -player.polyphony))
        chords = _figure(player, _FIGURES["comping"], stretch, lenders, taken) or Duty("pad")
        _give_chords(player, chords, duties, few=len(pitched) <= 2)
    _other_hands(playing, duties, stretch)
    hands = [player for player in playing if _has_free_left_hand(player, duties[player.name])]
    if hands and not _done(duties, "bass"):
        bass = _figure(hands[0], ("bass",), stretch, lenders, taken)
        if bass is not None:
            duties[hands[0].name].append(bass)


def _give_chords(player: Player, chords: Duty, duties: dict[str, list[Duty]], few: bool) -> None:
    """The chords to a player: instead of a second voice, else beside what it does where it can or ``few`` play."""
    if duties[player.name][0].role in _SECOND:
        duties[player.name] = [chords]
    elif player.polyphony >= _TWO_HANDS or few:
        duties[player.name].append(chords)


def _has_free_left_hand(player: Player, mine: Sequence[Duty]) -> bool:
    """Whether a player who has the chords reaches the bass and can play two things at a time."""
    able = player.bottom <= _LOW and player.polyphony >= _TWO_HANDS
    return able and any(duty.role in HARMONY for duty in mine)


def _other_hands(playing: Sequence[Player], duties: dict[str, list[Duty]], stretch: Stretch) -> None:
    """The other hand's part to who has one of a pair that was written for two hands."""
    for player in playing:
        duty = duties[player.name][0]
        if duty.lent is not None or not duty.part or player.polyphony < _TWO_HANDS:
            continue
        have = {mine.part for others in duties.values() for mine in others}
        for twin in twins(stretch.piece, duty.part):
            if twin in stretch.scene.roles and twin not in have and stretch.scene.roles[twin] in ("bass", *HARMONY):
                duties[player.name].append(Duty(stretch.scene.roles[twin], twin))


def _done(duties: Mapping[str, Sequence[Duty]], *roles: str) -> bool:
    return any(duty.role in roles for mine in duties.values() for duty in mine)
