"""Names outside the list of players that a brief asks for, and that add nobody to it.

*A trap beat for bells, 808 and drums* has one drummer, *a Balkan brass dance for trumpet, clarinet and tuba* three
players, and *for clarinet, guitar and double bass, walking bass* one bass, which walks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from libretto.contract.instruments import Mention
from libretto.contract.roster import roster

__all__ = ["called_besides", "without_outsiders"]

_WALKING = re.compile(r"(?:walking|striding|stepping) bass(?:[ -]?lines?)?", re.I)
_BEAT = re.compile(r"\b(?:beats?|breakbeats?|four[ -]on[ -]the[ -]floor(?: kick)?|backbeat)\Z", re.I)
_PIECE = re.compile(
    r"[ -](?:[a-z-]+\s)?(?:dance|piece|tune|track|song|solo|study|music|duet|duo|number|theme|instrumental|ballad|"
    r"march|waltz|anthem|jam|miniature|fantasy|sketch|romance|lament|cue|groove|workout|loop|polka|two-step|fanfare)\b",
    re.I,
)
_FOR = re.compile(
    r"\b(?:for|us(?:e|es|ing)|featur(?:e|es|ing)|scored for|instruments(?: are|:)?|ensemble:|players:|band:)\s"
    r"(?:only\s|just\s)?(?:an?\s|the\s|two\s|three\s|solo\s)?(?:[a-z'-]+\s){0,2}\Z",
    re.I,
)
_A_PIECE = re.compile(r"\ban?\s(?:[\w'-]+,?\s){0,4}\Z", re.I)
_OF_IT = re.compile(r"\s(?:in|for|at|over|with|on)\b|[,.:]", re.I)
_DOES = frozenset(
    ("chimes", "drums", "pipes", "claps", "drones", "rattles", "whistles", "chants", "snaps", "stomps", "pluck")
)
_THERE = re.compile(
    r"\s(?:in|on|out|an?|the|along|at|away|above|over|under|like|its|high|low|with|and|through|[a-z]+ly)\b", re.I
)
_THE = re.compile(r"\b(?:the|an?|its|this|that)\s(?:[a-z-]+\s)?\Z", re.I)
_DOING = re.compile(r"\s(?:(?:just|only|then|simply|gently|softly|always|quietly)\s)?", re.I)
_ON_IT = re.compile(r"\bon (?:the |every |a )?\Z", re.I)
_A_SOLO = re.compile(r"[ -](?:[a-z-]+\s)?solos?\b(?! (?:for|in [A-G]\b))", re.I)
_ON = re.compile(r"\s(?:on|from|by|in|(?:held|played) (?:by|on))\s(?:the\s|an?\s|low\s|solo\s){0,2}", re.I)
_RUNS = re.compile(r"\s(?:runs?|notes?|line|part|figures?)(?:\s\([^)]{0,24}\))?", re.I)  # bass runs in the guitar
_FOR_ONE = re.compile(r"\bfor (?:an? )?(?:solo|unaccompanied|lone) \Z", re.I)
_BACK = 60  # characters before a name
_FEWEST = 2  # players of a list


def without_outsiders(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Names without those that say what a piece is, what its drummer plays, or how its bass goes."""
    mentions = _off_the_beat(text, mentions)
    listed = roster(text, mentions)
    told = bool(listed) and _players(listed) >= _FEWEST and bool(_FOR.search(text[: listed[0].start][-_BACK:]))
    return [
        one
        for one in mentions
        if not (
            _walks_there(one, mentions)
            or (one not in listed and _beaten_there(one, listed, mentions))
            or _is_a_verb(text, one, mentions)
            or (told and one.start < listed[0].start and _calls_the_piece(text, one))
            or _calls_a_solo(text, one, mentions)
            or _drone_of_another(text, one, mentions)
            or (bool(listed) and one not in listed and _is_a_dance(text, one))
        )
    ]


def _players(listed: Sequence[Mention]) -> int:
    return sum(len(one.members) for one in listed)


def _walks_there(mention: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether a walking bass is what another bass plays that is named."""
    if not _WALKING.fullmatch(mention.text):
        return False
    others = [one for one in mentions if one is not mention and not _WALKING.fullmatch(one.text)]
    return any(member.family == "bass" for one in others for member, _ in one.members)


def _beaten_there(mention: Mention, listed: Sequence[Mention], mentions: Sequence[Mention]) -> bool:
    """Whether a beat is what drums play that are named after it; a backbeat is nobody where a list has no drums."""
    if not _BEAT.search(mention.text) or not listed:
        return False
    others = [one for one in mentions if one.start > mention.end and not _BEAT.search(one.text)]
    drums = any(member.family == "drums" for one in others for member, _ in one.members)
    before = drums and mention.start < listed[0].start
    return before or (not drums and "backbeat" in mention.text.lower() and _players(listed) >= _FEWEST)


def _off_the_beat(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Names without a backbeat that only says when somebody plays: ``the mandolin chops on the backbeat``."""
    beats = [one for one in mentions if one.text.lower() == "backbeat" and _ON_IT.search(text[: one.start][-_BACK:])]
    return [one for one in mentions if one not in beats]


def _calls_the_piece(text: str, mention: Mention) -> bool:
    """Whether a name before the list only says what the piece is: ``a Balkan brass dance for trumpet and tuba``."""
    solo = _A_SOLO.match(text, mention.end)  # in a piece, unless it is one for somebody
    return not mention.ensemble and not solo and bool(_PIECE.match(text, mention.end))


def _is_a_verb(text: str, mention: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether a name is what the player right before it does: ``the guitar chimes in steady eighths``."""
    if mention.text.lower() not in _DOES or not _THERE.match(text, mention.end):
        return False
    return any(_DOING.fullmatch(text, one.end, mention.start) and _THE.search(text[: one.start]) for one in mentions)


def _is_a_dance(text: str, mention: Mention) -> bool:
    """Whether a stomp is the piece: ``a rowdy stomp in G for banjo and bass``."""
    stomp = mention.text.lower() == "stomp" and _A_PIECE.search(text[: mention.start][-_BACK:])
    return bool(stomp) and bool(_OF_IT.match(text, mention.end))


def _drone_of_another(text: str, mention: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether a drone is what somebody who is named right after it holds: ``a low drone on cello``."""
    after = [one for one in mentions if one.start > mention.end]
    runs = _RUNS.match(text, mention.end) if mention.text.lower() == "bass" else None
    end = runs.end() if runs else mention.end
    held = mention.name == "drone" or runs is not None
    return held and bool(after) and bool(_ON.fullmatch(text, end, after[0].start))


def _calls_a_solo(text: str, mention: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether a solo is told whose player is named besides: ``a Spanish guitar solo for solo flamenco guitar``."""
    if mention.ensemble or not _PIECE.match(text, mention.end):
        return False
    later = [one for one in mentions if one.start > mention.end and _FOR_ONE.search(text[: one.start][-_BACK:])]
    return any(one.instrument.family == mention.instrument.family for one in later)


def called_besides(last: Mention, mention: Mention, gap: str) -> bool:
    """Whether a plain noun stands right after the name of one of its kind: an igil fiddle."""
    own, kind = last.instrument, mention.instrument
    plain = mention.text.lower() in ("fiddle", "flute", "lute", "harp", "drum", "drums", "violin", "oboe", "zither")
    return gap == " " and plain and not last.ensemble and own.family == kind.family and own.name != kind.name
