"""Names of players as sentences put them together: nouns that two share, and bands whose players are told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from libretto.contract.instruments import Instrument, Mention, instrument_named
from libretto.contract.roles import LISTED
from libretto.contract.worlds import ALL_THERE

__all__ = ["horns_beside", "named_together", "one_kit", "without_told_bands"]

_BEFORE = 40  # characters before a name
_ADJECTIVE_AND = re.compile(r"\b([a-z]+)\s(?:and|&)\s(?:an?\s)?\Z", re.I)
_ADJECTIVE_NOUN = 2  # words of a name whose noun two share
_TOLD = re.compile(  # what goes before the list of who plays in a band
    r"(?:\sin [A-G][\w# ]{0,16})?\s*(?:here |should |will |must )?"
    r"(?:be |is |are |consists? of|is made up of|made up of|of |like |such as |includes?|comprises?|:)\s*"
    r"(?:just |only )?(?:an?\s|the\s|one\s|two\s|three\s)?",
    re.I,
)
_COUNTED = re.compile(r"\b(?:duo|trio|quartet|quintet|sextet|combo)s?\b", re.I)  # they say how many there are
_OF_STYLE = re.compile(  # what makes the name of a band the name of a style
    r"[ -](?:[a-z]+ )?(?:swing|chart|tune|number|piece|jazz|style|sound|arrangement|shuffle|groove|feel|march|music|"
    r"track|song|stomp|dance|hoedown|anthem|polka|waltz|rag|blues|ballad)\b",
    re.I,
)
_ASKED = re.compile(
    r"\b(?:use|uses|using|for|with|featur\w+|includ\w+|scored for|play(?:ed)? (?:by|on))\s"
    r"(?:an?\s|the\s|two\s|three\s|four\s|solo\s)?\Z|[.:;]\s(?:an?\s|two\s)?\Z",
    re.I,
)
_THE_BAND = re.compile(
    r"\b(?:(?:the|our|my|your)\s(?:(?:whole|full|entire)\s)?orchestra|"
    r"(?:the|our|my|your|whole|full|entire)\s(?:band|ensemble|group))\Z",
    re.I,
)
_AN_ORCHESTRA = re.compile(r"\borchestra\Z", re.I)  # of strings, or a small one
_CHOIR, _ORCHESTRA = "choir", "full orchestra"
_VOICES = ("soprano", "soprano voice", "alto voice", "tenor voice", "baritone voice", "bass voice")
_DOES = re.compile(
    r"\s(?:solo\s)?(?:(?!is\b|was\b|as\b|its\b)[a-z]+s|add|play|support|carry|answer|hold|keep|join|enter|sing|double)\b",
    re.I,
)
_RUN = 3  # players of such a list at least
_KICK = re.compile(r"\A(?:kicks?(?: drums?)?|(?:hi[- ]?)?hats?)\Z", re.I)
_STROKES = ("bass drum", "snare drum", "hi-hat", "cymbals", "claps")  # what a kit has
_KITS = ("drums", "drum machine")
_LIST = 2  # players whom a list has at least
_HIGH_BRASS, _LOW_BRASS = ("trumpet", "cornet"), ("tuba", "euphonium")
_A_PAIR = re.compile(r",?\s(?:and|&)\s(?:an?\s|the\s)?|,\s", re.I)
_THE_HORNS = re.compile(r"\b(?:the|all|other|both)\s\Z", re.I)


def named_together(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Mentions with those who are named by an adjective alone: ``tenor and baritone saxophones``."""
    made: list[Mention] = []
    for mention in mentions:
        made += [one for one in _sharing(text, mention) if not any(other.end > one.start for other in made)]
        made.append(mention)
    return made


def _sharing(text: str, mention: Mention) -> list[Mention]:
    before = _ADJECTIVE_AND.search(text[: mention.start][-_BEFORE:])
    words = mention.text.split()
    if before is None or len(words) < _ADJECTIVE_NOUN or mention.ensemble:
        return []
    own, other = instrument_named(before[1]), instrument_named(f"{before[1]} {words[-1]}")
    if other is None or other.family != mention.instrument.family or (own is not None and own.family != "voices"):
        return []
    start = mention.start - len(before[0])
    end = start + len(before[1])
    return [Mention(f"{before[1]} {words[-1]}", start, end, other.name, ((other, other.role),))]


