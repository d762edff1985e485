"""Company: who of a chart's own band joins a few players whom a brief names and does not say to be all there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from libretto.contract import Contract, Part
from libretto.contract.bands import needs_beat
from libretto.contract.instruments import instrument_named, instrument_of_program
from libretto.contract.worlds import OF_LANDS
from libretto.house.charts.chart import DRIVEN, ELECTRIC
from libretto.house.charts.habits import habits_of_style
from libretto.house.charts.skills import CHORDS, HANDS, PADS, SUNG, THUMBS
from libretto.house.compose.band import BIG_DRUMS, EFFECT, Player, player_of_program

__all__ = ["with_company"]

_TONES = 3  # at once, which who holds something needs for chords
_WIRED = ELECTRIC | DRIVEN
_SYNTHS = frozenset(range(80, 104))
_ITS_OWN = frozenset((77, 104, 106, 107, 108, 109, 111))  # programs of instruments of lands: shakuhachi, sitar, koto
_PLUGGED = _WIRED | _SYNTHS | {4, 5}  # programs of who has a plug
_WOODEN, _SYNTH_BASS = frozenset((32, 42, 43)), ("Synth Bass", "bass", 38)
_SYNTH_LEAD, _PAD = ("Synth Lead", "lead", 80), ("Synth Pad", "pad", 89)
_RHYTHM = "Rhythm Guitar"
_FEW = 3  # players above the bass whom others may join
_HANDS = 2  # who share a beat
_CHORDAL = ("comping", "arpeggio", "pad")
_BEATS = ("drums", "percussion")
_TENDER = -0.1  # how far moods lean to what is soft, where drums that nobody named would be too much in a room
_SOFT = -0.3  # and where a whole kit would be too much beside players who need none
_CHAMBER = frozenset((*range(7), *range(40, 47), *range(48, 53), *range(56, 76)))  # programs of concert instruments
_DRUMS = frozenset(range(35, 51))  # keys of kicks, snares and toms
_ONE_GUITAR = "one_guitar"  # a habit of styles
_BY_HAND = ("percussion",)
_CALLS = "call and response"  # what two ask of each other who sing by turns


def with_company(players: Sequence[Player], own: Sequence[Player], contract: Contract) -> list[Player]:
    """The players, joined by those of a chart's ``own`` band without whom it would be thin: a bass where nobody has the
    low notes, a beat where the band has one, chords where nobody can play them, a tune where beside a beat there is
    nobody but who holds them, and a singer whom a choir answers. Beginners play by themselves."""
    if not _may_be_joined(contract) or not _pitched(players):
        return list(players)
    players = _called(players, own, contract)
    pitched = _pitched(players)
    above = [player for player in pitched if player.role != "bass"]
    band = _others(own, players)
    if len(above) > _FEW:
        return [*players, *(_beat(band, players, contract) if _is_driven(own) else ())]
    beaten = any(player.drums for player in players)
    if beaten and _only_hold(above, contract) and (tune := _tune(band, pitched)):
        players, pitched = [*_holding(players, above), *tune], [*pitched, *tune]
        band = [player for player in band if player not in tune]
    beat = _beat(band, players, contract)
    bass = _bass(band, pitched, contract, driven=_is_driven(band) and (beaten or bool(beat)))
    return [*players, *_middle(band, pitched, beaten, contract), *bass, *beat]


def _may_be_joined(contract: Contract) -> bool:
    """Whether others may join the players whom a brief names: not where it says that they are all, or beginners."""
    easy = any(ask.kind == "difficulty" and ask.what == "beginner" and not ask.who for ask in contract.asks)
    return contract.open and bool(contract.parts) and not easy and not _is_of_a_land(contract)


def _is_of_a_land(contract: Contract) -> bool:
    """Whether a band of folk music is named whole: somebody beats with the hands, and all others, or one of three and
    more, have an instrument that its land calls by a name of its own; who is alone with drums has chords of its own."""
    beating = [part for part in contract.parts if part.drums or part.program in BIG_DRUMS]
    pitched = [part for part in contract.parts if part not in beating]
    by_hand = {part.role in _BY_HAND for part in beating}
    return by_hand == {True} and contract.genre in OF_LANDS and _is_whole(pitched)


def _is_whole(pitched: Sequence[Part]) -> bool:
    """Whether players are a band by themselves in the music of a land, whose instruments have no plugs."""
    known = [instrument_of_program(part.program or 0) for part in pitched]
    own = [
        (part.name.lower().partition(" #")[0] != one.name or part.program in _ITS_OWN) and part.program not in _WIRED
        for part, one in zip(pitched, known, strict=True)
    ]
    some = len(pitched) > 1 or any(one.polyphony >= CHORDS and one.family != "voices" for one in known)
    return some and (all(own) or (len(pitched) >= _FEW and any(own)))


def _is_moved(contract: Contract) -> bool:
    """Whether chords and bass are told to go on in a way of their own, under who has the tune."""
    told = {ask.who for ask in contract.asks if ask.kind == "manner"}
    return {"chords", "bass"} <= told


def _called(players: Sequence[Player], own: Sequence[Player], contract: Contract) -> list[Player]:
    """The players; where nobody sings but a choir, and it is to call and respond, it answers who leads its band."""
    caller = _caller(_others(own, players), _pitched(players), contract)
    if caller is None:
        return list(players)
    return [*(player if player.drums else replace(player, role="counter") for player in players), caller]


def _caller(band: Sequence[Player], pitched: Sequence[Player], contract: Contract) -> Player | None:
    """The leader of a band whom a choir answers, where nobody else sings and they are to call and respond."""
    called = any(ask.what == _CALLS and not ask.who for ask in contract.asks)
    if not called or len(pitched) != 1 or pitched[0].program not in SUNG or pitched[0].polyphony == 1:
        return None
    return next((player for player in band if player.role == "lead" and player.program in SUNG), None)


def _pitched(players: Sequence[Player]) -> list[Player]:
    """Who plays notes: neither drums, of whatever size, nor effects."""
    return [one for one in players if not (one.drums or one.program in BIG_DRUMS) and one.role != EFFECT]


def _others(band: Sequence[Player], players: Sequence[Player]) -> list[Player]:
    """Who of a band is not among some players."""
    names = {player.name for player in players}
    return [player for player in band if player.name not in names]


def _holding(players: Sequence[Player], above: Sequence[Player]) -> list[Player]:
    """The players, where those above the bass hold chords, or break them up where that is all they have."""
    held = [player for player in above if not _ripples(player)]
    return [replace(player, role="pad") if player in held else player for player in players]


def _only_hold(above: Sequence[Player], contract: Contract) -> bool:
    """Whether nobody is above the bass but who holds chords or has arpeggios on a synthesizer, and is not told to
    lead."""
    guess = contract.lead_guessed or any(map(_ripples, above))
    return guess and bool(above) and all(player.program in PADS or _ripples(player) for player in above)


def _ripples(player: Player) -> bool:
    """Whether somebody has arpeggios on a synthesizer, and no tune."""
    return player.role == "arpeggio" and player.program in _SYNTHS


def _tune(band: Sequence[Player], pitched: Sequence[Player]) -> list[Player]:
    """Who has the tune of a band, on an instrument for one; a synthesizer over arpeggios of others."""
    able = [player for player in band if player.role == "lead" and player.program not in PADS][:1]
    if not any(map(_ripples, pitched)) or any(player.program in _SYNTHS for player in able):
        return able
    return [player_of_program(*_SYNTH_LEAD)]


def _is_driven(band: Sequence[Player]) -> bool:
    """Whether a band has a bass and a beat."""
    return any(player.role == "bass" for player in band) and any(player.role in _BEATS for player in band)


def _middle(band: Sequence[Player], pitched: Sequence[Player], beaten: bool, contract: Contract) -> list[Player]:
    """Who plays or holds chords where nobody does, or beside a beat nobody but who is asked for arpeggios."""
    asked = {part.name for part in contract.parts}
    if beaten and any(_ripples(player) and player.name in asked for player in pitched):
        return _held_beside(band, pitched)
    return _chords(band, pitched, beaten, contract)


def _chords(band: Sequence[Player], pitched: Sequence[Player], beaten: bool, contract: Contract) -> list[Player]:
    """Who plays or holds chords or a drone, where nobody does, or nobody beside drums but who picks the tune."""
    can = [player for player in pitched if player.polyphony >= CHORDS]
    if not can and any(player.role == "pad" and player.polyphony >= _TONES for player in pitched):
        return []  # bowls that ring on are chords
    picks = (beaten or _is_moved(contract)) and _picks_tune(can)
    if can and not picks:
        return []
    able = _able(band, told=bool(contract.chords) and not can)
    return _beside_guitar(can[0], able, contract) if picks and can[0].program in _WIRED else _in_order(able)[:1]


def _held_beside(band: Sequence[Player], pitched: Sequence[Player]) -> list[Player]:
    """Who holds chords in the middle, where synthesizers have nobody for them but who breaks them up."""
    rest = [player for player in pitched if player.role not in ("bass", "lead") and not _ripples(player)]
    if rest or not all(player.program in _PLUGGED or player.role == "bass" for player in pitched):
        return []
    return [player for player in band if player.role == "pad"][:1] or [player_of_program(*_PAD)]


def _able(band: Sequence[Player], *, told: bool) -> list[Player]:
    """Who of a band plays chords; those that are told are heard, if only from who else would lead."""
    able = [player for player in band if player.role in _CHORDAL]
    if able or not told:
        return able
    return [replace(player, role="comping") for player in band if player.polyphony >= CHORDS and not player.drums]


def _beside_guitar(guitar: Player, able: Sequence[Player], contract: Contract) -> list[Player]:
    """Who plays chords beside a guitar that leads a band: a second guitar, and no keys."""
    guitars = [player for player in able if player.program in _WIRED]
    doubled = guitar.program in DRIVEN and _ONE_GUITAR not in habits_of_style(contract.style)
    if guitars or not (able or doubled):
        return _in_order(guitars)[:1]
    return [replace(guitar, name=_RHYTHM, role="comping")]


def _in_order(able: Sequence[Player]) -> list[Player]:
    return sorted(able, key=lambda player: _CHORDAL.index(player.role))


def _picks_tune(can: Sequence[Player]) -> bool:
    """Whether nobody can play chords but who picks the tune."""
    return len(can) == 1 and can[0].program in THUMBS | _WIRED and can[0].role == "lead"


def _bass(band: Sequence[Player], pitched: Sequence[Player], contract: Contract, *, driven: bool) -> list[Player]:
    """Who plays the bass, where nobody does; not beside one who has a hand for it, or holds chords as low, unless there
    is a beat."""
    covered = any(player.role == "bass" for player in pitched)
    able = any(player.program in HANDS | THUMBS | PADS for player in pitched)
    handy = able and not (driven or _is_moved(contract))
    low = [player for player in band if player.role == "bass"][:1]
    return [] if covered or handy else [_as_wired(player, pitched) for player in low]


def _as_wired(bass: Player, pitched: Sequence[Player]) -> Player:
    """Who plays the bass, on a synthesizer where everybody else has a plug and the chart's own is bowed or plucked."""
    wired = all(player.program in _PLUGGED for player in pitched) and any(p.program in _SYNTHS for p in pitched)
    return player_of_program(*_SYNTH_BASS) if wired and bass.program in _WOODEN else bass


