"""References: whether a name speaks of players who are there already, and of whom.

*The guitar* after an acoustic guitar, *the pipes* after uilleann pipes, *a cello drone*, *brass lines*, *percussion*
after congas, the rhythm section of a big band: none of them is somebody new.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from libretto.contract.instruments import Mention
from libretto.contract.members import (
    bass_of_ensemble,
    meant_together,
    of_ensemble,
    of_orchestra,
    rhythm_of_ensemble,
    some_of,
)
from libretto.contract.roles import LISTED, Seat
from libretto.contract.singers import FEWEST_PARTS, basses_of_choir, is_new_singer

__all__ = ["KIT", "WEAK", "known_as"]

#: Names that speak of what is played rather than of a player.
WEAK = re.compile(
    r"beats?\Z|bass ?lines?\Z|bassline|bass groove|baseline|backbeat|drumming|vocals?\Z|horn lines?|voice\Z|singing|"
    r"brass lines?|riff\Z|on[- ]the[- ]floor|drummer\Z|kick\Z|\A(?:chord )?stabs?\Z",
    re.I,
)
_LINE_AFTER = re.compile(r"\s(?:lines?|groove|part|riff|effect|arrangements?|harmon(?:y|ies)|foundation)\b", re.I)
#: Drums and cymbals of who sits at a kit.
KIT = frozenset({"snare drum", "bass drum", "hi-hat", "toms", "cymbals", "ride cymbal", "rimshot"})
_STROKES = frozenset({"hand claps", "cowbell", "shaker", "tambourine", "percussion"})  # that a machine has, too
_GROWS = re.compile(
    r"[^.;!?]*\b(?:build|grow|start|begin|layer|open|expand|swell|thicken|fill|stack|go|mov|work|unfold|evolv|add)"
    r"(?:s|e|es|ing|ping)?\b[^.;!?]*",
    re.I,
)
_HEADS = {
    "guitar": "guitar", "bass": "bass", "synthesizer": "synth", "piano": "keys", "organ": "organ", "strings": "strings",
    "horns": "brass", "brass": "brass", "voice": "voices", "choir": "voices", "drums": "drums", "drum machine": "drums",
    "harp": "plucked", "saxophone": "winds", "flute": "winds", "synth pad": "synth", "percussion": "percussion",
}  # fmt: skip
_SECTIONS = ("strings", "horns", "brass", "voice", "percussion")  # heads that may stand for any player of their family
_BEATING = ("drums", "percussion")
_NOUNS = ("saxophone", "sax", "recorder", "flute", "drum", "lute", "harp", "fiddle", "bagpipe", "pipes")
_BEFORE, _LINE_REACH = 60, 14  # characters before a name, and after it, that say how it is meant
_HOLDS_ONE = re.compile(  # what somebody has a drone by: a cello drone, the didgeridoo should sustain a deep drone
    r"[ -]|\s(?:[a-z]+\s){0,2}?(?:sustain|hold|provid|lay|keep|produc|maintain|creat|suppl|offer|form|sound)[a-z]*\s"
    r"(?:down\s)?(?:an?|its|the)\s(?:[a-z-]+,?\s){0,4}",
    re.I,
)
_DRONING = frozenset({"bagpipes", "uilleann pipes", "hurdy gurdy", "hurdy-gurdy"})  # their drones are theirs
_ANOTHER = re.compile(
    r"\b(?:an?|with a)\s(?:second|2nd|another|third)\s(?:[a-z]+\s)?[\w-]+\Z|"
    r"\banother\s[\w-]+\Z|\bsecond violins\Z",
    re.I,
)
_DESK = re.compile(r"\b(first|second)\sviolins\Z", re.I)
_LISTED = re.compile(
    r"\b(?:includ\w+|featur\w+|use|for|with) (?:[a-z]+ ?[a-z]*(?:, and|,| and) ){1,4}(?:[a-z]+ )?\Z", re.I
)
_IS_WHAT = re.compile(  # before the name of what somebody who is there plays
    r"(?:\A|\b(?:with|the|to|only|just|and then|but|as|(?P<does>(?:provid|suppl|handl|cover|serv|play)"
    r"(?:e|es|y|ies|s|ing)(?: all| the| some)?)))\s*\Z",
    re.I,
)
_HEARD_OF = {"whistle": "whistling", "bell": "church bell", "bells": "church bell"}
_NO_BASSES = ("bassoon", "basset")
_EACH = re.compile(r"\b(?:each|every|either|other)\s\Z", re.I)  # of several whom a band calls horns
_THE = re.compile(r"\b(?:the|that|this)\s\Z", re.I)
_NEXT_IN_LIST = re.compile(
    r"\s*(?:,|,?\s(?:and|plus|with)\b|\s?&)\s*(?:(?!the\b|all\b|both\b|its\b|other\b)[a-z-]+\s){0,2}", re.I
)
_OF_ROLE = re.compile(r"(?:rhythm|lead)\s", re.I)  # which of two, and not which kind
_A_CERTAIN = re.compile(r"\b(?:an?|one|the)\s(?:[a-z-]+,?\s){0,2}\Z|(?:[.;:!?,]|\band)\s\Z", re.I)
_BARE = re.compile(r"(?:[.;:!?,]|\bwhile|\bthen)\s\Z", re.I)  # pipes answer
_THE_AND = re.compile(r"\bthe\s(?:[a-z-]+\s){1,2}and\s\Z", re.I)  # the clarinet and trumpet

Spoken = Sequence[tuple[Mention, list[Seat]]]


def known_as(text: str, mention: Mention, seats: list[Seat], spoken: Spoken) -> list[Seat]:
    """The parts already there that a name refers to; empty where it names somebody new."""
    if some := some_of(text, mention, seats):
        return some
    if is_new_singer(text, mention, seats):
        return []
    same = [seat for seat in seats if _is_same(seat, mention) or _is_short(seat, mention)]
    if same:
        return [] if _is_another(text, mention, same) else _of_desk(text, mention, same)
    if mention.ensemble:
        return of_ensemble(text, mention, seats)
    if own := basses_of_choir(mention, seats) or bass_of_ensemble(text, mention, seats):
        return own
    if _is_weak(text, mention):
        return _of_families(seats, _kin(mention.instrument.family))
    if mention.name in KIT or _struck_by_kit(text, mention, spoken):
        return _of_families(seats, ("drums",))
    return _by_kind(text, mention, seats, spoken) or rhythm_of_ensemble(text, mention, seats, spoken)


def _of_desk(text: str, mention: Mention, same: list[Seat]) -> list[Seat]:
    """Who of two sections of violins is called the first or the second."""
    told = _DESK.search(text[: mention.end][-_BEFORE:])
    if told is None or len(same) != 1 + 1 or {seat.instrument.name for seat in same} != {"violin"}:
        return same
    return same[:1] if told[1].lower() == "first" else same[1:]


def _is_another(text: str, mention: Mention, same: Sequence[Seat]) -> bool:
    """Whether a name is that of a second one beside who has the same: ``another flute``."""
    return len(same) == 1 and not mention.ensemble and bool(_ANOTHER.search(text[: mention.end][-_BEFORE:]))


def _by_kind(text: str, mention: Mention, seats: list[Seat], spoken: Spoken) -> list[Seat]:
    """The parts that a name refers to by what they are, or by how they were called before."""
    own = _the_drum(text, mention, seats) or _the_choir(text, mention, seats) or _drones(text, mention, seats, spoken)
    own = own or of_orchestra(mention, seats)
    own = own or _alike(text, mention, seats, spoken) or _named_before(text, mention, seats)
    return own or _one_of_several(text, mention, seats, spoken)


def _the_choir(text: str, mention: Mention, seats: list[Seat]) -> list[Seat]:
    """Who is called the choir, where several sing under other names: men's voices, sopranos and altos and tenors."""
    called = mention.name == "choir" and _THE.search(text[max(0, mention.start - _BEFORE) : mention.start])
    singers = _of_families(seats, ("voices",))
    choirs = [seat for seat in singers if seat.instrument.polyphony > 1]
    choirs = choirs if len(choirs) == 1 else [] if choirs or len(singers) < FEWEST_PARTS else singers
    return choirs if called else []


