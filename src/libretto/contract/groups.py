"""Groups: a quartet whose players are listed besides is those players, not the usual ones and those."""

from __future__ import annotations

import re
from collections.abc import Iterable

from libretto.contract.instruments import Mention
from libretto.contract.roles import Seat

__all__ = ["by_section", "listed_instead", "struck_by_name"]

_KEYS, _RHYTHM = "keys", {"bass", "drums"}  # families
_COUNTED = re.compile(r"\b(?:duo|trio|quartet|quintet|sextet|combo)s?\b", re.I)
_AND = re.compile(r"\s+(?:and|plus)\s+(?:an?\s+|the\s+)?", re.I)  # what joins somebody to an ensemble
_INCLUDING = re.compile(
    r",?\s\(?(?:including|such as|namely|like|made up of|consisting of|that includes|which includes)\s", re.I
)
_NEXT = re.compile(r"(?:\s?,\s?|\s?(?:and|plus|&)\s)?(?:an?\s|the\s)?(?:(?!and|should|must)[a-z-]+\s){0,2}", re.I)
_HOW_MANY = re.compile(r"\b(duo|duet|trio|quartet|quintet|sextet)\Z", re.I)  # as the last word of the name of a group
_PLAYERS = {"duo": 2, "duet": 2, "trio": 3, "quartet": 4, "quintet": 5, "sextet": 6}
_NAMED = r"(?:an?\s|the\s|two\s|three\s)?(?:(?!and|should|must)[a-z-]+\s){0,2}"
_MADE_OF = r"(?:for|of|with|featuring|comprising|made up of|consisting of)"
_LIST_OF = re.compile(rf"(?:,?\s{_MADE_OF}\s|:\s|\s?[(—–]\s?|\s-\s){_NAMED}", re.I)
_NEXT_OF_LIST = re.compile(rf"(?:\s?,\s?(?:and\s|plus\s)?|\s(?:and|plus|&)\s){_NAMED}", re.I)
_ANY = "percussion"
_LEADS, _CHORDS = "lead", 3  # a role, and how many notes at once make chords
_LIST = 2  # players that are named one by one beside an ensemble
_STRINGS_AS_ONE = re.compile(r"\bstring (?:orchestra|ensemble|section|group|choir)\Z", re.I)
_OF_STRINGS, _LOW = frozenset({"violin", "viola", "cello", "double bass"}), frozenset({"cello", "double bass"})
_SECTIONS = 3  # kinds of strings that are named where all of them are


def listed_instead(text: str, seats: list[Seat], spoken: list[tuple[Mention, list[Seat]]]) -> list[Seat]:
    """The parts of a brief in which a quartet whose players are listed besides is those players, not the usual ones
    and those."""
    named = {id(seat) for mention, own in spoken if not mention.ensemble for seat in own}
    seats = _counted_out(text, seats, spoken)
    groups = [(mention, own) for mention, own in spoken if mention.ensemble and _COUNTED.search(mention.text)]
    for mention, members in groups:
        others = named - _joined(text, mention, spoken)
        if _lists(members, others, seats) and len(others) >= max(_LIST, len(members) - 1):
            gone = _unnamed(mention, members, named)
            seats = [seat for seat in seats if id(seat) not in gone]
            members[:] = [seat for seat in members if id(seat) in named]
    return seats


def by_section(text: str, seats: list[Seat], spoken: list[tuple[Mention, list[Seat]]]) -> list[Seat]:
    """The parts of a brief in which a string orchestra whose sections are named after it is those, and nobody
    besides."""
    wholes = [(mention, members) for mention, members in spoken if _STRINGS_AS_ONE.search(mention.text)]
    for mention, members in wholes:
        sections = _sections_of(text, mention, seats, spoken)
        if sections and len(members) == 1 and members[0].instrument.name == "strings":
            whole = members[0]
            for _, own in spoken:
                own[:] = sections if any(seat is whole for seat in own) else own
            seats = _without(seats, whole)
    return seats


def _sections_of(text: str, whole: Mention, seats: list[Seat], spoken: list[tuple[Mention, list[Seat]]]) -> list[Seat]:
    """The sections of strings that are named after the name of all of them, where they are all that it has."""
    later = [(mention, own) for mention, own in spoken if mention.start > whole.end]
    named = [seat for mention, own in later if mention.text.lower().endswith("s") for seat in own]
    own = {id(seat) for seat in (*named, *_listed_after(text, whole, spoken))} - _joined(text, whole, spoken)
    sections = [seat for seat in seats if seat.instrument.name in _OF_STRINGS and id(seat) in own]
    kinds = {seat.instrument.name for seat in sections}
    return sections if len(kinds) >= _SECTIONS and kinds & _LOW else []