def _beat(band: Sequence[Player], players: Sequence[Player], contract: Contract) -> list[Player]:
    """Who beats time, where nobody does and it is not ruled out: one, or two who share it; the other of two hand
    drummers where one was named."""
    there = [player for player in players if player.drums]
    if _is_beat_enough(players, there, contract):
        return []
    able = [player for player in band if player.role in _BEATS and not _covered(player, there)]
    if contract.dynamics < _TENDER and all(_is_chamber(player) for player in (*players, *able)):
        return []
    kept = able if there or needs_beat(contract.style) else _unneeded(able, players, contract)
    return kept[: _HANDS - len(there)]


def _is_beat_enough(players: Sequence[Player], there: Sequence[Player], contract: Contract) -> bool:
    """Whether nobody is to beat time beside those who are ``there``: it is ruled out, two or a kit do already, several
    who are told as one (*field drums*), or big drums, where the music can do without a kit, as beside a taiko."""
    if contract.drums is False or len(there) > 1 or any(_beats_for_all(player) for player in there):
        return True
    return any(player.program in BIG_DRUMS for player in players) and not needs_beat(contract.style)


def _beats_for_all(player: Player) -> bool:
    """Whether who drums needs nobody beside: a kit, or drums in the plural."""
    return player.role not in _BY_HAND or player.name.lower().endswith(" drums")


