"""How fast and in what meter: numbers first, then the words of musicians, then everyday words.

A tempo is a band of quarter notes a minute, lowest and highest. Words joined by *to* span from one band to the other.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from libretto.contract.words import Found, Phrases, Token, tokens_of
from libretto.score.time import Meter

__all__ = ["Band", "find_meter", "find_tempo"]


class Band(NamedTuple):
    """A tempo as a brief asks for it: the band, and whether the words said it outright."""

    low: int
    high: int
    outright: bool


_STRONG = {
    "larghissimo": (24, 40), "grave": (34, 48), "very slow": (44, 60), "extremely slow": (36, 52), "really slow": (44, 60),
    "largo": (42, 60), "larghetto": (58, 68), "lento": (46, 62), "adagissimo": (40, 56), "adagio": (58, 76),
    "adagietto": (66, 80), "slow": (56, 76), "slowly": (56, 76), "slow paced": (56, 76), "slower": (60, 80),
    "moderately slow": (70, 90), "medium slow": (70, 90), "slow medium": (70, 90), "andante": (76, 100),
    "andantino": (80, 104), "walking pace": (80, 104), "marcia moderato": (84, 100), "andante moderato": (88, 108),
    "moderato": (96, 116), "moderate": (92, 116), "moderately": (92, 116), "medium": (96, 120), "mid tempo": (92, 116),
    "midtempo": (92, 116), "medium tempo": (96, 120), "medium paced": (96, 120), "moderately paced": (92, 116),
    "allegretto": (104, 122), "moderately fast": (112, 132), "medium fast": (116, 138), "medium up": (132, 168),
    "allegro moderato": (112, 126), "allegro": (120, 156), "allegro ma non troppo": (112, 132), "fast": (132, 168),
    "quick": (132, 160), "quickly": (132, 160), "rapid": (144, 176), "fast paced": (132, 168), "up tempo": (128, 160),
    "uptempo": (128, 160), "faster": (124, 160), "high tempo": (132, 168), "allegro con brio": (132, 160),
    "vivace": (152, 172), "vivacissimo": (168, 184), "allegro vivace": (140, 168), "very fast": (160, 200),
    "extremely fast": (176, 220), "presto": (168, 200), "prestissimo": (196, 232), "breakneck": (180, 220),
    "blistering": (170, 210), "half time": (68, 84), "double time": (150, 190), "medium swing": (112, 152),
    "not too fast": (88, 116), "not too slow": (80, 104), "slow swing": (72, 100), "up swing": (160, 220),
    "low tempo": (56, 76), "high speed": (150, 190), "rushing": (140, 176), "con moto": (92, 116), "alla marcia": (104, 120),
    "steady tempo": (88, 116), "comfortable": (84, 108),
}  # fmt: skip
_SOFT = {
    "lively": (116, 144), "brisk": (116, 144), "upbeat": (112, 140), "energetic": (116, 148), "driving": (120, 148),
    "vigorous": (116, 144), "spirited": (112, 140), "bouncy": (108, 132), "animated": (112, 136), "danceable": (108, 128),
    "dance": (108, 128), "dancing": (108, 128), "frantic": (160, 190), "frenetic": (160, 190), "hurried": (132, 160),
    "relaxed": (70, 96), "laid back": (72, 96), "leisurely": (66, 92), "gentle": (64, 88), "calm": (58, 80),
    "unhurried": (60, 84), "flowing": (72, 100), "rolling": (80, 108), "steady": (88, 116), "stately": (66, 92),
    "graceful": (80, 112), "marching": (104, 120), "grandioso": (60, 88), "maestoso": (66, 92), "majestic": (64, 92),
    "epic": (72, 108), "mystical": (66, 96), "groovy": (96, 116), "swinging": (116, 160), "swing": (116, 160),
    "cantabile": (66, 92), "tranquil": (56, 76), "soothing": (54, 76), "peaceful": (56, 78), "contemplative": (54, 76),
    "meditative": (50, 70), "reflective": (58, 80), "solemn": (50, 72), "hypnotic": (88, 116), "easygoing": (76, 100),
    "jaunty": (108, 128), "thrilling": (128, 152), "frenzied": (160, 190), "mellow": (68, 90), "sombre": (50, 70),
    "somber": (50, 70), "tranquillo": (56, 76), "vibrant": (112, 136), "dramatic": (72, 112), "suspenseful": (84, 112),
    "exciting": (120, 148), "intense": (124, 152), "waltz": (92, 132),
}  # fmt: skip
_Word = tuple[int, int, bool]  # the band, and whether the word speaks of nothing but tempo
_TEMPO_WORDS: Phrases[_Word] = Phrases([(word, (*band, True)) for word, band in _STRONG.items()])
_SOFT_WORDS: Phrases[_Word] = Phrases(
    [(word, (*band, word in _STRONG)) for word, band in (*_STRONG.items(), *_SOFT.items())]
)
_RANGE = re.compile(
    r"(?<![\d.])(\d{2,3})(?:\.\d)?\s{0,2}(?:bpm\s{0,2})?(?:-|–|—|to|and)\s{0,2}(\d{2,3})(?:\.\d)?\s{0,2}(?:bpm|b\.p\.m|beats (?:per|a) minute)",
    re.I,
)
_BPM = re.compile(
    r"(?<![\d.])(\d{2,3})(?:\.\d+)?\s{0,2}-?(?:bpm|b\.p\.m|beats (?:per|a) minute|quarter notes (?:per|a) minute)", re.I
)
_MARK = re.compile(
    r"(?:tempo (?:of|is|at|marking|should be|:)|tempo:|bpm[:= ]|[♩𝅘𝅥] ?=|quarter(?: note)? ?=)\s{0,2}(?:about |around |roughly |~)?(\d{2,3})(?!\d)(?!\s?(?:bars|measures))",
    re.I,
)
_ABOUT = re.compile(r"(?:about|around|roughly|approximately|approx\.?|circa|ca\.|~|near)\s*\Z", re.I)
_VARIES = re.compile(
    r"\b(?:variable|free|rubato|varying|varied|fluctuating) tempo|tempo (?:is|should be) (?:free|variable)", re.I
)
_SLASH = re.compile(r"(?<![\d/.])(\d{1,2}) ?/ ?(1|2|4|8|16)(?![\d/]|th)")
_METER_WORDS = (
    (re.compile(r"\b(?:waltz|three[- ]four|3-4|triple) (?:time|meter|metre|feel|rhythm)\b|\bin (?:three|3)\b(?! (?:parts|voices|sections|minutes|movements|acts|stages|keys|octaves))|\btriple (?:time|meter|metre)|waltz[- ]time", re.I), Meter(3, 4)),
    (re.compile(r"\b(?:common|four[- ]four) (?:time|meter|metre)\b|\bfour to the floor\b|\bfour on the floor\b", re.I), Meter(4, 4)),
    (re.compile(r"\b(?:cut time|cut common|alla breve|two[- ]two time)\b", re.I), Meter(2, 2)),
    (re.compile(r"\b(?:six[- ]eight|6-8|compound duple|jig) (?:time|meter|metre|feel|rhythm)\b|\bin six[- ]eight\b|\bsix[- ]eight\b", re.I), Meter(6, 8)),
    (re.compile(r"\bin (?:five|5)\b(?! (?:parts|voices|sections|minutes|movements|acts|keys|stages|octaves))|\bfive[- ](?:four|beat)\b|\bquintuple\b", re.I), Meter(5, 4)),
    (re.compile(r"\bin (?:seven|7)\b(?! (?:parts|voices|sections|minutes|movements|keys))|\bseven[- ]eight\b|\b(?:odd|irregular|asymmetric\w*) (?:meter|metre|time)", re.I), Meter(7, 8)),
    (re.compile(r"\btwelve[- ]eight\b", re.I), Meter(12, 8)),
    (re.compile(r"\bnine[- ]eight\b", re.I), Meter(9, 8)),
    (re.compile(r"\btwo[- ]four\b|\bpolka (?:beat|time|rhythm)\b|\bduple (?:time|meter|metre)", re.I), Meter(2, 4)),
)  # fmt: skip


def find_tempo(text: str) -> Band | None:
    """The tempo that a brief asks for, or None where it says nothing of the kind.

    >>> find_tempo("between 90 and 100 bpm"), find_tempo("a slow to moderate tempo")[:2]
    (Band(low=90, high=100, outright=True), (56, 116))
    """
    number = _number(text)
    if number is not None:
        return number
    if _VARIES.search(text):
        return None
    tokens = tokens_of(text)
    for near, outright in ((6, True), (0, True), (-1, False)):
        words = _SOFT_WORDS if near or near < 0 else _TEMPO_WORDS
        found = [one for one in words.find(text, tokens) if near <= 0 or _of_tempo(text, tokens, one, near)]
        if near < 0:
            found = [one for one in found if not one.value[2] and _soft_alone(tokens, one)]
        elif near == 0:
            found = [one for one in found if not _something_else(tokens, one)]
        if found:
            return _band(text, found, outright)
    return None


def _number(text: str) -> Band | None:
    match = _RANGE.search(text)
    if match:
        low, high = sorted((int(match[1]), int(match[2])))
        return Band(low, high, True) if low >= 20 and high <= 400 else None
    match = _BPM.search(text) or _MARK.search(text)
    if match and 20 <= int(match[1]) <= 400:
        bpm = int(match[1])
        slack = 5 if _ABOUT.search(text[: match.start(1)]) else 0
        return Band(bpm - slack, bpm + slack, True)
    return None


def _of_tempo(text: str, tokens: list[Token], one: Found[_Word], near: int) -> bool:
    """Whether the words *tempo* or *pace* stand in the same clause, close by."""
    around = tokens[max(0, one.first - near) : one.last + near]
    for token in around:
        if one.start <= token.start < one.end:
            continue
        between = text[min(token.end, one.end) : max(token.start, one.start)]
        if token.word in ("tempo", "tempos", "pace", "paced", "speed") and "." not in between and ";" not in between:
            return True
    return False


def _something_else(tokens: list[Token], one: Found[_Word]) -> bool:
    """Whether a plain word speaks of something other than the piece: *fast runs*, *slow build*, *medium size*."""
    if one.last + 1 >= len(tokens) or not tokens[one.last + 1].joined:
        return False
    return tokens[one.last + 1].word in (
        "runs", "run", "build", "size", "sized", "attack", "arpeggios", "melodies", "tunes", "picking", "passages", "lines",
        "scales", "fade", "notes", "solo", "solos", "burn", "dance", "fingerpicking", "strumming", "chord", "chords",
        "section", "sections", "riffs", "intro", "bridge", "outro", "crescendo", "movement", "stepwise", "decay",
    )  # fmt: skip


def _soft_alone(tokens: list[Token], one: Found[_Word]) -> bool:
    """Everyday words count alone only where they describe the piece at its opening."""
    return one.first <= 28 and tokens[one.first].word in (
        "upbeat", "lively", "brisk", "energetic", "relaxed", "laid", "leisurely", "calm", "unhurried", "soothing", "driving",
        "spirited", "meditative", "frenetic", "tranquil", "peaceful", "mellow",
    )  # fmt: skip


def _band(text: str, found: list[Found[_Word]], outright: bool) -> Band:
    strong = [one for one in found if one.value[2]]
    first = (strong or found)[0]
    low, high, _ = first.value
    index = found.index(first)
    if index + 1 < len(found):
        second = found[index + 1]
        joint = text[first.end : second.start].lower().strip(" ,")
        both = text[: first.start].rstrip().lower().endswith("both") and joint == "and"
        if both or joint in ("to", "-", "–", "through to", "or", "yet", "but", "to a"):
            low, high = min(low, second.value[0]), max(high, second.value[1])
    return Band(low, high, outright)


def find_meter(text: str) -> Meter | None:
    """The meter that a brief names, or None.

    >>> str(find_meter("in cut time")), str(find_meter("a 6/8 groove")), find_meter("C6/9 chords")
    ('2/2', '6/8', None)
    """
    for match in _SLASH.finditer(text):
        meter = Meter(int(match[1]), int(match[2]))
        if (
            1 < meter.beats <= 21
            and meter.is_possible
            and not (meter.unit == 1)
            and text[match.start() - 1 : match.start()] not in "ABCDEFGm"
        ):
            return meter
        if match.start() == 0 and 1 < meter.beats <= 21 and meter.unit > 1:
            return meter
    first: tuple[int, Meter] | None = None
    for pattern, meter in _METER_WORDS:
        found = pattern.search(text)
        if found and (first is None or found.start() < first[0]):
            first = (found.start(), meter)
    return first[1] if first else None
