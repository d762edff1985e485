"""Members: who of an ensemble that was named is meant by the name of a section, of a smaller group, or of the bass."""

from __future__ import annotations

import re
from collections.abc import Sequence

from libretto.contract.instruments import Mention
from libretto.contract.roles import Seat
from libretto.contract.worlds import ALL_THERE

__all__ = [
    "bass_of_ensemble",
    "by_noun",
    "lacking",
    "meant_together",
    "of_ensemble",
    "of_orchestra",
    "rhythm_of_ensemble",
    "some_of",
]

_THE = re.compile(r"\b(?:the|that|this)\s\Z", re.I)
_THE_TWO = re.compile(r"\b(?:(?:the|both)(?: two| three| four| other)?|two)\s\Z", re.I)
_NO = re.compile(r"\b(?:no|without)\s(?:any\s|the\s)?\Z", re.I)
_SEXES = re.compile(r"\b(?:(?P<she>women|female|upper|high)|men|male|lower|low)(?:['’]?s)? (?:voices|singers|chorus)\Z")
_SIZES = frozenset(("soprano", "alto", "tenor", "baritone", "bass"))  # of saxophones and recorders
_WOMEN = ("soprano", "mezzo-soprano", "alto voice")
_MEN = ("tenor voice", "baritone voice", "bass voice")
_A_BAND = 3  # players of whom all are meant by *the full orchestra*
_BEFORE = 60  # characters before a name that say how it is meant
_STRINGS = ("violin", "viola", "cello")  # who plays alone where one is named
_RHYTHM = ("bass", "drums", "keys", "organ")  # families of whom a band has one
_PIANOS = frozenset(
    {"piano", "upright piano", "honky-tonk piano", "electric grand", "electric piano", "fm electric piano"}
)
_MORE = re.compile(r"\b(?:second|2nd|another|additional|extra|two|three|2|both|pair of)\s(?:[a-z-]+(?<!s)\s)?\Z", re.I)
_PLAIN = re.compile(r"(?:low )?bass(?:es|ist)?(?: ?line| part| groove| riff| instrument)?s?|baseline|drums|piano")
_ORCHESTRAL = frozenset({"strings", "brass", "winds", "timpani", "bass", "percussion"})
_OF_ONE = re.compile(  # whose own strings are meant
    r"\b(?:its|his|her|drone|open|sympathetic|gut|steel|nylon|muted|plucked|damped|(?:on|across|over) the)\s\Z", re.I
)
_MANY = 6  # notes at once of a section


def some_of(text: str, mention: Mention, seats: list[Seat]) -> list[Seat]:
    """The parts that are meant by a name for some of a kind: the two string instruments, the men's voices of a choir,
    the alto of a saxophone quartet, percussion that is left out in a place."""
    words, before = mention.text.lower(), text[max(0, mention.start - _BEFORE) : mention.start]
    if words.endswith("instruments") and _THE_TWO.search(before):
        return [seat for seat in seats if seat.instrument.family == mention.instrument.family]
    if words in _SIZES:
        return _of_size(words, seats)
    sex = _SEXES.search(words)
    if sex is not None:
        names = _WOMEN if sex["she"] else _MEN
        some = [seat for seat in seats if seat.instrument.name in names]
        return some if len(some) > 1 else []
    if words == "percussion" and _NO.search(before):
        return [seat for seat in seats if seat.instrument.family == "percussion"]
    return []


def _of_size(size: str, seats: Sequence[Seat]) -> list[Seat]:
    """Who of an ensemble of saxophones or recorders is called by its size."""
    winds = [
        seat for seat in seats if seat.instrument.family == "winds" and seat.instrument.name.startswith(f"{size} ")
    ]
    return winds if len(winds) == 1 and _in_group(winds[0], list(seats)) else []


def of_ensemble(text: str, mention: Mention, seats: list[Seat]) -> list[Seat]:
    """The parts that the name of a group of players refers to."""
    winds = _of_section(seats, "winds") if mention.name == "woodwinds" else []
    return winds or _within_ensemble(text, mention, seats)


def _within_ensemble(text: str, mention: Mention, seats: list[Seat]) -> list[Seat]:
    """The players of a larger ensemble that a smaller one is part of: the rhythm section of a big band; *the* horn
    section where all of its kind are named one by one."""
    told = bool(_THE.search(text[: mention.start]))
    if told and mention.name == "full orchestra" and len(seats) >= _A_BAND and _is_whole(seats):
        return list(seats)
    taken: list[Seat] = []
    for member, _ in mention.members:
        able = (seat for seat in seats if seat.instrument.family == member.family and seat not in taken)
        grouped = (seat for seat in able if told or _in_group(seat, seats))
        one = next(grouped, None)
        if one is None:
            return []
        taken.append(one)
    return taken