def _the_drum(text: str, mention: Mention, seats: list[Seat]) -> list[Seat]:
    """Who is called the drum, of those who beat something."""
    called = mention.text.lower() == "drum" and _THE.search(text[max(0, mention.start - _BEFORE) : mention.start])
    return _of_families(seats, ("drums", "percussion"))[:1] if called else []


def _struck_by_kit(text: str, mention: Mention, spoken: Spoken) -> bool:
    """Whether claps and such are what a kit named before in the sentence grows to: ``from a bare kick to claps``."""
    if mention.name not in _STROKES:
        return False
    kits = (one.end for one, seats in spoken if seats and all(seat.instrument.family == "drums" for seat in seats))
    return any(_GROWS.fullmatch(text[end : mention.start]) for end in kits)


def _is_same(seat: Seat, mention: Mention) -> bool:
    """Whether somebody sits there under a name, or with that instrument."""
    return seat.group == mention.name or (not mention.ensemble and seat.instrument.name == mention.name)


def _is_short(seat: Seat, mention: Mention) -> bool:
    """Whether a name is the first word of one that was given in full, *the gaita*, after a gaita flute, or a short one
    for what is heard of it: *the whistle*, *the bell*."""
    first, _, kind = seat.words.partition(" ")
    word = mention.text.lower()
    return (first == word and kind in _NOUNS) or _HEARD_OF.get(word) == seat.instrument.name


