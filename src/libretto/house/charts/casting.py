"""Casting: which player of a band has which part of a chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from libretto.house.charts.chart import LINES
from libretto.house.charts.form import Passage
from libretto.house.charts.skills import HANDS, PADS, deepest, is_small, two_handed
from libretto.house.charts.tutti import in_turns
from libretto.house.compose.band import EFFECT, Player

__all__ = ["BEATEN", "cast", "shared_out"]

#: Programs of drums with pitches, which beat the roots of the bass part: timpani, taiko, toms.
BEATEN = frozenset((47, 116, 117))

_CHORDS, _STRUMMED = 4, 3  # notes at once from which on somebody plays chords, and those written for its instrument
_DEEP_ENOUGH, _PAD_ABOVE = 45, 7  # who is comfortable at A2 can play a bass; a pad may lie so much higher
_THUMBS = frozenset((24, 25, 104, 106, 107))  # plucked: a thumb below the tune of who plays with one other at most
_DOUBLED = ("second", "third")  # the lines that high and low instruments double
_ONE_HAND, _NEVER = 3, 9  # what it costs to put chords between phrases; and what cannot be
_PAIR = 2  # players of whom one has tune and bass
_SELDOM = 0.5  # of the bars: who plays in fewer doubles another line in the sections in which it rests
_SUSTAINED = PADS | frozenset(range(48, 55))  # and strings and choirs: they sing or hold, and play no figures
_DEEP = frozenset((42, 43, 57, 58, 67, 70))  # cello, double bass, trombone, tuba, baritone saxophone, bassoon
_BASSES = frozenset((*range(32, 40), 43, 58))  # below whose tunes nobody else plays a bass
_SUNG = frozenset((52, 53, 54))  # choirs strike no chords
_ORGANS = frozenset(range(16, 21))
_DISTORTED = frozenset((29, 30))  # guitars that hit chords between their phrases whoever holds some
_HIGH_WINDS = frozenset(range(56, 80)) - {57, 58, 67, 70}  # all but trombone, tuba and the like
_RATTLES = frozenset((37, 39, 54, 56, 58, *range(67, 76), 80, 81, 82, 85))  # keys of claps, bells, shakers, claves
_ENOUGH = 3  # players of whom one may hold chords only
_MELODIC = ("lead", "counter", "riff", "arpeggio")
_HARMONIC = ("comping", "arpeggio", "pad")


def cast(players: Sequence[Player], wants: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[str, ...]]:
    """The part of a chart that every player has; chords and bass that nobody has are shared out bar by bar."""
    free = [player for player in players if player.role != EFFECT]
    drummers = [player for player in free if player.drums]
    seats = [
        *zip(_drum_parts(drummers), drummers, strict=True),
        *_seats([player for player in free if not player.drums], wants),
    ]
    parts = {player.name: (part,) for part, player in seats}
    return {player.name: parts.get(player.name, ()) for player in players}


def _seats(left: list[Player], wants: Mapping[str, tuple[int, ...]]) -> list[tuple[str, Player]]:
    """The parts of who plays pitches: the bass first, then for whom a part was written, then who is nearest to one."""
    seats: list[tuple[str, Player]] = [("beats", player) for player in left if player.program in BEATEN]
    left = [player for player in left if player.program not in BEATEN]
    basses = [player for player in left if player.role == "bass" and len(left) > 1] or _deep(left, wants)
    bass = min(basses, key=lambda player: player.program not in wants.get("bass", ()), default=None)
    if bass is not None:
        seats.append(("bass", bass))
        left.remove(bass)
    for part, who in _written_for(left, wants):
        seats.append((part, who))
        left.remove(who)
    return [*seats, *_leading(left, {part for part, _ in seats})]


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
    return found


def _deep(players: Sequence[Player], wants: Mapping[str, tuple[int, ...]]) -> list[Player]:
    """Who plays a bass though it was not asked to: who has an instrument that is one, whatever else it was asked to do;
    of three and more who has the deepest, where most play lines or the part was written for it."""
    if len(players) > 1 and (low := [player for player in players if player.program in _BASSES]):
        return low
    lines = [player for player in players if player.polyphony < _CHORDS]
    deep = [player for player in lines if player.program in _DEEP and player.role != "lead"]
    written = [player for player in deep if player.program in wants.get("bass", ())]
    return deep[-1:] if len(lines) >= _ENOUGH else written[-1:] if len(players) >= _ENOUGH else []


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
    ]
    return min(able, key=lambda player: programs.index(player.program or 0), default=None)


def _spared(player: Player, players: Sequence[Player]) -> bool:
    """Whether somebody was asked for a line beside the tune, and somebody else can strike the chords, not only hold."""
    others = [other for other in players if other is not player and other.role not in ("lead", "counter")]
    able = [other for other in others if other.polyphony >= _CHORDS and other.program not in _SUSTAINED | _ORGANS]
    return player.role == "counter" and bool(able)


def _sings(player: Player, players: Sequence[Player]) -> bool:
    """Whether somebody with a small instrument plays a line, as it was not asked for chords and others have them."""
    others = [other for other in players if other is not player and other.polyphony >= _CHORDS]
    return is_small(player) and player.role not in ("comping", "arpeggio") and bool(others)


def _drum_parts(drummers: Sequence[Player]) -> list[str]:
    """The first drum kit plays the drums and the others percussion; where there is no kit the first of the others who
    has more than claps, bells or rattles."""
    kits = [player for player in drummers if player.role == "drums"]
    kits = kits or [player for player in drummers if not player.keys or set(player.keys) - _RATTLES] or list(drummers)
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
    others = [part for part in ("second", "third") if part not in given]
    others += [_DOUBLED[player.low < _DEEP_ENOUGH] for player in left[len(others) :]]
    return [*made, *zip(others, left, strict=False)]


def _nearest(players: Sequence[Player], part: str) -> Player | None:
    """Who is nearest to a part by what it was asked to do; None where it is for nobody."""
    if part == "lead":
        return min(players, key=lambda player: _rank(player, _MELODIC), default=None)
    able = [player for player in players if player.polyphony >= _CHORDS]
    if part == "pad":
        return _holding(able, len(players))
    able = [player for player in able if player.program not in _SUSTAINED]
    asked = [player for player in able if player.role in _HARMONIC]
    return min(asked or (able if len(players) > 1 else []), key=lambda player: _rank(player, _HARMONIC), default=None)


def _holding(players: Sequence[Player], of: int) -> Player | None:
    """Who holds chords: a synthesizer made for it, else who was asked to where there are others enough."""
    made = next((player for player in players if player.program in PADS), None)
    return made or next((player for player in players if player.role == "pad" and of >= _ENOUGH), None)


def _rank(player: Player, roles: Sequence[str]) -> int:
    """How near a player is to some roles."""
    return roles.index(player.role) if player.role in roles else len(roles)


def shared_out(
    players: Sequence[Player], parts: Mapping[str, tuple[str, ...]], passages: Sequence[Passage]
) -> dict[str, dict[str, frozenset[int]]]:
    """The bars in which every player plays which part: its own wherever it is written; a second tune, chords and bass
    that nobody has go to who has hands free there, and who would hardly play doubles a line."""
    pitched = [player for player in players if not player.drums and parts.get(player.name)]
    made: dict[str, dict[str, set[int]]] = {player.name: {} for player in players}
    for passage in passages:
        for number, duties in enumerate(_duties(pitched, parts, passage)):
            for name, mine in duties.items():
                for part in mine:
                    made[name].setdefault(part, set()).add(passage.first + number)
    in_turns(pitched, parts, made, passages)
    for player in pitched:
        if player.program not in BEATEN:
            _double(player, made, passages)
    return {name: {part: frozenset(mine[part]) for part in LINES if part in mine} for name, mine in made.items()}


def _double(player: Player, made: dict[str, dict[str, set[int]]], passages: Sequence[Passage]) -> None:
    """Sections in which a player who rests most of the time doubles an inner line, or holds chords."""
    mine = made[player.name]
    total = sum(passage.bars for passage in passages)
    for passage in passages:
        bars = set(range(passage.first, passage.first + passage.bars))
        busy = set().union(*mine.values()) if mine else set()
        if len(busy) >= _SELDOM * total:
            return
        if bars & busy:
            continue
        for part in ("pad", "third", "second") if player.polyphony >= _CHORDS else ("third", "second"):
            sounds = {passage.first + bar for bar in range(passage.bars) if _sounds(passage.bar(part, bar))}
            if len(sounds) > _SELDOM * passage.bars:
                mine.setdefault(part, set()).update(sounds)
                break


def _duties(
    players: Sequence[Player], parts: Mapping[str, tuple[str, ...]], passage: Passage
) -> list[dict[str, set[str]]]:
    """What everybody plays in every bar of a section."""
    bars = []
    written = [{part for part in LINES if _sounds(passage.bar(part, bar))} for bar in range(passage.bars)]
    orphan = passage.scene.tune == "second" and ("second",) not in parts.values()
    for here in written:
        duties = {player.name: set(parts[player.name]) & here for player in players}
        if orphan and "second" in here:
            _hand_over(players, duties, parts)
        if (idle := _idle(players, parts, passage)) and "lead" not in here:
            duties[idle] |= {"second"} & here
        bars.append(duties)
    for part in ("chords", "bass"):
        lacking = [duties for duties, here in zip(bars, written, strict=True) if part in here]
        _take_over(players, parts, part, [duties for duties in lacking if not _provided(players, duties, part)])
    for duties, here in zip(bars, written, strict=True):
        _fill_in(players, duties, parts, here)
    return bars


def _idle(players: Sequence[Player], parts: Mapping[str, tuple[str, ...]], passage: Passage) -> str:
    """Who leads, where others have the riff of a section and nobody the second line: it answers with that."""
    riff = passage.scene.tune == "chords" and ("second",) not in parts.values() and ("chords",) in parts.values()
    return next((player.name for player in players if riff and parts[player.name] == ("lead",)), "")


def _fill_in(
    players: Sequence[Player], duties: dict[str, set[str]], parts: Mapping[str, tuple[str, ...]], here: set[str]
) -> None:
    """A bar in which nobody would play: who leads, or comes first, has the line that is written there."""
    able = [player for player in players if player.program not in BEATEN and not any(duties.values())]
    lead = next((player for player in able if parts[player.name] == ("lead",)), next(iter(able), None))
    line = next((part for part in ("lead", "second", "third", "chords", "bass") if part in here), None)
    if lead is not None and line is not None:
        duties[lead.name] = {line}


def _provided(players: Sequence[Player], duties: Mapping[str, set[str]], part: str) -> bool:
    """Whether somebody has a part; who plays anything on a bass is bass enough."""
    low = [duties[player.name] for player in players if part == "bass" and player.program in _BASSES]
    return any(part in mine for mine in duties.values()) or any(low)


def _take_over(
    players: Sequence[Player], parts: Mapping[str, tuple[str, ...]], part: str, bars: Sequence[dict[str, set[str]]]
) -> None:
    """A part that nobody has in some bars of a section, to who is nearest to it in all of them; else bar by bar."""
    prices = [[_price(player, parts[player.name], duties, part, len(players)) for player in players] for duties in bars]
    totals = [sum(_NEVER if price is None else price for price in column) for column in zip(*prices, strict=True)]
    for duties, row in zip(bars, prices, strict=True):
        able = [place for place, price in enumerate(row) if price is not None]
        if able:  # of two who are as near, who does not lead
            nearest = min(able, key=lambda place: (totals[place], parts[players[place].name] == ("lead",), place))
            duties[players[nearest].name].add(part)


def _price(player: Player, own: tuple[str, ...], duties: Mapping[str, set[str]], part: str, of: int) -> int | None:
    """How far it is for somebody to take over a part in a bar; None where it cannot be, or where chords are held by
    others and it has no hand free."""
    mine = duties[player.name]
    if part == "bass":
        return _price_of_bass(player, mine, of)
    price = _price_of_chords(player, mine, own == ("pad",))
    held = any("pad" in others for others in duties.values())
    between = price in (_ONE_HAND, _ONE_HAND + 1) and player.program not in _DISTORTED
    return None if held and (between or "pad" in mine) else price


def _sounds(bar: str) -> bool:
    """Whether a bar has notes."""
    return any(word[0] != "z" for word in bar.split())


def _hand_over(players: Sequence[Player], duties: dict[str, set[str]], parts: Mapping[str, tuple[str, ...]]) -> None:
    """A tune of the second's, where nobody has that part: to who plays the chords if that leaves somebody for them, to
    who holds them with two hands, else to the lead."""
    lead = next((player for player in players if parts[player.name] == ("lead",)), None)
    chords = next((player for player in players if parts[player.name] == ("chords",)), None)
    alone = lead is None or lead.polyphony < _CHORDS
    if chords is not None and (chords.program in HANDS | _THUMBS or not alone):
        duties[chords.name] = {"second"}
    elif (pad := next((one for one in players if parts[one.name] == ("pad",) and one.program in HANDS), None)) and lead:
        duties[pad.name] = {"second"}
    elif lead is not None:
        duties[lead.name] = {"second"}


def _price_of_bass(player: Player, mine: set[str], of: int) -> int | None:
    """How far it is for somebody of so many to play the bass besides; None where it cannot be."""
    if deepest(player) > _DEEP_ENOUGH + _PAD_ABOVE * (player.program in PADS) or player.program in _HIGH_WINDS:
        return None
    if mine <= {"chords", "pad"}:
        return 2 if player.program in _SUSTAINED or not mine else 0
    if two_handed(player):
        return 1
    return 3 if player.program in _THUMBS and of <= _PAIR else None


def _price_of_chords(player: Player, mine: set[str], holds: bool) -> int | None:
    """How far it is for somebody to play the chords besides; None where it cannot be."""
    if player.polyphony < _CHORDS or "bass" in mine:
        return None
    if not mine:
        return None if player.program in _SUNG else 1 if holds else 0
    if player.program in _SUSTAINED - PADS:
        return None
    return 2 if two_handed(player) else _ONE_HAND + (player.low > _DEEP_ENOUGH)