def _counted_out(text: str, seats: list[Seat], spoken: list[tuple[Mention, list[Seat]]]) -> list[Seat]:
    """The parts of a brief in which a group is those who are listed right after its name, where they are as many as it
    counts: a jazz trio for flute, guitar and bass clarinet."""
    for mention, members in spoken:
        many = _HOW_MANY.search(mention.text) if mention.ensemble else None
        listed = _listed_after(text, mention, spoken) if many else []
        if many and len(listed) == _PLAYERS[many[1].lower()]:
            seats = _only(seats, members, listed)
    return seats


def _listed_after(text: str, mention: Mention, spoken: list[tuple[Mention, list[Seat]]]) -> list[Seat]:
    """Who is listed right after a name."""
    listed: dict[int, Seat] = {}
    end, link = mention.end, _LIST_OF
    for other, own in sorted((one for one in spoken if one[0].start > mention.start), key=lambda one: one[0].start):
        if other.ensemble or not link.fullmatch(text, end, other.start):
            break
        listed |= {id(seat): seat for seat in own}
        end, link = other.end, _NEXT_OF_LIST
    return list(listed.values())


def _only(seats: list[Seat], members: list[Seat], listed: list[Seat]) -> list[Seat]:
    """The parts of a brief without the usual members of a group who are not those who are listed, of whom the first
    leads, if that is what the instrument is for."""
    kept = {id(seat) for seat in listed}
    gone = {id(seat) for seat in members} - kept
    if listed[0].instrument.role == _LEADS:
        for seat in [seat for seat in listed[1:] if seat.role == _LEADS and any(seat is member for member in members)]:
            own = "comping" if seat.instrument.polyphony >= _CHORDS else "counter"
            seat.role = own if seat.instrument.role == _LEADS else seat.instrument.role
        listed[0].role = _LEADS
    members[:] = listed
    return [seat for seat in seats if id(seat) not in gone]


def struck_by_name(text: str, seats: list[Seat], spoken: list[tuple[Mention, list[Seat]]]) -> list[Seat]:
    """The parts of a brief in which percussion that is told what it includes is those who are listed."""
    any_of_them = next((own[0] for mention, own in spoken if len(own) == 1 and _is_any(mention, own[0])), None)
    named = [] if any_of_them is None else [one for one in _included(text, spoken) if one is not any_of_them]
    if not named:
        return seats
    for _, own in spoken:
        own[:] = _without(own, any_of_them) + (named if any_of_them in own else [])
    return _without(seats, any_of_them)


def _is_any(mention: Mention, seat: Seat) -> bool:
    """Whether a part is called percussion and no more."""
    return mention.name == seat.instrument.name == _ANY


def _without(seats: Iterable[Seat], one: Seat | None) -> list[Seat]:
    return [seat for seat in seats if seat is not one]


def _included(text: str, spoken: list[tuple[Mention, list[Seat]]]) -> list[Seat]:
    """Who is listed after a name for percussion: ``percussion, including a shaker and rim clicks``."""
    told = next((match for mention, _ in spoken if (match := _told_of(text, mention))), None)
    end = told.end() if told else len(text)
    named: dict[int, Seat] = {}
    for other, own in sorted(spoken, key=lambda one: one[0].start):
        if other.start >= end and _NEXT.fullmatch(text, end, other.start):
            named |= {id(one): one for one in own if one.instrument.percussion}
            end = other.end
    return list(named.values())


def _told_of(text: str, mention: Mention) -> re.Match[str] | None:
    return _INCLUDING.match(text, mention.end) if mention.name == _ANY else None


def _lists(members: list[Seat], others: set[int], seats: list[Seat]) -> bool:
    """Whether players besides a group's own may be those it is made of: some of its own are named as well, or others
    of its families."""
    own, kin = {id(seat) for seat in members}, {seat.instrument.family for seat in members}
    kin |= _RHYTHM if _KEYS in kin else set()  # a piano trio with a bass and drums is one of jazz
    alike = any(seat.instrument.family in kin for seat in seats if id(seat) in others - own)
    return bool(others - own) and (alike or bool(others & own))


def _unnamed(mention: Mention, members: list[Seat], named: set[int]) -> set[int]:
    """Members of a group who are not named one by one; a piano trio has a piano, whoever the others are."""
    called = mention.text.lower()
    return {id(seat) for seat in members if seat.instrument.name not in called} - named


def _joined(text: str, mention: Mention, spoken: list[tuple[Mention, list[Seat]]]) -> set[int]:
    """Who plays beside an ensemble: ``a string quartet and a clarinet``, ``solo piano and string quartet``."""
    gaps = (
        (own, text[mention.end : other.start] if other.start > mention.end else text[other.end : mention.start])
        for other, own in spoken
        if other is not mention
    )
    beside = [own for own, gap in gaps if _AND.fullmatch(gap)]
    return {id(seat) for own in beside for seat in own}
