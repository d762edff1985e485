"""Bands: who is missing where a brief of a style names only a tune, or only a tune and drums; said as an assumption.

Nothing is added to a piece for one player or for players named as complete: solo, only, duo, *for* flute and harp.
Music for clubs has a beat whoever is named, and so has a band that plays rock, funk or soul.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from libretto.contract.cast import Cast, Part
from libretto.contract.instruments import instruments
from libretto.contract.references import KIT
from libretto.contract.words import rows_of
from libretto.contract.worlds import SOUNDS
from libretto.score.voice import legal_name, unique_name

__all__ = ["completed", "may_be_joined", "needs_beat"]

_COMPLETE = re.compile(
    r"\b(?:solo|only|just|alone|unaccompanied|du[oe]t?|duo|trio|quartet|quintet|sextet|a cappella|acapella|"
    r"nothing else|"
    r"two voices|two instruments|on its own|by itself|single|ensemble|instruments?|instrumentation|band|us(?:e|es|"
    r"ing)|featur\w+|"
    r"includ\w+|incorporat\w+|utili[sz]\w+|employ\w*|add(?:s|ing)?|highlight\w*)\b",
    re.I,
)
_ALL_THERE_ARE = re.compile(
    r"\b(?:unaccompanied|du[oe]t?|trio|quartet|quintet|a cappella|acapella|nothing else|"
    r"beatless|weightless|drumless|ambient|"
    r"(?:two|three|four|five|2|3|4|5) (?:voices|instruments|parts|players))\b",
    re.I,
)
_ALONE = re.compile(  # which may hold in a place only
    r"\bsolo(?= [a-z])(?! (?:in|at|on|over|after|before|from|for|near|and|that|which|with|to|section)\b)|"
    r"\b(?:only|just)(?! (?:occasional|sometimes|seldom|joins?|enters?|comes?|plays?|appears?|when|after|once|twice))|"
    r"\b(?:alone|by itself|on its own)\b",
    re.I,
)
_PASSAGE = re.compile(  # a solo that somebody has, a place where somebody is alone
    r"(?<=solo)(?:\s*[.,;!?)]|\Z|\s(?:in|over|at|after|before|during|for|on|that|with|and|to|section|from|near|towards?|then|"
    r"later|halfway|of|by|the|break|which|where|while|as|is)\b)|(?<!solo)[^.;!?]{0,24}?\b(?:bars?|verse|chorus|bridge|"
    r"intro|outro|middle|section|start|beginning|end|first|last|until|before|then|in the|at the|for the|on the)\b",
    re.I,
)
_CLOSED = re.compile(
    r"\b(?:for (?:an? )?solo|solo (?:piece|work|instrument)|sole|unaccompanied|du[oe]t?|duo|trio|"
    r"quartet|quintet|sextet|(?:ensemble|consort) (?:with|of|made up of|consisting of|comprising)|"
    r"a cappella|acapella|nothing else|nothing more|no other|no one else|nobody else|"
    r"(?:are|is) all it needs|are enough|"
    r"(?:(?:drones?|pedal)\b[^.;!?]{0,40}? (?:instead of|rather than|in place of|not)|without|no) (?:any )?"
    r"(?:(?:full|block|changing|actual|real|other) )?"
    r"(?:chords\b(?! (?:in|at|until|before|during|after))|harmon(?:y|ies)\b(?! (?:in|at|until))|chordal \w+)|"
    r"(?:two|three|four|five|six|seven|eight|[2-8])[- ](?:voices?|instruments?|parts?|players?|piece))\b",
    re.I,
)
_QUIET = re.compile(r"\b(?:acoustic|unplugged|intimate|stripped|ballad|quiet|gentle|tender|lullaby|slow)\b", re.I)
_A_BEAT = re.compile(
    r"\b(?:lo-?fi|hip[- ]?hop|trap|boom[- ]bap|house|techno|drill|chill(?:hop)?)\s(?:hip[- ]?hop )?beats?\b", re.I
)
_A_TUNE = re.compile(r"\s(?:[a-z]+\s)?(?:melod(?:y|ies)|lead|hook|theme)\b", re.I)
_GROOVE = re.compile(
    r"\b(?:groove|beats?|backbeat|rhythm section|band|dance ?floor|danceable|percussive)\b|"
    r"\b(?:pop|dance) (?:song|track)\b",
    re.I,
)
_WHOLE_BAND = re.compile(r"\b(?:whole|full|entire) band\b|\brest of the band\b", re.I)
_FOR = re.compile(
    r"(?<!\broom )(?<!\bspace )(?<!\btime )(?<!\bexcept )(?<!\basks )(?<!\bcalls )\bfor\s(?:an?\s|the\s)?"
    r"(?:[a-z-]+\s){0,3}\Z",
    re.I,
)
_ONLY_BEFORE = re.compile(r"\b(?:only|just|nothing but)\s(?:an?\s|the\s|one\s)?(?:[a-z-]+\s){0,2}\Z", re.I)
_ONLY_AFTER = re.compile(r"\s(?:only|alone|by itself|on its own)\s*(?:[.;!,]|\Z)", re.I)
_AT_A_PLACE = re.compile(  # what is so at the beginning, or in the end, or for some bars
    r"\b(?:begin|start|open|enter|end|finish|clos|fad|leav|left|until|then|first|last|final|intro|verse|chorus|bars?|"
    r"section|down to|middle|break)\w*\b[^.;!]*\Z",
    re.I,
)
_PIECE = re.compile(r"\s(?:piece|song|solo|sonata|concerto|study|etude|exercise|tune|part)\b", re.I)
_TUNEFUL = frozenset({"winds", "brass", "voices"})
_ALL_KINDS = 8  # keys beyond which somebody has all kinds of drums
_SHORT = 160  # characters: a brief that is longer and names only a tune means it
_FEW_WORDS = 90  # characters of a brief that leaves even a beat to the style
_BEFORE = 60  # characters before a name that say whether it is named as complete
_SOME = 3  # players who may be joined by the rest of a band; more are the band
_FEW = 2  # players of a tune; more are an ensemble of their own


@cache
def _bands() -> dict[str, tuple[str, str]]:
    return {style.strip(): (row[1], row[2]) for row in rows_of("bands.txt") for style in row[0].split(",")}


@cache
def _beaten() -> frozenset[str]:
    """The styles that are nothing without drums."""
    return frozenset(style.strip() for row in rows_of("bands.txt") if row[3] != "-" for style in row[0].split(","))


def needs_beat(style: str) -> bool:
    """Whether a style is nothing without drums.

    >>> needs_beat("house"), needs_beat("country"), needs_beat("")
    (True, False, False)
    """
    return style in _beaten()


@cache
def _driven(how: str) -> frozenset[str]:
    """The styles that have drums and a bass whoever is named: ``always``, or where they make a ``band``."""
    return frozenset(style.strip() for row in rows_of("bands.txt") if row[3] == how for style in row[0].split(","))


def completed(text: str, body: int, cast: Cast, style: str, assumed: list[str]) -> Cast:
    """The cast with chords and bass added where the style needs them and the brief leaves them open."""
    if _only_low(cast) and _all_told(text, body):
        assumed.append("Nobody plays but those who are named.")
        return replace(cast, closed=True)
    if _only_low(cast) and style in _driven("always"):  # and others have the tune
        cast = replace(cast, parts=tuple(map(_as_bass, cast.parts)))
    beat = _A_BEAT.search(text, body) is not None
    if style not in _bands() or (beat and not _pitched(cast)):
        return cast  # a beat is a piece: the style supplies who plays it
    if _has_rhythm(text, body, cast, beat=beat):
        return _with_rhythm(cast, style, assumed)
    if _leads_a_groove(text, body, cast):
        return _with_beat(_with_chords(cast, style, assumed), style, assumed)
    if _is_driven(text, body, cast, style) and _may_join(text, body, cast):
        return _with_beat(_with_chords(cast, style, assumed) if _only_a_tune(cast) else cast, style, assumed)
    return _joined(text, body, cast, style, assumed) if _left_open(text, body, cast) else cast


def _has_rhythm(text: str, body: int, cast: Cast, *, beat: bool) -> bool:
    """Whether drums and a bass belong to some players: a beat is asked for, or few are named beside the whole band."""
    whole = _WHOLE_BAND.search(text, body) is not None and len(cast.parts) <= _SOME
    return bool(cast.parts) and cast.drums is not False and (beat or whole)


def _leads_a_groove(text: str, body: int, cast: Cast) -> bool:
    """Whether nobody is named but who has a melody, over a groove that somebody has to play: ``a bright guitar melody
    over a gentle Latin groove``."""
    tune = len(cast.parts) == 1 and any(_A_TUNE.match(text, one.end) for one in cast.spoken)
    return tune and bool(_GROOVE.search(text, body)) and _may_join(text, body, cast)


def may_be_joined(text: str, body: int, cast: Cast) -> bool:
    """Whether a brief names players and leaves room for others: it neither counts them, nor says that they are all
    there are, nor names them by *for*.

    >>> from libretto.contract.parts import find_parts
    >>> [may_be_joined(text, 0, find_parts(text)) for text in ("Feature banjo and fiddle.", "For banjo and fiddle.")]
    [True, False]
    """
    told = (_is_all(text, one.start, one.end) for one in cast.spoken)
    return bool(cast.parts) and not cast.alone and not _CLOSED.search(text, body) and not any(told)


def _is_all(text: str, start: int, end: int) -> bool:
    """Whether players are named as all there are: by *for*, or by *only* where that holds for the whole piece."""
    before = text[max(0, start - _BEFORE) : start]
    if _FOR.search(before):
        return True
    alone = _ONLY_BEFORE.search(before) or _ONLY_AFTER.match(text, end)
    return bool(alone) and not _AT_A_PLACE.search(text[max(0, start - _BEFORE) : end])


def _all_told(text: str, body: int) -> bool:
    """Whether a brief says that those whom it names are all there are, and not that somebody has a solo, or is alone
    somewhere.

    >>> [_all_told(text, 0) for text in ("Just bass and drums.", "A guitar solo.", "Start with just the bass.")]
    [True, False, False]
    """
    alone = (one for one in _ALONE.finditer(text, body) if not _PASSAGE.match(text, one.end()))
    return bool(_ALL_THERE_ARE.search(text, body)) or any(
        not _AT_A_PLACE.search(_up_to(text, one.end())) for one in alone
    )


def _up_to(text: str, end: int) -> str:
    """The words of a sentence up to a position."""
    return text[max(text.rfind(mark, 0, end) for mark in ".;!?") + 1 : end]


def _pitched(cast: Cast) -> list[Part]:
    return [part for part in cast.parts if not part.drums]


def _only_low(cast: Cast) -> bool:
    """Whether nobody has pitches but basses."""
    low = (part.role == "bass" or instruments[part.instrument].family == "bass" for part in _pitched(cast))
    return bool(_pitched(cast)) and all(low)


def _as_bass(part: Part) -> Part:
    """A part with pitches that plays the bass."""
    return part if part.drums else replace(part, role="bass")


def _joined(text: str, body: int, cast: Cast, style: str, assumed: list[str]) -> Cast:
    """The cast with those whom a brief leaves open."""
    if _only_a_tune(cast):
        cast = _with_chords(cast, style, assumed)
    return _with_beat(cast, style, assumed) if _needs_a_beat(text, body, cast, style) else cast


def _with_chords(cast: Cast, style: str, assumed: list[str]) -> Cast:
    """The cast with who plays chords and who plays the bass."""
    parts = list(cast.parts)
    for name, role in zip(_bands()[style], ("comping", "bass"), strict=True):
        parts.append(_added(name, role, parts))
    added = " and ".join(part.name for part in parts[-2:])
    assumed.append(f"{style.capitalize()} needs chords and a bass: {added} are added.")
    return replace(cast, parts=tuple(parts))


def _needs_a_beat(text: str, body: int, cast: Cast, style: str) -> bool:
    """Whether a brief of a few words names players of a style that is nothing without drums, and no drums."""
    music = [part for part in cast.parts if not part.drums and instruments[part.instrument].family not in SOUNDS]
    few = len(text) - body <= _FEW_WORDS and bool(music)
    return few and needs_beat(style) and cast.drums is None and not any(part.drums for part in cast.parts)


def _is_driven(text: str, body: int, cast: Cast, style: str) -> bool:
    """Whether a style has drums and a bass here: always, or where two and more make a band that is not quiet."""
    if style not in _driven("band") or len(_pitched(cast)) < _FEW:
        return style in _driven("always")
    told = (_FOR.search(text[max(0, one.start - _BEFORE) : one.start]) for one in cast.spoken)
    return not any(told) and not _QUIET.search(text, body)


def _may_join(text: str, body: int, cast: Cast) -> bool:
    """Whether a brief names players, none of them at a kit, and does not say that they are all there are."""
    music = [part for part in cast.parts if instruments[part.instrument].family not in SOUNDS]
    drummed = cast.drums is False or any(_at_a_kit(part) for part in music)
    return bool(music) and not drummed and not _all_told(text, body)


def _at_a_kit(part: Part) -> bool:
    """Whether somebody has drums, or all kinds of percussion."""
    return part.role == "drums" or len(instruments[part.instrument].keys) > _ALL_KINDS


def _with_beat(cast: Cast, style: str, assumed: list[str]) -> Cast:
    """The cast with drums, and with a bass where nobody has one."""
    parts = [part for part in cast.parts if part.instrument not in KIT]
    if not any(part.role == "bass" for part in parts):
        parts.append(_added(_bands()[style][1], "bass", parts))
    parts.append(_added("drums", "drums", parts))
    assumed.append(f"{style.capitalize()} is nothing without a beat: drums are added.")
    return replace(cast, parts=tuple(parts), drums=True)


def _with_rhythm(cast: Cast, style: str, assumed: list[str]) -> Cast:
    """The cast with a bass and drums, where a beat or a whole band is asked for and nobody plays them."""
    parts = list(cast.parts)
    if not any(part.role == "bass" for part in parts):
        parts.append(_added(_bands()[style][1], "bass", parts))
    if not any(_at_a_kit(part) for part in parts):
        parts.append(_added("drums", "drums", parts))
    if len(parts) > len(cast.parts):
        names = " and ".join(part.name for part in parts[len(cast.parts) :])
        assumed.append(f"A whole band is asked for: {names} are added.")
    return replace(cast, parts=tuple(parts), drums=True)


def _added(name: str, role: str, parts: list[Part]) -> Part:
    """Somebody who joins a band."""
    instrument = instruments[name]
    called = unique_name(legal_name(name.title()), {part.name for part in parts})
    return Part(called, instrument.program, role, instrument.percussion, name)


def _only_a_tune(cast: Cast) -> bool:
    """Whether nobody but one or two players of melodies, and perhaps drums, is named; a choir that claps, stamps or
    hammers needs nobody."""
    families = {instruments[part.instrument].family for part in _pitched(cast)}
    choir = any(instruments[part.instrument].polyphony > 1 for part in _pitched(cast)) and families <= {"voices"}
    by_hand = [not _at_a_kit(part) for part in cast.parts if part.drums]
    at_work = choir and bool(by_hand) and all(by_hand)
    return 0 < len(_pitched(cast)) <= _FEW and families <= _TUNEFUL and not at_work


def _left_open(text: str, body: int, cast: Cast) -> bool:
    """Whether a brief leaves room for others: it lists nobody as complete, and has a kit or is short."""
    after = (_PIECE.match(text, one.end) for one in cast.spoken)
    told = (_FOR.search(text[max(0, one.start - _BEFORE) : one.start]) for one in cast.spoken)
    if _COMPLETE.search(text, body) or any(told) or any(after):
        return False
    return len(text) - body <= _SHORT or any(part.instrument == "drums" for part in cast.parts)
