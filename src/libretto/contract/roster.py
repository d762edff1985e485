"""The roster: the list of players that a brief asks for, and names after it that add nobody to it.

*Use a synth lead, a supersaw, a synth bass and drums* names four players, each of them once, however alike two of them
are called. Where there is such a list, *a muted guitar figure* is what its guitar plays, *the band* is all of them, and
*the violin sweeps high* brings no effects.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from libretto.contract.instruments import Mention
from libretto.contract.roles import Seat
from libretto.contract.words import number_of
from libretto.contract.worlds import ALL_THERE

__all__ = ["all_counted", "is_another", "named_ahead", "players_of_roster", "roster", "speak_ahead"]

_ASKED = re.compile(
    r"\b(?:us(?:e|es|ing)|for|featur\w+|includ\w+|incorporat\w+|utili[sz]\w+|employ\w*|scored for|combin\w+|"
    r"play(?:ed)? (?:by|on)|instruments?(?: are|:)?|band is|ensemble of|with)\s(?:an?\s|the\s)?(?:[a-z'-]+\s){0,2}\Z|"
    r":\s(?:an?\s)?(?:[a-z'-]+\s){0,2}\Z",
    re.I,
)
_AT_FIRST = re.compile(  # of those who play alone for a while
    r"\b(?:start|begin|open|end|finish|clos|leav|strip|drop)(?:s|e|es|ing|ning|ping)?\s(?:[a-z]+\s){0,3}?(?:with|to)\s"
    r"(?:[a-z]+\s){0,2}\Z",
    re.I,
)
_BETWEEN = re.compile(
    r"\s*(?:,|,?\s(?:and|plus)\b|\s?&)\s*(?:(?:and|plus)\s)?(?:(?!the\b|its\b|with\b|while\b|then\b|which\b)[a-z'-]+,?\s){0,2}",
    re.I,
)
_ADDED = re.compile(
    r"\b(?:add\w*|bring\w*|join\w*|enter\w*|introduc\w*|includ\w*|featur\w*|us(?:e|es|ing)|another|second|plus|"
    r"layer\w*)\b[^.;:!?]{0,40}\Z",
    re.I,
)
_COMES = re.compile(r"\s(?:[a-z]+\s)?(?:enter|join|appear|arriv|come|fade)\w*\b", re.I)
_FIGURE = re.compile(
    r"\s(?:[a-z]+\s)?(?:figures?|riffs?|chords?|lines?|parts?|arpeggios?|patterns?|strum\w*|licks?|picking|notes|hits|"
    r"chugs?|stabs?|pulse|groove)\b",
    re.I,
)
_ALL = re.compile(r"\A(?:[a-z]+ )?(?:band|ensemble|orchestra|group)\Z", re.I)
_THE = re.compile(r"\b(?:the|whole|full|entire)\s\Z", re.I)
_BEFORE = 60  # characters before a name
_WHAT = re.compile(r"\A(?!synth)[a-z]+ (?:leads?|pads?|plucks?)\Z", re.I)  # what anybody may play: soaring leads
_ANY_VOICE = re.compile(
    r"\b(?:play|tak|sing|hold|carr|add|bring|giv|form|weav|suppl)(?:s|es|e|ies|ing|y)? (?:in )?"
    r"(?:an?|the) ?(?:second|third|lower|inner|upper|low|high|answering|middle|counter|new) voice\Z|"
    r"\b(?:play|tak|sing)(?:s|es|ing)? (?:second|third) voice\Z",
    re.I,
)
_WITH_SUCH = re.compile(r"\b(?:with|in|plays?|adds?|throws? in|through)\s(?:[a-z-]+,?\s){0,2}\Z", re.I)
_SUCH = re.compile(
    r"[ -](?:style\s|like\s)?(?:runs?|licks?|trills?|ornaments?|flourishes|rolls?|slides?|strums?|tones?|"
    r"sounds?)\b",
    re.I,
)
_PLAYS = re.compile(
    r"\b(?:play|provid|deliver|add|offer|tak|suppl|contribut|tear|throw|unleash)\w*\s(?:(?!and\b)[a-z-]+,?\s){0,3}\Z",
    re.I,
)
_CLAUSE = re.compile(
    r"[.;:!?,]|\b(?:and|while|as|but|then|with|over|above|under|beneath|against|beside|between|where|when)\b", re.I
)
_ON_BEATS = re.compile(r"\son (?:(?:beats? )?(?:two|2|one|1|three)\b|the (?:back|off)?-?beats?|every|each|all)", re.I)
_BY_MEANS = re.compile(r"\b(?:with|using|on|of|from|in|through|by)\s(?:[a-z-]+,?\s){0,6}\Z", re.I)
_AMBIGUOUS = ("electronic effects", "clockwork sounds")  # what anybody may have, or do
_HEARD = re.compile(  # before a sound that is asked for beside players
    r"\b(?:(?:with|add(?:s|ing)?|includ(?:e|es|ing)|featur(?:e|es|ing)|incorporat(?:e|es|ing)|integrat(?:e|es|ing)|plus|"
    r"mix(?:ing)? in|hear)\s|(?:sounds?|recordings?|samples?) of\s)(?:(?!like\b|as\b)[a-z-]+,?\s){0,3}\Z",
    re.I,
)
_RHYTHM, _ORCHESTRA = "rhythm section", "full orchestra"
_SINGER = re.compile(r"\b(?:singer|vocalist|rapper|crooner)\Z", re.I)  # somebody, and not what is played
_DRIVEN = {"distorted guitar", "overdriven guitar"}
_CLEAN = {"clean guitar", "acoustic guitar", "nylon guitar", "twelve-string guitar"}
_STROKES = ("stab", "stabs", "hits", "lines", "riffs")  # what is played, at the end of a name
_SECOND = re.compile(r"\b(?:second|2nd|another|third|rhythm)\s(?:[a-z-]+\s)?\Z", re.I)
_A_BASS_LINE = re.compile(r"bass ?lines?")
_PLAYED = re.compile(
    r"\s(?:[a-z]+\s)?(?:solos?|breaks?|intro\w*|riffs?|ostinato|cadenza|figure|drones?|licks?|fills?)\b", re.I
)
_A_NEW_ONE = re.compile(r"\b(?:two|three|four|another|second)\s\Z", re.I)
_BEATING = frozenset({"drums", "percussion"})  # families
_HOW_MANY = re.compile(r"\b(\w+)[ -](?:voices|instruments|players|musicians|performers)\b", re.I)
_FEWEST, _A_BAND = 2, 3  # players of a list at least, and of whom all are meant by *the band*


def roster(text: str, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """The names of the first list of at least three players in a text, else of two that it asks for; none where there
    is no list."""
    runs: list[list[Mention]] = [[one] for one in mentions[:1]]
    for one, two in pairwise(mentions):
        if _BETWEEN.fullmatch(text, one.end, two.start):
            runs[-1].append(two)
        else:
            runs.append([two])
    bands = [run for run in runs if len(run) >= _A_BAND and not all(one.instrument.percussion for one in run)]
    asked = [
        run
        for run in runs
        if sum(len(one.members) for one in run) >= _FEWEST
        and _ASKED.search(text[: run[0].start][-_BEFORE:])
        and not _AT_FIRST.search(text[: run[0].start][-_BEFORE:])
    ]
    return tuple((bands or asked or [[]])[0])


def named_ahead(text: str, mentions: Sequence[Mention], listed: Sequence[Mention]) -> dict[int, list[Mention]]:
    """Names that stand, with one word only, before the fuller names of those they mean, by where they start: ``a guitar
    solo in the middle``, where distorted guitars are asked for after it."""
    asked = [one for one in mentions if one in listed or _ASKED.search(text[: one.start][-_BEFORE:])]
    made = _lines_ahead(mentions)
    for mention in mentions:
        fuller = [one for one in asked if one.start > mention.end and _is_fuller(mention, one)]
        before = text[: mention.start][-_BEFORE:]
        spoken_of = mention not in asked or _AT_FIRST.search(before) or _PLAYED.match(text, mention.end)
        if fuller and spoken_of and mention not in listed and not _A_NEW_ONE.search(before):
            made[mention.start] = fuller
    return made


def speak_ahead(
    mentions: Sequence[Mention], ahead: Mapping[int, list[Mention]], spoken: list[tuple[Mention, list[Seat]]]
) -> None:
    """Speak, by names that stand ``ahead``, of those whom fuller names tell later."""
    for mention in mentions:
        owners = [seat for other, own in spoken if other in ahead.get(mention.start, ()) for seat in own]
        if owners:
            spoken.append((mention, owners))
    spoken.sort(key=lambda one: one[0].start)


def _lines_ahead(mentions: Sequence[Mention]) -> dict[int, list[Mention]]:
    """Bass lines that somebody plays who is named later, by where they start: a double bass."""
    lines = [one for one in mentions if _A_BASS_LINE.fullmatch(one.text.lower())]
    basses = [one for one in mentions if not one.ensemble and one.instrument.role == "bass" and one not in lines]
    later = {line.start: [one for one in basses if one.start > line.end][:1] for line in lines}
    return {start: players for start, players in later.items() if players}


def _is_fuller(mention: Mention, other: Mention) -> bool:
    """Whether a name says more of who is called by the same noun: a distorted guitar of a guitar."""
    own, words = mention.text.lower().split(), other.text.lower().split()
    kin = {mention.instrument.family, other.instrument.family}
    alike = len(kin) == 1 or kin <= _BEATING
    heads = [_head(word) for word in (own[-1], words[-1])]
    return len(own) == 1 < len(words) and not (mention.ensemble or other.ensemble) and alike and heads[0] == heads[1]


def _head(noun: str) -> str:
    return noun.removesuffix("s").removesuffix("ophone").removesuffix("esizer")


def players_of_roster(
    text: str, mention: Mention, listed: Sequence[Mention], seats: Sequence[Seat]
) -> list[Seat] | None:
    """Who of a list of players is meant by a name that follows it, perhaps nobody; None where it names somebody of its
    own."""
    before = text[: mention.start][-_BEFORE:]
    if mention.ensemble and not listed and _ALL.match(mention.text):
        return _of_group(mention, before, seats)
    if seats and _WHAT.search(mention.text) and _PLAYS.search(before):
        return []
    if not listed or mention.start <= listed[-1].start:
        return None
    if mention.ensemble:
        return _of_group(mention, before, seats)
    if _ANY_VOICE.search(text[: mention.end][-_BEFORE:]):
        return []
    if _of_figure(text, mention, before, seats):
        return []
    if beaten := _the_percussion(mention, seats):
        return beaten
    if _comes_in(text, mention, before):
        return None
    return _of_alike(text, mention, seats) or _nobody(text, mention, listed, seats)


def all_counted(text: str, mention: Mention, listed: Sequence[Mention]) -> bool:
    """Whether a brief counts as many players as its list names: a name after it with pitches adds nobody, unless
    somebody is said to come in."""
    if not listed or mention.start <= listed[-1].start or _comes_in(text, mention, text[: mention.start][-_BEFORE:]):
        return False
    named = sum(len(one.members) for one in listed)
    counted = any(number_of(match[1].lower()) == named for match in _HOW_MANY.finditer(text))
    return counted and mention.instrument.family != "effects" and not mention.instrument.percussion


def _comes_in(text: str, mention: Mention, before: str) -> bool:
    """Whether a name is somebody who is added to those of a list."""
    return bool(_ADDED.search(before) or _COMES.match(text, mention.end))


def _the_percussion(mention: Mention, seats: Sequence[Seat]) -> list[Seat]:
    """Those who are meant by *percussion* after their own names: djembe and shekere."""
    return [seat for seat in seats if seat.instrument.family == mention.text.lower() == "percussion"]


def _of_figure(text: str, mention: Mention, before: str, seats: Sequence[Seat]) -> bool:
    """Whether a name says of which kind the figures are that somebody plays: ``the guitar answers with requinto
    runs``."""
    clause = re.split(r"[.;:!?,]|\b(?:while|but)\b", before.lower())[-1]
    told = any(re.search(rf"\b{re.escape(_noun(seat).removesuffix('s'))}", clause) for seat in seats if seat.words)
    return told and bool(_WITH_SUCH.search(before)) and bool(_SUCH.match(text, mention.end))


def _of_group(mention: Mention, before: str, seats: Sequence[Seat]) -> list[Seat] | None:
    """Who is meant by *the band* and *the rhythm section*: all, and bass and drums, where they were named."""
    if len(seats) < _A_BAND or not _THE.search(before):
        return None
    if mention.text.lower() == _RHYTHM:
        return [seat for seat in seats if seat.instrument.family in ("bass", "drums")] or None
    whole = mention.name != _ORCHESTRA or any(seat.instrument.family in ALL_THERE for seat in seats)
    return list(seats) if _ALL.match(mention.text) and whole else None


def _of_alike(text: str, mention: Mention, seats: Sequence[Seat]) -> list[Seat]:
    """The one player whose noun a name has: *trumpet* after a muted trumpet, a muted guitar figure, brass stabs."""
    words = [word for word in mention.text.lower().split() if word not in _STROKES] or [""]
    noun = words[-1].removesuffix("s")
    struck = len(words) < len(mention.text.split())  # brass stabs are those of a synth brass, too
    family = mention.instrument.family
    kin = [seat for seat in seats if struck or seat.instrument.family == family]
    alike = [seat for seat in kin if _has_noun(seat, noun) and not _differ(seat.instrument.name, mention.name)]
    told = struck or family == "bass" or _FIGURE.match(text, mention.end)
    return alike if len(alike) == 1 and (told or words in ([noun], [_noun(alike[0])])) else []


def _has_noun(seat: Seat, noun: str) -> bool:
    return bool(seat.words) and _noun(seat).removesuffix("s") == noun


def _differ(one: str, other: str) -> bool:
    """Whether of two guitars one is distorted and the other is clean, or has no plug."""
    names = {one, other}
    return bool(names & _DRIVEN) and bool(names & _CLEAN)


def _nobody(text: str, mention: Mention, listed: Sequence[Mention], seats: Sequence[Seat]) -> list[Seat] | None:
    """Nobody at all (an empty list), where a name is no player: effects, or what somebody of a band is said to play;
    who drums, where it is a stroke of theirs."""
    if mention.instrument.family == "effects":
        heard = mention.instrument.name not in _AMBIGUOUS and _HEARD.search(text[: mention.start][-_BEFORE:])
        return None if heard else []
    between = text[listed[-1].end : mention.start].lower()
    struck = _of_drummers(text, mention, between, seats) if mention.instrument.family == "percussion" else []
    if struck:
        return struck
    clause = _CLAUSE.split(between)[-1]
    told = any(re.search(rf"\b{re.escape(_noun(seat))}", clause) for seat in seats if seat.words)
    told = told and not _SINGER.search(mention.text)
    return [] if told and sum(len(one.members) for one in listed) >= _A_BAND else None


def _of_drummers(text: str, mention: Mention, between: str, seats: Sequence[Seat]) -> list[Seat]:
    """Whose stroke a name is: claps on two and four, percussion that whispers with shaker and rim clicks."""
    if _ON_BEATS.match(text, mention.end):
        return [seat for seat in seats if seat.instrument.family == "drums"]
    sentence = re.split(r"[.;!?]", between)[-1]
    beating = [seat for seat in seats if seat.instrument.name in ("percussion", "drums", "drum machine") and seat.words]
    return [seat for seat in beating if _noun(seat) in sentence] if _BY_MEANS.search(sentence) else []


def _noun(seat: Seat) -> str:
    """The last word by which somebody was called."""
    return seat.words.split()[-1]


def is_another(text: str, mention: Mention, known: Sequence[Seat]) -> bool:
    """Whether a name in a list is somebody besides those it could speak of: with another name of one's own, or told as
    the second."""
    if _SECOND.search(text[: mention.start][-_BEFORE:]):
        return True
    if mention.instrument.family == "drums" and all(seat.instrument.family == "drums" for seat in known):
        return False  # one kit, whatever of it is named
    same = mention.instrument.family == "effects" or any(mention.text.lower() == seat.words for seat in known)
    grouped = any(seat.group != seat.instrument.name for seat in known)  # the bass of a band that was named
    return bool(known) and not same and not grouped and not mention.ensemble