def _in_group(seat: Seat, seats: list[Seat]) -> bool:
    """Whether somebody sits there as one of an ensemble."""
    return any(other is not seat and other.group == seat.group for other in seats)


def bass_of_ensemble(text: str, mention: Mention, seats: list[Seat]) -> list[Seat]:
    """Who of an ensemble has the bass, where it is called so."""
    called = mention.text.lower() == "bass" and _THE.search(text[max(0, mention.start - _BEFORE) : mention.start])
    return [seat for seat in seats if seat.role == "bass" and _in_group(seat, seats)] if called else []


def rhythm_of_ensemble(
    text: str, mention: Mention, seats: list[Seat], spoken: Sequence[tuple[Mention, list[Seat]]]
) -> list[Seat]:
    """Who of an ensemble is named besides it: its bass, its drummer, who has its keys; it plays what is named."""
    family = mention.instrument.family
    more = mention.text.lower().endswith(("basses", "pianos")) or _MORE.search(text[: mention.start][-_BEFORE:])
    if more or not _of_rhythm(mention.name, family):
        return []
    own = {id(seat) for other, named in spoken if not other.ensemble for seat in named}
    free = [
        seat
        for seat in seats
        if seat.instrument.family == family and _in_group(seat, seats) and _of_rhythm(seat.instrument.name, family)
    ]
    if len(free) != 1 or id(free[0]) in own:
        return []
    if not _PLAIN.fullmatch(mention.text.lower()):
        free[0].instrument, free[0].words = mention.instrument, mention.text.lower()
    return free


def lacking(fresh: list[Seat], seats: Sequence[Seat]) -> list[Seat]:
    """New seats of an ensemble, without the bass, the drummer and the keys where they were named before it."""
    there = {seat.instrument.family for seat in seats if _of_rhythm(seat.instrument.name, seat.instrument.family)}
    return [
        seat
        for seat in fresh
        if seat.instrument.family not in there or not _of_rhythm(seat.instrument.name, seat.instrument.family)
    ]


def _of_rhythm(name: str, family: str) -> bool:
    """Whether a band has one of a kind of instrument: one bass, one drummer, one pianist, one organ."""
    return family in _RHYTHM and (family != "keys" or name in _PIANOS)


def of_orchestra(mention: Mention, seats: list[Seat]) -> list[Seat]:
    """The members of a full orchestra that the name of one of its sections refers to; nobody where it is somebody who
    does not sit there: a bassoon, one cello."""
    instrument = mention.instrument
    strung = instrument.name in _STRINGS
    alone = not mention.text.lower().endswith(("s", "i")) if strung else instrument.polyphony == 1
    section = instrument.family in _ORCHESTRAL and not instrument.percussion and instrument.family != "bass"
    return _of_section(seats, instrument.family) if instrument.family == "bass" or (section and not alone) else []


def _is_whole(seats: list[Seat]) -> bool:
    """Whether nobody is lacking in those who were named: they have brass, or are a band of another kind."""
    return any(seat.instrument.family in ALL_THERE for seat in seats)


def _of_section(seats: list[Seat], family: str) -> list[Seat]:
    return [seat for seat in seats if seat.group == "full orchestra" and seat.instrument.family == family]


def by_noun(mention: Mention, seats: Sequence[Seat]) -> tuple[list[Seat], list[Seat]]:
    """Who is called by the noun of a name, and who has just that instrument; all of several where nobody has."""
    noun, kind = mention.text.lower().split()[-1].removesuffix("s"), mention.instrument.family
    called = [one for one in seats if one.words.rstrip("s").endswith(noun) and one.instrument.family == kind]
    same = [seat for seat in seats if seat.instrument.name == mention.name]
    return called, same or called[: len(called) if len(called) > 1 else 0]


def meant_together(name: str, family: list[Seat], before: str) -> list[Seat]:
    """Who of a family is meant by the name of a section: *strings* are others beside the one string player who is
    there, but for its own strings."""
    single = len(family) == 1 and family[0].instrument.polyphony < _MANY and not _OF_ONE.search(before)
    return [] if name == "strings" and single else family