def _unneeded(able: Sequence[Player], players: Sequence[Player], contract: Contract) -> list[Player]:
    """Who of those who beat time joins players none of whom does: nobody joins a band that can do without where the
    music has no style, and no whole kit where it is soft."""
    if not _is_complete(players):
        return list(able)
    if not contract.style:
        return []
    return list(able) if contract.dynamics >= _SOFT else _by_hand(able)


def _by_hand(able: Sequence[Player]) -> list[Player]:
    """Who of those who beat time does so by hand, and has no whole kit."""
    return [player for player in able if player.role in _BY_HAND]


def _is_complete(players: Sequence[Player]) -> bool:
    """Whether players make music without a beat: two and more, of whom one can play chords."""
    pitched = _pitched(players)
    return len(pitched) > 1 and any(player.polyphony >= CHORDS for player in pitched)


def _is_chamber(player: Player) -> bool:
    """Whether somebody is heard in rooms without a beat, a piano, strings or winds, or strikes drums beside them."""
    known = instrument_named(player.name)
    beats = player.role in _BY_HAND and known is not None and not _DRUMS.isdisjoint(known.keys)
    return beats if player.drums else player.program in _CHAMBER


def _covered(player: Player, there: Sequence[Player]) -> bool:
    """Whether a drummer has nothing that one who is ``there`` does not have; a whole kit joins nobody."""
    known = instrument_named(player.name)
    own = set(player.keys or (known.keys if known else ()))
    return any(player.role not in _BY_HAND or not own - set(other.keys) for other in there)
