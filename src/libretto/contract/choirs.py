"""Choirs: the four voices of one by their short names, *soprano, alto, tenor and bass*, and words that only paint."""

from __future__ import annotations

import re

from libretto.contract.worlds import in_jazz

__all__ = ["are_singers", "horn_of", "is_choral_word", "is_short_voice", "lowest"]

_SHORT = ("alto", "tenor", "baritone")
_SAXES = {"alto": "alto sax", "tenor": "tenor sax", "baritone": "baritone sax"}
_BASSES = ("bass", "basses")
_ABOVE = ("alto voice", "tenor voice", "baritone voice", "baritone")  # after whom a bass sings
_VOICES = r"(?:mezzo-?sopranos?|sopranos?|altos?|contraltos?|tenors?|baritones?|bass(?:es)?|voices?|singers?)"
_BETWEEN = r"\s*(?:,|/|&|and|,\s*and|plus)?\s*(?:(?:an?|the|solo)\s+)?"
_BEFORE = re.compile(rf"\b{_VOICES}{_BETWEEN}\Z", re.I)
_AFTER = re.compile(rf"{_BETWEEN}\b(?!bass (?:guitar|drum|clarinet|line|trombone)){_VOICES}\b", re.I)
_INSTRUMENT = re.compile(  # what an alto or a tenor may be besides a voice
    r"(?:(?:\s*(?:,|/|&|and|or)\s*)(?:alto|tenor|baritone|bass|soprano))*\s(?:sax\w*|recorders?|flutes?|trombones?|"
    r"horns?|clarinets?|viols?|guitars?|drums?|banjos?|line|clef|register|range)\b",
    re.I,
)
_SINGER = re.compile(r"\b(?:an?|the|solo|lyric|wordless|operatic|male|high|warm)\s\Z", re.I)
_SINGING = re.compile(r"\s(?:should\s|must\s|can\s|then\s)?(?:sing|hum|voice|vocal|solo|chant|intone|enter|carr)", re.I)
_SYLLABLES = re.compile(
    r"\s(?:should\s|then\s|softly\s)?(?:ooh|aah|ah|hum|croon|chant|shout|scat|coo|la-la)(?:s|ing)?\b", re.I
)  # what only singers do
_FOR = re.compile(r"\bfor\s(?:an?\s|solo\s)*\Z", re.I)
_WITH = re.compile(r"(?:\s*,|\s(?:and|with))\s(?:an?\s|the\s)?(?!drums?\b)[a-z]", re.I)
_PIECE = re.compile(
    r"\s(?:piece|work|setting|miniature|music|composition|song|movement|writing|style|texture|hymn|motet|anthem|"
    r"arrangement|prelude|fantasy|ballad|meditation|lullaby|carol|elegy|prayer|interlude)\b",
    re.I,
)
_SUNG = re.compile(r"\b(?:choral|choir|a cappella|acapella|unaccompanied voices|no instruments|sung)\b", re.I)
_A_VOICE = ("voice", "voices")
_WHICH = re.compile(r"\b(top|upper|highest|middle|inner|low|lower|lowest|bottom)\s\Z", re.I)
_CALLED = dict.fromkeys(("top", "upper", "highest"), "soprano") | dict.fromkeys(("middle", "inner"), "alto voice")
_CALLED |= dict.fromkeys(("low", "lower", "lowest", "bottom"), "bass voice")
_LAST_OF_LIST = re.compile(r"(?:[a-z]{3,}|,) and (?:the )?\Z", re.I)
_ENDS_LIST = re.compile(r"\s*(?:[.,;!?]|\Z|\s(?:in|at|over|with|for)\b)", re.I)
_COUNTED = re.compile(r"\b(?:two|three|2|3|both|duet|duo|trio|lead|solo)\b[^.;,]*\Z", re.I)  # that many who sing alone
_THE, _AND_VOICES = re.compile(r"\bthe \Z", re.I), re.compile(r"(?:[a-z]{3,}|,) and voices\b", re.I)  # named before
_TENORS, _CELLOS = re.compile(r"\b(?:tenors|altos|sopranos|satb)\b", re.I), re.compile(r"\b(?:cellos|violas)\b", re.I)
_REACH = 24  # characters before a name in which the voice named before ends


def is_short_voice(text: str, words: str, start: int, end: int) -> bool:
    """Whether *alto* or *tenor* means who sings: among other voices, or as somebody who does.

    >>> is_short_voice("soprano, alto and tenor", "alto", 9, 13), is_short_voice("an alto sax", "alto", 3, 7)
    (True, False)
    """
    if words not in _SHORT or _INSTRUMENT.match(text, end):
        return False
    before = text[max(0, start - _REACH) : start]
    sings = _SINGER.search(before) and _SINGING.match(text, end)
    song = _FOR.search(before) and _WITH.match(text, end) and "sax" not in text.lower()
    return bool(_BEFORE.search(before) or _AFTER.match(text, end) or sings or song)


def lowest(text: str, words: str, start: int, end: int, last: str, family: str) -> str:
    """What a bass is that is named right after ``last``: the lowest of voices or of strings; else nothing."""
    if are_singers(text, words, start, end):
        return "choir"
    if words in _A_VOICE and _SUNG.search(text):
        told = _WHICH.search(text[max(0, start - _REACH) : start])
        return _CALLED[told[1].lower()] if told else ""
    if words not in _BASSES or _INSTRUMENT.match(text, end):
        return ""
    if words == _BASSES[1] and _sing_lowest(text, last):
        return "bass voice"
    if last in _ABOVE and _BEFORE.search(text[max(0, start - _REACH) : start]):
        return "bass voice"
    return {"strings": "double bass", "brass": "tuba"}.get(family, "") if words == "basses" else ""


def _sing_lowest(text: str, last: str) -> bool:
    """Whether *basses* are voices: after voices above them, among those of a choir, or where all is sung."""
    among = _TENORS.search(text) and not _CELLOS.search(text)
    return bool(among or last in _ABOVE or (not last and _SUNG.search(text)))


def are_singers(text: str, words: str, start: int, end: int) -> bool:
    """Whether *voices* are who sings, at the end of a list of players, and not how many parts there are; *singers* are,
    unless they are counted.

    >>> are_singers("with log drums and voices.", "voices", 19, 25), are_singers("for four voices", "voices", 9, 15)
    (True, False)
    """
    if words == "singers":
        return not _COUNTED.search(text[max(0, start - _REACH) : start])
    if words == "voices" and _THE.search(text[:start]):
        return bool(_AND_VOICES.search(text[:start]))
    listed = bool(_LAST_OF_LIST.search(text[:start]) and _ENDS_LIST.match(text, end))
    return words == "voices" and (listed or bool(_SYLLABLES.match(text, end)))


def is_choral_word(text: str, words: str, end: int) -> bool:
    """Whether *choral* only says what kind of piece is meant."""
    return words == "choral" and bool(_PIECE.match(text, end))


def horn_of(text: str, words: str, start: int, end: int) -> str:
    """The saxophone that jazz calls by its height alone, *trumpet and tenor*; else nothing."""
    short = words in _SAXES and in_jazz(text) and not is_short_voice(text, words, start, end)
    return _SAXES[words] if short else ""