def horns_beside(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Mentions with horns who are named beside a tuba as French horns, where trumpets are named for themselves:
    *horns* alone are all who blow."""
    own = instrument_named("french horn")
    if own is None or not any(mention.name in _HIGH_BRASS for mention in mentions):
        return list(mentions)
    beside = {place for one, other in pairwise(mentions) for place in _beside_a_tuba(text, one, other)}
    return [_as(mention, own) if mention.start in beside else mention for mention in mentions]


def _beside_a_tuba(text: str, one: Mention, other: Mention) -> list[int]:
    """Where horns are named of whom two names tell, one after the other, who are not there already."""
    joined = _A_PAIR.fullmatch(text[one.end : other.start])
    horns = one if other.name in _LOW_BRASS else other if one.name in _LOW_BRASS else None
    if not joined or horns is None or horns.text.lower() != "horns" or _THE_HORNS.search(text[: horns.start]):
        return []
    return [horns.start]


def one_kit(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Mentions with the drums of a kit as that kit, where it is told what it plays: ``drums: kick, snare and hats``; a
    kick and a snare of whom nothing else is told are a kit as well."""
    kits = [one for one in mentions if one.name in _KITS]
    if not kits and any(_KICK.match(one.text) for one in mentions):
        drums = instrument_named("drums")
        made = [(one, drums) if one.name in _STROKES else (one, None) for one in mentions]
        return [_as(one, own) if own else one for one, own in made]
    owners = [next((kit for kit in kits if _struck_on(text, one, kit)), None) for one in mentions]
    return [_as(one, kit.instrument) if kit else one for one, kit in zip(mentions, owners, strict=True)]


def _struck_on(text: str, mention: Mention, kit: Mention) -> bool:
    """Whether a drum is told as what a kit plays: in its sentence, and not in a list with it; a kick always is."""
    if _KICK.match(mention.text):
        return True
    if mention.name not in _STROKES or mention.start < kit.end:
        return False
    between = text[kit.end : mention.start]
    return not re.search(r"[.;!?]", between) and bool(
        re.search(r":|\b[a-z]+s?\b\s(?:an?|the|with|on)\b", between, re.I)
    )


def _as(mention: Mention, instrument: Instrument) -> Mention:
    return replace(mention, name=instrument.name, members=((instrument, instrument.role),))


def without_told_bands(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Mentions without a band that only says who follows: ``the band is violin, guitar and bass``."""
    return [mention for mention in mentions if not _is_told(text, mention, mentions)]


def _is_told(text: str, mention: Mention, mentions: Sequence[Mention]) -> bool:
    if _THE_BAND.search(text[: mention.end][-_BEFORE:]) and mention.ensemble:
        return _members_told(mention, [one for one in mentions if one is not mention])
    if mention.name == _CHOIR:
        return sum(one.name in _VOICES and one.start > mention.end for one in mentions) >= _RUN
    if not mention.ensemble or _COUNTED.search(mention.text):
        return False
    later = _listed_later(text, mention, mentions) or _told_later(text, mention, mentions)
    return bool(_OF_STYLE.match(text, mention.end) and later) or _listed_here(text, mention, mentions)


def _members_told(band: Mention, others: Sequence[Mention]) -> bool:
    """Whether a band that is spoken of as there consists of ``others`` who are named; into an orchestra more come than
    were named."""
    whole = any(one.instrument.family in ALL_THERE or _AN_ORCHESTRA.search(one.text) for one in others)
    if band.name == _ORCHESTRA and not whole:
        return False
    return len({one.name for one in others if not one.ensemble}) >= _RUN


def _listed_here(text: str, mention: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether the sentence itself tells who plays in a band: ``the band is violin, guitar and bass``."""
    if not _TOLD.match(text, mention.end):
        return False
    end = min((at for mark in ".;!?" if (at := text.find(mark, mention.end)) >= 0), default=len(text))
    return sum(mention.end < one.start < end for one in mentions) >= _LIST


def _told_later(text: str, mention: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether sentences follow that tell of players one by one: ``a trumpet states the tune``."""
    later = {
        one.name for one in mentions if one.start > mention.end and not one.ensemble and _DOES.match(text, one.end)
    }
    return len(later) >= _RUN


def _listed_later(text: str, mention: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether a list of players follows that a text asks for by *use*, *for* or *with*."""
    later = [one for one in mentions if one.start > mention.end and not one.ensemble]
    runs = [later[place : place + _RUN] for place in range(len(later) - _RUN + 1)]
    return any(
        all(LISTED.match(text[one.end : two.start]) for one, two in pairwise(run))
        and _ASKED.search(text[: run[0].start][-_BEFORE:])
        for run in runs
    )
