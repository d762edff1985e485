"""Roles: what each part does, from what the sentences say of it and what its instrument is for.

The strongest claim wins; a bass stays a bass unless it is told to lead; where several have melodies, one of them leads.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from libretto.contract.claims import LEADS, LIKELY, SETTLED, WEAK, Claim, role_in, without_others
from libretto.contract.instruments import Instrument, Mention
from libretto.contract.soloists import called_solo, hinted, of_concerto
from libretto.contract.tunes_first import ahead, as_able, rings, sings_first, tunes_first, without_ripples

__all__ = ["LISTED", "Claim", "Seat", "claim_roles", "settle_roles"]

#: What stands between two names of a list.
LISTED = re.compile(r"\s*(?:,|and|&|or|,\s*and|,\s*or|plus)\s*(?:the |an? )?\Z", re.I)
_STOP = re.compile(
    r"[.;!?]|\b(?:before|until|when|then) (?:the |its |that )?(?:main |opening |first )?(?:theme|melody|tune) "
    r"(?:returns?|comes? back|re-?enters?|reappears?|takes? over)\b|,\s*(?:and )?(?:then )?follow\w* (?:with|by)\b|"
    r"\b(?:accompanied|backed|supported|complemented|joined|answered|enhanced) by\b|"
    r",\s*(?:and |while |with )?the (?:lead|melody|tune|rhythm|harmony|beat)\s+"
    r"(?:should|will|must|can|only|[a-z]+(?<!s)s)\b|"
    r"(?:,\s*(?:and |while )?|\bwhile )the (?:second|other|third|first)\s+(?:should|will|must|can|[a-z]+(?<!s)s)\b",
    re.I,
)
_OF_NEXT = re.compile(  # words before the next name that describe it
    r"\b(?:over|above|against|atop|on top of|under|beneath|through|across)\s(?:the\s|an?\s|some\s)?"
    r"(?:[\w-]+,?\s){0,3}\Z|\bbacking\s\Z|"
    r"(?<!\w)(?:finger-?\s?picked|strummed|arpeggiated|sustained|rhythmic)\s(?:[\w-]+\s)?\Z",
    re.I,
)
_BASS_RIFF = re.compile(  # what a bass carries is no tune
    r"\b(?:stat|announc|introduc|present|spin|carr|lead|play|drop|lay)(?:s|e|es|y|ies|ing|ning|ying)?\s(?:(?:out|down|off|with)\s)*"
    r"(?:an?|the|its)\s(?:[\w'-]+,?\s){0,5}?(?:riff|line|groove|figure|pattern)\b",
    re.I,
)
_BEFORE_ROLE = (
    ("comping", re.compile(r"(?:\baccompany (?:this|it|them|the [a-z]+) with|"
                           r"(?:accompanied|backed|supported|underpinned) by)\s(?:[a-z\-]+\s){0,4}\Z|"
                           r"accompaniment (?:of|on|from)\s(?:[a-z]+\s){0,3}\Z", re.I)),
    ("counter", re.compile(r"(?:complemented|answered|joined|enhanced|echoed|"
                           r"decorated) by\s(?:[a-z\-]+\s){0,4}\Z", re.I)),
    ("counter", re.compile(r"\b(?:occasional|sporadic)(?:ly)?,?\s(?:an?\s|the\s)?(?:[a-z\-]+\s){0,2}\Z", re.I)),
    ("pad", re.compile(r"\bbacking\s\Z|\bdrones?\s(?:on|from|held by)\s(?:the |an? )?\Z", re.I)),
    ("arpeggio", re.compile(r"\b(?:arpeggiated|finger-?picked)\s\Z", re.I)),
    ("lead", re.compile(r"(?:led by|lead by|melody (?:on|for|in|played by|played on)|sung by|featuring a lead|"
                        r"(?:cent(?:er|r)ed|built|revolv(?:es?|ing)) (?:a?round|on)|"
                        r"solo)\s(?:the |an? )?(?:(?!(?:and|with|over|under|for|from|by)\s)[a-z\-]+\s){0,2}\Z", re.I)),
)  # fmt: skip
_BAND = 3  # players from which on somebody strikes the chords
_KEYED = frozenset({"keys", "free reeds", "organs"})  # families that have them under their hands
_STRUNG, _CHORDED = frozenset({"guitar", "plucked"}), frozenset({"guitar", "plucked", "keys", "organs"})
_UNPITCHED = frozenset({"drums", "percussion", "timpani", "effects", "tolling"})  # they keep the lexicon's role
_NEXT = ("counter", "arpeggio", "comping", "pad", "bass")  # who takes a lead that nobody has, the likeliest first
_AFTER, _BEFORE = 260, 60  # characters after and before a name in which a sentence says what it does
_SAYS_SO = re.compile(r"\b(?:should|will|must|can|adds?|brings?|provides?|offers?)\b")
_OF_ALL = re.compile(
    r"\s*(?:,[^,]*,)?\s*(?:(?:should|will|must|can|are|is|to)\b|(?:both |all |then )?(?:play|sing|carry|have|share|"
    r"trade|take|move|double|answer|hold|state|keep|provide|add)\b)"
)
_NO_CLAIM, _DRONES = Claim(), Claim(SETTLED, "pad")
_CHORDAL, _BESIDES = ("comping", "arpeggio", "pad"), ("lead", "comping", "arpeggio")  # over a drone of one's own
_HOLDS, _UNDER, _SINGER = Claim(LIKELY, "pad"), Claim(LIKELY, "counter"), "voice"
_MOVES = re.compile(r"\bemoti\w+|\bexpressi\w+", re.I)
_STABS, _PICKED = Claim(SETTLED, "counter"), Claim(SETTLED, "arpeggio")
_BENEATH = re.compile(
    r"\b(?:lines?|figures?|motion|movement)\s(?:from\s)?(?:beneath|underneath|below|down low)\b", re.I
)
_WITH, _LAST_OF_LIST = re.compile(r"\s*,?\s+with\b", re.I), re.compile(r"\band (?:an? |the )?\Z", re.I)
_NTH = re.compile(r"\b(one|first|second|other|third)\s\Z", re.I)
_PLACES = {"one": 0, "first": 0, "second": 1, "other": 1, "third": 2}
_SOLO = re.compile(r"\b(?:solo|around|round|on)\s(?:[a-z-]+\s){0,2}\Z", re.I)
_STAB, _HITS = re.compile(r"\bstabs?\b", re.I), re.compile(r"\b(?:stabs?|hits)\Z", re.I)
_BUILT_ON = re.compile(r"\bbuilt\s(?:up\s)?(?:up)?on\s(?:[a-z-]+,?\s){0,4}\Z", re.I)  # a bass, as houses are
_OWN_DRONE = re.compile(  # beside the tune that the same player has
    r"\b(?:over|above|against|on|with|to)\s(?:its|their|his|her)\s(?:own\s)?(?:[a-z]+\s){0,2}\Z|"
    r"\bwith\s(?:[a-z-]+,?\s){0,4}(?:[a-z]+-string\s)?\Z",
    re.I,
)
_AT_FIRST = re.compile(r"\b(?:open|begin|start)(?:s|ing|ning)?\b[^.;!?]*\Z", re.I)  # a drone that others follow
_AND_THE_TUNE = re.compile(r"\s+and (?:the|a|its|their) (?:[a-z]+ )?(?:tune|melody|lead)\b", re.I)
_ITS_TUNE = re.compile(r"\A(\s(?:melody|hook|theme|tune)) and .*", re.I | re.S)  # and what comes after is another's


@dataclass(slots=True)
class Seat:
    """A part in the making."""

    instrument: Instrument
    role: str
    words: str
    group: str
    many: bool = False
    claim: Claim = _NO_CLAIM


def claim_roles(text: str, spoken: list[tuple[Mention, list[Seat]]]) -> None:
    """Give every part what the text says it does, the strongest claim kept."""
    following, end = _NO_CLAIM, len(text)
    for mention, seats in reversed(spoken):
        after = text[mention.end : min(end, mention.end + _AFTER)]
        after = _STOP.split(_OF_NEXT.sub("", after) if end <= mention.end + _AFTER else after)[0]
        listed = bool(LISTED.match(after)) and end < len(text)
        besides = _WITH.match(after) and _LAST_OF_LIST.search(text[: mention.start])  # what a piece has besides players
        own = _NO_CLAIM if besides else _after(mention, seats, after)
        claim = following if listed else own  # of a list, what is said at its end
        if not listed:
            following = claim if _OF_ALL.match(after) else _NO_CLAIM
        before = text[max(0, mention.start - _BEFORE) : mention.start]
        before += called_solo(mention, before)
        others = [other for other, _ in spoken]
        claim = max([claim, *_before(before, listed, _is_bass(seats)), *of_concerto(text, mention, others)])
        claim = hinted(mention, before, claim)
        claim = _of_sound(mention, before, LEADS if _AND_THE_TUNE.match(after) else claim)
        seats = _nth_of(seats, before)
        follows = mention.ensemble and claim == _STABS  # a section that answers has no tune
        if len(seats) == 1 or claim == LEADS or follows:
            seats[0].claim = max(seats[0].claim, claim)
        end = mention.start


def _nth_of(seats: list[Seat], before: str) -> list[Seat]:
    """The first, second or other one of several, where that is told; else all of them."""
    nth = _NTH.search(before) if len(seats) > 1 else None
    return seats[_PLACES[nth[1].lower()] :][:1] or seats if nth else seats


def _after(mention: Mention, seats: list[Seat], after: str) -> Claim:
    """What the words after a name claim for it."""
    said = _BASS_RIFF.sub(" ", after) if _is_bass(seats) else after
    said = _ITS_TUNE.sub(r"\1", said)
    said = without_others(said) if mention.instrument.polyphony == 1 else said
    claim = as_able(mention.instrument, role_in(_struck_as_chords(mention, said)))
    if claim.weight == WEAK and not _SAYS_SO.search(after):
        return _NO_CLAIM
    if claim.role == "pad" and claim.weight == WEAK and mention.instrument.role == "lead" and _MOVES.search(after):
        return _NO_CLAIM  # depth that moves is sung, not held
    if claim == _HOLDS and mention.name == _SINGER:
        return _NO_CLAIM  # a singer who drones has the words all the same
    if claim.role == "lead" and _BENEATH.search(after):
        return _UNDER  # a dark line beneath is no tune
    return claim


def _is_bass(seats: list[Seat]) -> bool:
    return len(seats) == 1 and seats[0].instrument.family == "bass"


def _struck_as_chords(mention: Mention, words: str) -> str:
    """What is said of somebody; stabs of who is there for chords are chords."""
    return _STAB.sub("chords", words) if mention.instrument.role in _CHORDAL else words


def _before(before: str, listed: bool, low: bool) -> list[Claim]:
    """What the words before a name claim; *solo* or *built around* in front of a list says nothing of who leads, nor
    does what is built on somebody ``low``."""
    return [
        Claim(SETTLED, role)
        for role, pattern in _BEFORE_ROLE
        if pattern.search(before) and not (listed and _SOLO.search(before)) and not (low and _BUILT_ON.search(before))
    ]


def _of_sound(mention: Mention, before: str, claim: Claim) -> Claim:
    """What a name claims beside what is said: a drone lies still, unless under a tune of its own; stabs answer."""
    if mention.name == "drone":
        besides = (claim.weight == SETTLED and claim.role in _BESIDES) or bool(_AT_FIRST.search(before))
        return claim if besides else _NO_CLAIM if _OWN_DRONE.search(before) else _DRONES
    picked = mention.text.lower().startswith("finger")  # a fingerstyle guitar
    return _STABS if _HITS.search(mention.text) else max(claim, _PICKED) if picked else claim


def settle_roles(seats: list[Seat]) -> str:
    """Give every part its role: what is claimed, as far as its instrument can, with one part in the lead.

    Gives the name of who was taken for the lead among several, where nobody is told to have it.
    """
    _let_sing(seats)
    led = any(seat.claim == LEADS for seat in seats)
    able = [seat for seat in seats if len(seats) == 1 or seat.instrument.family in _CHORDED]
    if len(able) == 1 and able[0].claim.role == "bass":
        able[0].claim = _NO_CLAIM  # who is alone, or alone has chords, has a bass of its own besides
    for seat in sorted(tunes_first(seats), key=_turn):
        if seat.instrument.family not in _UNPITCHED:
            seat.role = _role_of(seat, led)
            led = led or seat.role == "lead"
    _leave_to_basses(seats)
    _give_ground(seats)
    _strike(seats)
    if any(seat.role == "lead" for seat in seats):
        return ""
    answering = [seat for seat in seats if seat.claim.role == "counter" and (_tuneful(seat) or sings_first(seat))]
    if leader := ahead(seats, _leader(seats)) or min(answering, key=lambda seat: not sings_first(seat), default=None):
        leader.role = "lead"
    return _told_name(leader) if leader and len(seats) > 1 else ""


def _told_name(seat: Seat) -> str:
    """What a brief calls somebody: a ngoni is no kora to who asks for it."""
    own = seat.group == seat.instrument.name and not seat.words.endswith("s")
    return seat.words if own and seat.words else seat.instrument.name


def _let_sing(seats: list[Seat]) -> None:
    """Give the tune to the only one who sings, of whom nothing is said, however low: an alto with a band."""
    voices = [seat for seat in seats if seat.instrument.family == "voices"]
    led = any(seat.claim == LEADS for seat in seats)
    alone = len(voices) == 1 and (voices[0].instrument.polyphony == 1 or voices[0].words.endswith(" voice"))
    if alone and not voices[0].claim.role and not led:
        voices[0].claim = LEADS


def _sings(seat: Seat) -> bool:
    """Whether somebody sings of whom nothing else is said: words go before what instruments play."""
    return seat.instrument.family == "voices" and seat.instrument.role == "lead" and not seat.claim.role


def _turn(seat: Seat) -> int:
    """Whose role is settled first: who sings, then who is said to have something like a tune, and of these those last
    whose instruments are for chords."""
    if _sings(seat):
        return 0
    likely = seat.claim.role == "lead" and seat.claim.weight < SETTLED
    return 2 if not likely else 1 if _tuneful(seat) else 3


def _leave_to_basses(seats: list[Seat]) -> None:
    """Give who is only low by nature a line of its own beside a bass: a baritone saxophone in a band; and a wind beside
    a kit and somebody with chords, who has the low notes as well, if no bass comes in."""
    families = {seat.instrument.family for seat in seats}
    band = "drums" in families and bool(families & _CHORDED)
    blown = ("winds", "brass") if "bass" in families else ("winds",) if band else ()
    for seat in seats:
        if seat.role == "bass" and seat.instrument.family in blown and not seat.claim.role:
            seat.role = "counter"
        if seat.role == "bass" and seat.instrument.family == "voices" and "bass" not in seat.instrument.name:
            seat.role = "counter" if "bass" in families else "bass"


def _give_ground(seats: list[Seat]) -> None:
    """Give the bass to low strings of which nothing is said, where another leads and nobody has it."""
    if any(seat.role == "bass" for seat in seats) or not any(seat.role == "lead" for seat in seats):
        return
    for seat in seats:
        if seat.instrument.name == "low strings" and not seat.claim.role and seat.role == "counter":
            seat.role = "bass"


def _strike(seats: list[Seat]) -> None:
    """Give the chords to a guitar of which nothing, or a riff, is said, where a band has a tune and nobody for them."""
    if len(seats) < _BAND or any(seat.role in _CHORDAL or seat.instrument.family in _KEYED for seat in seats):
        return
    free = [seat for seat in seats if seat.role == "counter" and seat.claim.weight < SETTLED]
    idle = [seat for seat in free if seat.instrument.family in _STRUNG]
    if any(seat.role == "lead" for seat in seats) and idle:
        idle[0].role = "comping"


def _role_of(seat: Seat, led: bool) -> str:
    """The role of a part; ``led`` says that another leads already."""
    claim = seat.claim
    if claim.role in _CHORDAL and seat.instrument.role == "bass":
        return "bass"  # a tuba that plays oom-pah
    if claim.role and (seat.instrument.family != "bass" or claim == LEADS):
        yields = claim.role == "lead" and claim.weight < SETTLED and led
        struck = seat.instrument.family in _KEYED and not _tuneful(seat)
        return (seat.instrument.role if struck else "counter") if yields else _able(seat, claim.role)
    return "counter" if seat.role == "lead" and led else seat.role


def _able(seat: Seat, role: str) -> str:
    """A role as far as an instrument can have it: one line accompanies as a second voice, a bass voice as a bass."""
    if role == "counter" and (seat.instrument.family, seat.instrument.role) == ("voices", "bass"):
        return "bass"
    return "counter" if role == "comping" and seat.instrument.polyphony == 1 and _tuneful(seat) else role


def _leader(seats: list[Seat]) -> Seat | None:
    """Who takes a lead that nobody has: a voice first; nobody whose role is settled, no bass, no arpeggio on a beat."""
    kept_out = _UNPITCHED - {"drums"} | ({"bass"} if len(seats) > 1 else set())
    able = [
        seat
        for seat in without_ripples(seats)
        if seat.instrument.programs and seat.instrument.family not in kept_out and seat.claim.weight < SETTLED
    ]
    return min([seat for seat in able if not rings(seat)] or able, key=_likelihood, default=None)


def _tuneful(seat: Seat) -> bool:
    """Whether somebody who answers may lead where nobody else does: whose instrument is for tunes."""
    return seat.instrument.role in ("lead", "counter") and seat.instrument.family not in _UNPITCHED


def _likelihood(seat: Seat) -> tuple[bool, int, int]:
    """The less, the likelier a part takes the lead: voices, then by its role, then by what its instrument is for."""
    usual = seat.instrument.role
    return seat.instrument.family != "voices", _NEXT.index(seat.role), _NEXT.index(usual) if usual in _NEXT else 0
