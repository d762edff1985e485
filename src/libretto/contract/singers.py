"""Singers: who of them is meant beside a choir, and words that only say that they sing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from libretto.contract.instruments import Mention, instrument_named
from libretto.contract.roles import Seat

__all__ = ["FEWEST_PARTS", "basses_of_choir", "is_new_singer", "is_no_singer", "sings"]

#: Parts that are a choir where one sings each.
FEWEST_PARTS = 3
_VOICES = "voices"
_ONE = re.compile(
    r"\b(?:(?:an?|one)\s(?:[a-z-]+,?\s){0,3}|(?:solo|lead|single|lone)\s(?:[a-z-]+\s)?)[a-z]+\Z(?<! vocal)|"
    r"\b(?:lead|solo) vocal\Z",
    re.I,
)
_SEX = re.compile(r"\b(?:(?P<she>female|woman|girl|mother)|male|man|boy)\b", re.I)
_WHAT_IS_SUNG = ("singers", "chant", "chants", "chanting")  # and nobody besides
_FUGUE = re.compile(r"\b(?:fug(?:ue|al|ato|hetta)|canons?|inventions?|contrapuntal|counterpoint|ricercar)\b", re.I)
_WHICH_VOICE = re.compile(
    r"\b(?:top|upper|highest|middle|inner|lower|lowest|bottom|first|second|third|fourth|other|each|every|next|three|four|"
    r"two|tenor|bass)\s\Z",
    re.I,
)
_CHANTED = re.compile(
    r"\b(?:sopranos?|altos?|tenors?|baritones?|basses|voices?|choir|singers?|men|women|children)\b[^.;!?]{0,30}"
    r"\b(?:with|in|sings?|intones?|begins?|starts?)\s(?:an?|the|their|its)\s(?:[a-z-]+,?\s){0,3}\Z",
    re.I,
)
_THEN_WHO = re.compile(  # who is said to sing by a word before its name: ``singing strings``
    r" (?:(?:high|low|solo|lead|warm|muted|sweet|soft|violin|upper|lower|first|lone|distant|expressive) )?"
    r"(?P<one>[a-z]+)(?: (?P<two>[a-z]+))?",
    re.I,
)
_BEFORE = 60  # characters up to the end of a name that say how it is meant


def sings(text: str, singer: Mention, mention: Mention) -> bool:
    """Whether a name is only what the singer named right before it does: ``a male voice singing``."""
    right_after = text[singer.end : mention.start] == " " and mention.text.lower().endswith("ing")
    return right_after and {singer.instrument.family, mention.instrument.family} == {_VOICES}


def is_no_singer(text: str, mention: Mention, before: str) -> bool:
    """Whether a name for singing or a voice is what an instrument does, what others sing, or a voice of a fugue."""
    return _of_instrument(mention, before) or _names_who_after(text, mention) or _of_a_fugue(text, mention, before)


def _names_who_after(text: str, mention: Mention) -> bool:
    """Whether it is an instrument named right after that sings: ``piano and singing strings``."""
    after = _THEN_WHO.match(text, mention.end) if mention.text.lower() == "singing" else None
    if after is None:
        return False
    both = f"{after['one']} {after['two']}" if after["two"] else after["one"]
    own = instrument_named(both) or instrument_named(after["one"])
    return own is not None and own.family != _VOICES


def _of_a_fugue(text: str, mention: Mention, before: str) -> bool:
    """Whether a voice is one of those that a fugue has: ``the subject enters in the middle voice``."""
    named = mention.text.lower() in ("voice", "voices") and _WHICH_VOICE.search(before)
    return bool(named) and bool(_FUGUE.search(text))


def _of_instrument(mention: Mention, before: str) -> bool:
    """Whether it is an instrument that is said to sing, ``with the cello singing``, or what singers are said to sing:
    ``the tenors enter with a chant``."""
    words = before.rstrip().lower().split()
    if mention.text.lower() in ("chant", "chants"):
        return bool(_CHANTED.search(before))
    own = instrument_named(words[-1]) if words and mention.text.lower() == "singing" else None
    return own is not None and own.family != "voices"


def is_new_singer(text: str, mention: Mention, seats: Sequence[Seat]) -> bool:
    """Whether a name that could speak of those who sing already is somebody besides."""
    return _is_another(mention, seats) or _is_soloist(text, mention, seats) or _are_backing(mention, seats)


def _is_soloist(text: str, mention: Mention, seats: Sequence[Seat]) -> bool:
    """Whether one singer is named beside a choir: ``a soulful lead singer calls and the choir responds``."""
    choirs = [seat.instrument.polyphony > 1 for seat in seats if seat.instrument.family == _VOICES]
    one = mention.name == "voice" and not mention.text.lower().endswith(("s", "ing"))
    return one and any(choirs) and all(choirs) and bool(_ONE.search(text[: mention.end][-_BEFORE:]))


def _is_another(mention: Mention, seats: Sequence[Seat]) -> bool:
    """Whether a man is named beside women who sing alone, or the other way round: ``a male and a female singer``."""
    sex = _SEX.search(mention.text)
    others = [_SEX.search(seat.words) for seat in seats if seat.instrument.family == _VOICES]
    told = sex is not None and bool(others) and not mention.ensemble
    return told and all(other is not None and bool(other["she"]) != bool(sex and sex["she"]) for other in others)


def _are_backing(mention: Mention, seats: Sequence[Seat]) -> bool:
    """Whether a choir is named beside those who sing alone: ``backing vocals`` after a female vocal."""
    alone = [seat.instrument.polyphony == 1 for seat in seats if seat.instrument.family == _VOICES]
    named = mention.name == "choir" and mention.text.lower() not in _WHAT_IS_SUNG
    return named and 0 < len(alone) < FEWEST_PARTS and all(alone)


def basses_of_choir(mention: Mention, seats: Sequence[Seat]) -> list[Seat]:
    """The basses of a choir, where nobody else plays a bass."""
    played = any(seat.instrument.family == "bass" for seat in seats)
    if mention.name != "bass" or mention.text.lower() not in ("bass", "basses") or played:
        return []
    return [seat for seat in seats if seat.instrument.name == "bass voice"]