def _drones(text: str, mention: Mention, seats: list[Seat], spoken: Spoken) -> list[Seat]:
    """Who drones: the one named right before, or the pipes that a drone belongs to."""
    if mention.name != "drone":
        return []
    last, owners = spoken[-1] if spoken else (None, [])
    if last is not None and not last.ensemble and _HOLDS_ONE.fullmatch(text, last.end, mention.start):
        return owners
    return [seat for seat in seats if seat.instrument.name in _DRONING or seat.words.endswith(" drone")]


def _of_families(seats: list[Seat], families: tuple[str, ...]) -> list[Seat]:
    return [seat for seat in seats if seat.instrument.family in families]


def _is_weak(text: str, mention: Mention) -> bool:
    """Whether a name speaks of what is played rather than of a player: ``beats``, ``brass lines``."""
    if WEAK.search(mention.text.lower()):
        return True
    after = text[mention.end : mention.end + _LINE_REACH]
    return mention.instrument.family in ("bass", "voices", "brass") and bool(_LINE_AFTER.match(after))


def _kin(family: str) -> tuple[str, ...]:
    """The families whose players may be meant by a weak name of one."""
    if family in _BEATING:
        return _BEATING
    return (family, "winds") if family == "brass" else (family,)


def _alike(text: str, mention: Mention, seats: list[Seat], spoken: Spoken) -> list[Seat]:
    """The parts that one bare word refers to: ``guitar``, after an acoustic guitar; ``strings``, after violins, but
    not last in a list of players."""
    name, words = mention.name, mention.text.lower()
    before = text[: mention.start]
    if words == "horn" and _EACH.search(before):
        name = "horns"
    listed = name in _SECTIONS and (_LISTED.search(before) or _goes_on(text, mention, spoken))
    listed = listed and not any(seat.group for seat in _of_families(seats, (_HEADS[name],)))
    if name not in _HEADS or len(words.split()) != 1 or listed:
        return []
    seats = _without_soloists(name, seats)
    alike = _called(words, seats)
    if alike or name not in _SECTIONS or (name == "percussion" and _in_list(before, seats)):
        return alike
    family = meant_together(name, _of_families(seats, _meant_by(name, before)), before)
    return _horns(family, seats) if name == "horns" else family


def _without_soloists(name: str, seats: list[Seat]) -> list[Seat]:
    """Who may be meant by the name of a section: of strings nobody who was named as a soloist."""
    return [seat for seat in seats if name != "strings" or not seat.words.startswith("solo ")]


def _meant_by(name: str, before: str) -> tuple[str, ...]:
    """The families that the name of a section means: percussion that somebody ``provides`` is a drummer's, too."""
    beaten = _IS_WHAT.search(before) if name == "percussion" else None
    return _BEATING if beaten and beaten["does"] else (_HEADS[name],)


