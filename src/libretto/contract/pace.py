"""How fast and in what meter: numbers first, then the words of musicians, then everyday words.

A tempo is a band of quarter notes a minute, lowest and highest. Words joined by *to* span from one band to the other.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from libretto.contract.words import Found, Phrases, Token, rows_of, tokens_of, words_of
from libretto.score.time import Meter

__all__ = ["SLOW_THEN", "Band", "find_meter", "find_meters", "find_tempo", "paces", "tempo_words"]


class Band(NamedTuple):
    """A tempo as a brief asks for it: the band, whether the words said it outright, where they stand, and whether they
    speak of a mood as well."""

    low: int
    high: int
    outright: bool
    start: int = 0
    end: int = 0
    of_mood: bool = False


class _Word(NamedTuple):
    """What a word says of the tempo: a band, and whether it speaks of nothing but tempo."""

    low: int
    high: int
    of_tempo: bool


_SLOWEST, _FASTEST = 20, 400  # numbers of beats a minute that can be a tempo
_AROUND = 5  # beats a minute by which "about" may be missed
_DENIALS, _DENIED = (
    frozenset({"nothing", "not", "never", "without", "hardly", "isnt", "dont"}),
    3,
)  # words before one that deny it
#: Words for pieces, which say less of a tempo than others beside them.
_PIECES = ("waltz", "dance", "swing", "ballad", "viennese waltz")
_PACE = frozenset({"tempo", "tempos", "pace", "paced", "speed"})
_GAITS = frozenset(
    {"gait", "clip", "lilt", "stride", "strut", "trot", "tread", "amble", "sway", "lick", "swing", "step"}
)
_AT_A = re.compile(r"\b(?:at|in) an?\s(?:[a-z'-]+,?\s){1,3}\Z", re.I)  # at an easy gait
_NEAR = 6  # words around one within which "tempo" or "pace" makes it speak of tempo
_OPENING = 28  # words in which a text says what kind of piece it wants
_LATER = re.compile(r"the calm\Z|(?:then|finally|into|becomes) ")  # what comes after a storm
_MOST_BEATS = 21  # of a bar
_NOT_THE_PIECE = words_of("not the tempo of the piece")
_TELLING = words_of("moods that tell a tempo")


def _table(kinds: tuple[str, ...]) -> Phrases[_Word]:
    entries: list[tuple[str, _Word]] = []
    for words, band, kind in rows_of("tempi.txt"):
        low, high = map(int, band.split("-"))
        entries += [(word, _Word(low, high, kind == "tempo")) for word in words.split(",") if kind in kinds]
    return Phrases(entries)


_TEMPO_WORDS = _table(("tempo",))
_ALL_WORDS = _table(("tempo", "mood"))
_RANGE = re.compile(
    r"(?<![\d.])(\d{2,3})(?:\.\d)?\s{0,2}(?:bpm\s{0,2})?(?:-|–|—|to|and)\s{0,2}(\d{2,3})(?:\.\d)?\s{0,2}(?:bpm|"
    r"b\.p\.m|beats (?:per|a) minute)",
    re.I,
)
_BPM = re.compile(
    r"(?<![\d.])(\d{2,3})(?:\.\d+)?\s{0,2}-?(?:bpm|b\.p\.m|beats (?:per|a) minute|quarter notes (?:per|a) minute|"
    r"dotted[- ](?:quarter|crotchet)s?(?:[- ]notes?)?(?: beats)? (?:per|a) minute|"
    r"(?<=\d) (?:beats? )?to (?:the|a) (?:dotted[- ])?(?:quarter|crotchet)\b(?:[- ]notes?)?)",
    re.I,
)
_TO_THE = r"(?<![\d.])(\d{2,3}) (?:beats? )?to (?:the|an?) "  # so many of them a minute
_IS = r" ?= ?(?:about |around |ca\.? )?(\d{2,3})(?!\d)"
_EIGHTHS = re.compile(rf"{_TO_THE}(?:eighth|quaver)|(?:\b(?:eighth|quaver)s?(?:[- ]notes?)?|♪){_IS}", re.I)
_HALVES = re.compile(rf"{_TO_THE}(?:half|minim)|\b(?:half|minim)(?:[- ]notes?)?s?{_IS}", re.I)
_BARS_A_MINUTE = re.compile(r"(?<![\d.])(\d{2})\s(?:bars|measures) (?:per|a) minute|(?<![\d.])(\d{2}) mpm\b", re.I)
_MARK = re.compile(
    r"(?:\b(?:largo|lento|adagio|andante|andantino|moderato|allegretto|allegro|vivace|presto|prestissimo)"
    r"(?: (?:ma|non|con|molto|assai|moderato|vivo|troppo|brio|moto|e|cantabile|giusto))*[,:]?\s\(?(?=\d)|"
    r"tempo (?:of|is|at|marking|should be|:|(?=\d))|tempo:|bpm[:= ]|[♩𝅘𝅥] ?=|quarter(?: note)? ?=)\s{0,2}(?:about |"
    r"around |roughly |~)?(\d{2,3})(?!\d)(?!\s?(?:bars|measures))",
    re.I,
)
_AT = re.compile(
    r"\bat (?:about |around |roughly )?(\d{2,3})(?![\d/.])(?!\s?(?:bars|measures|%|am|pm|years|hz|db|"
    r"seconds|min))",
    re.I,
)
_ABOUT = re.compile(r"(?:about|around|roughly|approximately|approx\.?|circa|ca\.|~|near)\s*\Z", re.I)
_A_TEMPO = re.compile(r"[\s,-]+(?:\w+[\s,-]+){0,2}(?:tempo|pace|speed)\b", re.I)  # of which a word is said
_FROM_SLOW = re.compile(
    r"\b(?:(?:begin|start|open)(?:s|ing)?(?: off| out)? (?:very |quite |rather )?|from (?:a )?(?:very )?)slow(?:ly)?\b"
    r"[^.;!?]{0,48}?\b(?P<goal>fast|quick|frantic|frenzied|furious|rapid|wild)\b",
    re.I,
)
#: A slow part that is told before another one: ``first a slow lament, then a wild dance``.
SLOW_THEN = re.compile(
    r"\b(?:first,? |an? |the )(?:[a-z-]+,? ){0,2}?(?P<slow>slow|half[- ](?:speed|tempo)|crawling|"
    r"lumbering|plodding)\b(?!(?:,? [a-z-]+){0,3} intro)[^.;!?]{0,60}?"
    r"(?:\bthen|\bfollowed by|\bbefore|\b(?:giv\w+ way|lead\w*) (?:in)?to|\b(?:turn|burst|break|explod|erupt)\w* into) "
    r"(?P<then>[^.;!?]{0,30}?\b(?:fast|quick|rapid|lively|brisk|furious|frantic|frenzied|wild|whirling|fiery|allegro|presto|"
    r"vivace|up-?tempo|driving)\b)(?! (?:runs?|notes?|scales?|fills?|passages?|licks?|solos?))",
    re.I,
)
_VARIES = re.compile(
    r"\b(?:variable|free|rubato|varying|varied|fluctuating) tempo|tempo (?:is|should be) (?:free|variable)", re.I
)
_SLASH = re.compile(r"(?<![\d/.])(\d{1,2}) ?/ ?(1|2|4|8|16)(?![\d/]|th)")
_METER_WORDS = (
    (re.compile(r"\b(?:waltz|three[- ]four|3-4|triple) (?:time|meter|metre|feel|rhythm|tempo|pace)\b|\bin (?:three|"
                r"3)\b(?!\s?/| (?:parts|voices|sections|minutes|movements|acts|stages|keys|octaves))|\btriple (?:time|"
                r"meter|metre)|waltz[- ]time", re.I), Meter(3, 4)),
    (re.compile(r"\b(?:common|four[- ]four) (?:time|meter|metre)\b|\bfour to the floor\b|"
                r"\bfour on the floor\b", re.I), Meter(4, 4)),
    (re.compile(r"\b(?:stride piano|harlem stride|stride pianist|rumba|cha[- ]cha)\b", re.I), Meter(4, 4)),
    (re.compile(r"\b(?:cut time|cut common|alla breve|two[- ]two time)\b", re.I), Meter(2, 2)),
    (re.compile(r"\b(?:six[- ]eight|6-8|compound duple|jig) (?:time|meter|metre|feel|rhythm)\b|\bin six[- ]eight\b|"
                r"\bsix[- ]eight\b", re.I), Meter(6, 8)),
    (re.compile(r"\bin (?:five|5)\b(?!\s?/|[- ](?:finger|note|tone)|[- ](?:parts|voices|sections|minutes|movements|"
                r"acts|keys|stages|octaves))|"
                r"\bfive[- ](?:four|beat)\b|\bquintuple\b", re.I), Meter(5, 4)),
    (re.compile(r"\bin (?:seven|7)\b(?!\s?/| (?:parts|voices|sections|minutes|movements|keys))|\bseven[- ]eight\b|"
                r"\b(?:odd|irregular|asymmetric\w*) (?:meter|metre|time)", re.I), Meter(7, 8)),
    (re.compile(r"\btwelve[- ]eight\b", re.I), Meter(12, 8)),
    (re.compile(r"\bnine[- ]eight\b|\bslip jigs?\b", re.I), Meter(9, 8)),
    (re.compile(r"\btwo[- ]four\b|\bpolka (?:beat|time|rhythm)\b|\bduple (?:time|meter|metre)", re.I), Meter(2, 4)),
)  # fmt: skip


def find_tempo(text: str) -> Band | None:
    """The tempo that a brief asks for, or None where it says nothing of the kind.

    >>> find_tempo("between 90 and 100 bpm")[:3], find_tempo("a slow to moderate tempo")[:2]
    ((90, 100, True), (56, 116))
    """
    number = _number(text)
    if number is not None:
        return number
    tokens = tokens_of(text)
    every = _tempo_words(text, tokens)
    near = [word for word in every if _of_tempo(text, tokens, word)]
    plain = [word for word in every if word.value.of_tempo]
    if _VARIES.search(text) and not any(word.value.of_tempo for word in near):
        return None
    near = _outranked(text, near, plain) if plain else near
    telling = [word for word in every if not word.value.of_tempo and _soft_alone(tokens, word)]
    for words, outright in ((near, True), (plain, True), (telling, False)):
        if words:
            return _band(text, words, outright)
    return None


def _tempo_words(text: str, tokens: list[Token]) -> list[Found[_Word]]:
    """The words that tell a tempo; what begins slow and becomes fast is slow, as it begins so."""
    goal, before = _FROM_SLOW.search(text), SLOW_THEN.search(text)
    every = [word for word in _ALL_WORDS.find(text, tokens) if not _something_else(tokens, word)]
    if before:  # what is slow comes before the piece is under way
        every = [word for word in every if not before.start("slow") <= word.start < before.start("then")]
    return [word for word in every if goal is None or not goal.start("goal") <= word.start < goal.end()]


def _outranked(text: str, near: list[Found[_Word]], plain: list[Found[_Word]]) -> list[Found[_Word]]:
    """Words near a tempo; none where they are all of moods and a tempo is told elsewhere: what is fast-paced and
    swinging is fast, and a driving mid-tempo pulse is at mid-tempo."""
    near = [word for word in near if not any(text[word.end : other.start] in (" ", "-") for other in plain)]
    told = any(word.value.of_tempo or _A_TEMPO.match(text, word.end) for word in near)
    return near if told else []


def _marked(text: str) -> Band | None:
    """A tempo that is told in eighths or halves: ``eighth = 300``."""
    for pattern, factor in ((_EIGHTHS, 0.5), (_HALVES, 2.0)):
        match = pattern.search(text)
        bpm = round(int(match[match.lastindex or 1]) * factor) if match else 0
        if match and _SLOWEST <= bpm <= _FASTEST:
            return Band(bpm, bpm, True, match.start(), match.end())
    return None


def _number(text: str) -> Band | None:
    match = _RANGE.search(text)
    if match:
        low, high = sorted((int(match[1]), int(match[2])))
        fits = low >= _SLOWEST and high <= _FASTEST
        return Band(low, high, True, match.start(), match.end()) if fits else None
    marked = _marked(text)
    if marked is not None:
        return marked
    match = _BARS_A_MINUTE.search(text)
    if match:
        meter = find_meter(text) or (Meter(3, 4) if re.search(r"\bwaltz", text, re.I) else Meter(4, 4))
        bpm = round(int(match[1] or match[2]) * meter.ticks / Meter(1, 4).ticks)
        return Band(bpm, bpm, True, match.start(), match.end()) if _SLOWEST <= bpm <= _FASTEST else None
    match = _BPM.search(text) or _MARK.search(text) or _AT.search(text)
    if match and _SLOWEST <= int(match[1]) <= _FASTEST:
        bpm = int(match[1])
        slack = _AROUND if _ABOUT.search(text[: match.start(1)]) else 0
        return Band(bpm - slack, bpm + slack, True, match.start(), match.end())
    return None


def _of_tempo(text: str, tokens: list[Token], one: Found[_Word]) -> bool:
    """Whether the words *tempo* or *pace* stand in the same clause, close by."""
    around = tokens[max(0, one.first - _NEAR) : one.last + _NEAR]
    for token in around:
        if one.start <= token.start < one.end:
            continue
        between = text[min(token.end, one.end) : max(token.start, one.start)]
        close = "." not in between and ";" not in between
        if close and (token.word in _PACE or (token.word in _GAITS and _AT_A.search(text[: token.start]))):
            return True
    return False


def _something_else(tokens: list[Token], one: Found[_Word]) -> bool:
    """Whether a plain word speaks of something other than the piece: *fast runs*, *slow build*, *medium size*."""
    if {token.word for token in tokens[max(0, one.first - _DENIED) : one.first]} & _DENIALS:
        return True
    if one.last + 1 >= len(tokens) or not tokens[one.last + 1].joined:
        return False
    return tokens[one.last + 1].word in _NOT_THE_PIECE


def _soft_alone(tokens: list[Token], one: Found[_Word]) -> bool:
    """Everyday words count alone only where they describe the piece at its opening, and not what comes later."""
    later = " ".join(token.word for token in tokens[max(0, one.first - 1) : one.first + 1])
    return one.first <= _OPENING and tokens[one.first].word in _TELLING and not _LATER.match(later)


def _band(text: str, words: list[Found[_Word]], outright: bool) -> Band:
    """The band of the first word that speaks of tempo, joined with that of the next word where the text joins them."""
    told = [word for word in words if text[word.start : word.end].lower() not in _PIECES] or words
    first = next((word for word in (*told, *words) if word.value.of_tempo), told[0])
    low, high = first.value.low, first.value.high
    end = first.end
    following = words[words.index(first) + 1 :]
    if following:
        second = following[0]
        joint = text[first.end : second.start].lower().strip(" ,")
        both = text[: first.start].rstrip().lower().endswith("both") and joint == "and"
        if both or joint in ("to", "-", "–", "through to", "or", "yet", "but", "to a"):
            low, high, end = min(low, second.value.low), max(high, second.value.high), second.end
    return Band(low, high, outright, first.start, end, not first.value.of_tempo)


def tempo_words(text: str) -> list[Found[tuple[int, int]]]:
    """The words of a text that speak of nothing but tempo, each with its band.

    >>> [word.value for word in tempo_words("slow at first, then presto")]
    [(56, 76), (168, 200)]
    """
    return _bands(text, _TEMPO_WORDS)


def paces(text: str) -> list[Found[tuple[int, int]]]:
    """The words of a text that tell how fast something goes, those for moods too, each with its band."""
    return _bands(text, _ALL_WORDS)


def _bands(text: str, table: Phrases[_Word]) -> list[Found[tuple[int, int]]]:
    tokens = tokens_of(text)
    return [
        Found((word.value.low, word.value.high), word.start, word.end, word.first, word.last)
        for word in table.find(text, tokens)
        if not _something_else(tokens, word)
    ]


def find_meter(text: str) -> Meter | None:
    """The meter that a brief names, or None.

    >>> str(find_meter("in cut time")), str(find_meter("a 6/8 groove")), find_meter("C6/9 chords")
    ('2/2', '6/8', None)
    """
    meters = find_meters(text)
    return meters[0].value if meters else None


def find_meters(text: str) -> list[Found[Meter]]:
    """The meters that a brief names: those in figures from left to right, then those in words."""
    meters = []
    for match in _SLASH.finditer(text):
        meter = Meter(int(match[1]), int(match[2]))
        of_a_chord = match.start() > 0 and text[match.start() - 1] in "ABCDEFGm"
        if 1 < meter.beats <= _MOST_BEATS and meter.unit > 1 and not of_a_chord:
            meters.append(Found(meter, match.start(), match.end(), 0, 0))
    worded = [
        Found(meter, words.start(), words.end(), 0, 0)
        for pattern, meter in _METER_WORDS
        for words in pattern.finditer(text)
    ]
    return meters + sorted(worded, key=lambda meter: meter.start)
