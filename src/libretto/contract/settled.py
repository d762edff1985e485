"""Choices: of everything that a brief says of meter, tempo and length, what is taken, and why.

Every function notes what it heard and what it had to assume; where a brief contradicts itself the choice is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from libretto.contract.character import Leanings, Style, styles
from libretto.contract.dances import limping
from libretto.contract.form import ChorusForm
from libretto.contract.heard import Notes
from libretto.contract.lasting import ANY_TEMPO, as_told, find_seconds
from libretto.contract.layout import find_bars
from libretto.contract.pace import Band, find_meters, find_tempo, tempo_words
from libretto.contract.reckoning import Length, bars_in_turn, reckoned
from libretto.contract.speeds import of_manner, on_the_floor, slow_end, weighs
from libretto.contract.timeline import length_of, timeline
from libretto.contract.words import Found, Phrases, fold, rows_of
from libretto.score.time import QUARTER, Meter

__all__ = ["Kind", "choose_bars", "choose_meter", "choose_tempo", "kind_of", "style_name"]

# Where a brief names no tempo and no style: how far moods must lean, and the quarter notes a minute they lean to.
_MOVING = 0.35
_FAST = 116  # quarters a minute from which on words ask for something fast
_SLOW, _QUICK = (58, 84), (112, 144)
_PHRASE = 4  # bars: a length in seconds is filled with whole phrases
_ONE_SPEED = 1.16  # how much faster the fastest of a style is than its slowest that is danced at one speed
_APART = 1.25  # bands further apart than this contradict each other
_BARE = re.compile(
    r"(?:\A|[,;.]\s{0,3}|\bat\s|\bto\s|crotchet\s|quarter\s|quarters\s)(?:about\s|around\s|roughly\s|circa\s|ca\.?\s)?"
    r"(?P<bpm>\d{2,3})(?=(?:\sor so)?\s{0,3}(?:[,;.]|\Z))"
)
_LIKELY = range(44, 221)  # bare numbers that can be a tempo
_DOTTED = re.compile(r"(?:\w* ?to the )?dotted[- ](?:quarters?|crotchets?)(?:[- ]notes?)?(?:\s?=\s?|\sat\s|\s)?", re.I)
_DOTTED_BEAT = 1.5
_WORDS = "words "  # before the beat of tempos that are told by words alone
_LIKE = re.compile(r"[- ](?:like|esque|feel|style|inspired|vibe|ish)\b", re.I)


@dataclass(frozen=True, slots=True)
class Kind:
    """What a kind of piece has where nothing else is said: bars, form, and the beat in which its tempo is counted."""

    bars: int | None
    form: tuple[str, ...]
    beat: float
    words: float  # the beat in which words for a tempo are counted
    name: str


_SHORT_PIECE = Kind(16, (), 1.0, 1.0, "short piece")
_SHORT = re.compile(
    r"\b(?:short|brief|tiny|little|miniature)\s(?:[a-z-]+,?\s){0,3}?(?:piece|tune|song|melody|number|waltz|solo|duet|"
    r"composition|interlude|instrumental)\b",
    re.I,
)


@cache
def _kinds() -> Phrases[Kind]:
    entries = []
    for words, bars, form, beat in rows_of("kinds.txt"):
        first = words.split(",")[0]
        kind = Kind(
            None if bars == "-" else int(bars),
            () if form == "-" else tuple(form.split()),
            1.0 if beat == "-" or beat.startswith(_WORDS) else float(beat),
            float(beat.removeprefix(_WORDS)) if beat.startswith(_WORDS) else 1.0,
            first,
        )
        entries += [(word, kind) for word in words.split(",")]
    return Phrases(entries)


def kind_of(text: str, named: Iterable[Found[Style]], style: Style | None) -> Kind | None:
    """The kind of piece that a brief names as its style, or None."""
    spans = [(one.start, one.end) for one in named if style is not None and one.value is style]
    for kind in _kinds().find(text):
        several = text[kind.start : kind.end].lower().endswith("s") and not kind.value.name.endswith("s")
        if _LIKE.match(text, kind.end) or (several and style is None):
            continue
        if style is None or any(start <= kind.start < end or kind.start <= start < kind.end for start, end in spans):
            return kind.value
    return _SHORT_PIECE if _SHORT.search(text) else None


def choose_meter(
    said: str, named: Iterable[Found[Style]], chosen: Style | None, body: int, notes: Notes
) -> Meter | None:
    """The meter named first, else that of the first style named that has its own, else seven for what limps."""
    meters = find_meters(said)
    if meters:
        first = meters[0]
        notes.hear("meter", first.value, first.start, first.end)
        for other in meters[1:]:
            notes.hear("meter", other.value, other.start, other.end)
            if other.value != first.value:
                notes.assumed.append(f"{first.value} and {other.value} are both named; {first.value} is taken.")
        return first.value
    for phrase in named:
        style = phrase.value
        if style.meter is not None and (phrase.start >= body or style is chosen):
            notes.assumed.append(f"A {style.name} is in {style.meter}.")
            return style.meter
        inner = [styles()[word] for word in said[phrase.start : phrase.end].lower().split() if word in styles()]
        if any(one.meter for one in inner):  # a jazz waltz is jazz, and a waltz
            return next(one.meter for one in inner if one.meter)
    return limping(said, chosen, notes)


def style_name(style: Style | None, choruses: ChorusForm | None) -> str:
    """The name of the style; a form of choruses has one of its own, to which some styles give way."""
    if choruses and (style is None or style.name in choruses.instead_of):
        return choruses.style
    return style.name if style else ""


def choose_tempo(
    said: str, style: Style | None, kind: Kind | None, leanings: Leanings, notes: Notes
) -> tuple[float, float] | None:
    """The tempo in quarter notes a minute: said, else of the style, else of the mood."""
    usual, style = style, _at_its_pace(said, style)
    band = find_tempo(said)
    beat = kind.beat if kind else 1.0
    if band is not None:
        low, high = _held(band, style)
        numbered = re.search(r"\d", said[band.start : band.end])
        low, high = (low, high) if numbered or band.of_mood else _no_slower(low, high, style, usual)
        notes.hear("tempo", f"{low:g}" if low == high else f"{low:g}-{high:g}", band.start, band.end)
        if not band.outright:
            notes.assumed.append(f"The mood words suggest {low:g}-{high:g} quarter notes a minute.")
        _contradictions(said, (band.start, band.end), (low, high), notes)
        if kind and high < _QUICK[1] and not re.search(r"\d", said[band.start : band.end]):
            low, high = low * kind.words, high * kind.words
        return _counted(said, band.start, low, high, beat, kind, notes)
    bare = _BARE.search(said)
    if bare and int(bare["bpm"]) in _LIKELY:
        bpm = float(bare["bpm"])
        notes.hear("tempo", f"{bpm:g}", *bare.span("bpm"))
        notes.assumed.append(f"{bpm:g} alone is taken for the tempo.")
        return _counted(said, bare.start(), bpm, bpm, beat, kind, notes)
    if style is not None and not (kind is None and _slowed(style, leanings)):
        low, high = slow_end(*style.tempo) if weighs(said) else _leaning(style, leanings)
        notes.assumed.append(f"No tempo is named; {style.name} is usually played at {low}-{high}.")
        return _counted(said, -1, float(low), float(high), beat, kind, notes)
    return _of_mood(leanings, notes) or of_manner(said, notes)


@cache
def _paces() -> tuple[tuple[re.Pattern[str], tuple[int, int]], ...]:
    """Words for kinds of a style that have a speed of their own, with that."""
    made = []
    for names, speed in rows_of("paces.txt"):
        low, high = map(int, speed.split("-"))
        words = "|".join(re.escape(name.strip()) for name in names.split(","))
        made.append((re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.I), (low, high)))
    return tuple(made)


def _at_its_pace(said: str, style: Style | None) -> Style | None:
    """A style as fast as the kind of it is that a brief names: tropical house is slower than house."""
    told = [(match.start(), speed) for words, speed in _paces() if (match := words.search(said))]
    return replace(style, tempo=min(told)[1]) if style is not None and told else style


def _of_mood(leanings: Leanings, notes: Notes) -> tuple[float, float] | None:
    """The tempo that moods suggest; None where they suggest none."""
    if abs(leanings.tempo) < _MOVING:
        return None
    low, high = _SLOW if leanings.tempo < 0 else _QUICK
    notes.assumed.append(f"No tempo is named; the mood suggests {low}-{high}.")
    return float(low), float(high)


def _slowed(style: Style, leanings: Leanings) -> bool:
    """Whether a mood slows a style that has slow pieces as well as fast ones."""
    return leanings.tempo <= -_MOVING and style.tempo[1] >= _WIDE * style.tempo[0]


def _leaning(style: Style, leanings: Leanings) -> tuple[int, int]:
    """The usual tempo of a style; only the slower half of it where the mood is slow, and faster than most of it where
    the mood is lively and the style is not."""
    low, high = style.tempo
    if leanings.tempo >= _MOVING and high < _QUICK[0]:
        return (low + high) // 2, _QUICK[0] + (high - low) // 2
    return (low, (low + high) // 2) if leanings.tempo <= -_MOVING else (low, high)


_WIDE = 1.8  # how much faster the fastest pieces of a style are than its slowest, where it has both
_SPIRITED = 108  # quarters a minute from which on a mood is lively


def _held(band: Band, style: Style | None) -> tuple[float, float]:
    """The tempo that words ask for; a mood moves that of a style that is danced at one speed to an end of it only."""
    low, high = float(band.low), float(band.high)
    if style is not None and band.of_mood and low >= _SPIRITED and style.tempo[1] > high:
        return max(low, float(style.tempo[0])), float(style.tempo[1])  # a lively rockabilly is faster than lively
    if style is None or not band.of_mood or style.tempo[1] > style.tempo[0] * _ONE_SPEED:
        return low, high
    slowest, fastest = map(float, style.tempo)
    third = (fastest - slowest) / 3
    if high < slowest:
        return slowest, slowest + third
    return (fastest - third, fastest) if low > fastest else (low, high)


def _no_slower(low: float, high: float, style: Style | None, usual: Style | None) -> tuple[float, float]:
    """A tempo that words ask for; in a style that is faster than they say the faster half of its own, and one that is
    danced at one speed stays near that."""
    middle = sum(style.tempo) / 2 if style is not None and low >= _FAST else 0.0
    if style is not None and (low + high) / 2 < middle:
        low, high = middle, float(style.tempo[1])
    own = style.tempo if style is not None else None
    return on_the_floor((low, high), usual.tempo, own) if usual is not None else (low, high)


def _counted(
    said: str, at: int, low: float, high: float, beat: float, kind: Kind | None, notes: Notes
) -> tuple[float, float]:
    """A tempo in quarters, where the kind of piece, or the words before it, count another beat."""
    dotted = _DOTTED.search(said)
    after = _DOTTED.match(said, at + len(f"{low:g} ")) if at >= 0 else None
    dotted = after or dotted
    if dotted and (after or 0 <= at - dotted.start() <= len(dotted[0]) + 1):
        notes.hear("tempo", f"dotted {low:g}", dotted.start(), at)
        beat = _DOTTED_BEAT
    if beat == 1.0:
        return low, high
    what = f"A {kind.name} is" if kind and kind.beat == beat else "The tempo is"
    band = f"{low:g}" if low == high else f"{low:g}-{high:g}"
    low, high = low * beat, high * beat
    quarters = f"{low:g}" if low == high else f"{low:g}-{high:g}"
    notes.dotted = True
    notes.assumed.append(f"{what} counted in dotted quarters: {band} a minute are {quarters} quarter notes.")
    return low, high


def _contradictions(said: str, span: tuple[int, int], band: tuple[float, float], notes: Notes) -> None:
    """Note tempo words that contradict the tempo that was taken."""
    for word in tempo_words(said):
        inside = span[0] <= word.start < span[1]
        low, high = word.value
        if inside:
            continue
        notes.hear("tempo", f"{low}-{high}", word.start, word.end)
        if low > band[1] * _APART or high * _APART < band[0]:
            first, other = said[span[0] : span[1]].strip(), said[word.start : word.end]
            why = ", it is a number" if first[:1].isdigit() else ", it was said first" if span[0] < word.start else ""
            notes.assumed.append(f"'{first}' and '{other}' contradict each other; '{first}' is taken{why}.")


def _told_on(whole: str) -> Length | None:
    """The length of a piece that is told stretch by stretch, or what its words say beside that, if it is more."""
    low = fold(whole)
    stretches = timeline(low)
    if not stretches:
        return None
    rest = low
    for one in stretches:
        rest = rest[: one.start] + " " * (one.end - one.start) + rest[one.end :]
    beside = find_bars(rest)
    total = length_of(low)
    if (beside is not None and beside.bars >= total) or not total:
        return beside
    return Length(total, f"The bars named make {total}.", tuple((one.start, one.end) for one in stretches))


def choose_bars(
    said: str,
    whole: str,
    told_sections: Sequence[int],
    speed: tuple[Meter | None, tuple[float, float] | None],
    notes: Notes,
) -> int | None:
    """How many bars, said outright or as minutes; None where nothing says it. ``whole`` is what is said with all that
    holds in places."""
    meter, tempo = speed
    length = reckoned(whole) or _told_on(whole) or find_bars(said, told_sections, whole) or bars_in_turn(whole)
    if length is not None:
        return as_told(said, length, speed, notes)
    seconds = find_seconds(said)
    if seconds is None:
        return None
    bpm = sum(tempo or ANY_TEMPO) / 2
    quarters = (meter or Meter(4, 4)).ticks / QUARTER
    bars = max(_PHRASE, round(seconds.value / 60 * bpm / quarters / _PHRASE) * _PHRASE)
    notes.hear("minutes", f"{seconds.value / 60:g}", seconds.start, seconds.end)
    notes.assumed.append(f"{seconds.value:g} seconds at about {bpm:g} quarter notes a minute are {bars} bars.")
    return bars
