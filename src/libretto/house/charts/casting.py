"""Casting: which player of a band has which part of a chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from libretto.house.charts.skills import (
    BASSES,
    BEATEN,
    CHORDS,
    DEEP_ENOUGH,
    HANDS,
    PADS,
    RATTLES,
    SUSTAINED,
    THUMBS,
    is_small,
)
from libretto.house.compose.band import DOUBLES, EFFECT, Player

__all__ = ["cast", "under_picking"]

_STRUMMED = 3  # notes at once of who plays chords that were written for its instrument
_DOUBLED = ("second", "third")  # the lines that high and low instruments double
_DEEP = frozenset((42, 43, 57, 58, 67, 70))  # cello, double bass, trombone, tuba, baritone saxophone, bassoon
_WINDS, _DEEP_WIND = frozenset(range(64, 80)), 42  # saxophones, reeds and pipes, and F#2, below which a deep one begins
_PLUCKED = 45  # strings that are plucked
_ORGANS = frozenset(range(16, 21))
_DEEPER = 9  # semitones by which the middle of an instrument lies below another's that has no deeper line
_ENOUGH = 3  # players of whom one may hold chords only
_MELODIC = ("lead", "counter", "riff", "arpeggio")
_PLUCKED_ONES = frozenset((*range(24, 32), *range(104, 108)))  # guitars, banjos and their kin
_HARMONIC, _PICKS = ("comping", "arpeggio", "pad"), ("arpeggio",)


def cast(players: Sequence[Player], wants: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[str, ...]]:
    """The part of a chart that every player has; chords and bass that nobody has are shared out bar by bar."""
    free = [player for player in players if player.role not in (EFFECT, DOUBLES)]
    drummers = [player for player in free if player.drums]
    seats = [
        *zip(_drum_parts(drummers), drummers, strict=True),
        *(_alone(free) or _seats([player for player in free if not player.drums], wants)),
    ]
    doubling = [("third", player) for player in players if player.role == DOUBLES and not player.drums]
    parts = {player.name: (part,) for part, player in (*seats, *doubling)}
    return {player.name: parts.get(player.name, ()) for player in players}


def _seats(left: list[Player], wants: Mapping[str, tuple[int, ...]]) -> list[tuple[str, Player]]:
    """The parts of who plays pitches: the bass first, then for whom a part was written, then who is nearest to one."""
    seats: list[tuple[str, Player]] = [("beats", player) for player in left if player.program in BEATEN]
    left = [player for player in left if player.program not in BEATEN]
    basses = [one for one in left if one.role == "bass" and (len(left) > 1 or one.program in BASSES)]
    basses = basses or _low(left, wants)
    bass = min(basses, key=lambda player: player.program not in wants.get("bass", ()), default=None)
    if bass is not None:
        seats.append(("bass", bass))
        left.remove(bass)
    for player in (*under_picking(left), *_rippling(left)):
        seats.append(("chords", player))
        left.remove(player)
    for part, who in _written_for(left, wants):
        seats.append((part, who))
        left.remove(who)
    return _by_height(_as_asked(_filled([*seats, *_leading(left, {part for part, _ in seats})])))


def _alone(players: Sequence[Player]) -> list[tuple[str, Player]]:
    """The tune, for two hands that play alone, or a thumb that picks, over the chords that they were asked for."""
    asked = [
        player
        for player in players
        if player.role in (_HARMONIC if player.program in HANDS else _PICKS if player.program in THUMBS else ())
    ]
    return [("lead", player) for player in asked] if len(players) == 1 else []


def under_picking(players: Sequence[Player]) -> list[Player]:
    """Who has a keyboard and chords while another picks them on strings: it holds them, where nobody else does."""
    picked = any(player.role == "arpeggio" and player.program in _PLUCKED_ONES for player in players)
    keyed = [player for player in players if player.program in HANDS and player.role in ("pad", "comping")]
    held = any(player not in keyed and (player.role == "pad" or player.program in PADS) for player in players)
    return sorted(keyed, key=lambda player: player.role != "pad")[:1] if picked and not held else []


def _rippling(players: Sequence[Player]) -> list[Player]:
    """Who has a keyboard and is to break chords that another strikes on strings: it does so all through."""
    struck = any(player.role == "comping" and player.program in _PLUCKED_ONES for player in players)
    return [player for player in players if struck and player.role == "arpeggio" and player.program in HANDS][:1]


def _as_asked(seats: list[tuple[str, Player]]) -> list[tuple[str, Player]]:
    """The same seats, where nobody who was asked to answer holds a third line while who was asked for harmonies has the
    second."""
    lines = [(part, who) for part, who in seats if who.polyphony < CHORDS]
    second = next((who for part, who in lines if part == "second" and who.role in _HARMONIC), None)
    third = next((who for part, who in lines if part == "third" and who.role == "counter"), None)
    if second is None or third is None:
        return seats
    turned = {second: "third", third: "second"}
    return [(turned.get(who, part), who) for part, who in seats]


def _by_height(seats: list[tuple[str, Player]]) -> list[tuple[str, Player]]:
    """The same seats, where of two who play a line each nobody deep has the second above somebody high with the
    third."""
    lines = [(part, who) for part, who in seats if part in _DOUBLED and who.polyphony < CHORDS]
    low = min((who for part, who in lines if part == "second"), key=_middle, default=None)
    high = max((who for part, who in lines if part == "third"), key=_middle, default=None)
    if low is None or high is None or _middle(high) - _middle(low) < _DEEPER:
        return seats
    shared = any(part == "third" and who is not high for part, who in seats)  # then both have the second, in octaves
    turned = {low: "second" if shared else "third", high: "second"}
    return [(turned.get(who, part), who) for part, who in seats]


def _middle(player: Player) -> float:
    """The middle of what an instrument plays comfortably."""
    return (player.low + player.high) / 2


def _filled(seats: list[tuple[str, Player]]) -> list[tuple[str, Player]]:
    """The same seats; who has a keyboard under both hands and would play one inner line holds the chords instead, where
    nobody else does."""
    held = any(part == "pad" for part, _ in seats)
    return [("pad" if part == "third" and who.program in HANDS and not held else part, who) for part, who in seats]


def _written_for(players: Sequence[Player], wants: Mapping[str, tuple[int, ...]]) -> list[tuple[str, Player]]:
    """For whom lines and chords were written; who sings beside the tune is spared the chords."""
    left = list(players)
    led = any(player.role == "lead" for player in left)
    singing = {player for player in left if player.program in wants.get("second", ()) and _sings(player, left)}
    found: list[tuple[str, Player]] = []
    for part in ("lead", "chords", "second", "pad", "third"):
        who = _wanted([player for player in left if part != "chords" or player not in singing], part, wants, led)
        if who is not None:
            found.append((part, who))
            left.remove(who)
    return _answering(found, left)


def _answering(found: list[tuple[str, Player]], left: Sequence[Player]) -> list[tuple[str, Player]]:
    """The same seats, where who was asked to answer and would hold a third line has the second, as nobody else can."""
    free = "second" not in {part for part, _ in found} and all(player.polyphony >= CHORDS for player in left)
    return [("second" if free and part == "third" and who.role == "counter" else part, who) for part, who in found]


def _low(players: Sequence[Player], wants: Mapping[str, tuple[int, ...]]) -> list[Player]:
    """Who plays a bass though it was not asked to: who has an instrument that is one, whatever else it was asked to do,
    or plucks the bass that was written so; else who has the deepest."""
    if len(players) > 1:
        low = [player for player in players if player.program in BASSES and not _has_the_tune(player, wants)]
        if low or _PLUCKED in wants.get("bass", ()):
            return low or _plucked(players) or _deep(players, wants)
    return _deep(players, wants)


def _has_the_tune(player: Player, wants: Mapping[str, tuple[int, ...]]) -> bool:
    """Whether somebody was asked for a tune that was written for a bass."""
    return player.role == "lead" and player.program in wants.get("lead", ())


def _deep(players: Sequence[Player], wants: Mapping[str, tuple[int, ...]]) -> list[Player]:
    """Of three and more who has the deepest instrument, where most play lines or the part was written for it; of any
    who has one beside chords that reach down to no bass."""
    lines = [player for player in players if player.polyphony < CHORDS]
    deep = [player for player in lines if _is_deep(player) and player.role != "lead"]
    written = [player for player in deep if player.program in wants.get("bass", ())]
    if not written and deep and not _is_lined(deep[-1], wants) and _nobody_below(deep[-1], players):
        return deep[-1:]
    return deep[-1:] if len(lines) >= _ENOUGH else written[-1:] if len(players) >= _ENOUGH else []


def _is_lined(player: Player, wants: Mapping[str, tuple[int, ...]]) -> bool:
    """Whether a second line is written for an instrument, and no bass for any."""
    return "bass" not in wants and player.program in wants.get("second", ())


def _is_deep(player: Player) -> bool:
    """Whether somebody has an instrument that is at home in the register of a bass, as a bass clarinet is."""
    return player.program in _DEEP or (player.program in _WINDS and player.low < _DEEP_WIND)


def _nobody_below(player: Player, players: Sequence[Player]) -> bool:
    """Whether somebody plays beside chords, and nobody else reaches as far down as a bass."""
    others = [other for other in players if other is not player]
    chords = any(other.polyphony >= CHORDS for other in others)
    return chords and all(other.low > DEEP_ENOUGH for other in others)


def _plucked(players: Sequence[Player]) -> list[Player]:
    """Who plucks the bass of a waltz."""
    return [player for player in players if player.program == _PLUCKED and player.role != "lead"][-1:]


def _wanted(players: Sequence[Player], part: str, wants: Mapping[str, tuple[int, ...]], led: bool) -> Player | None:
    """Who has the instrument for which a part was written first of all; a tune goes to who was asked to lead, if
    anybody was."""
    programs = list(wants.get(part, ()))
    able = [
        player
        for player in players
        if player.program in programs
        and not (led and (part == "lead") != (player.role == "lead"))
        and not (part == "chords" and (player.polyphony < _STRUMMED or _spared(player, players)))
        and not (part in _DOUBLED and player.program in wants.get("chords", ()) and _needed(player, players))
        and not _is_for_another(part, player, wants)
    ]
    return min(able, key=lambda player: programs.index(player.program or 0), default=None)


def _is_for_another(part: str, player: Player, wants: Mapping[str, tuple[int, ...]]) -> bool:
    """Whether who was asked to hold chords would have a line, or who has one note at a time (a tenor) chords to hold
    instead of a line that was written for it."""
    holds = part in _DOUBLED and player.role == "pad" and player.program in wants.get("pad", ())
    return holds or (part == "pad" and player.polyphony == 1 and player.program in wants.get("third", ()))


def _spared(player: Player, players: Sequence[Player]) -> bool:
    """Whether somebody was asked for a line beside the tune, and somebody else can strike the chords, not only hold."""
    others = [other for other in players if other is not player and other.role not in ("lead", "counter")]
    able = [other for other in others if other.polyphony >= CHORDS and other.program not in SUSTAINED | _ORGANS]
    return player.role == "counter" and bool(able)


def _needed(player: Player, players: Sequence[Player]) -> bool:
    """Whether somebody was asked for chords that nobody else could play."""
    others = [other for other in players if other is not player and other.polyphony >= CHORDS]
    return player.role in ("comping", "arpeggio") and player.polyphony >= CHORDS and not others


def _sings(player: Player, players: Sequence[Player]) -> bool:
    """Whether somebody with a small instrument plays a line, as it was not asked for chords and others have them."""
    others = [other for other in players if other is not player and other.polyphony >= CHORDS]
    return is_small(player) and player.role not in ("comping", "arpeggio") and bool(others)


def _drum_parts(drummers: Sequence[Player]) -> list[str]:
    """The first drum kit plays the drums and the others percussion; where there is no kit the first of the others who
    has more than claps, bells or rattles."""
    kits = [player for player in drummers if player.role == "drums"]
    kits = kits or [player for player in drummers if not player.keys or set(player.keys) - RATTLES] or list(drummers)
    return ["drums" if player is kits[0] else "percussion" for player in drummers]


def _leading(players: Sequence[Player], taken: set[str]) -> list[tuple[str, Player]]:
    """Tune, second line, chords, pad and third line, as far as they are not ``taken``, each to who is nearest to it."""
    left, made = list(players), []
    for part in ("lead", "pad", "chords"):
        who = None if part in taken else _nearest(left, part)
        if who is not None:
            left.remove(who)
            made.append((part, who))
    given = taken | {part for part, _ in made}
    return [*made, *_along(left, [part for part in ("second", "third") if part not in given], "chords" in given)]


def _along(players: Sequence[Player], lines: list[str], struck: bool) -> list[tuple[str, Player]]:
    """What those have who are left: other lines, the same an octave away, or the chords that another strikes too."""
    strikers = [player for player in players if struck and _strikes(player)]
    left = [player for player in players if player not in strikers]
    if "second" in lines and not left:  # somebody answers the tune
        left, strikers = strikers[:1], strikers[1:]
    parts = [
        *lines,
        *(_DOUBLED[player.low < DEEP_ENOUGH or player.program == _PLUCKED] for player in left[len(lines) :]),
    ]
    return [*zip(parts, left, strict=False), *(("chords", player) for player in strikers)]


def _strikes(player: Player) -> bool:
    """Whether somebody with a plucked instrument, whose long notes die away, was not asked for a line."""
    return player.program in _PLUCKED_ONES and player.polyphony >= _STRUMMED and player.role in _HARMONIC


def _nearest(players: Sequence[Player], part: str) -> Player | None:
    """Who is nearest to a part by what it was asked to do; None where it is for nobody."""
    if part == "lead":
        return min(players, key=lambda player: _rank(player, _MELODIC), default=None)
    able = [player for player in players if player.polyphony >= CHORDS]
    if part == "pad":
        return _holding(able, len(players))
    able = [player for player in able if player.program not in SUSTAINED]
    asked = [player for player in able if player.role in _HARMONIC]
    return min(asked or (able if len(players) > 1 else []), key=lambda player: _rank(player, _HARMONIC), default=None)


def _holding(players: Sequence[Player], of: int) -> Player | None:
    """Who holds chords: a synthesizer made for it, else who was asked to where there are others enough."""
    made = next((player for player in players if player.program in PADS), None)
    return made or next((player for player in players if player.role == "pad" and of >= _ENOUGH), None)


def _rank(player: Player, roles: Sequence[str]) -> int:
    """How near a player is to some roles."""
    return roles.index(player.role) if player.role in roles else len(roles)