def _horns(brass: list[Seat], seats: list[Seat]) -> list[Seat]:
    """The horns of a band: its brass without a sousaphone, which is its bass, and its saxophones."""
    blown = [seat for seat in brass if seat.instrument.role != "bass" and not seat.words.startswith("low ")]
    low = bool(brass) and all(seat.words.startswith("low ") for seat in brass)  # where no horns are
    return [*blown, *(seat for seat in seats if "sax" in seat.instrument.name)] or ([] if low else brass)


def _goes_on(text: str, mention: Mention, spoken: Spoken) -> bool:
    """Whether a name goes on a list of players, perhaps with an adjective: ``cello and soft strings``."""
    return bool(spoken) and bool(_NEXT_IN_LIST.fullmatch(text[spoken[-1][0].end : mention.start]))


def _one_of_several(text: str, mention: Mention, seats: Sequence[Seat], spoken: Spoken) -> list[Seat]:
    """Who of several of a kind is told by another word: ``a clean guitar`` where there are two electric guitars."""
    noun = mention.text.lower().split()[-1]
    kin = [seat for seat in seats if seat.many and seat.instrument.family == mention.instrument.family]
    kin = [seat for seat in kin if seat.words.split()[-1].removesuffix("s") == noun]
    told = {id(own[0]) for _, own in spoken if len(own) == 1}
    free = [seat for seat in kin if id(seat) not in told] if _A_CERTAIN.search(text[: mention.start]) else []
    for seat in free[:1] if not _OF_ROLE.match(mention.text) else []:
        seat.instrument, seat.words, seat.many = mention.instrument, mention.text.lower(), False
    return free[:1]


def _called(words: str, seats: list[Seat]) -> list[Seat]:
    """The parts whose names have a word in them; a bass guitar is called the bass, not the guitar."""
    head = words.removesuffix("s").removesuffix("esizer").removesuffix("ophone")
    head = "sax" if head == "saxe" else head
    told = [seat for seat in seats if _names(head, seat.words)]
    alike = told or [seat for seat in seats if _names(head, seat.instrument.name)]
    if head in ("guitar", "synth") and not words.endswith("s"):
        return [seat for seat in alike if seat.instrument.family != "bass"] or alike
    return alike


def _in_list(before: str, seats: Sequence[Seat]) -> bool:
    """Whether a name goes on a list, or follows an adjective: then somebody new is named."""
    words = re.split(r"[.;:!?]", before)[-1]
    return bool(LISTED.search(words)) or not _IS_WHAT.search(words)


def _named_before(text: str, mention: Mention, seats: Sequence[Seat]) -> list[Seat]:
    """Who was named with the same noun and another word before it: *the trumpet* after a muted trumpet, and the other
    way round."""
    words = mention.text.lower().split()
    before = text[: mention.start][-_BEFORE:]
    the = _THE.search(before) or _THE_AND.search(before)
    if not (the or (len(words) == 1 and _BARE.search(before))):
        return []
    noun = words[-1].removesuffix("s")
    called = [seat for seat in seats if the and words[1:] == [] and seat.words.split()[:1] == [noun]]
    if called:
        return called  # the bell, after a bell synth
    alike = [seat for seat in seats if _shares(seat, words, noun, mention.name)]
    return [seat for seat in alike if seat.instrument.family == mention.instrument.family]  # a bass guitar is no guitar


def _shares(seat: Seat, words: list[str], noun: str, name: str) -> bool:
    """Whether somebody was named by a noun, and by no other word beside it: a triangle wave is no pulse wave."""
    own = seat.words.split()
    other = len(words) > 1 and len(own) > 1 and seat.instrument.name != name
    return own[-1:] != [] and own[-1].removesuffix("s") == noun and not other


def _names(head: str, words: str) -> bool:
    """Whether one of some words begins with a head: ``guitar`` in ``acoustic guitars``, no ``harp`` in
    ``nyckelharpa``, no ``bass`` in ``bassoon``."""
    return any(word.startswith(head) and not word.startswith(_NO_BASSES) for word in words.split())
